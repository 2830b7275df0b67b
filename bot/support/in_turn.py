"""Keys that do something one after the other, in the order in which they were lined up."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable


class InTurn:
    """Several queues of keys. Whoever was lined up comes when the key before it has left, and has to leave, whatever
    has become of it; whoever was not waits for nobody."""

    def __init__(self) -> None:
        self._before: dict[int, asyncio.Event] = {}
        self._own: dict[int, tuple[int, asyncio.Event]] = {}
        self._last: dict[int, asyncio.Event] = {}

    def line_up(self, queue: int, keys: Iterable[int]) -> None:
        """Let keys come in this order, after all that were lined up in a queue before."""
        for key in keys:
            if key in self._own:
                continue
            if queue in self._last:
                self._before[key] = self._last[queue]
            self._last[queue] = asyncio.Event()
            self._own[key] = queue, self._last[queue]

    async def come(self, key: int) -> None:
        """Wait until it is the turn of a key."""
        before = self._before.pop(key, None)
        if before is not None:
            await before.wait()

    def leave(self, key: int) -> None:
        """It is the next one's turn."""
        self._before.pop(key, None)
        queue, own = self._own.pop(key, (0, None))
        if own is not None:
            own.set()
            if self._last.get(queue) is own:
                del self._last[queue]
