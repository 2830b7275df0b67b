"""Timers over a store, on a clock that goes when told."""

from __future__ import annotations

import asyncio

from bot.background.scheduler import DueTimer, Scheduler
from bot.games.model.errors import NotStored
from bot.support.time_units import DAY
from data.queries import timers as queries
from data.store import Store

START = 1_800_000_000_000 // DAY * DAY


class Time:
    """A clock that goes when told, and what has happened by it."""

    def __init__(self, store: Store) -> None:
        self.now = START
        self.store = store
        self.done: list[tuple[int, int]] = []
        self.alive = 0
        self.fails = 0
        self.happened = asyncio.Event()
        self.timers = Scheduler(store, lambda: self.now, {"test": self.act}, self.live, lambda: {0}, lambda: False)

    async def live(self) -> None:
        self.alive += 1

    async def act(self, timer: DueTimer) -> None:
        if self.fails:
            self.fails -= 1
            raise NotStored("The disk is full.") if self.fails % 2 else KeyError("a slip of ours")
        self.done.append((timer.subject, self.now - START))
        async with self.store.write() as tx:
            await queries.drop(tx, "test", timer.subject)
        self.happened.set()

    async def put(self, subject: int, at: int, kind: str = "test") -> None:
        async with self.store.write() as tx:
            await queries.put(tx, kind, subject, START + at, {})
        self.timers.set(START + at)
