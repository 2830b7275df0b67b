"""The groups of commands that several features fill: `/game`, `/me` and `/server`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import discord
from discord import app_commands

from bot.chat.features import Feature, TopLevel

ON_SERVERS: Final = frozenset(("tournament", "league", "teams", "server", "leaderboard"))
"""The commands that are of a server that has the bot. All others are offered wherever somebody has installed it."""


def assembled(features: Iterable[Feature]) -> list[TopLevel]:
    """All that Discord is told of at top level: what each feature has there, and the groups with what each adds."""
    game = app_commands.Group(name="game", description="This channel's game, or one by its number")
    me = app_commands.Group(name="me", description="Your games, ratings, settings and data")
    server = app_commands.Group(
        name="server",
        description="Set up this server: channels, games of its own, the puzzle of the day",
        default_permissions=discord.Permissions(manage_guild=True),
    )
    top: list[TopLevel] = []
    for feature in features:
        top += feature.commands
        for group, added in ((game, feature.of_game), (me, feature.of_me), (server, feature.of_server)):
            for command in added:
                group.add_command(command)
    return [_offered(command) for command in (*top, game, me, server)]


def _offered(command: TopLevel) -> TopLevel:
    """A command with the places in which Discord offers it, and to whom."""
    beyond = command.name not in ON_SERVERS
    places = app_commands.allowed_contexts(guilds=True, dms=beyond, private_channels=beyond)
    return app_commands.allowed_installs(guilds=True, users=beyond)(places(command))
