"""Moving without a keyboard, as a person does who reads the buttons and taps them."""

from __future__ import annotations

import discord
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.engine.turns import Turn
from bot.games.model.game import Game
from tests.support.discord.world import World, labels

TO_OPEN = 1
"""A menu takes a tap to open before one is chosen."""


def menus(message: discord.Message) -> list[discord.SelectMenu]:
    """The menus under a message."""
    rows = [row for row in message.components if isinstance(row, discord.ActionRow)]
    return [child for row in rows for child in row.children if isinstance(child, discord.SelectMenu)]


def offered(message: discord.Message) -> list[str]:
    """What may be chosen under a message, by button or menu, without the other ways to go on."""
    listed = [option.label for menu in menus(message) for option in menu.options]
    return listed or [label for label in labels(message) if label not in ("Type it", "Another piece")]


async def choose(person: MemberActor, message: discord.Message, label: str) -> tuple[InteractionResult, int]:
    """Tap what bears ``label``; the answer, and how many taps that took."""
    for menu in menus(message):
        for option in menu.options:
            if option.label == label:
                assert menu.custom_id is not None
                return await person.select(message, [option.value], custom_id=menu.custom_id), 1 + TO_OPEN
    return await person.click(message, label=label), 1


async def tapped(here: World, person: MemberActor, game: Game, turn: Turn) -> tuple[InteractionResult, int]:
    """Play ``turn`` by taps alone, reading labels as a person does; the last answer, and how many taps it took."""
    names = [game.rules.board.names[place] for place in turn.path]
    answer, taps = await person.click(here.boards()[-1], label="Move"), 1
    while True:
        assert answer.response is not None
        message = answer.response.message
        choices = offered(message)
        begun = [" ".join(names[:length]) for length in range(len(names), 0, -1)]
        [label, *_others] = [each for each in (turn.text, names[-1], *begun) if each in choices]
        answer, more = await choose(person, message, label)
        taps += more
        assert answer.response is not None
        if answer.response.content.startswith("Played"):
            return answer, taps
