"""Who breaks a search off: a thread that waits while the search has the processor."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from bot.computer.kernels.lookup_tables import Ints
from bot.computer.kernels.search_room import LIMIT, NODES
from bot.computer.search.limits import Limit

FIRST_PLY = 0.5
"""Seconds that the first ply may take beyond the limit."""
HANDED_OVER = 0.005
"""Seconds until the thread that rings the bell comes to its turn (sys.getswitchinterval, or a processor that is
shared); of a shorter time half is left to the search."""
NO_LIMIT = 1 << 60


class Bell:
    """Stops a search when its time is up, or when another thread sets ``stop``; a first ply that is not finished when
    time is up has a little longer. Time runs from when the bell is made: to make room for a search takes time as
    well."""

    def __init__(self, limit: Limit, stop: threading.Event | None = None) -> None:
        self.started = time.monotonic()
        self._limit, self._stop = limit, stop
        self._first, self._rung = True, False

    @contextmanager
    def over(self, room: Ints) -> Iterator[None]:
        """While a search writes in ``room``, see that it ends. Positions are not counted before the first ply is."""
        room[LIMIT] = NO_LIMIT
        seconds = self._limit.seconds
        if seconds is None and self._stop is None:
            yield
            return
        awake = self._stop or threading.Event()
        left = None
        if seconds is not None:
            left = max(0.0, self.started + seconds - min(HANDED_OVER, seconds / 2) - time.monotonic())
        over = False

        def ring() -> None:
            stopped = awake.wait(left)
            if not stopped and self._first:
                self._rung = True
                awake.wait(FIRST_PLY)
            if over:
                return
            self._rung = True
            room[LIMIT] = 0
            room[-1] = 1

        thread = threading.Thread(target=ring, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over = True
            awake.set()

    def goes_on(self, room: Ints) -> bool:
        """After a ply: whether there is anything left for another."""
        self._first = False
        room[LIMIT] = min(self._limit.nodes or NO_LIMIT, NO_LIMIT)
        # The bell may have rung before the limit was set.
        return not self._rung and room[NODES] < room[LIMIT]
