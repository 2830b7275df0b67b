"""What a picture shows, in board units: frozen values that say what stands where and know no rules.

A *place* is ``(x, y)``: x to the right, y up, ``(0, 0)`` the lower left corner as the first player sees the board
(a1). On the star x is doubled so that the rows interleave: hole i (from 0) of a row of n holes lies at
``x = 12 - (n - 1) + 2 * i``, and y runs from 0 (row a) to 16 (row q).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from render.themes import LOOKS, PALETTES

Place = tuple[int, int]
SIZE_LEAST, SIZE_MOST = 240, 2048
CELLS_MOST = 26

STAR_ROWS = (1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1)
"""Holes in each row of the star, row a (the bottom) first."""

STAR_SETS = ("S", "SW", "NW", "N", "NE", "SE")
"""The peg sets of the star by their index in ``Mark.side`` and ``Player.sides``, clockwise from the bottom."""


def star_place(row: int, hole: int) -> Place:
    """The place of hole ``hole`` (from 0, from the left) of row ``row`` (from 0, the bottom)."""
    return (12 - (STAR_ROWS[row] - 1) + 2 * hole, row)


STAR_PLACES: frozenset[Place] = frozenset(star_place(y, i) for y, n in enumerate(STAR_ROWS) for i in range(n))


class Mark(NamedTuple):
    """A piece on a place. ``side`` is 0 or 1 (on the star the index of the peg set, 0 to 5, as STAR_SETS lists them);
    ``label`` is written on the piece."""

    place: Place
    side: int
    king: bool = False
    label: str = ""


class Target(NamedTuple):
    """A place where the moving piece may go, with its name, which is written there."""

    place: Place
    label: str = ""


class Player(NamedTuple):
    """Who plays ``sides``. ``fallback`` ("White") stands in for a name that the font cannot write. ``men`` and
    ``kings`` count the opponent's pieces that this player has taken; ``note`` is a short text after the name; ``out``:
    plays no longer, though the pieces may stand."""

    name: str
    fallback: str
    sides: tuple[int, ...]
    to_move: bool = False
    men: int = 0
    kings: int = 0
    note: str = ""
    out: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture. ``played`` holds the places that are part of the game: only these are dark squares of a chequered
    board or points of a lined one (the star has its own and needs none). ``ghosts`` are the pieces that the last turn
    took, ``route`` all of its places: start, every stop, end. ``players`` come in turn order; the first one sits at the
    bottom unless the board is ``turned``. ``numbers`` are the squares' numbers, to be shown; ``names``: the letters
    and numbers beside the board. ``chosen`` is the place of a piece that is ringed. ``size`` is the width in pixels, 0
    for the look's own (768, star 900); ``colours`` gives each peg set of a star its index among the colours of
    star_sprites.

    Raises ValueError, with a sentence, for a look, palette, size, side or place that does not exist.
    """

    look: str
    palette: str = "ivory"
    columns: int = 8
    rows: int = 8
    played: frozenset[Place] = frozenset()
    pieces: tuple[Mark, ...] = ()
    ghosts: tuple[Mark, ...] = ()
    route: tuple[Place, ...] = ()
    targets: tuple[Target, ...] = ()
    chosen: Place | None = None
    players: tuple[Player, ...] = ()
    turned: bool = False
    numbers: tuple[tuple[Place, int], ...] = ()
    names: bool = True
    size: int = 0
    caption: str = ""
    colours: tuple[int, ...] = (0, 1, 2, 3, 4, 5)

    def __post_init__(self) -> None:
        star = self.look == "star"
        if self.look not in LOOKS:
            raise ValueError(f"There is no look {self.look!r}; there are: {', '.join(LOOKS)}.")
        if self.palette not in PALETTES:
            raise ValueError(f"There is no palette {self.palette!r}; there are: {', '.join(PALETTES)}.")
        if self.size and not SIZE_LEAST <= self.size <= SIZE_MOST:
            raise ValueError(f"The size {self.size} is not between {SIZE_LEAST} and {SIZE_MOST} pixels.")
        if not star and not (1 <= self.columns <= CELLS_MOST and 1 <= self.rows <= CELLS_MOST):
            raise ValueError(f"A board has 1 to {CELLS_MOST} columns and rows, not {self.columns} x {self.rows}.")
        if star and sorted(self.colours) != list(range(6)):
            raise ValueError("The six peg sets need the six colours 0 to 5, each once.")
        marks, sides = self.pieces + self.ghosts, range(6 if star else 2)
        for side in {mark.side for mark in marks}.union(*[player.sides for player in self.players]):
            if side not in sides:
                raise ValueError(f"There is no side {side}; this look has {sides[0]} to {sides[-1]}.")
        if not star and (beyond := _beyond(self.played, self.columns, self.rows)):
            raise ValueError(f"The place {beyond[0]} is not on a board of {self.columns} x {self.rows}.")
        ringed = () if self.chosen is None else (self.chosen,)
        shown = {mark.place for mark in marks}.union(self.route, ringed, [target.place for target in self.targets])
        for place in shown.union([place for place, _ in self.numbers]) - (STAR_PLACES if star else self.played):
            raise ValueError(f"The place {place} is not in play on this board.")


@lru_cache(maxsize=64)
def _beyond(played: frozenset[Place], columns: int, rows: int) -> list[Place]:
    """The places that no board of so many columns and rows has."""
    return [(x, y) for x, y in played if not (0 <= x < columns and 0 <= y < rows)]
