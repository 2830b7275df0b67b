"""Positions: set up, played from, analysed, shown."""

from __future__ import annotations

import discord

from bot.chat.features import Feature
from bot.chat.positions import setup_buttons, setup_commands, setup_form
from bot.chat.services import Services


def setup(client: discord.Client, services: Services) -> Feature:
    """The feature."""
    return Feature(commands=(setup_commands.setup,), buttons=(setup_buttons.press,), forms=(setup_form.form,))
