"""Where a job is worked on: a worker process here, or a cluster. Each takes one job at a time."""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from typing import Protocol, TypeVar

from bot.computer.workers.jobs import answer, begin, is_brief, until_ready

A = TypeVar("A")
R = TypeVar("R")

READY_WITHIN = 120.0
"""Seconds that a new worker may take to start and to compile its searches."""


class WorkerLost(Exception):  # noqa: N818 - what has happened to a worker, not a fault of the job
    """The worker died, did not answer in time, or could not be started."""


class Executor(Protocol):
    """What works on one job at a time."""

    @property
    def alive(self) -> bool:
        """Whether it could begin at once, without being started or connected first."""
        ...

    async def run(self, function: Callable[[A], R], argument: A, seconds: float) -> R:
        """What ``function`` makes of ``argument``, within ``seconds``. Raises WorkerLost, and whatever that raises."""
        ...

    def stop(self) -> None:
        """Give up what is being worked on, whatever it is. The executor can be used again."""
        ...


class ProcessExecutor:
    """A worker process of this machine, started when it is first needed; a new one takes its place when it is gone."""

    def __init__(self) -> None:
        self._executor: ProcessPoolExecutor | None = None
        self.process: int | None = None
        self._ready = False

    @property
    def alive(self) -> bool:
        """See Executor."""
        # A pool whose process has died knows it, and has waited for it, long before anybody asks it for something.
        return self.process is not None and not getattr(self._executor, "_broken", False)

    async def run(self, function: Callable[[A], R], argument: A, seconds: float) -> R:
        """See Executor."""
        loop = asyncio.get_running_loop()
        try:
            if self._executor is None:
                spawn = multiprocessing.get_context("spawn")
                self._executor = ProcessPoolExecutor(1, mp_context=spawn, initializer=end_with_parent)
            if self.process is None:
                async with asyncio.timeout(READY_WITHIN):
                    self.process = await loop.run_in_executor(self._executor, begin)
            if not (self._ready or is_brief(argument)):
                async with asyncio.timeout(READY_WITHIN):
                    await loop.run_in_executor(self._executor, until_ready, None)
                self._ready = True
            async with asyncio.timeout(seconds):
                return await loop.run_in_executor(self._executor, answer, function, argument)
        except (BrokenProcessPool, TimeoutError, OSError) as error:
            self.stop()
            raise WorkerLost(repr(error)) from error
        except asyncio.CancelledError:
            self.stop()
            raise

    def stop(self) -> None:
        """See Executor."""
        executor, self._executor, self.process, self._ready = self._executor, None, None, False
        if executor is None:
            return
        for process in tuple((getattr(executor, "_processes", None) or {}).keys()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        executor.shutdown(wait=False, cancel_futures=True)


def end_with_parent() -> None:
    """Have this worker end when the bot does, however that ends: a bot that is killed takes nobody along."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_wait_for, args=(parent,), name="parent", daemon=True).start()


def _wait_for(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)
