"""Texts as they fit a message: their length, the names that people choose."""

from __future__ import annotations

from collections.abc import Iterable

import discord

from bot.games.model.errors import Refused
from bot.i18n import _

LONGEST = 2000
"""How many characters a message holds."""


def chosen_name(text: str) -> str:
    """A name that somebody has chosen, as it stands in messages: in one line, with all its signs. Raises Refused."""
    name = " ".join(text.split())
    if not name:
        raise Refused(_("Give it a name that can be read."))
    return discord.utils.escape_markdown(name)


def first_lines(lines: Iterable[str], room: int) -> list[str]:
    """The first of some lines, as many as ``room`` characters hold."""
    first = []
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        first.append(line)
    return first


def fitting(text: str, limit: int = LONGEST) -> str:
    """``text`` cut at a line's end to what one message may hold."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 2].rsplit("\n", 1)[0]
    return f"{cut}\n…"
