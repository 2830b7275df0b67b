"""The first five minutes: a welcome to each server, help, a tutorial, and a diagnosis for managers."""

from __future__ import annotations

import discord

from bot.chat.features import Feature
from bot.chat.onboarding import help as help_text
from bot.chat.onboarding import tutorial, welcome
from bot.chat.onboarding.diagnose import diagnose
from bot.chat.onboarding.help import how_to_play
from bot.chat.onboarding.welcome import Welcomes
from bot.chat.services import Services


def setup(client: discord.Client, services: Services) -> Feature:
    """The feature; it hears which servers come and go."""
    welcomes = Welcomes(client, services.store, services.languages)
    return Feature(
        commands=(how_to_play, tutorial.tutorial),
        of_server=(diagnose,),
        buttons=(tutorial.press, welcome.press, help_text.press),
        forms=(tutorial.form,),
        # Discord says one of the first two of a server that is new.
        events={
            "guild_join": welcomes.joined,
            "guild_available": welcomes.joined,
            "guild_remove": welcomes.left,
        },
        parts=(welcomes,),
    )
