"""Settings of people and servers, vacations."""

from __future__ import annotations

from discord.ext import commands

from bot.chat.features import Feature
from bot.chat.services import Services
from bot.chat.settings.commands import SettingsCommands


def setup(_client: commands.Bot, services: Services) -> Feature:
    """The feature: commands, and no more."""
    return Feature(cogs=(SettingsCommands(services),))
