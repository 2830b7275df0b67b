"""Legal moves for what a person has typed so far, best matches first."""

from __future__ import annotations

import re

from bot.chat.typed_text import clean
from bot.engine.errors import AmbiguousMove, MoveError
from bot.engine.turns import Turn
from bot.games.model.game import Game

MOST = 25
_LONGEST = 100


def suggestions(game: Game, typed: str) -> list[str]:
    """The turns that ``typed`` may become, as canonical texts: those that it means, those that begin so, then those
    that hold it. Remedies come before moves, and of equal ones what gains most comes first."""
    rules, state = game.rules, game.state
    turns = [*rules.remedies(state), *rules.ranked(state)]
    text = clean(typed)
    meant = _meant(game, text)
    key = _key(text)
    ranked = [
        *meant,
        *(turn for turn in turns if _key(turn.text).startswith(key)),
        *(turn for turn in turns if key in _key(turn.text)),
    ]
    return list(dict.fromkeys(turn.text for turn in ranked if len(turn.text) <= _LONGEST))[:MOST]


def _meant(game: Game, text: str) -> tuple[Turn, ...]:
    if not text:
        return ()
    try:
        return (game.rules.read(game.state, text),)
    except AmbiguousMove as several:
        return several.candidates
    except MoveError:
        return ()


def _key(text: str) -> str:
    """A move without its signs: ``c3-d4``, ``C3 d4`` and ``c3d4`` are one. The x of a capture stands between digits and
    letters, so it may go too: no square has that letter."""
    return re.sub(r"[^a-z0-9]|x", "", text.casefold())
