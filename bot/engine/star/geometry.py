"""The star as a graph: its triangles, who sits where, and where a step or a hop leads from each hole."""

from __future__ import annotations

from bot.engine.boards import star_board
from bot.i18n import NP_

SETS = ("S", "SW", "NW", "N", "NE", "SE")
"""The triangles, clockwise from the bottom, and the peg sets that start in them."""

NAMES = {
    "S": NP_("side", "South"),
    "SW": NP_("side", "Southwest"),
    "NW": NP_("side", "Northwest"),
    "N": NP_("side", "North"),
    "NE": NP_("side", "Northeast"),
    "SE": NP_("side", "Southeast"),
}
"""What the triangles are called, and who begins there (see outcomes.named)."""

OPPOSITE = {"S": "N", "SW": "NE", "NW": "SE", "N": "S", "NE": "SW", "SE": "NW"}

SEATINGS: dict[tuple[int, int], tuple[tuple[str, ...], ...]] = {
    (2, 1): (("S",), ("N",)),
    (3, 1): (("S",), ("NW",), ("NE",)),
    (4, 1): (("S",), ("SW",), ("N",), ("NE",)),
    (6, 1): (("S",), ("SW",), ("NW",), ("N",), ("NE",), ("SE",)),
    (3, 2): (("S", "SW"), ("NW", "N"), ("NE", "SE")),
    (2, 3): (("S", "SW", "SE"), ("NW", "N", "NE")),
}
"""The peg sets of each seat in turn order, by players and sets per player (docs/rules.md, Chinese checkers)."""

# Left to right within a row, lower rows first: what a hole's neighbours are listed by.
_DIRECTIONS = ((-1, -1), (1, -1), (-2, 0), (2, 0), (-1, 1), (1, 1))

_PLACES = star_board().places
_AT = {place: hole for hole, place in enumerate(_PLACES)}

HOLES = range(len(_PLACES))


def _toward(x: int, y: int) -> dict[str, int]:
    """How far (x, y) lies from the far end of each triangle's opposite: rows counted across the star, from 0 to 16."""
    left, right = (x - y) // 2, (x + y) // 2
    return {"N": y, "S": 16 - y, "NE": right - 2, "SW": 18 - right, "SE": left + 6, "NW": 10 - left}


GROUND: dict[str, tuple[int, ...]] = {name: tuple(_toward(x, y)[name] for x, y in _PLACES) for name in SETS}
"""For each triangle, how near each hole is to its point: 16 is the point itself, 0 the opposite one."""

TRIANGLES: dict[str, frozenset[int]] = {
    name: frozenset(hole for hole in HOLES if GROUND[name][hole] > 12) for name in SETS
}
"""The ten holes of each triangle."""

STEPS: tuple[tuple[int, ...], ...] = tuple(
    tuple(_AT[x + dx, y + dy] for dx, dy in _DIRECTIONS if (x + dx, y + dy) in _AT) for x, y in _PLACES
)
"""The neighbours of each hole, in rising order."""

HOPS: tuple[tuple[tuple[int, int], ...], ...] = tuple(
    tuple(
        (_AT[x + dx, y + dy], _AT[x + 2 * dx, y + 2 * dy]) for dx, dy in _DIRECTIONS if (x + 2 * dx, y + 2 * dy) in _AT
    )
    for x, y in _PLACES
)
"""For each hole the hops that the board allows, as (hole hopped over, hole behind it), the latter in rising order."""
