"""What leagues and team matches share: one transaction in which events are added, and what follows from them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Final, Generic

from bot.engine import variants
from bot.games.model.errors import Refused, about
from bot.games.persistence import kept_rules
from bot.i18n import _
from bot.support.signals import Signal
from bot.tournaments.model.action_codec import A
from bot.tournaments.model.events import Action, Entered, Started, TournamentSettings
from bot.tournaments.model.state import Phase
from bot.tournaments.pairing.record import Colour
from bot.tournaments.persistence.stored import Columns, NewCompetition, Stored, shared
from bot.tournaments.persistence.stored_competition import Competition, CompetitionKind, CompetitionUnit, Plan, S, load
from bot.tournaments.persistence.stored_tournament import StoredTournament, TournamentUnit
from bot.tournaments.persistence.stored_tournament import add as add_tournament
from bot.tournaments.use_cases.finalise import COMPETITION
from bot.tournaments.use_cases.live_messages import PendingMessages
from bot.tournaments.use_cases.work import TournamentChanged, TournamentWork
from data.notifications import Word
from data.queries import competitions, timers, tournaments
from data.queries.competitions import CompetitionRow
from data.queries.tournaments import TournamentRow

MOST_OPEN: Final = 10
"""How many leagues, or team matches, of a server are not over at a time."""


class Competitions(Generic[S, A]):
    """What leagues and team matches have in common: their transactions, their tournaments, their messages."""

    def __init__(self, work: TournamentWork, kind: CompetitionKind[S, A]) -> None:
        self._work = work
        self.kind = kind
        self.messages = PendingMessages(work, competitions.posts, "contest-post")
        self.changed: Signal[[int, Sequence[TournamentChanged]]] = Signal()
        """Told of a competition that has something to say, and of its tournaments that have after it, in order."""

    async def load(self, competition_id: int) -> Competition[S]:
        """A competition as it stands. Raises Refused when there is none."""
        async with self._work.reading() as tx:
            return await load(tx, self.kind, competition_id)

    @asynccontextmanager
    async def unit(self, competition_id: int, by: int, source: str) -> AsyncIterator[CompetitionUnit[S, A]]:
        """The transaction of a use case on one competition. Raises Duplicate for a source that was applied before."""
        async with self._work.once(competitions.stored, source) as tx:
            competition = await load(tx, self.kind, competition_id, to_change=True)
            unit = CompetitionUnit(tx, self.kind, competition, source, self._work.now, by)
            with about(competition.name):
                yield unit
            await self._set_timer(unit)
            self._work.tell_owner(tx, competition.guild_id, Word("competition", competition_id))
            for each in unit.tournaments:
                self._work.tell_owners(each)
        self.changed.send(competition_id, [TournamentChanged.of(each) for each in unit.tournaments])

    async def _set_timer(self, unit: CompetitionUnit[S, A]) -> None:
        at = unit.state.due
        if at is None:
            await timers.drop(unit.tx, COMPETITION, unit.competition.id)
            return
        later = max(at, unit.not_before)
        await timers.put(unit.tx, COMPETITION, unit.competition.id, later, {})
        self._work.set_timer(unit.tx, later)

    async def create(
        self, new: NewCompetition, plan: Plan, post: str, source: str, code: str | None = None
    ) -> Competition[S]:
        """Keep a new competition, and let ``post`` be posted. ``plan``: what its kind is told besides."""
        guild_id, channel_id = new.place.guild_id, new.place.channel_id
        assert guild_id is not None
        async with self._work.once(competitions.stored, source) as tx:
            if await competitions.open_of(tx, self.kind.name, guild_id) >= MOST_OPEN:
                text = _("This server already has {most} unfinished ones, the most allowed.")
                raise Refused(text.format(most=MOST_OPEN))
            if await competitions.has_open(tx, self.kind.name, guild_id, new.name):
                text = _("There is already an unfinished one called **{name}** here. Choose another name.")
                raise Refused(text.format(name=new.name))
            row = CompetitionRow(
                **new.columns("open"),
                kind=self.kind.name,
                plan=plan.to_json(),
                code=code,
                made_at=self._work.now,
                source=source,
            )
            await kept_rules.keep(tx, variants.load(new.ruleset))
            competition_id = await competitions.stored.add(tx, row)
            await competitions.posts.request(tx, competition_id, post, self._work.now, place=(guild_id, channel_id))
        self.changed.send(competition_id, ())
        return await self.load(competition_id)

    async def add_director(
        self, competition_id: int, person: int, by: int, source: str, *, manages: bool
    ) -> Competition[S]:
        """Another director; by a director, or by who ``manages`` the server."""
        return await self._direct(competition_id, by, source, lambda it: it.with_director(person), manages=manages)

    async def remove_director(self, competition_id: int, person: int, by: int, source: str) -> Competition[S]:
        """One director less, of whom one stays: whoever steps down, or whom another takes out."""
        return await self._direct(competition_id, by, source, lambda it: it.without_director(person))

    async def _direct(
        self,
        competition_id: int,
        by: int,
        source: str,
        change: Callable[[Competition[S]], list[int]],
        *,
        manages: bool = False,
    ) -> Competition[S]:
        """Let others direct a competition, and its tournaments with it."""
        async with self._work.writing(source) as tx:
            competition = await load(tx, self.kind, competition_id, to_change=True)
            if not manages:
                competition.check_directed(by)
            directors = change(competition)
            await competitions.stored.change(tx, competition_id, directors=directors)
            for tournament in await competitions.tournaments_of(tx, competition_id):
                await tournaments.stored.change(tx, tournament, directors=directors)
            # What announces a competition has its kind's name, and names its directors.
            await CompetitionUnit(tx, self.kind, competition, source, self._work.now, by).request(self.kind.name)
            self._work.tell_owner(tx, competition.guild_id, Word("competition", competition_id))
        self.changed.send(competition_id, ())
        return await self.load(competition_id)

    # Tournaments of a competition

    async def begin_tournament(
        self,
        unit: CompetitionUnit[S, A],
        *,
        key: str,
        name: str,
        plan: TournamentSettings,
        people: Sequence[int],
        first_events: Sequence[Action] = (),
    ) -> TournamentUnit:
        """A tournament of a competition that has begun: ``people`` by starting number."""
        shares: Columns = {**shared(unit.competition), "id": 0, "name": name[:100], "status": Phase.ENTRIES}
        new = TournamentRow(
            **shares,
            seeding="entry",
            lot=self._work.games.tournament_games.seed(),
            plan=plan.to_json(),
            made_at=unit.now,
            source=f"{unit.source}:{key}",
            contest_id=unit.competition.id,
        )
        tournament = unit.of_tournament(await add_tournament(unit.tx, new, unit.competition.ruleset), f"{key}:")
        begun = Started(tuple(people), Colour.WHITE, tournament.tournament.seed)
        for action in (*first_events, *map(Entered, people), begun):
            await tournament.add(action)
        return tournament

    async def finalise(self, unit: CompetitionUnit[S, A], tournament: TournamentUnit) -> StoredTournament:
        """End the change of a tournament within the change of its competition."""
        await self._work.finalise(tournament)
        unit.tournaments.append(tournament)
        return tournament.tournament

    # Questions

    async def newest_in(self, channel_id: int) -> int:
        """The competition of a channel: the newest that is not over, else the newest. Raises Refused."""
        async with self._work.reading() as tx:
            competition_id = await competitions.newest_in(tx, self.kind.name, channel_id)
        if competition_id is None:
            raise Refused(_(self.kind.none_here))
        return competition_id

    async def exists(self, competition_id: int) -> bool:
        """Whether there is such a competition, of this kind."""
        async with self._work.reading() as tx:
            row = await competitions.stored.get(tx, competition_id)
        return row is not None and row.kind == self.kind.name

    async def of_server(self, guild_id: int, most: int = 25) -> list[Stored]:
        """The newest competitions of a server."""
        async with self._work.reading() as tx:
            return [Stored(**shared(row)) for row in await competitions.of_server(tx, self.kind.name, guild_id, most)]
