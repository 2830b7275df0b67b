from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import aiohttp
import discord
import pytest

from bot.chat.posting.deleted_channels import LEISURE, look_for_channels, look_for_threads
from bot.games.use_cases.channels import ChannelInUse, Channels
from tests.support.discord.errors import refused


class Asked:
    """A Discord of which every channel but 1, which is known, must be asked after: 2 is out of reach in one way or
    another, 3 was deleted. ``used``: where games are played."""

    def __init__(self, trouble: Exception, used: list[ChannelInUse]) -> None:
        self.trouble = trouble
        self.used = used
        self.requests: list[int] = []
        self.guilds = [SimpleNamespace(channels=[discord.Object(1)], threads=[])]

    async def channels_with_clocks(self) -> list[ChannelInUse]:
        return self.used

    def get_channel(self, channel_id: int) -> object | None:
        return self if channel_id == 1 else None

    async def fetch_channel(self, channel_id: int) -> object:
        self.requests.append(channel_id)
        raise self.trouble if channel_id == 2 else refused(404, 10003)


@pytest.mark.parametrize(
    "trouble",
    [
        refused(403, 50001),
        refused(404, 0),
        refused(500, 0),
        discord.InvalidData("of another server"),
        discord.RateLimited(40.0),
        aiohttp.ServerDisconnectedError(),
        ConnectionResetError(),
        TimeoutError(),
    ],
    ids=repr,
)
async def test_only_what_discord_says_is_gone_is_gone(trouble: Exception) -> None:
    """A channel that cannot be asked after is there as far as anybody knows, and keeps none of the others from being
    asked after."""
    asked = Asked(trouble, [ChannelInUse(n, n, live=False) for n in (1, 2, 3)])
    gone: list[int] = []

    async def note(channel_id: int) -> None:
        gone.append(channel_id)

    await look_for_channels(cast(discord.Client, asked), cast(Channels, asked), note)

    assert [3] == gone


THREADS = [ChannelInUse(n, 1, live=False) for n in range(100, 5100)]


async def test_threads_at_rest_cost_no_request_at_a_connection() -> None:
    """Five thousand of a channel that is there: nothing is asked, but after one that can only have been deleted, as its
    game is of an evening, and once after a channel that is not there, whatever was played in its threads."""
    asked = Asked(refused(403, 50001), [*THREADS, ChannelInUse(7, 1, live=True)])
    asked.used += [ChannelInUse(n, 3, live=False) for n in range(8, 18)]
    gone: list[int] = []

    async def note(channel_id: int) -> None:
        gone.append(channel_id)

    await look_for_channels(cast(discord.Client, asked), cast(Channels, asked), note)

    assert [3, 7] == asked.requests
    assert [3, 7] == gone


async def test_they_are_asked_after_at_leisure() -> None:
    """One by one, in their order, until all have been: a thread that was deleted is found out before its game is lost
    by time."""
    asked = Asked(refused(403, 50001), [THREADS[0], ChannelInUse(1, 1, live=False), *THREADS[1:3]])
    gone: list[int] = []
    pauses: list[float] = []

    async def note(channel_id: int) -> None:
        gone.append(channel_id)

    async def pause(seconds: float) -> None:
        assert len(asked.requests) == len(pauses)
        pauses.append(seconds)

    await look_for_threads(cast(discord.Client, asked), cast(Channels, asked), note, pause)

    assert [100, 101, 102] == asked.requests == gone
    assert [LEISURE] * 3 == pauses
