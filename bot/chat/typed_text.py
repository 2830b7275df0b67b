"""A message in a channel -> what its writer wants of the bot, if anything."""

from __future__ import annotations

import re
from dataclasses import dataclass

import discord

from bot.engine.move_text import DASHES

# A move with its route is short; longer texts are talk.
LONGEST = 300

# Marks that Discord draws (code, bold, spoilers) and zero-width characters that keyboards and copying leave behind.
_NOTHING = dict.fromkeys(map(ord, "`*_~|\u200b\u200c\u200d\u2060\ufeff"))
_CLEANING = {**DASHES, **_NOTHING}

_WORD = re.compile(r"(?:soplar|soplo|huff|oblige|obligar|obligo)\b", re.IGNORECASE)
# A square's name somewhere, or two numbers: a number alone is talk ("12"), even where squares are numbered.
_SQUARES = re.compile(r"(?=.*[a-q][0-9]|.*[0-9][^0-9]+[0-9])[a-q0-9x:>,\s-]+", re.IGNORECASE)


_CHAIN = re.compile(
    r"(?<![a-z0-9])(?:(?:soplar|soplo|huff) +)?[a-q]?\d{1,2}(?:(?: *[-x:>] *| +)?[a-q]\d{1,2}|(?: *[-x:>] *)\d{1,2})+"
    r"(?![a-z0-9])|\b(?:(?:soplar|soplo|huff) +[a-q]?\d{1,2}|oblig(?:e|ar|o))\b",
    re.IGNORECASE,
)


# In any language that is spoken here, whichever the writer reads. Armenian writes its stress into a word.
_NOT = re.compile(
    r"\b(?:not?|nope|never|neither|nor|cannot|(?:do|does|did|ca|wo|is|should|would|could|must)nt|\w+n['\u2019]t|"
    r"nunca|jam[aá]s|tampoco|ni|huwag|wag|hindi|di|ayaw|ayoko|ոչ|մի|երբեք|չ\w+)\b",
    re.IGNORECASE,
)
_STRESS = dict.fromkeys(map(ord, "՛՜՞"))


@dataclass(frozen=True, slots=True)
class TypedText:
    """What a person said. ``text`` is without the bot's mention and without marks; ``addressed`` says whether it was
    said to the bot (a mention, or a reply with ping), so that silence would be rude."""

    text: str
    addressed: bool


def clean(text: str) -> str:
    """The words of a text: one space between them, no marks, plain hyphens, no ``!`` or ``?`` around them."""
    return " ".join(text.translate(_CLEANING).split()).rstrip("!?. ").lstrip("¡¿ ")


def without_mention(text: str, me: int) -> str:
    """``text`` without the mention of the person or bot whose id is ``me``, cleaned."""
    return clean(re.sub(rf"<@!?{me}>", " ", text))


def may_be_move(text: str) -> bool:
    """Whether a text that nobody addressed to the bot is worth reading as a move; cheap, and says yes too often."""
    return len(text) <= LONGEST and (_WORD.match(text) is not None or _SQUARES.fullmatch(text) is not None)


def moves_in(text: str) -> list[str]:
    """What in ``text`` may be moves: the whole, then what names places one after another."""
    found = [text, *(each[0].strip() for each in _CHAIN.finditer(text))]
    return list(dict.fromkeys(filter(None, found)))


def denies(text: str) -> bool:
    """Whether ``text`` has a word such as "not": a move in it may be one that is not to be played."""
    return _NOT.search(text.translate(_STRESS)) is not None


def said(message: discord.Message, me: int) -> TypedText | None:
    """What ``message`` says to the bot whose id is ``me``, or None where it is none of the bot's business: not from a
    person, or plain talk. A reply with ping mentions the bot, which is how Discord delivers its text even without the
    message-content intent; in a direct message all is said to the bot."""
    if message.author.bot or message.webhook_id is not None:
        return None
    if message.type not in (discord.MessageType.default, discord.MessageType.reply):
        return None
    if message.guild is None or any(user.id == me for user in message.mentions):
        return TypedText(without_mention(message.content, me), addressed=True)
    text = clean(message.content)
    return TypedText(text, addressed=False) if may_be_move(text) else None
