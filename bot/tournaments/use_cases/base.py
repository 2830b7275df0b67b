"""What the use cases of tournaments share: one transaction in which events are added, and what follows from them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from bot.games.model.errors import Duplicate
from bot.games.persistence.transactions import reading
from bot.games.service import Games
from bot.support.in_thread import InThread
from bot.tournaments.use_cases.change import StoredTournament, TournamentUnit, load
from bot.tournaments.use_cases.finalise import finalise
from data.queries import tournaments as queries
from data.store import Store


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
