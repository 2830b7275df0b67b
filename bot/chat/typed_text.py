"""A message in a channel -> what its writer wants of the bot, if anything."""

from __future__ import annotations

import re
import unicodedata

import discord

from bot.engine.move_text import DASHES, HUFF, plain
from bot.support.frozen import frozen

# A move with its route is short; longer texts are talk.
LONGEST = 300

# Marks that Discord draws (code, bold) and zero-width characters that keyboards and copying leave behind.
_NOTHING = dict.fromkeys(map(ord, "`*_~\u200b\u200c\u200d\u2060\ufeff"))
# A stroke parts what it stands between.
_CLEANING = {**DASHES, **_NOTHING, ord("|"): " "}

_WORD = rf"(?i)(?:te +)?(?:{HUFF}|oblige|obligar|obligo)\b"
# A square's name somewhere, or two numbers: a number alone is talk ("12"), even where squares are numbered.
_SQUARES = r"(?i)(?=.*[a-q][0-9]|.*[0-9][^0-9]+[0-9])[a-q0-9x:>,\s-]+"
_HOURS = "(?i)(?:from +)?[0-9]+ +(?:a|[a-z]{2,}) +[0-9]+"

_CHAIN = (
    rf"(?i)(?<![a-z0-9])(?:(?:{HUFF}) +)?[a-q]?\d{{1,2}}"
    r"(?:(?: *[-x:>] *| +(?:(?:to|a|hasta|sa|hanggang|դեպի) +)?)?[a-q]\d{1,2}|(?: *[-x:>] *)\d{1,2})+"
    rf"(?![a-z0-9])|\b(?:(?:{HUFF}) +[a-q]?\d{{1,2}}|oblig(?:e|ar|o))\b"
)


# Of a message so many parts are read as moves.
_PARTS = 12

# A question, in any language that is spoken here, and what is struck through: words that are not to be played.
_ASKS = "[?¿՞؟⸮❓❔]|~~"
# Armenian writes its stress into a word.
_STRESS = dict.fromkeys(map(ord, "՛՜՞"))
_MARKS = ".,;:!?¡¿\"'()։՝؟⸮❓❔"

# Words that say nothing else than that the move beside them is to be played, in the languages that are spoken here.
_FILLERS = {
    word
    for words in (
        "please pls plz thanks thx ok okay i say play go my the move it's it we let's lets and then now so well hi",
        "hello hey sorry yes to man king piece peg pawn",
        "por favor gracias vale bueno yo te digo juego muevo mueve voy mi jugada la el y entonces ahora pues hola",
        "perdón perdon lo siento sí a dama peón peon ficha pieza",
        "pakiusap paki salamat po opo oo sige ako ko laro tira galaw ang at tapos ngayon pasensya lang sa piyesa hari",
        "խնդրում եմ շնորհակալություն լավ ես խաղում գնում ասում իմ քայլը քայլս քայլ և հետո հիմա դե բարև ներողություն",
        "այո դամա դամկա քար քարը :) 🙂 😊 😀 👍 🙏",
    )
    for word in words.split()
}
# First they would ask.
_NOT_FIRST = {"is", "es", "ay", "է"}
_MOVE_NUMBER = r"[0-9]{1,3}[.:)]+"


@frozen
class TypedText:
    """What a person said. ``text`` is without the bot's mention and without marks; ``addressed`` says whether it was
    said to the bot (a mention, or a reply with ping), so that silence would be rude; ``asks``, whether it is a question
    or struck through, so that nothing is played."""

    text: str
    addressed: bool
    asks: bool = False


def clean(text: str) -> str:
    """The words of a text: one space between them, no marks, plain hyphens, no ``!`` or ``?`` around them."""
    return " ".join(text.translate(_CLEANING).split()).rstrip("!?. ").lstrip("¡¿ ")


def without_mention(text: str, me: int) -> str:
    """``text`` without the mention of the person or bot whose id is ``me``, cleaned."""
    return clean(uncalled(text, me))


def uncalled(text: str, me: int) -> str:
    """``text`` without the mention and the marks beside it that belong to it: "@Damero, last", "last - @Damero"."""
    return re.sub(rf"(?:[,:;]| -+(?= ))* *<@!?{me}>(?: *[,:;.!…]| *-+(?= ))*", " ", text.translate(DASHES))


def may_be_move(text: str) -> bool:
    """Whether a text that nobody addressed to the bot is worth reading as a move; cheap, and says yes too often."""
    return len(text) <= LONGEST and (
        re.match(_WORD, text) is not None
        or (re.fullmatch(_SQUARES, plain(text)) is not None and not re.fullmatch(_HOURS, text))
    )


def moves_in(text: str) -> list[str]:
    """What in ``text`` may be moves: the whole, then the first that name places one after another."""
    found = [text, *(each[0].strip() for each in re.finditer(_CHAIN, text))]
    return list(dict.fromkeys(filter(None, found)))[:_PARTS]


def without_fillers(text: str) -> str:
    """``text`` without the words at its ends that say nothing else than that the move beside them is to be played."""
    words = re.sub(r"\bthank you\b", "thanks", text.lower()).translate(_STRESS).replace("\u2019", "'").split()
    fits = [_is_filler(word) or (at > 0 and word in _NOT_FIRST) for at, word in enumerate(words)]
    while fits and (fits[0] or re.fullmatch(_MOVE_NUMBER, words[0])):
        del fits[0], words[0]
    while fits and fits[-1]:
        del fits[-1], words[-1]
    return " ".join(words).strip(_MARKS)


def _is_filler(word: str) -> bool:
    return word in _FILLERS or word.strip(_MARKS) in _FILLERS


def asks(text: str) -> bool:
    """Whether ``text``, marks and all, has a question mark or is struck through: then nothing in it is played."""
    return re.search(_ASKS, unicodedata.normalize("NFKC", text)) is not None


def said(message: discord.Message, me: int) -> TypedText | None:
    """What ``message`` says to the bot whose id is ``me``, or None where it is none of the bot's business: not from a
    person, or plain talk. A reply with ping mentions the bot, which is how Discord delivers its text even without the
    message-content intent; in a direct message all is said to the bot."""
    if message.author.bot or message.webhook_id is not None:
        return None
    if message.type not in (discord.MessageType.default, discord.MessageType.reply):
        return None
    if message.guild is None or any(user.id == me for user in message.mentions):
        return TypedText(without_mention(message.content, me), addressed=True, asks=asks(message.content))
    text = clean(message.content)
    return TypedText(text, addressed=False) if may_be_move(text) and not asks(message.content) else None
