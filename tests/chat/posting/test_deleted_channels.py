from __future__ import annotations

from typing import cast

import aiohttp
import discord
import pytest

from bot.chat.posting.deleted_channels import look_for_channels
from bot.games.use_cases.channels import Channels
from tests.support.discord.errors import refused


class Asked:
    """A Discord of which every channel but 1, which is known, must be asked after: 2 is out of reach in one way or
    another, 3 was deleted."""

    def __init__(self, trouble: Exception) -> None:
        self.trouble = trouble
        self.channels = self

    async def channels_with_clocks(self) -> list[int]:
        return [1, 2, 3]

    def get_channel(self, channel_id: int) -> object | None:
        return self if channel_id == 1 else None

    async def fetch_channel(self, channel_id: int) -> object:
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
    asked = Asked(trouble)
    gone: list[int] = []

    async def note(channel_id: int) -> None:
        gone.append(channel_id)

    await look_for_channels(cast(discord.Client, asked), cast(Channels, asked), note)

    assert [3] == gone
