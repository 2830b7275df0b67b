"""Lets tournaments run by themselves beside all else: pairing a large round takes longer than a clock may wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import structlog

from bot.background.scheduler import DueTimer
from bot.games.model.errors import Refused
from bot.support.keyed_tasks import KeyedTasks
from bot.tournaments.automation import time_passed
from bot.tournaments.service import Tournaments
from data.store import StoreError

T = TypeVar("T")

log = structlog.get_logger(__name__)

SLOW: Final = 2.0
"""Seconds after which those who wait for a pairing are told, and other timers wait no more."""

_RETRY: Final = 60.0


class TournamentRunner:
    """Lets each tournament do by itself what its timer says: one task a tournament, tried again until it is done."""

    def __init__(self, tournaments: Tournaments) -> None:
        self._tournaments = tournaments
        self.tasks = KeyedTasks("tournament", self._go_on)

    async def start(self) -> None:
        """The timers say when a tournament goes on."""
        self.tasks.open()

    async def act(self, timer: DueTimer) -> None:
        """The timer of a tournament has fallen due."""
        if timer.subject not in self.tasks and (task := self.tasks.wake(timer.subject)) is not None:
            await asyncio.wait({task}, timeout=SLOW)

    async def close(self) -> None:
        """Break off; what is not committed is done after the next start."""
        await self.tasks.close()

    async def _go_on(self, tournament_id: int) -> float | None:
        try:
            await time_passed(self._tournaments, tournament_id)
        except (StoreError, Refused) as error:
            log.warning("tournament does not go on", tournament=tournament_id, error=str(error))
            return _RETRY
        return None


async def run_with_notice(work: Awaitable[T], meanwhile: Callable[[], Awaitable[None]]) -> T:
    """What comes of ``work``; where it takes long, ``meanwhile`` is called once."""
    task = asyncio.ensure_future(work)
    await asyncio.wait({task}, timeout=SLOW)
    if not task.done():
        try:
            await meanwhile()
        except (StoreError, Refused) as error:
            # The pairing matters more than the word about it.
            log.warning("not told of a slow pairing", error=str(error))
    return await task
