"""A bounded cache that several threads may use at once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import RLock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Cache(Generic[K, V]):
    """Keeps the values used last, ``most`` units of them by ``weigh`` (one each unless told otherwise)."""

    def __init__(self, most: int, weigh: Callable[[V], int] = lambda _: 1) -> None:
        self._most = most
        self._weigh = weigh
        self.held = 0
        """The units held now."""
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = RLock()

    def get(self, key: K) -> V | None:
        """The value of ``key``, now the youngest, or None."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: K, value: V) -> V:
        """Keep ``value`` unless another thread was first, drop the oldest beyond the bound; the value that is kept."""
        with self._lock:
            first = self.get(key)
            if first is not None:
                return first
            self._values[key] = value
            self.held += self._weigh(value)
            while self.held > self._most and len(self._values) > 1:
                self.held -= self._weigh(self._values.popitem(last=False)[1])
            return value

    def make(self, key: K, maker: Callable[[], V]) -> V:
        """The value of ``key``, made under the lock if it is not there: two threads never make the same one."""
        with self._lock:
            value = self.get(key)
            return self.put(key, maker()) if value is None else value
