"""Work that is done for one key at a time: one task for each key that has anything to do, and none that only waits."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextvars import Context, copy_context

import structlog

log = structlog.get_logger(__name__)


class KeyedTasks:
    """At most one task for each key. ``work`` does what there is to do for a key, and says after how many seconds it is
    to be called again, 0 for at once, None for not again before the key is woken.

    Whoever wakes a key while its task works lets it work once more, so that nothing is overlooked between the last look
    and the end. A pause is waited out, unless ``breaks_pauses``: then who wakes the key ends it."""

    def __init__(
        self, name: str, work: Callable[[int], Awaitable[float | None]], *, breaks_pauses: bool = False
    ) -> None:
        self._name = name
        self._work = work
        self._breaks_pauses = breaks_pauses
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        self._pausing: set[int] = set()
        self._closed = False
        self._home: Context | None = None

    def __contains__(self, key: int) -> bool:
        return key in self._tasks

    def __iter__(self) -> Iterator[asyncio.Task[None]]:
        """The tasks that run now."""
        return iter(tuple(self._tasks.values()))

    def open(self) -> None:
        """From now on work is nobody's own: it is done in the context of the first such call, and nothing of the
        context of whoever wakes a key, such as a reader's language, goes along."""
        # An empty context is false, too.
        self._home = copy_context() if self._home is None else self._home

    def wake(self, key: int) -> asyncio.Task[None] | None:
        """There may be something to do for a key. Returns the task that does it, None where all is closed."""
        if self._closed:
            return None
        if self._breaks_pauses and key in self._pausing:
            self._pausing.discard(key)
            self._tasks.pop(key).cancel()
        if key in self._tasks:
            self._again.add(key)
            return self._tasks[key]
        home = copy_context() if self._home is None else self._home
        task = home.run(asyncio.create_task, self._run(key), name=f"{self._name}-{key}")
        self._tasks[key] = task
        task.add_done_callback(lambda done: self._ended(key, done))
        return task

    async def close(self, farewell: float = 0) -> None:
        """Break off pauses at once, and work after so many seconds. What is woken from now on is not done."""
        self._closed = True
        for key in self._pausing:
            self._tasks[key].cancel()
        tasks = set(self)
        if tasks and farewell:
            await asyncio.wait(tasks, timeout=farewell)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, key: int) -> None:
        while True:
            self._again.discard(key)
            seconds = await self._work(key)
            if seconds:
                await self._pause(key, seconds)
            elif seconds is None and key not in self._again:
                # In one step with the look at what was added: a wake from now on starts another task.
                self._tasks.pop(key, None)
                return

    async def _pause(self, key: int, seconds: float) -> None:
        self._pausing.add(key)
        try:
            await asyncio.sleep(seconds)
        finally:
            self._pausing.discard(key)

    def _ended(self, key: int, task: asyncio.Task[None]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("work stopped", work=self._name, key=key, exc_info=error)
