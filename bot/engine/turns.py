"""What a game is told in: its seats and pieces, the turns that are taken, and how it ends."""

from __future__ import annotations

from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from bot.support.frozen import frozen

P = TypeVar("P")

TurnKind = Literal["move", "huff", "oblige"]


@frozen
class Seat:
    """A side of the board: ``key`` as position strings write it, ``name`` as people say it ("White", "South"), a
    phrase, ``sets`` the peg sets of a star that the side plays ("S", "SW"), clockwise; empty elsewhere."""

    key: str
    name: str
    sets: tuple[str, ...] = ()


@frozen
class Piece:
    """What stands on a place. ``owner`` is a seat's index (-1: a peg of a star that nobody plays), ``kind`` "man",
    "king" or "peg"; ``set`` is the peg set of a star ("S", "NW", ...), empty elsewhere."""

    owner: int
    kind: Literal["man", "king", "peg"]
    set: str = ""


@frozen
class Outcome:
    """How a game ended by its rules. ``winner`` is a seat's index, None for a draw. ``reason`` is a sentence's part for
    people ("White has no legal move"), a phrase of outcomes.py. ``places`` lists seats in the order in which they came
    home (star only)."""

    winner: int | None
    reason: str
    places: tuple[int, ...] = ()


class TurnTo(NamedTuple, Generic[P]):
    """One thing that a player may do in one state. ``text``, the canonical notation, names it there and is what the
    record keeps. ``path`` holds the places visited, the start first (for a huff the one place, for oblige nothing);
    ``captured`` the places whose pieces leave, in the order jumped; ``after`` is the position it leads
    to, the family's own value; ``swaps`` which pegs of others change places on a star: from where to where, in the
    order of the path.
    Several routes that lead to one position are one turn: the path is the first of them by notation (on a star the
    first of the shortest), and any of them may be typed."""

    # A tuple, because a star has a hundred of them in a position: a frozen dataclass takes four times as long to make.
    kind: TurnKind
    text: str
    path: tuple[int, ...]
    captured: tuple[int, ...]
    after: P
    neglects: bool = False
    crowns: bool = False
    swaps: tuple[tuple[int, int], ...] = ()


Turn: TypeAlias = TurnTo[Any]
"""A turn of some game, whatever its family."""
