"""What the use cases of tournaments share: one transaction in which events are added, and what follows from them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.model.errors import Duplicate, Refused
from bot.games.model.game import Place
from bot.games.persistence.transactions import reading
from bot.games.service import Games
from bot.i18n import _
from bot.tournaments.model.events import Action, Event, Kind, TournamentSettings, action_of, as_json, settings_of
from bot.tournaments.model.fold import fold, further
from bot.tournaments.model.state import Tournament
from bot.tournaments.model.validation import refusal
from bot.tournaments.use_cases.finalise import finalise
from data.queries import timers as timer_queries
from data.queries import tournaments as queries
from data.queries.tournaments import EventRow, TournamentGame, TournamentRow
from data.store import Store

SYSTEM = 0
"""By whom an event is that the service adds by itself."""

InThread = Callable[[Callable[[], Any]], Awaitable[Any]]


@dataclass(frozen=True)
class StoredTournament:
    """A tournament as it is kept: its row, its events, its games, and what they add up to; ``outages``: from when until
    when nobody could move in it."""

    row: TournamentRow
    plan: TournamentSettings
    events: tuple[Event, ...]
    games: tuple[TournamentGame, ...]
    state: Tournament
    outages: tuple[tuple[int, int], ...] = ()

    @property
    def place(self) -> Place:
        return Place(self.row.guild_id, self.row.channel_id)

    @property
    def title(self) -> str:
        """The name as it was given, for files and pictures: in messages its signs are escaped."""
        return re.sub(r"\\(.)", r"\1", self.row.name)

    @property
    def last(self) -> int:
        """The number of the last event."""
        return self.events[-1].number if self.events else 0

    def is_director(self, person: int) -> bool:
        """Whether a person directs it; the service itself may do what a director may."""
        return person in self.row.directors or person == SYSTEM

    def call(self, number: int) -> str:
        """A player by the starting number, as a mention."""
        entrant = self.state.by_number.get(number)
        return (
            _("No {number}").format(number=number) if entrant is None or entrant.person <= 0 else f"<@{entrant.person}>"
        )


@dataclass
class TournamentUnit:
    """A tournament within the transaction that changes it. ``woken``: the games that have something to say."""

    tx: AsyncConnection
    tournament: StoredTournament
    source: str
    now: int
    by: int
    woken: list[int] = field(default_factory=list)
    began: StoredTournament = field(init=False)
    _added: int = 0

    def __post_init__(self) -> None:
        self.began = self.tournament

    async def add(self, action: Action, reason: str = "") -> None:
        """Append an event. Raises Refused when it makes no sense."""
        tournament = self.tournament
        why = refusal(tournament.state, action)
        if why is not None:
            raise Refused(why)
        event = Event(tournament.last + 1, self.now, self.by, action, reason)
        row = EventRow(event.number, event.at, event.by, as_json(action), reason)
        source = self.source if self._added == 0 else f"{self.source}+{self._added}"
        self._added += 1
        await queries.add_event(self.tx, tournament.row.id, row, source)
        events = (*tournament.events, event)
        self.tournament = replace(tournament, events=events, state=further(tournament.state, events))

    async def read_again(self) -> None:
        """Read row and games anew."""
        self.tournament = await load(self.tx, self.tournament.row.id)

    async def want(self, *kinds: str, round_number: int = 0) -> None:
        """Let these messages be posted, or edited to show how the tournament stands."""
        if self.tournament.row.contest_id is not None:
            # Leagues and team matches have posts of their own, besides the tables of divisions.
            kinds = tuple(kind for kind in kinds if kind == "standings" and self.tournament.plan.kind.all_play_all)
        for kind in kinds:
            if kind == "round" and self.tournament.state.timing.at_once:
                # All rounds are played at once: the standings tell it all.
                continue
            await queries.want(self.tx, self.tournament.row.id, kind, self.now, round_number)


async def load(tx: AsyncConnection, tournament_id: int, *, to_change: bool = False) -> StoredTournament:
    """A tournament as it stands. Raises Refused when there is none."""
    row = await queries.get(tx, tournament_id, to_change=to_change)
    if row is None:
        raise Refused(_("There is no tournament {number}.").format(number=tournament_id))
    plan = settings_of(row.plan)
    rows = await queries.events(tx, tournament_id)
    events = tuple(Event(each.number, each.at, each.by, action_of(each.action), each.reason) for each in rows)
    games = tuple(await queries.games_of(tx, tournament_id))
    dated = plan.kind.in_rounds_of_two or plan.kind is Kind.TABLES
    outages = tuple(await timer_queries.all_outages(tx, row.made_at)) if dated else ()
    return StoredTournament(row, plan, events, games, fold(plan, events), outages)


class TournamentWork:
    """Where use cases begin and end. ``in_thread`` runs long work beside the event loop; ``changed`` is told of a
    tournament that has something to say, and of the games made or called off with it."""

    def __init__(self, store: Store, games: Games, in_thread: InThread) -> None:
        self._store = store
        self._games = games
        self._in_thread = in_thread
        self.changed: Callable[[int, Sequence[int]], None] = lambda tournament, games: None
        # Awaits work; where it takes long, calls what is to be done meanwhile.
        self.run_with_notice: Callable[[Awaitable[Any], Callable[[], Awaitable[None]]], Awaitable[Any]] = _plainly

    @property
    def now(self) -> int:
        """UTC in milliseconds."""
        return self._games.now

    async def load(self, tournament_id: int) -> StoredTournament:
        """A tournament as it stands. Raises Refused when there is none."""
        async with reading(self._store) as tx:
            return await load(tx, tournament_id)

    @asynccontextmanager
    async def _changing(self, tournament_id: int, by: int, source: str) -> AsyncIterator[TournamentUnit]:
        """The transaction of a use case on one tournament. Raises Duplicate for a source that was applied before."""
        async with self._games.transactions.writing(source) as tx:
            if await queries.by_source(tx, source) is not None:
                raise Duplicate(source)
            change = TournamentUnit(tx, await load(tx, tournament_id, to_change=True), source, self._games.now, by)
            yield change
            await self._settle(change)
        self.changed(tournament_id, change.woken)

    async def _settle(self, change: TournamentUnit) -> None:
        """End a change: see bot.tournaments.use_cases.finalise."""
        at = await finalise(change)
        if at is not None:
            self._games.tournament_games.timer_set(change.tx, at)

    async def _say_pairing(self, tournament_id: int, round_number: int) -> None:
        """The pairing of a round takes a while: its post says so until the games are known."""
        async with self._games.transactions.writing(f"pairing:{tournament_id}:{round_number}") as tx:
            await queries.want(tx, tournament_id, "round", self._games.now, round_number)
        self.changed(tournament_id, ())


async def _plainly(work: Awaitable[Any], _meanwhile: Callable[[], Awaitable[None]]) -> Any:
    return await work


def directing(change: TournamentUnit) -> None:
    """Raises Refused unless the person who asks directs the tournament."""
    if not change.tournament.is_director(change.by):
        raise Refused(_("Only a director of this tournament can do that."))
