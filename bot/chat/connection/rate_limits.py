"""discord.py has a rate limit for each channel and kind of request, and with each new one it looks through all of them
for those that can go. Where a bot writes to thousands of channels, that takes longer than the requests."""

from __future__ import annotations

import time
from collections.abc import Callable

from discord.http import HTTPClient

EVERY = 30.0
"""Seconds between two looks."""

_look_through = HTTPClient._try_clear_expired_ratelimits


def look_through_rarely(clock: Callable[[], float] = time.monotonic) -> None:
    """From now on it looks so rarely: those that can go (after five minutes) stay that much longer."""
    next_at = 0.0

    def rarely(client: HTTPClient) -> None:
        nonlocal next_at
        if clock() >= next_at:
            _look_through(client)
            next_at = clock() + EVERY

    HTTPClient._try_clear_expired_ratelimits = rarely  # type: ignore[method-assign,assignment]
