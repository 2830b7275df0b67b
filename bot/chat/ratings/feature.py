"""Ratings and the lists of the strongest."""

from __future__ import annotations

from discord.ext import commands

from bot.chat.features import Feature
from bot.chat.ratings.commands import RatingCommands
from bot.chat.services import Services


def setup(_client: commands.Bot, services: Services) -> Feature:
    """The feature: commands, and no more."""
    return Feature(cogs=(RatingCommands(services),))
