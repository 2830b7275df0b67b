"""The parts of the bot that work beside all else, by what they are."""

from __future__ import annotations

from typing import TypeVar

from bot.chat.client import Damero

P = TypeVar("P")


def part(bot: Damero, kind: type[P]) -> P:
    """The only part of a kind."""
    [only] = [each for each in bot.parts if isinstance(each, kind)]
    return only
