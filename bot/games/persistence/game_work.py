"""Begins the units of work of the use cases."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TypeVar

import structlog

from bot.games.model.computer_seats import persons
from bot.games.model.game import Game
from bot.games.model.preferences import Preferences, ServerPreferences
from bot.games.persistence.kept_rules import RulesFor
from bot.games.persistence.off_loop import find_turns
from bot.games.persistence.outages import Outages
from bot.games.persistence.preference_cache import PreferenceCache
from bot.games.persistence.repository import GameRepository
from bot.games.persistence.server_variant_cache import ServerVariantCache
from bot.games.persistence.transactions import Transactions
from bot.games.persistence.unit_of_work import GameSignals, GameUnit
from data.errors import Changed
from data.notifications import Word
from data.queries import people
from data.store import Store, Transaction

log = structlog.get_logger(__name__)

T = TypeVar("T")


class GameWork:
    """Begins the units of work of the use cases, with all that a unit of work needs."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], int],
        rng: random.Random,
        *,
        signals: GameSignals,
        rules_for: RulesFor,
        cache_size: int,
    ) -> None:
        self.clock, self.rng, self.signals, self.rules_for = clock, rng, signals, rules_for
        self.transactions = Transactions(store)
        self.reading = self.transactions.reading
        self.writing = self.transactions.writing
        self.repository = GameRepository(rules_for, cache_size)
        self.outages = Outages(self.transactions, clock, signals.outage_noted)
        self.preferences = PreferenceCache(self.transactions, people.PEOPLE, Preferences.of)
        self.server_variants = ServerVariantCache(self.transactions)
        self.servers = PreferenceCache(self.transactions, people.SERVERS, ServerPreferences.of)

    @asynccontextmanager
    async def unit(self, game_id: int, source: str) -> AsyncIterator[GameUnit]:
        """The transaction of a use case on one game. A refusal of what was applied before becomes Duplicate."""
        if not self.repository.knows(game_id):
            # A long record is folded before the queue, not while everybody waits in it.
            await self.loaded(game_id)
        async with self.writing(source) as tx:
            unit = self.unit_in(tx, await self.repository.load(tx, game_id, to_change=True), source)
            yield unit
        await self._stored(unit)

    async def do(self, game_id: int, source: str, do: Callable[[GameUnit], Awaitable[None]]) -> Game:
        """The same for a use case that may be begun twice: first on the game as it is in memory. Where another process
        has changed it, which the database says before anything is stored, once more on the game as it stands."""
        if self.repository.noted(game_id) is not None:
            with suppress(Changed):
                async with self.writing(source) as tx:
                    # While this waited for its turn the game may have ended.
                    if (known := self.repository.noted(game_id)) is not None:
                        await self.repository.must_stand(tx, known)
                        unit = self.unit_in(tx, known, source)
                        await do(unit)
                if known is not None:
                    await self._stored(unit)
                    return unit.game
        async with self.unit(game_id, source) as unit:
            await do(unit)
        return unit.game

    async def _stored(self, unit: GameUnit) -> None:
        log.debug("stored", game=unit.game.id, ply=unit.game.ply, by=unit.source)
        await find_turns(unit.game)
        self.repository.keep(unit.game)

    async def each(self, sources: Mapping[int, str], do: Callable[[GameUnit], Awaitable[T]]) -> list[T]:
        """Use cases on many games, each with its source, in one transaction: all of them, or, where one raises, none.
        What each gave, in order."""
        unknown = [game_id for game_id in sources if not self.repository.knows(game_id)]
        async with self.reading() as tx:
            if unknown:
                await self.repository.load_many(tx, unknown)
            known = (self.repository.known(game_id) for game_id in sources)
            people = {person for game in known if game is not None for person in persons(game.players)}
            await self.preferences.remember(tx, people)
        done, units = [], []
        async with self.writing() as tx:
            for game_id, source in sources.items():
                # Loaded only now: what was done to another one may have changed it.
                units.append(self.unit_in(tx, await self.repository.load(tx, game_id, to_change=True), source))
                done.append(await do(units[-1]))
        for unit in units:
            await find_turns(unit.game)
            self.repository.keep(unit.game)
        return done

    def unit_in(self, tx: Transaction, game: Game, source: str) -> GameUnit:
        """A unit of work on ``game`` in a transaction of ``writing``."""
        self.transactions.tell_owner(tx, game.place.guild_id, Word("game", game.id))
        # A clock that was set back makes no entry earlier than the one before it, and nobody pays for that.
        now = max(self.clock(), game.entries[-1].at if game.entries else game.started_at or 0)
        unit = GameUnit(tx, game, source, now, self.outages, self.preferences, self.signals, self.transactions)
        self.transactions.on_commit(tx, lambda: self.repository.note(unit.game))
        self.transactions.if_in_doubt(tx, partial(self.repository.forget, game.id))
        return unit

    async def loaded(self, game_id: int) -> Game:
        """The game as it stands. Raises NoSuchGame."""
        async with self.reading() as tx:
            return await self.repository.load(tx, game_id)

    def timer_set(self, tx: Transaction, at: int) -> None:
        """``tx`` sets a timer for ``at``: whoever waits for timers is told once it has been committed."""
        self.transactions.tell(tx, Word("timers"))
        self.transactions.on_commit(tx, partial(self.signals.timer_set.send, at))
