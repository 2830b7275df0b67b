"""Why a use case did nothing. Each refusal carries one sentence for the person who asked.

People appear in sentences as mentions (``<@id>``) or as seats ("White"), never by name: names are not ours to keep.

Refused
    NoSuchGame, Damaged                     of the game
    NotOpen, NotRunning, NoSuchOffer        what was to be done with it is over, or has not begun
    NotSeated, NotYourTurn                  of who asked
    StalePly, TimeUp, MoveRefused           of a move
    TooMany                                 limits
    NotStored                               of the database
Duplicate                                   no refusal: it was done before
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.engine.errors import MoveError
    from bot.games.model.game import Game


class Refused(Exception):
    """Nothing was changed. ``sentence`` says why and what to do, in words for the player; ``event``: the name of the
    tournament or league that it is about, where it is about one."""

    def __init__(self, sentence: str, game: Game | None = None, event: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.game = game
        self.event = event

    def told_of(self, event: str) -> None:
        """It turns out to be about ``event``, unless it said already what about."""
        self.event = self.event or event


@contextmanager
def about(event: str) -> Iterator[None]:
    """What is refused within names the tournament or league that it is about."""
    try:
        yield
    except Refused as refused:
        refused.told_of(event)
        raise


class NoSuchGame(Refused):
    """No game has that id."""


class NotRunning(Refused):
    """The game has not begun, or is over."""


class NotOpen(Refused):
    """The challenge has been answered or withdrawn already."""


class NotSeated(Refused):
    """The person does not play in this game, or may not answer this challenge."""


class NotYourTurn(Refused):
    """The person plays in this game, but it is another's turn."""


class StalePly(Refused):
    """The button belongs to an earlier position. ``game`` is the game as it stands now."""

    game: Game


class TimeUp(Refused):
    """The move comes too late: the player's time has run out, and the game is about to end by it."""


class MoveRefused(Refused):
    """The rules refuse the move: ``error`` says why (not a move, not legal, or more than one fits), ``typed`` is its
    text."""

    game: Game

    def __init__(self, error: MoveError, game: Game, typed: str = "") -> None:
        super().__init__(error.sentence, game)
        self.error = error
        self.typed = typed


class NoSuchOffer(Refused):
    """There is nothing to answer: the offer was answered, has lapsed, or was never made."""


class TooMany(Refused):
    """A limit against abuse: too many open challenges, or an offer repeated without a move between."""


class NotStored(Refused):
    """The database could not take it (full, read-only, locked). Nothing is half done; the next try may succeed."""


class InDoubt(NotStored):
    """The connection was lost while it was being stored: it may be there, whole, or not at all."""


class Damaged(Refused):
    """The game's record cannot be replayed (``damero check-store`` names the entry)."""


class Duplicate(Exception):
    """The same source was applied before: the person has had the answer, so say nothing."""
