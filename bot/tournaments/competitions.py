"""What leagues and team matches share: one transaction in which events are added, and what follows from them."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine.variants import OptionValue
from bot.games.model.errors import Duplicate, Refused
from bot.games.model.game import Place
from bot.games.persistence.transactions import reading
from bot.games.service import Games
from bot.i18n import _
from bot.support.in_thread import InThread
from bot.tournaments.competition_model import CompetitionEvent
from bot.tournaments.model.events import Action, Entered, Started, TournamentSettings, settings_as_json
from bot.tournaments.pairing.record import Colour
from bot.tournaments.use_cases.change import SYSTEM, StoredTournament, TournamentUnit
from bot.tournaments.use_cases.change import load as load_tournament
from bot.tournaments.use_cases.finalise import CONTEST
from bot.tournaments.use_cases.reconcile import Reconciler
from data.queries import competitions as queries
from data.queries import timers as timer_queries
from data.queries import tournaments as tournament_queries
from data.queries.competitions import CompetitionEventRow, CompetitionPostRow, CompetitionRow
from data.store import Store

S = TypeVar("S")

HOUR: Final = 3_600_000


@dataclass(frozen=True)
class Competition(Generic[S]):
    """A league or a team match as it is kept, and what its events add up to."""

    row: CompetitionRow
    events: tuple[CompetitionEvent, ...]
    state: S

    @property
    def last(self) -> int:
        """The number of the last event."""
        return self.events[-1].number if self.events else 0

    @property
    def place(self) -> Place:
        return Place(self.row.guild_id, self.row.channel_id)

    def is_director(self, person: int) -> bool:
        """Whether a person directs it; the service itself may do what a director may."""
        return person in self.row.directors or person == SYSTEM


@dataclass
class CompetitionUnit(Generic[S]):
    """A contest within the transaction that changes it. ``woken``: its tournaments, each with the games that have
    something to say. ``not_before``: nothing is done by itself until then."""

    tx: AsyncConnection
    contest: Competition[S]
    source: str
    now: int
    by: int
    woken: dict[int, Sequence[int]] = field(default_factory=dict)
    added: int = 0
    not_before: int = 0

    @property
    def state(self) -> S:
        return self.contest.state

    async def want(self, *kinds: str, number: int = 0) -> None:
        """Let these messages be posted, or edited, wherever the contest is shown."""
        row = self.contest.row
        places = [(row.guild_id, row.channel_id)]
        if row.other_guild_id is not None and row.other_channel_id is not None:
            places.append((row.other_guild_id, row.other_channel_id))
        for kind in kinds:
            for guild_id, channel_id in places:
                await queries.want(self.tx, row.id, kind, self.now, guild_id, channel_id, number)


class Competitions(Reconciler, Generic[S]):
    """Where use cases of contests begin and end."""

    kind: str
    actions: Mapping[str, type[Any]]

    def __init__(self, store: Store, games: Games, in_thread: InThread) -> None:
        super().__init__(store, games, in_thread)
        self.contest_changed: Callable[[int], None] = lambda contest: None
        """Told of a contest that has something to say."""

    def fold(self, row: CompetitionRow, events: Sequence[CompetitionEvent]) -> S:
        """What the events add up to. It never fails."""
        raise NotImplementedError

    async def contest(self, contest_id: int) -> Competition[S]:
        """A contest as it stands. Raises Refused when there is none."""
        async with reading(self._store) as tx:
            return await self._contest(tx, contest_id)

    async def _contest(self, tx: AsyncConnection, contest_id: int, *, to_change: bool = False) -> Competition[S]:
        row = await queries.get(tx, contest_id, to_change=to_change)
        if row is None or row.kind != self.kind:
            raise Refused(self._none(contest_id))
        rows = await queries.events(tx, contest_id)
        events = tuple(CompetitionEvent(each.number, each.at, each.by, self._action_of(each.action)) for each in rows)
        return Competition(row, events, self.fold(row, events))

    def _none(self, contest_id: int) -> str:
        if self.kind == "league":
            return _("There is no league {number}.").format(number=contest_id)
        return _("There is no team match {number}.").format(number=contest_id)

    def _action_of(self, values: Mapping[str, Any]) -> Any:
        fields = dict(values)
        return self.actions[fields.pop("action")](**{name: _tuples(value) for name, value in fields.items()})

    @asynccontextmanager
    async def _turning(self, contest_id: int, by: int, source: str) -> AsyncIterator[CompetitionUnit[S]]:
        """The transaction of a use case on one contest. Raises Duplicate for a source that was applied before."""
        async with self._games.transactions.writing(source) as tx:
            if await queries.by_source(tx, source) is not None:
                raise Duplicate(source)
            turn = CompetitionUnit(tx, await self._contest(tx, contest_id, to_change=True), source, self._games.now, by)
            yield turn
            await self._set_contest_timer(turn)
        self._tell(contest_id, turn)

    def _tell(self, contest_id: int, turn: CompetitionUnit[S]) -> None:
        for tournament, games in turn.woken.items():
            self.changed(tournament, games)
        self.contest_changed(contest_id)

    async def _add(self, turn: CompetitionUnit[S], action: Any) -> None:
        """Append an event."""
        event = CompetitionEvent(turn.contest.last + 1, turn.now, turn.by, action)
        plain = {"action": type(action).__name__, **dataclasses.asdict(action)}
        source = turn.source if turn.added == 0 else f"{turn.source}+{turn.added}"
        turn.added += 1
        row = turn.contest.row
        await queries.add_event(turn.tx, row.id, CompetitionEventRow(event.number, event.at, event.by, plain), source)
        events = (*turn.contest.events, event)
        turn.contest = Competition(row, events, self.fold(row, events))

    async def _change_row(self, turn: CompetitionUnit[S], **values: Any) -> None:
        await queries.change(turn.tx, turn.contest.row.id, **values)
        turn.contest = await self._contest(turn.tx, turn.contest.row.id)

    def due(self, contest: Competition[S]) -> int | None:
        """When a contest does something by itself next, as far as its own events tell."""
        raise NotImplementedError

    async def _set_contest_timer(self, turn: CompetitionUnit[S]) -> None:
        at = self.due(turn.contest)
        if at is None:
            await timer_queries.drop(turn.tx, CONTEST, turn.contest.row.id)
            return
        later = max(at, turn.not_before)
        await timer_queries.put(turn.tx, CONTEST, turn.contest.row.id, later, {})
        self._games.tournament_games.timer_set(turn.tx, later)

    async def time_passed(self, contest_id: int) -> None:
        """The timer of a contest has fallen due, or a game of one of its tournaments has ended: do what is to be done
        by now. Asked again, it does nothing more."""
        raise NotImplementedError

    async def _create(
        self,
        *,
        source: str,
        director: int,
        name: str,
        variant_id: str,
        options: Mapping[str, OptionValue],
        clock: str,
        rated: bool,
        plan: Mapping[str, Any],
        place: Place,
        code: str | None,
        post: str,
    ) -> Competition[S]:
        assert place.guild_id is not None
        async with self._games.transactions.writing(source) as tx:
            if await queries.by_source(tx, source) is not None:
                raise Duplicate(source)
            if await queries.open_of(tx, self.kind, place.guild_id) >= MOST_OPEN:
                raise Refused(
                    _("There are {most} of these on this server that are not over, which is the most.").format(
                        most=MOST_OPEN
                    )
                )
            values = {
                "kind": self.kind,
                "guild_id": place.guild_id,
                "channel_id": place.channel_id,
                "name": name,
                "variant_id": variant_id,
                "options": dict(options),
                "clock": clock,
                "rated": rated,
                "plan": dict(plan),
                "code": code,
                "directors": [director],
                "status": "open",
                "made_at": self.now,
                "source": source,
            }
            contest_id = await queries.add(tx, values)
            await queries.want(tx, contest_id, post, self.now, place.guild_id, place.channel_id)
        self.contest_changed(contest_id)
        return await self.contest(contest_id)

    async def add_director(
        self, contest_id: int, person: int, by: int, source: str, *, manages: bool
    ) -> Competition[S]:
        """Another director; by a director, or by who ``manages`` the server."""
        async with self._games.transactions.writing(source) as tx:
            contest = await self._contest(tx, contest_id, to_change=True)
            if not (manages or contest.is_director(by)):
                raise Refused(not_director())
            directors = [*contest.row.directors]
            if person in directors:
                raise Refused(_("That person is a director already."))
            await queries.change(tx, contest_id, directors=[*directors, person])
            for tournament in await queries.tournaments_of(tx, contest_id):
                await tournament_queries.change(tx, tournament, directors=[*directors, person])
        return await self.contest(contest_id)

    # Tournaments of a contest

    async def _tournament(
        self,
        turn: CompetitionUnit[S],
        *,
        key: str,
        name: str,
        plan: TournamentSettings,
        people: Sequence[int],
        terms: Sequence[Action],
        channel_place: Place,
    ) -> TournamentUnit:
        """A tournament of a contest that has begun: ``people`` by starting number."""
        row = turn.contest.row
        values = {
            "guild_id": channel_place.guild_id,
            "channel_id": channel_place.channel_id,
            "name": name[:100],
            "variant_id": row.variant_id,
            "options": dict(row.options),
            "clock": row.clock,
            "rated": row.rated,
            "seeding": "entry",
            "lot": self._games.tournament_games.seed(),
            "plan": settings_as_json(plan),
            "directors": list(row.directors),
            "status": "running",
            "made_at": turn.now,
            "source": f"{turn.source}:{key}",
            "contest_id": row.id,
        }
        tournament_id = await tournament_queries.add(turn.tx, values)
        tournament = await load_tournament(turn.tx, tournament_id)
        change = TournamentUnit(turn.tx, tournament, f"{turn.source}:{key}:", turn.now, turn.by)
        for term in terms:
            await change.add(term)
        for person in people:
            await change.add(Entered(person))
        await change.add(Started(tuple(people), Colour.WHITE, tournament.row.lot))
        return change

    async def _close_change(self, turn: CompetitionUnit[S], change: TournamentUnit) -> StoredTournament:
        """End the change of a tournament within the change of its contest."""
        await self._follow(change)
        await self._settle(change)
        turn.woken[change.tournament.row.id] = tuple(change.woken)
        return change.tournament

    # Questions

    async def contest_here(self, channel_id: int) -> int:
        """The contest of a channel: the newest that is not over, else the newest. Raises Refused."""
        async with reading(self._store) as tx:
            found = await queries.newest_in(tx, self.kind, channel_id)
        if found is None:
            if self.kind == "league":
                raise Refused(_("There is no league in this channel. Create one with `/league create`."))
            raise Refused(_("There is no team match in this channel. Propose one with `/teams challenge`."))
        return found

    async def is_one(self, contest_id: int) -> bool:
        """Whether there is such a contest, of this kind."""
        async with reading(self._store) as tx:
            row = await queries.get(tx, contest_id)
        return row is not None and row.kind == self.kind

    async def contest_wanted(self, contest_id: int | None = None) -> list[CompetitionPostRow]:
        """The messages that are to be posted or edited."""
        async with reading(self._store) as tx:
            return await queries.wanted(tx, contest_id)

    async def contests_of(self, guild_id: int, most: int = 25) -> list[CompetitionRow]:
        """The newest contests of a server."""
        async with reading(self._store) as tx:
            return await queries.of_server(tx, self.kind, guild_id, most)

    async def contest_is_post(self, message_id: int) -> bool:
        """Whether a message is known to be a contest's post."""
        async with reading(self._store) as tx:
            return await queries.is_post(tx, message_id)

    async def contest_said(self, post: CompetitionPostRow, message_id: int | None) -> None:
        """A message shows what was wanted when ``post`` was read."""
        async with self._games.transactions.writing(f"contest-post:{post.id}:{post.wanted}") as tx:
            await queries.said(tx, post, message_id)


MOST_OPEN: Final = 10


def not_director() -> str:
    return _("Only a director can do that.")


def directing(turn: CompetitionUnit[Any]) -> None:
    """Raises Refused unless the person who asks directs the contest."""
    if not turn.contest.is_director(turn.by):
        raise Refused(not_director())


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
