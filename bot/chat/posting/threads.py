"""Threads of games above which no challenge stands: each game has one, whatever stops the bot while it is made."""

from __future__ import annotations

from typing import Final, Literal

import discord

from bot.games.model.game import Game

ARCHIVED_AFTER: Final[Literal[10080]] = 10080
"""Minutes without a message: a week, the longest that there is."""

_LONGEST_NAME = 100


async def thread_of(channel: discord.TextChannel, game: Game, name: str) -> int:
    """The thread of a game in a channel; it is made where there is none. Its name ends with the game's number, by
    which it is found again if it was made and the bot ended before its id was kept."""
    sign = f" #{game.id}"
    kept = {game.channel_id, None if game.mirror is None else game.mirror.channel_id}
    for thread in channel.threads:
        mine = thread.owner_id == channel.guild.me.id and thread.name.endswith(sign)
        # A thread that already holds messages belongs to a game of another database: leave it alone.
        if mine and not thread.message_count and thread.id not in kept:
            return thread.id
    kind = discord.ChannelType.public_thread
    named = f"{name[: _LONGEST_NAME - len(sign)]}{sign}"
    return (await channel.create_thread(name=named, type=kind, auto_archive_duration=ARCHIVED_AFTER)).id
