"""Texts as they fit a message: their length, the names that people choose."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

import discord

from bot.games.model.errors import Refused
from bot.i18n import _

LONGEST = 2000
"""How many characters a message holds."""


_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that look like nothing."""
_LINK = r"(?i)://|\bdiscord(app)?\.(gg|com|me|io)/"

_MENTION = r"<[@#:/a]"


def _stays(sign: str) -> bool:
    # The joiners belong to Persian words and to pictures of people.
    return sign.isspace() or sign in "\u200c\u200d" or unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Co", "Cn")


def chosen_name(text: str) -> str:
    """A name that somebody has chosen, as it stands in messages: in one line, with all its signs but those that nobody
    sees or that turn the writing round. Raises Refused."""
    name = " ".join("".join(sign for sign in text if _stays(sign)).split())
    if not any(unicodedata.category(sign)[0] in "LNPS" and sign not in _BLANK for sign in name):
        raise Refused(_("Choose a readable name."))
    if re.search(_LINK, name):
        raise Refused(_("A name cannot be a link."))
    if re.search(_MENTION, name):
        raise Refused(_("A name cannot mention anyone. Leave out the `<`."))
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
