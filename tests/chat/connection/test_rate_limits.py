"""The rate limits that discord.py has for each channel."""

from __future__ import annotations

import asyncio

import pytest
from discord.http import HTTPClient, Ratelimit

from bot.chat.connection import rate_limits


async def test_they_are_looked_through_rarely(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many channels are written to, each is looked at once in half a minute; who can go goes then."""
    looked, now = [0], [1000.0]
    is_inactive = Ratelimit.is_inactive

    def counted(limit: Ratelimit) -> bool:
        looked[0] += 1
        return is_inactive(limit)

    monkeypatch.setattr(Ratelimit, "is_inactive", counted)
    monkeypatch.setattr(HTTPClient, "_try_clear_expired_ratelimits", HTTPClient._try_clear_expired_ratelimits)
    rate_limits.look_through_rarely(lambda: now[0])
    client = HTTPClient(asyncio.get_running_loop())
    for channel in range(2000):
        client.get_ratelimit(f"channel {channel}")
    assert looked[0] <= 256

    for limit in list(client._buckets.values())[:1500]:
        limit._last_request -= 301
    now[0] += rate_limits.EVERY
    client.get_ratelimit("one more")
    assert 501 == len(client._buckets)
