"""What the bot could not do or be told while it was away: channels that were deleted, boards that were given up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import aiohttp
import discord
import structlog

from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.games.use_cases.channels import Channels
from data.store import StoreError

log = structlog.get_logger(__name__)

UNKNOWN_CHANNEL = 10003


LEISURE: Final = 10.0
"""Seconds between two threads that are asked after at leisure."""


async def look_for_channels(client: discord.Client, channels: Channels, gone: Callable[[int], Awaitable[None]]) -> None:
    """At a connection: ask Discord after the channels of running games with a clock that it has not named by itself,
    and call ``gone`` with those that are no more. Threads that rest, which Discord does not name either, are left to
    ``look_for_threads`` where their channel is there, and the game is none of an evening."""
    try:
        asked, there = set(), _named_by_itself(client)
        for each in await channels.channels_with_clocks():
            if each.id not in there and (each.live or each.place not in there):
                # Without its channel no thread is there.
                asked.add(each.id if each.live else each.place)
        for channel_id in sorted(asked):
            if await is_gone(client, channel_id):
                await gone(channel_id)
    except (StoreError, Refused) as error:
        # Its games wait until a post is tried in vain, or the next connection.
        log.warning("channels not looked for", error=str(error))


async def look_for_threads(
    client: discord.Client,
    channels: Channels,
    gone: Callable[[int], Awaitable[None]],
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Ask after the threads that rest, one by one and at leisure, first those of games whose time runs out first."""
    try:
        there = _named_by_itself(client)
        for each in await channels.channels_with_clocks():
            if each.id not in there:
                await pause(LEISURE)
                # It may have come back to life meanwhile.
                if client.get_channel(each.id) is None and await is_gone(client, each.id):
                    await gone(each.id)
    except (StoreError, Refused) as error:
        log.warning("threads not looked for", error=str(error))


async def post_missing_boards(client: discord.Client, channels: Channels, changed: Callable[[Game], object]) -> None:
    """Have boards posted that Discord had refused, of running games whose channel is there, and tell ``changed``."""
    try:
        there = _named_by_itself(client)
        for game_id, channel_id in await channels.without_board():
            if channel_id not in there and await is_gone(client, channel_id):
                continue
            for game in await channels.post_again(game_id):
                changed(game)
    except (StoreError, Refused) as error:
        log.warning("boards not looked for", error=str(error))


def _named_by_itself(client: discord.Client) -> set[int]:
    """The channels and threads that Discord has named. To ask for one by its id alone goes through all servers."""
    return {each.id for guild in client.guilds for each in (*guild.channels, *guild.threads)}


async def is_gone(client: discord.Client, channel_id: int) -> bool:
    """Whether Discord, when asked, knows no such channel or thread."""
    try:
        await client.fetch_channel(channel_id)
    except discord.NotFound as error:
        return error.code == UNKNOWN_CHANNEL
    except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError):
        # Closed to the bot, or Discord is out of order: it is there as far as anybody knows.
        return False
    return False
