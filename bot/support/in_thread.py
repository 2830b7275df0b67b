"""How slow work is done, as those who have it done are handed it: what decides imports no asyncio."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

T = TypeVar("T")


class InThread(Protocol):
    """Does work beside the event loop, as ``asyncio.to_thread`` does."""

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]: ...


class RunWithNotice(Protocol):
    """Awaits work; where it takes long, calls once what is to be done meanwhile."""

    def __call__(self, work: Awaitable[T], meanwhile: Callable[[], Awaitable[None]], /) -> Awaitable[T]: ...


def run_without_notice(work: Awaitable[T], _meanwhile: Callable[[], Awaitable[None]]) -> Awaitable[T]:
    """For those to whom it does not matter how long work takes."""
    return work
