"""Boards as graphs of places: what each place is called, where it lies and which lines run through it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Literal

from bot.support.frozen import frozen

FILES = "abcdefghijklmnopqrstuvwxyz"

WAYS = {
    "forward": ((0, 1),),
    "backward": ((0, -1),),
    "sideways": ((-1, 0), (1, 0)),
    "forward-diagonal": ((-1, 1), (1, 1)),
    "backward-diagonal": ((-1, -1), (1, -1)),
    "forward-straight": ((0, 2),),
    "backward-straight": ((0, -2),),
    "sideways-straight": ((-2, 0), (2, 0)),
}
"""The steps of each direction that variant files name: across and, y forward, along the board."""

Corner = Literal["left", "right"]
Side = Literal["first", "second"]
Notation = Literal["letters", "numbers"]

STAR_ROWS = (1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1)
"""Holes in each row of the star, row a (the bottom) first."""


@frozen(eq=False)
class Board:
    """The places of one board.

    A place is an index from 0; ``places[i]`` is its (x, y) in board units, x to the right and y away from the first
    player (on the star x counts half holes, so that the rows interleave). ``played`` holds the places that pieces may
    stand on (on a diagonal board half of the squares). ``numbers`` gives the number of each place where the game has
    numbered squares, None elsewhere; with ``by_number`` the names of played squares are these. ``index`` knows the
    letters of a square in either case. ``ranks`` is what lists of places are ordered by.
    """

    width: int
    height: int
    names: tuple[str, ...]
    index: Mapping[str, int]
    places: tuple[tuple[int, int], ...]
    played: frozenset[int]
    numbers: tuple[int | None, ...]
    number_index: Mapping[int, int]
    ranks: tuple[int, ...]
    by_number: bool = False

    def numbered(self, text: str) -> str:
        """A turn or a position with squares' numbers for their names; ``text`` itself where they have no numbers."""
        if not self.number_index:
            return text
        return self.renamed(text, lambda place: str(self.numbers[place]))

    def in_numbers(self, sentence: str) -> str:
        """``sentence`` with squares' numbers for their names, wherever it names some; itself where they have none."""
        if not self.number_index or self.by_number:
            return sentence

        def number(found: re.Match[str]) -> str:
            place = self.index.get(found[0])
            named = None if place is None else self.numbers[place]
            return found[0] if named is None else str(named)

        return re.sub(r"(?:(?<![a-zA-Z])|(?<=[0-9]x))[a-wyz][0-9]{1,2}(?![0-9])", number, sentence)

    def renamed(self, text: str, name: Callable[[int], str]) -> str:
        """A turn or a position with other names of the squares. No board has a file x, which is a capture's sign."""
        return re.sub(r"[a-wyz]?[0-9]+", lambda square: name(self.index[square[0]]), text)


@lru_cache(maxsize=64)
def square_board(
    width: int,
    height: int,
    squares: Literal["all", "diagonal"],
    corner: Corner,
    numbered_from: Corner | None = None,
    numbered_side: Side = "first",
    notation: Notation = "letters",
) -> Board:
    """A board of ``width`` x ``height`` squares, a1 the lower left one, place = y * width + x.

    ``squares`` "diagonal" plays on the colour of the lower ``corner`` square. Played squares are numbered row by row
    from the side of the player ``numbered_side``, each row from the end ``numbered_from`` as the first player sees it
    (docs/rules.md, "Numbered squares"); with the ``notation`` "numbers", that is what they are called.
    """
    places = tuple((x, y) for y in range(height) for x in range(width))
    letters = tuple(f"{FILES[x]}{y + 1}" for x, y in places)
    parity = 0 if corner == "left" else (width - 1) % 2
    played = frozenset(i for i, (x, y) in enumerate(places) if squares == "all" or (x + y) % 2 == parity)
    numbers: list[int | None] = [None] * len(places)
    if numbered_from is not None:
        toward_right = 1 if numbered_from == "left" else -1
        away = 1 if numbered_side == "first" else -1
        in_order = sorted(played, key=lambda i: (away * places[i][1], toward_right * places[i][0]))
        for number, place in enumerate(in_order, start=1):
            numbers[place] = number
    by_number = notation == "numbers"
    called = {str(number): place for place, number in enumerate(numbers) if number is not None and by_number}
    names = {place: name for name, place in called.items()}
    return Board(
        width=width,
        height=height,
        names=tuple(names.get(place, name) for place, name in enumerate(letters)),
        index=MappingProxyType({name: i for i, name in enumerate(letters)} | called),
        places=places,
        played=played,
        numbers=tuple(numbers),
        number_index=MappingProxyType({n: i for i, n in enumerate(numbers) if n is not None}),
        ranks=tuple(numbers[i] or 0 if by_number else x * height + y for i, (x, y) in enumerate(places)),
        by_number=by_number,
    )


@lru_cache(maxsize=1)
def star_board() -> Board:
    """The star of 121 holes: rows a to q from the bottom, each numbered from the left, places in that order. Hole i
    (from 0) of a row of n holes lies at x = 12 - (n - 1) + 2 * i (docs/rules.md, "Holes of the star")."""
    holes = [(y, i) for y, n in enumerate(STAR_ROWS) for i in range(n)]
    names = tuple(f"{FILES[y]}{i + 1}" for y, i in holes)
    places = tuple((12 - (STAR_ROWS[y] - 1) + 2 * i, y) for y, i in holes)
    return Board(
        width=25,
        height=len(STAR_ROWS),
        names=names,
        index=MappingProxyType({name: place for place, name in enumerate(names)}),
        places=places,
        played=frozenset(range(len(holes))),
        numbers=(None,) * len(holes),
        number_index=MappingProxyType({}),
        ranks=tuple(x * len(STAR_ROWS) + y for x, y in places),
    )
