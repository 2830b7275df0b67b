"""Serves the figures for Prometheus, in threads of its own: it answers while the event loop is busy, and says so."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import CancelledError, Future
from typing import Final, NamedTuple

import structlog
from prometheus_client import CollectorRegistry, Metric, ProcessCollector, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from bot.chat.client import Damero
from bot.metrics import figures
from bot.metrics.counters import Counters, CountingHandler
from bot.metrics.figures import GAUGES, Figures
from data.store import StoreError

log = structlog.get_logger(__name__)

BEAT: Final = 0.1
"""Seconds between two looks at how late the event loop is."""

FRESH: Final = 5.0
"""Seconds for which figures are not looked up anew, however often somebody asks."""

PATIENCE: Final = 2.0
"""Seconds for which whoever asks waits for new figures. Then the last ones are served, with their age."""


@contextlib.asynccontextmanager
async def serve_process(port: int, host: str) -> AsyncIterator[None]:
    """The figures of a process that is not the bot yet: whoever asks sees that it is there. Raises OSError when the
    port is taken."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    served = await _serve(registry, port, host)
    try:
        yield
    finally:
        await served.end()


class _Served(NamedTuple):
    port: int
    ends: tuple[Callable[[], None], ...]

    async def end(self) -> None:
        for end in self.ends:
            await asyncio.to_thread(end)


async def _serve(registry: CollectorRegistry, port: int, host: str) -> _Served:
    # To open it may ask for the name of the host, which takes its time.
    server, thread = await asyncio.to_thread(start_http_server, port, host, registry)
    return _Served(int(server.server_port), (server.shutdown, server.server_close, thread.join))


class MetricsServer:
    """The figures of ``bot``. ``now`` tells seconds by a clock that only goes forward, from any beginning."""

    def __init__(self, bot: Damero, *, now: Callable[[], float] = time.monotonic) -> None:
        self.registry = CollectorRegistry()
        self._bot, self._now = bot, now
        self._counters = Counters(self.registry)
        self._handler: logging.Handler = CountingHandler(self._counters)
        self._figures: Figures = {}
        self._looked = self._beat_at = now()
        self._asked = now() - FRESH
        self._looking: Future[None] | None = None
        self._one = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._beating: asyncio.Task[None] | None = None
        self._served: _Served | None = None
        self.registry.register(_Gauges(self._gauges))
        ProcessCollector(registry=self.registry)

    async def open(self, port: int, host: str) -> int:
        """Count from now on, and serve it; port 0 takes a free one. Returns the port. Raises OSError when it is
        taken."""
        self._served = await _serve(self.registry, port, host)
        self.begin()
        return self._served.port

    def begin(self) -> None:
        """Count from now on."""
        self._loop = asyncio.get_running_loop()
        self._counters.connect(self._bot)
        logging.getLogger().addHandler(self._handler)
        self._looked = self._beat_at = self._now()
        self._beating = self._loop.create_task(self._beat(), name="metrics")

    async def close(self) -> None:
        """Serve no more."""
        logging.getLogger().removeHandler(self._handler)
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.wait({self._beating})
        self._loop = None
        if self._served is not None:
            await self._served.end()

    async def _beat(self) -> None:
        while True:
            self._beat_at = self._now()
            await asyncio.sleep(BEAT)
            self._counters.loop_late.observe(max(0.0, self._now() - self._beat_at - BEAT))

    async def _look(self) -> None:
        """Look up what belongs to the event loop, the store and the disk."""
        services = self._bot.services
        self._figures |= figures.of_workers(self._bot)
        try:
            now, file, settings = services.clock(), services.store.file, services.settings
            self._figures |= await figures.of_store(
                services.store, now, self._bot.timers.kinds, frozenset(self._counters.closed)
            )
            if file is not None:
                copies = settings.backup_folder or file.parent / "backups"
                self._figures |= await asyncio.to_thread(figures.of_disk, file, copies, now)
            self._looked = self._now()
        except (StoreError, OSError) as error:
            log.warning("figures cannot be looked up", error=str(error))

    def _refresh(self) -> None:
        """In a thread: have the event loop look, unless it has just done so, and wait for it a little."""
        with self._one:
            loop, now = self._loop, self._now()
            if loop is None or now - self._asked < FRESH:
                return
            if self._looking is None or self._looking.done():
                self._asked = now
                self._looking = asyncio.run_coroutine_threadsafe(self._look(), loop)
            # Where the loop or the store is busy, what was known before is told with its age.
            with contextlib.suppress(TimeoutError, CancelledError):
                self._looking.result(PATIENCE)

    def _gauges(self) -> Iterator[Metric]:
        self._refresh()
        known = self._figures | figures.of_discord(self._bot)
        for name, kind in GAUGES.items():
            gauge = GaugeMetricFamily(name, kind.says, labels=kind.labels)
            for labels, value in known.get(name, {}).items():
                gauge.add_metric(labels, value)
            yield gauge
        now = self._now()
        yield GaugeMetricFamily(
            "damero_loop_silent_seconds", "For how long the event loop has done nothing", now - self._beat_at
        )
        yield GaugeMetricFamily(
            "damero_figures_age_seconds", "Age of what was looked up in the store and on the disk", now - self._looked
        )
        yield CounterMetricFamily(
            "damero_store_statements", "Statements that the database ran", value=self._bot.services.store.statements
        )


class _Gauges(Collector):
    """What is looked up when somebody asks."""

    def __init__(self, collect: Callable[[], Iterator[Metric]]) -> None:
        self._collect = collect

    def collect(self) -> Iterator[Metric]:
        return self._collect()
