"""What a person takes along, sees, and has deleted."""

from __future__ import annotations

from discord.ext import commands

from bot.chat.features import Feature
from bot.chat.privacy.commands import PrivacyCommands, press
from bot.chat.services import Services


def setup(_client: commands.Bot, services: Services) -> Feature:
    """The feature: commands, and the button that confirms a deletion."""
    return Feature(cogs=(PrivacyCommands(services),), buttons=(press,))
