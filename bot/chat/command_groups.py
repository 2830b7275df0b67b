"""The groups of commands that several features fill: `/game`, `/me` and `/server`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import discord
from discord import app_commands

from bot.chat.features import Feature

TopLevel = app_commands.Command[Any, ..., Any] | app_commands.Group | app_commands.ContextMenu


def assembled(features: Iterable[Feature]) -> list[TopLevel]:
    """All that Discord is told of at top level: what each feature has there, and the groups with what each adds."""
    game = app_commands.Group(name="game", description="This channel's game, or one by its number")
    me = app_commands.Group(name="me", description="Your games, ratings, settings and data")
    server = app_commands.Group(
        name="server",
        description="Set up this server: channels, games of its own, the puzzle of the day",
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )
    top: list[TopLevel] = []
    for feature in features:
        top += feature.commands
        for group, added in ((game, feature.of_game), (me, feature.of_me), (server, feature.of_server)):
            for command in added:
                group.add_command(command)
    return [*top, game, me, server]
