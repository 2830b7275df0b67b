"""Executors on a Dask cluster (extra ``cluster``): the same jobs, worked on by other machines.

The workers of the cluster need Damero of the same version and the extras that are wanted there (``fast``); each works
on one job at a time, however many threads it has: ``dask worker --nthreads 1`` wastes none. A worker that dies is
replaced by the cluster, which gives its job to another.
"""

from __future__ import annotations

import asyncio
import importlib
import threading
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any, Final, TypeVar

from bot.computer.workers.executors import WorkerLost

A = TypeVar("A")
R = TypeVar("R")

CONNECT_WITHIN: Final = 10.0
"""Seconds to reach the scheduler."""
PAUSE: Final = 30.0
"""Seconds until an unreachable cluster is tried again."""

_ONE = threading.Lock()


def alone(function: Callable[[A], R], argument: A) -> R:
    """``function``, while no other thread of this process works: searches keep what they know of a game in memory."""
    with _ONE:
        return function(argument)


class Cluster:
    """The connection that all executors of a cluster share; made when it is first needed, anew where it was lost."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._client: Any = None
        self._executor: Executor | None = None
        self._connecting = asyncio.Lock()
        self._not_before = 0.0

    @property
    def connected(self) -> bool:
        """Whether it was in reach when it was last needed."""
        return self._executor is not None and self._client.status == "running"

    async def executor(self) -> Executor:
        """What takes jobs. Raises WorkerLost where the cluster is out of reach."""
        async with self._connecting:
            if self._executor is not None and self.connected:
                return self._executor
            now = asyncio.get_running_loop().time()
            if now < self._not_before:
                raise WorkerLost(f"the cluster {self._address} was out of reach just now")
            try:
                self._client, executor = await asyncio.to_thread(self._connect)
            except Exception as error:
                # Whatever it is: on a machine with much to do the library fails by its own assertions, too.
                self._not_before = now + PAUSE
                raise WorkerLost(f"the cluster {self._address} is out of reach: {error!r}") from error
            self._executor = executor
            return executor

    def _connect(self) -> tuple[Any, Executor]:
        self.close()
        distributed = importlib.import_module("distributed")
        client = distributed.Client(self._address, timeout=CONNECT_WITHIN, set_as_default=False)
        # What was asked twice is to be worked on twice: the time that is left is part of the answer.
        return client, client.get_executor(pure=False)

    def close(self) -> None:
        """Let go of the connection; what is being worked on is given up."""
        client, self._client, self._executor = self._client, None, None
        if client is not None:
            # In a thread of its own, as it waits for the other side.
            threading.Thread(target=client.close, kwargs={"timeout": 2}, daemon=True).start()


class ClusterExecutor:
    """One job at a time on a cluster; see bot.computer.workers.executors.Executor."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    @property
    def alive(self) -> bool:
        """See Executor."""
        return self._cluster.connected

    async def run(self, function: Callable[[A], R], argument: A, seconds: float) -> R:
        """See Executor."""
        executor = await self._cluster.executor()
        lost = _losses()
        try:
            future = executor.submit(alone, function, argument)
        except lost as error:
            raise WorkerLost(repr(error)) from error
        result = asyncio.wrap_future(future)
        try:
            await asyncio.wait({result}, timeout=seconds)
        finally:
            if not result.done():
                result.cancel()
        # A scheduler that goes away cancels what it was asked.
        if result.cancelled() or not result.done():
            raise WorkerLost(f"no answer within {seconds} seconds")
        try:
            return result.result()
        except lost as error:
            raise WorkerLost(repr(error)) from error

    def stop(self) -> None:
        """See Executor."""
        self._cluster.close()


def _losses() -> tuple[type[BaseException], ...]:
    """What says that a worker, or the way to it, was lost."""
    scheduler = importlib.import_module("distributed.scheduler")
    return (scheduler.KilledWorker, OSError, TimeoutError)


def executors_on(address: str, count: int) -> list[ClusterExecutor]:
    """So many executors on the cluster whose scheduler has ``address`` ("tcp://...")."""
    cluster = Cluster(address)
    return [ClusterExecutor(cluster) for _ in range(count)]
