"""What leagues and team matches share: one transaction in which events are added, and what follows from them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Generic, Protocol, TypeVar

from bot.games.model.errors import Refused
from bot.i18n import _
from bot.support.signals import Signal
from bot.tournaments.formats.registry import settings_as_json
from bot.tournaments.model.action_codec import A, Actions, Fields
from bot.tournaments.model.events import Action, Entered, Started, TournamentSettings
from bot.tournaments.model.state import Phase
from bot.tournaments.pairing.record import Colour
from bot.tournaments.persistence.stored import NewCompetition, Stored, shared
from bot.tournaments.persistence.stored_tournament import StoredTournament, TournamentUnit
from bot.tournaments.persistence.stored_tournament import add as add_tournament
from bot.tournaments.use_cases.finalise import COMPETITION
from bot.tournaments.use_cases.live_messages import PendingMessages
from bot.tournaments.use_cases.work import TournamentWork
from data.queries import competitions, timers, tournaments
from data.queries.competitions import CompetitionRow
from data.queries.event_lists import EventRow
from data.queries.tournaments import TournamentRow
from data.store import Transaction


class CompetitionState(Protocol):
    """What a competition is after its events."""

    @property
    def status(self) -> str:
        """Whether it is "open", "running" or "over"."""

    def has(self, person: int) -> bool:
        """Whether somebody plays in it, or is to."""


S = TypeVar("S", bound=CompetitionState)


@dataclass(frozen=True, kw_only=True)
class Competition(Stored, Generic[S]):
    """A league or a team match as it is kept, and what its events add up to. ``last``: the number of the last event.
    Of a team match: the guests' server and channel, and the ``code`` that they accept it with."""

    other_guild_id: int | None
    other_channel_id: int | None
    code: str | None
    last: int
    state: S


@dataclass
class CompetitionUnit(Generic[S]):
    """A competition within the transaction that changes it. ``tournaments``: those of its that change with it.
    ``not_before``: nothing is done by itself until then."""

    tx: Transaction
    competition: Competition[S]
    source: str
    now: int
    by: int
    tournaments: list[TournamentUnit] = field(default_factory=list)
    not_before: int = 0
    _added: int = 0

    @property
    def state(self) -> S:
        return self.competition.state

    def change(self, competition: Competition[S]) -> None:
        """Go on with the competition as it is now; who changes it stores what has changed."""
        self.competition = competition

    def wait(self, until: int) -> None:
        self.not_before = until

    def as_source(self, source: str) -> None:
        """From here on it is this that the change brings in, once."""
        self.source = source

    def next_source(self) -> str:
        """The source of its next event: numbered from the second one on."""
        self._added += 1
        return self.source if self._added == 1 else f"{self.source}+{self._added - 1}"

    async def request(self, *kinds: str, number: int = 0) -> None:
        """Let these messages be posted, or edited, wherever the competition is shown."""
        of = self.competition
        places = [(of.guild_id, of.channel_id)]
        if of.other_channel_id is not None:
            places.append((of.other_guild_id, of.other_channel_id))
        for kind in kinds:
            for place in places:
                await competitions.posts.request(self.tx, of.id, kind, self.now, number, place=place)


