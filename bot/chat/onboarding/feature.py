"""The first five minutes: a welcome to each server, help, a tutorial, and a diagnosis for managers."""

from __future__ import annotations

from discord.ext import commands

from bot.chat.features import Feature
from bot.chat.onboarding import help as help_text
from bot.chat.onboarding import tutorial, welcome
from bot.chat.onboarding.diagnose import diagnose
from bot.chat.onboarding.help import how_to_play
from bot.chat.onboarding.welcome import Welcomes
from bot.chat.services import Services


def setup(client: commands.Bot, services: Services) -> Feature:
    """The feature; it hears itself which servers come and go."""
    welcomes = Welcomes(client, services.store, services.languages)
    # Discord says the one or the other of a server that is new.
    client.add_listener(welcomes.joined, "on_guild_join")
    client.add_listener(welcomes.joined, "on_guild_available")
    client.add_listener(welcomes.left, "on_guild_remove")
    return Feature(
        commands=(how_to_play, tutorial.tutorial),
        of_server=(diagnose,),
        buttons=(tutorial.press, welcome.press, help_text.press),
        forms=(tutorial.form,),
        parts=(welcomes,),
    )
