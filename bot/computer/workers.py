"""Searches in worker processes: a fair queue before them, and another worker where one crashes or hangs."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from bot.computer.tasks import Answer, Task, at_hand, seconds_of, warm, work

READY_WITHIN = 120.0
"""Seconds that a new worker may take to start and to compile its search."""
GRACE = 5.0
"""Seconds beyond its level's budget after which a worker has hung."""
TRIES = 2
"""How many workers try a task before a turn is taken that needs no worker."""


class _Slot:
    """The place of one worker process; a new one takes it when the old one is gone."""

    def __init__(self) -> None:
        self.executor: ProcessPoolExecutor | None = None
        self.process: int | None = None

    async def run(self, job: Callable[[Task], Answer], task: Task, seconds: float) -> Answer:
        """Raises BrokenProcessPool when the process died, TimeoutError when it does not answer."""
        loop = asyncio.get_running_loop()
        if self.executor is None:
            self.executor = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
            self.process = await asyncio.wait_for(loop.run_in_executor(self.executor, warm), READY_WITHIN)
        return await asyncio.wait_for(loop.run_in_executor(self.executor, job, task), seconds)

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        executor, process, self.executor, self.process = self.executor, self.process, None, None
        if executor is None:
            return
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        executor.shutdown(wait=False, cancel_futures=True)


class Workers:
    """So many worker processes, started when they are first needed.

    Who waits is served in turn by server: one that asks for twenty moves does not make another wait for them all.
    """

    def __init__(self, count: int, *, job: Callable[[Task], Answer] = work, grace: float = GRACE) -> None:
        """``job`` is what a worker does with a task: a function that a new process can import."""
        self._idle = [_Slot() for _ in range(count)]
        self._slots = tuple(self._idle)
        self._waiting: OrderedDict[int, deque[asyncio.Future[_Slot]]] = OrderedDict()
        self._job, self._grace = job, grace

    @property
    def waiting(self) -> int:
        """How many tasks wait for a worker."""
        return sum(len(line) for line in self._waiting.values())

    async def think(self, task: Task, server: int) -> Answer:
        """The computer's answer. It comes even if every worker dies: then a turn is taken with hardly any thought.

        Raises EngineError for a record that does not hold and ValueError for a level that there is not.
        """
        seconds = seconds_of(task) + self._grace
        slot = await self._take(server)
        try:
            for _ in range(TRIES):
                try:
                    return await slot.run(self._job, task, seconds)
                except (BrokenProcessPool, TimeoutError):
                    slot.stop()
                except asyncio.CancelledError:
                    slot.stop()
                    raise
        finally:
            self._give(slot)
        return await asyncio.to_thread(at_hand, task)

    def close(self) -> None:
        """End all worker processes; who waits is cancelled."""
        for line in self._waiting.values():
            for future in line:
                future.cancel()
        self._waiting.clear()
        for slot in self._slots:
            slot.stop()

    async def _take(self, server: int) -> _Slot:
        if self._idle:
            return self._idle.pop()
        future: asyncio.Future[_Slot] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(server, deque()).append(future)
        try:
            return await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self._give(future.result())
            raise

    def _give(self, slot: _Slot) -> None:
        """Hand a free worker to the next server in turn, to the one of it that has waited longest."""
        while self._waiting:
            server, line = self._waiting.popitem(last=False)
            future = line.popleft()
            if line:
                self._waiting[server] = line
            if not future.done():
                future.set_result(slot)
                return
        self._idle.append(slot)
