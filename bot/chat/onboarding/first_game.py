"""A first game: whoever knows no command yet chooses it from a list."""

from __future__ import annotations

import discord

from bot.chat.components import LONGEST_CHOICE, ActionMenu, CustomId, Press, chosen
from bot.chat.games.opening_challenges import open_challenge
from bot.chat.games.variant_option import offered_here, variant_here
from bot.engine.registry import rules_for
from bot.engine.variants import Variant
from bot.i18n import _

EASIEST = 1
"""The computer's level in a first game."""


async def game_menu(interaction: Press, carried: CustomId, command: str) -> ActionMenu:
    """The games that are offered where ``interaction`` was made, as many as a menu holds; the others are found with
    ``command``."""
    options = [
        discord.SelectOption(
            label=each.title[:LONGEST_CHOICE], value=each.id, description=each.variant.about[:LONGEST_CHOICE] or None
        )
        for each in await offered_here(interaction)
    ]
    return ActionMenu.of(carried, _("Choose a game"), options, others=_("all: {command}").format(command=command))


async def chosen_game(interaction: Press) -> Variant:
    """What was chosen in it. Raises Refused."""
    return await variant_here(interaction, next(iter(chosen(interaction)), ""))


async def play_the_computer(interaction: Press, variant: Variant) -> str:
    """Begin a game against the computer at its easiest, by the usual rules, in which the person moves first; what is to
    be said of it. Raises Refused."""
    others = len(rules_for(variant.ruleset).seats) - 1
    begun = await open_challenge(interaction, variant, opponent=None, side="first", computers=(EASIEST,) * others)
    return f"{begun}\n{_('Press **Move** under the board when it is your turn. `/rules` explains the game.')}"


async def challenge_anyone(interaction: Press, variant: Variant) -> str:
    """Open a challenge that anyone may accept; what is to be said of it. Raises Refused."""
    return await open_challenge(interaction, variant, opponent=None, side=None)
