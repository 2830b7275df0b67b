"""Work beside the event loop, as those who do it are handed it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class InThread(Protocol):
    """Does work beside the event loop, as ``asyncio.to_thread`` does: what decides imports no asyncio."""

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]: ...
