"""Searches away from the event loop: a fair queue before workers, and another worker where one crashes or hangs.

Whoever plays waits in one queue, what may take its time (analysis, puzzles) in another that is served only while nobody
plays::

    answer = await workers.think(job, server)                             # a turn; it always comes
    result = await workers.call(function, argument, server, seconds=2.0)  # anything else, when there is time for it

``function`` stands in a module, ``argument`` and what it returns are values that can be pickled: both travel to
another process, on a cluster to another machine. While a job runs nobody else has its worker, so work that may take
its time is handed over in small pieces (a turn of an analysis, some seconds at most), and a game waits for one of them
at most; with more than one worker, one is kept for games. In both queues servers are served in turn: one that asks for
twenty things does not make another wait for them all.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import TypeVar

import structlog

from bot.computer.workers.executors import Executor, ProcessExecutor, WorkerLost
from bot.computer.workers.jobs import Answer, Job, awake, fallback_move, seconds_of, work
from bot.support.signals import Signal

log = structlog.get_logger(__name__)

A = TypeVar("A")
R = TypeVar("R")

GRACE = 5.0
"""Seconds beyond its budget after which a worker has hung."""
TRIES = 2
"""How many workers try a job."""
LONGEST = 20.0
"""Seconds that a job in the background may be given at most."""
MOST_WAITING = 500
"""How many jobs in the background may wait."""

__all__ = ["Busy", "WorkerLost", "Workers"]


class Busy(Exception):  # noqa: N818 - the state of the queue, named for what it is
    """Too many jobs wait already."""


class JobQueue:
    """Who waits for an executor: by server in turn, of each the one that has waited longest."""

    def __init__(self) -> None:
        self._lines: OrderedDict[int, deque[asyncio.Future[Executor]]] = OrderedDict()

    def __len__(self) -> int:
        return sum(len(line) for line in self._lines.values())

    def join(self, server: int) -> asyncio.Future[Executor]:
        future: asyncio.Future[Executor] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(server, deque()).append(future)
        return future

    def leave(self, server: int, future: asyncio.Future[Executor]) -> None:
        line = self._lines.get(server)
        if line is not None and future in line:
            line.remove(future)
            if not line:
                del self._lines[server]

    def hand(self, executor: Executor) -> bool:
        """Give an executor to whoever is next. False where nobody waits."""
        while self._lines:
            server, line = self._lines.popitem(last=False)
            future = line.popleft()
            if line:
                self._lines[server] = line
            if not future.done():
                future.set_result(executor)
                return True
        return False

    def clear(self) -> None:
        for line in self._lines.values():
            for future in line:
                future.cancel()
        self._lines.clear()


class Workers:
    """So many worker processes, started when they are first needed; or other ``executors``."""

    def __init__(
        self,
        count: int = 1,
        *,
        play: Callable[[Job], Answer] = work,
        grace: float = GRACE,
        executors: Sequence[Executor] | None = None,
    ) -> None:
        """``play`` is what a worker does with a job: a function that a new process can import."""
        self.executors: tuple[Executor, ...] = tuple(executors or (ProcessExecutor() for _ in range(count)))
        """Where jobs are worked on."""
        self._idle = list(self.executors)
        self.playing, self.background = JobQueue(), JobQueue()
        """Who waits for an executor, those who play before the others."""
        self.worked: Signal[[bool, float, float]] = Signal()
        """A job has ended: whether it was in the background, and for how many seconds it waited and was worked on."""
        self.lost: Signal[[]] = Signal()
        """A worker died, hung, or could not be started."""
        self._in_background = 0
        self._play, self._grace = play, grace

    async def think(self, job: Job, server: int) -> Answer:
        """The computer's answer. It comes even if every worker dies: then a turn is taken with hardly any thought.

        Raises EngineError for a record that does not hold and ValueError for a level that there is not.
        """
        seconds = seconds_of(job) + self._grace
        try:
            return await self._worked(self._play, job, server, seconds, background=False)
        except WorkerLost as lost:
            log.warning(
                "no worker has answered",
                variant=str(getattr(job.variant, "id", job.variant)),
                level=job.level,
                why=str(lost),
            )
            return await asyncio.to_thread(fallback_move, job)

    async def call(
        self, function: Callable[[A], R], argument: A, server: int, *, seconds: float, soon: bool = False
    ) -> R:
        """What ``function`` makes of ``argument`` in a worker, when nobody who plays waits; ``soon``: as soon as if it
        were a turn, for what somebody waits for.

        ``seconds`` is what it should take at most; a worker that takes much longer has hung. Raises Busy where too much
        waits already, WorkerLost where it could not be done, and whatever the function raises."""
        if not soon and len(self.background) >= MOST_WAITING:
            raise Busy
        within = min(seconds, LONGEST) + self._grace
        return await self._worked(function, argument, server, within, background=not soon)

    async def start(self) -> None:
        """Have a worker ready before anybody needs it: to compile the search takes some seconds. Where none can be
        started, whoever needs one tries again."""
        with contextlib.suppress(WorkerLost, Busy):
            await self.call(awake, None, 0, seconds=1.0)

    def close(self) -> None:
        """End all worker processes; who waits is cancelled."""
        self.playing.clear()
        self.background.clear()
        for executor in self.executors:
            executor.stop()

    async def _worked(
        self, function: Callable[[A], R], argument: A, server: int, seconds: float, *, background: bool
    ) -> R:
        asked = perf_counter()
        executor = await self._take(server, background=background)
        began = perf_counter()
        lost: WorkerLost | None = None
        try:
            for _ in range(TRIES):
                try:
                    return await executor.run(function, argument, seconds)
                except WorkerLost as error:
                    lost = error
                    self.lost.send()
        finally:
            self._give(executor, background=background)
            self.worked.send(background, began - asked, perf_counter() - began)
        assert lost is not None
        raise lost

    @property
    def _room_in_background(self) -> bool:
        return self._in_background < max(1, len(self.executors) - 1)

    async def _take(self, server: int, *, background: bool) -> Executor:
        # While anybody waits there is no idle executor that this one may have.
        if self._idle and (not background or self._room_in_background):
            self._in_background += background
            return self._idle.pop()
        queue = self.background if background else self.playing
        future = queue.join(server)
        try:
            return await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self._give(future.result(), background=background)
            else:
                queue.leave(server, future)
            raise

    def _give(self, executor: Executor, *, background: bool) -> None:
        """Hand a free executor to whoever is next: who plays first."""
        self._in_background -= background
        if self.playing.hand(executor):
            return
        self._idle.append(executor)
        while self._idle and self._room_in_background and len(self.background):
            if not self.background.hand(self._idle[-1]):
                break
            self._idle.pop()
            self._in_background += 1
