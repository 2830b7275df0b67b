"""The computer as an opponent: who asks for it how, and the choice of a level."""

from __future__ import annotations

from typing import Final

import discord

from bot.chat.components import game_button, view_of
from bot.computer.levels import rating_of
from bot.games.model.computer_seats import LEVELS
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.i18n import _

USUAL: Final = 3
"""The level of whoever says none."""

_IN_A_ROW = 4


def computers_of(
    seats: int, *, against: bool, invited: bool, level: int | None, computers: int | None
) -> tuple[int, ...]:
    """The levels of the computers that `/play` asks for. ``against``: the bot is named as the opponent; ``invited``: a
    person is. Left out, the computer takes every seat that is free. Raises Refused."""
    if not against and level is None and computers is None:
        return ()
    free = seats - 1 - invited
    if free == 0:
        raise Refused(_("You challenge a person. Leave `level` and `computers` out, or choose me as your opponent."))
    if computers is not None and computers > free:
        refusal = _("The computer cannot take {count} seats: {free} are left beside the people.")
        raise Refused(refusal.format(count=computers, free=free))
    return (level or USUAL,) * (computers or free)


def level_view(game: Game) -> discord.ui.View:
    """A button for each level at which the computer may take a seat of ``game``."""
    return view_of(
        [game_button("level", game, str(level), str(level), row=(level - 1) // _IN_A_ROW) for level in LEVELS]
    )


def level_text(family: str) -> str:
    """What the levels are in a family of games, above their buttons."""
    template = _(
        "How strong shall the computer be? 1 looks one move ahead, 8 is the best it can. Rated among themselves they "
        "are about {ratings}."
    )
    return template.format(ratings=", ".join(str(rating_of(level, family)) for level in LEVELS))


def level_names(family: str) -> dict[int, str]:
    """Each level with its rating, for a list to choose from."""
    names = {level: _("{level}: about {rating}") for level in LEVELS}
    names[LEVELS[0]] = _("{level}: about {rating}, looks one move ahead")
    names[LEVELS[-1]] = _("{level}: about {rating}, the best it can")
    return {level: name.format(level=level, rating=rating_of(level, family)) for level, name in names.items()}
