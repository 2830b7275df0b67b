"""Tasks that go on beside all else."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextvars import Context, copy_context
from typing import Any, TypeVar

T = TypeVar("T")


class TaskSet:
    """Holds the tasks that were begun with it until they end, or are broken off with ``close``."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def begin(self, work: Coroutine[Any, Any, T], name: str, context: Context | None = None) -> asyncio.Task[T]:
        """Do ``work`` in a context, without one in a copy of the caller's."""
        context = copy_context() if context is None else context
        task = context.run(asyncio.create_task, work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def join(self) -> asyncio.Task[Any]:
        """Hold the task that calls this as well, which is returned."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def ended(self, within: float) -> None:
        """Wait until those that go on now have ended, for so many seconds at most."""
        if going_on := self._tasks - {asyncio.current_task()}:
            await asyncio.wait(going_on, timeout=within)

    def close(self) -> None:
        """Break off what is still going on."""
        for task in tuple(self._tasks):
            task.cancel()
