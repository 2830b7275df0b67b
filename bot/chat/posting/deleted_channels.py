"""What the bot could not do or be told while it was away: channels that were deleted, boards that were given up."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import aiohttp
import discord
import structlog

from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.games.use_cases.channels import Channels
from data.store import StoreError

log = structlog.get_logger(__name__)

UNKNOWN_CHANNEL = 10003


async def look_for_channels(client: discord.Client, channels: Channels, gone: Callable[[int], Awaitable[None]]) -> None:
    """Ask Discord after each channel of a running game with a clock that it has not named by itself, and call ``gone``
    with those that are no more. Threads that rest are not named by Discord, so it must be asked."""
    try:
        played = await channels.channels_with_clocks()
        for channel_id in [channel_id for channel_id in played if client.get_channel(channel_id) is None]:
            if await _is_gone(client, channel_id):
                await gone(channel_id)
    except (StoreError, Refused) as error:
        # Its games wait until a post is tried in vain, or the next connection.
        log.warning("channels not looked for", error=str(error))


async def post_missing_boards(client: discord.Client, channels: Channels, changed: Callable[[Game], object]) -> None:
    """Have boards posted that Discord had refused, of running games whose channel is there, and tell ``changed``."""
    try:
        for game_id, channel_id in await channels.without_board():
            if client.get_channel(channel_id) is None and await _is_gone(client, channel_id):
                continue
            for game in await channels.post_again(game_id):
                changed(game)
    except (StoreError, Refused) as error:
        log.warning("boards not looked for", error=str(error))


async def _is_gone(client: discord.Client, channel_id: int) -> bool:
    try:
        await client.fetch_channel(channel_id)
    except discord.NotFound as error:
        return error.code == UNKNOWN_CHANNEL
    except (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError):
        # Closed to the bot, or Discord is out of order: it is there as far as anybody knows.
        return False
    return False
