"""How a computer sits at a table: as a player whose id is below zero, which holds its level. Pure.

Discord's ids are above zero, so that nobody is ever taken for a computer; and as each computer of a table has an id of
its own, all that is known of seats by their players' ids (whose turn, who offered, who won) holds for computers too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.i18n import phrase, said

LEVELS: Final = range(1, 9)
"""The levels that there are, from the weakest."""

USUAL_LEVEL: Final = 4
"""The level of whoever says none."""

GUEST: Final = 9
"""Stands in a level's place for the engine of somebody else that the host has given the bot (COMPUTER_HUB)."""

_TEN: Final = 10


def computer_of(level: int, number: int = 0) -> int:
    """The id of the ``number``-th computer of a table, from 0 on. Raises ValueError for a level that there is not."""
    if level not in (*LEVELS, GUEST):
        raise ValueError(f"there is no level {level}")
    return -(_TEN * number + level)


def another(players: Iterable[int | None], level: int) -> int:
    """The id of one more computer at the table of ``players``."""
    taken = {-player // _TEN for player in players if player is not None and player < 0}
    return computer_of(level, next(number for number in range(len(taken) + 1) if number not in taken))


def is_computer(player: int | None) -> bool:
    """Whether a computer has the seat."""
    return player is not None and player < 0


def level_of(player: int) -> int:
    """The level of a computer. Raises ValueError for a person."""
    if player >= 0:
        raise ValueError("a person has no level")
    return -player % _TEN


def person_of(player: int | None) -> int | None:
    """``player``, if it is a person: a computer is not pinged, reminded or written to."""
    return None if is_computer(player) else player


def persons(players: Iterable[int | None]) -> tuple[int, ...]:
    """The people among ``players``, each once."""
    return tuple(dict.fromkeys(player for player in players if player is not None and player >= 0))


def name_of(player: int) -> str:
    """What a computer is called."""
    return said(called(player))


def called(player: int | None) -> str:
    """A player in a sentence: a person as Discord writes one, a computer by its name, a phrase; whoever is gone, and is
    None or 0, is somebody."""
    if not player:
        return phrase("somebody")
    if not is_computer(player):
        return f"<@{player}>"
    level, number = level_of(player), -player // _TEN + 1
    if number > 1:
        # Further computers of a table.
        guest = phrase("Guest engine {number}", number=number)
        return guest if level == GUEST else phrase("Damero level {level} #{number}", number=number, level=level)
    return phrase("Guest engine") if level == GUEST else phrase("Damero level {level}", level=level)