class Competitions(Generic[S, A]):
    """What leagues and team matches have in common: their transactions, their tournaments, their messages.

    ``none``: what is said where there is none of a number; ``none_here``: where there is none in a channel."""

    kind: str
    actions: Actions[A]
    none: str
    none_here: str

    def __init__(self, work: TournamentWork) -> None:
        self._work = work
        self.messages = PendingMessages(work, competitions.posts, "contest-post")
        self.changed: Signal[[int]] = Signal()
        """Told of a competition that has something to say."""

    def begun(self, plan: Mapping[str, Any]) -> S:
        """A competition before its first event. ``plan``: what its kind was told, as it is stored."""
        raise NotImplementedError

    def after(self, state: S, action: A, at: int) -> S:
        """A competition after one more event. It never fails."""
        raise NotImplementedError

    async def load(self, competition_id: int) -> Competition[S]:
        """A competition as it stands. Raises Refused when there is none."""
        async with self._work.reading() as tx:
            return await self._load(tx, competition_id)

    async def _load(self, tx: Transaction, competition_id: int, *, to_change: bool = False) -> Competition[S]:
        row = await competitions.stored.get(tx, competition_id, to_change=to_change)
        if row is None or row.kind != self.kind:
            raise Refused(self._none(competition_id))
        state, last = self.begun(row.plan), 0
        for event in await competitions.stored.all_events(tx, competition_id):
            state, last = self.after(state, self.actions.read(event.action), event.at), event.number
        return Competition(
            **shared(row),
            other_guild_id=row.other_guild_id,
            other_channel_id=row.other_channel_id,
            code=row.code,
            last=last,
            state=state,
        )

    def _none(self, competition_id: int) -> str:
        return _(self.none).format(number=competition_id)

    @asynccontextmanager
    async def _unit(self, competition_id: int, by: int, source: str) -> AsyncIterator[CompetitionUnit[S]]:
        """The transaction of a use case on one competition. Raises Duplicate for a source that was applied before."""
        async with self._work.once(competitions.stored, source) as tx:
            competition = await self._load(tx, competition_id, to_change=True)
            unit = CompetitionUnit(tx, competition, source, self._work.now, by)
            yield unit
            await self._set_timer(unit)
        for change in unit.tournaments:
            self._work.tell(change)
        self.changed.send(competition_id)

    async def _add(self, unit: CompetitionUnit[S], action: A) -> None:
        """Append an event."""
        of = unit.competition
        row = EventRow(of.last + 1, unit.now, unit.by, self.actions.as_json(action))
        await competitions.stored.add_event(unit.tx, of.id, row, unit.next_source())
        state = self.after(of.state, action, unit.now)
        if state.status != of.status:
            await competitions.stored.change(unit.tx, of.id, status=state.status)
        unit.change(replace(of, last=row.number, state=state, status=state.status))

    def due(self, competition: Competition[S]) -> int | None:
        """When a competition does something by itself next, as far as its own events tell."""
        raise NotImplementedError

    async def _set_timer(self, unit: CompetitionUnit[S]) -> None:
        at = self.due(unit.competition)
        if at is None:
            await timers.drop(unit.tx, COMPETITION, unit.competition.id)
            return
        later = max(at, unit.not_before)
        await timers.put(unit.tx, COMPETITION, unit.competition.id, later, {})
        self._work.set_timer(unit.tx, later)

    async def time_passed(self, competition_id: int) -> None:
        """The timer of a competition has fallen due, or a game of one of its tournaments has ended: do what is to be
        done by now. Asked again, it does nothing more."""
        raise NotImplementedError

    async def _create(
        self, new: NewCompetition, plan: Fields, post: str, source: str, code: str | None = None
    ) -> Competition[S]:
        """Keep a new competition, and let ``post`` be posted. ``plan``: what its kind is told besides."""
        guild_id, channel_id = new.place.guild_id, new.place.channel_id
        assert guild_id is not None
        async with self._work.once(competitions.stored, source) as tx:
            if await competitions.open_of(tx, self.kind, guild_id) >= MOST_OPEN:
                text = _("There are {most} of these on this server that are not over, which is the most.")
                raise Refused(text.format(most=MOST_OPEN))
            row = CompetitionRow(
                **new.columns,
                kind=self.kind,
                plan=asdict(plan),
                code=code,
                status="open",
                made_at=self._work.now,
                source=source,
            )
            competition_id = await competitions.stored.add(tx, row)
            await competitions.posts.request(tx, competition_id, post, self._work.now, place=(guild_id, channel_id))
        self.changed.send(competition_id)
        return await self.load(competition_id)

    async def add_director(
        self, competition_id: int, person: int, by: int, source: str, *, manages: bool
    ) -> Competition[S]:
        """Another director; by a director, or by who ``manages`` the server."""
        async with self._work.writing(source) as tx:
            competition = await self._load(tx, competition_id, to_change=True)
            if not manages:
                competition.check_directed(by)
            if person in competition.directors:
                raise Refused(_("That person is a director already."))
            directors = [*competition.directors, person]
            await competitions.stored.change(tx, competition_id, directors=directors)
            for tournament in await competitions.tournaments_of(tx, competition_id):
                await tournaments.stored.change(tx, tournament, directors=directors)
        return await self.load(competition_id)

    # Tournaments of a competition

    async def _tournament(
        self,
        unit: CompetitionUnit[S],
        *,
        key: str,
        name: str,
        plan: TournamentSettings,
        people: Sequence[int],
        terms: Sequence[Action],
    ) -> TournamentUnit:
        """A tournament of a competition that has begun: ``people`` by starting number."""
        shares = shared(unit.competition) | {"id": 0, "name": name[:100], "status": Phase.ENTRIES}
        new = TournamentRow(
            **shares,
            seeding="entry",
            lot=self._work.games.tournament_games.seed(),
            plan=settings_as_json(plan),
            made_at=unit.now,
            source=f"{unit.source}:{key}",
            contest_id=unit.competition.id,
        )
        tournament = await add_tournament(unit.tx, new)
        change = TournamentUnit(unit.tx, tournament, f"{unit.source}:{key}:", unit.now, unit.by)
        for term in terms:
            await change.add(term)
        for person in people:
            await change.add(Entered(person))
        await change.add(Started(tuple(people), Colour.WHITE, tournament.seed))
        return change

    async def _close_change(self, unit: CompetitionUnit[S], change: TournamentUnit) -> StoredTournament:
        """End the change of a tournament within the change of its competition."""
        await self._work.finalise(change)
        unit.tournaments.append(change)
        return change.tournament

    # Questions

    async def newest_in(self, channel_id: int) -> int:
        """The competition of a channel: the newest that is not over, else the newest. Raises Refused."""
        async with self._work.reading() as tx:
            competition_id = await competitions.newest_in(tx, self.kind, channel_id)
        if competition_id is None:
            raise Refused(_(self.none_here))
        return competition_id

    async def exists(self, competition_id: int) -> bool:
        """Whether there is such a competition, of this kind."""
        async with self._work.reading() as tx:
            row = await competitions.stored.get(tx, competition_id)
        return row is not None and row.kind == self.kind

    async def of_server(self, guild_id: int, most: int = 25) -> list[Stored]:
        """The newest competitions of a server."""
        async with self._work.reading() as tx:
            return [Stored(**shared(row)) for row in await competitions.of_server(tx, self.kind, guild_id, most)]


MOST_OPEN: Final = 10
