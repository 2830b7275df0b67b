"""Waits that have an end, and say what was waited for."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

PATIENCE = 1.0


@contextlib.asynccontextmanager
async def within(seconds: float, what: str) -> AsyncIterator[None]:
    """What takes longer than so many seconds raises TimeoutError, which says what it was."""
    try:
        async with asyncio.timeout(seconds) as bound:
            yield
    except TimeoutError as error:
        raise (TimeoutError(f"waited {seconds:g} s for {what}") if bound.expired() else error) from error


async def waited(news: asyncio.Event, seconds: float = PATIENCE) -> None:
    """Wait for news, but not for long."""
    with contextlib.suppress(TimeoutError):
        # asyncio.wait_for() of Python 3.11 overlooks that it is cancelled when the news come in the same moment.
        async with asyncio.timeout(seconds):
            await news.wait()
