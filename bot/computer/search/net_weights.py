"""The weights of a small net, learned from games against itself (see bot.computer.kernels.net).

A file (see weight_files) holds UNITS weights at a time: for each number of pieces, from none to as many as a game
begins with; then for men of the mover, its kings, foreign men and foreign kings, by square: those played on, as the
first side looks at the board, row by row from its own first one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from bot.computer.kernels.lookup_tables import squares_of
from bot.computer.kernels.net import COUNTS, FRACTION, HALF, MOST_PIECES, UNITS
from bot.computer.kernels.search_room import WON
from bot.computer.search.pattern_weights import squares_on
from bot.computer.search.weight_files import WeightFileError, read, shipped
from bot.engine.boards import Board

Row = Sequence[int]


class Net(NamedTuple):
    """``pieces``: with how many at most it was learned; ``rows``: the weights of the units, by number of pieces and by
    kind and square as the kernel has them."""

    pieces: int
    rows: tuple[Row, ...]


NONE = Net(0, ())


def order(board: Board) -> list[int]:
    """The places of a board as a file has them."""
    return sorted(board.played, key=lambda place: board.places[place][::-1])


def net_of(variant_id: str, board: Board, content: bytes, *, mirrored: bool = False) -> Net:
    """What a file says. ``mirrored``: the board is the mirror image of the one that it was learned on. Raises
    WeightFileError."""
    pieces, weights = read(variant_id, content)
    places = order(board)
    rows = [weights[at : at + UNITS] for at in range(0, len(weights), UNITS)]
    by_count, by_square = rows[: pieces + 1], rows[pieces + 1 :]
    if not 0 < pieces <= MOST_PIECES or len(weights) != UNITS * (pieces + 1 + 4 * len(places)):
        raise WeightFileError(variant_id, "it does not fit the board")
    kinds = [by_square[at : at + len(places)] for at in range(0, len(by_square), len(places))]
    if not fits(by_count, kinds):
        raise WeightFileError(variant_id, "its weights are too large")
    squares = squares_of(board)
    there = {board.places[place]: number for number, place in enumerate(places)}
    if mirrored:
        # What was learned on the mirror image stands in the order of its squares.
        spots = sorted(((board.width - 1 - x, y) for x, y in there), key=lambda spot: spot[::-1])
        there = {(board.width - 1 - x, y): number for number, (x, y) in enumerate(spots)}
    nothing = array("h", bytes(2 * UNITS))
    found = [by_count[min(count, pieces)] for count in range(COUNTS)]
    for kind in kinds:
        of_kind = [nothing] * len(squares.place_of)
        for place in places:
            of_kind[squares.of_place[place]] = kind[there[board.places[place]]]
        found += of_kind
    return Net(pieces, tuple(found))


def fits(by_count: Sequence[Row], kinds: Sequence[Sequence[Row]]) -> bool:
    """Whether no unit leaves its bits, and neither half of them says more than half of what a won game is worth,
    however many pieces of whatever kind stand wherever."""
    greatest = []
    for unit in range(UNITS):
        on_squares = list(zip(*([row[unit] for row in kind] for kind in kinds), strict=True))
        most = _sums(max(0, *weights) for weights in on_squares)
        least = _sums(-min(0, *weights) for weights in on_squares)
        begun = [(row[unit], min(count, len(on_squares))) for count, row in enumerate(by_count)]
        highest = max(begin + most[count] for begin, count in begun)
        lowest = min(begin - least[count] for begin, count in begun)
        if highest >= HALF or lowest < -HALF:
            return False
        greatest.append(max(0, highest))
    halves = greatest[: UNITS // 2], greatest[UNITS // 2 :]
    return max(map(sum, halves)) < WON // 2 << FRACTION


def _sums(values: Iterable[int]) -> list[int]:
    """Of the greatest so many."""
    return list(accumulate(sorted(values, reverse=True), initial=0))


@lru_cache(maxsize=32)
def learned(variant_id: str, board: Board, *, mirrored: bool = False) -> Net:
    """The net of a shipped variant, NONE where there is none. Raises WeightFileError."""
    content = shipped(variant_id, "net") if squares_on(board) else None
    return NONE if content is None else net_of(variant_id, board, content, mirrored=mirrored)
