"""Lets tournaments run by themselves beside all else: pairing a large round takes longer than a clock may wait."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import structlog

from bot.games.model.errors import Refused
from bot.tournaments.automation import time_passed
from bot.tournaments.service import Tournaments
from data.queries.timers import TimerRow
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
        self._tasks: dict[int, asyncio.Task[None]] = {}

    async def start(self) -> None:
        """Nothing: the timers say when a tournament goes on."""

    async def act(self, row: TimerRow) -> None:
        """The timer of a tournament has fallen due."""
        if row.subject in self._tasks:
            return
        task = asyncio.create_task(self._run(row.subject), name=f"course-{row.subject}")
        self._tasks[row.subject] = task
        task.add_done_callback(lambda done: self._ended(row.subject, done))
        await asyncio.wait({task}, timeout=SLOW)

    async def close(self) -> None:
        """Break off; what is not committed is done after the next start."""
        tasks = set(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _run(self, tournament_id: int) -> None:
        while True:
            try:
                await time_passed(self._tournaments, tournament_id)
            except (StoreError, Refused) as error:
                log.warning("tournament does not go on", tournament=tournament_id, error=str(error))
                await asyncio.sleep(_RETRY)
            else:
                return

    def _ended(self, tournament_id: int, task: asyncio.Task[None]) -> None:
        self._tasks.pop(tournament_id, None)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("tournament stopped", tournament=tournament_id, exc_info=error)


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
