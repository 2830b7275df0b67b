"""Messages kept as they are wanted: posted once, edited when there is news, tried again over Discord's outages.

For each owner (a tournament, a contest) with something to say one task runs, and ends when all is said.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterable

import aiohttp
import discord
import structlog

from bot.chat.posting.find_posted import NONCE_HOLDS
from bot.games.model.errors import NotStored

log = structlog.get_logger(__name__)

# Seconds until the next try.
PAUSES = (10, 30, 120, 600, 1800)
_PASSING = (403, 429)


class LiveMessages(ABC):
    """One of each kind for each running bot. ``owner`` is what the owners are called in the log."""

    owner: str
    nonce_holds = NONCE_HOLDS

    def __init__(self) -> None:
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        # The message of each post that the database could not take down: posted is posted.
        self._unmarked: dict[int, int] = {}

    @abstractmethod
    async def _with_news(self) -> Iterable[int]:
        """The owners for whom something is wanted and not said, in order; perhaps more than once each."""

    @abstractmethod
    async def _say_all(self, owner: int) -> None:
        """Say all that is wanted for an owner. What it raises is tried again after a pause."""

    async def start(self) -> None:
        """Say everything that was wanted and not posted."""
        for owner in dict.fromkeys(await self._with_news()):
            self.wake(owner)

    def wake(self, owner: int) -> None:
        """An owner may have something to say."""
        self._again.add(owner)
        if owner not in self._tasks:
            task = asyncio.create_task(self._drain(owner), name=f"{self.owner}-{owner}")
            self._tasks[owner] = task
            task.add_done_callback(lambda done: self._ended(owner, done))

    async def close(self) -> None:
        """Break off; the next start says what is left."""
        tasks = set(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _ended(self, owner: int, task: asyncio.Task[None]) -> None:
        if self._tasks.get(owner) is task:
            del self._tasks[owner]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("posts stopped", owner=f"{self.owner} {owner}", exc_info=error)

    async def _drain(self, owner: int) -> None:
        tries = 0
        while owner in self._again:
            self._again.discard(owner)
            try:
                await self._say_all(owner)
                tries = 0
            except (aiohttp.ClientError, OSError, TimeoutError, NotStored, discord.HTTPException) as error:
                seconds = PAUSES[min(tries, len(PAUSES) - 1)]
                log.warning("not posted", owner=f"{self.owner} {owner}", error=str(error), retry_in=seconds)
                tries += 1
                self._again.add(owner)
                await asyncio.sleep(seconds)
        # In one step with the look at what was added: a wake from now on starts another task.
        self._tasks.pop(owner, None)


def is_passing(error: discord.HTTPException) -> bool:
    """Whether what Discord refuses now it may take later: a permission given back, an end of its trouble."""
    return error.status in _PASSING or error.status >= 500
