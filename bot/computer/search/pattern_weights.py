"""Weights of patterns of men, learned from games against itself (see bot.computer.kernels.patterns): the file of a game
in ``data/weights``, and the table that the search reads.

A file (see weight_files) holds its integers in pairs (full board, empty board): for each pattern its 3**8 states, of
which the first square counts least (0 nobody, 1 a man of the first side, 2 of the second), and for each of these a pair
for each set (nobody has kings, the first side, the second, both), or one for all; then for each count of kings of the
first side that of the second, then the right to move.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection
from functools import lru_cache
from typing import NamedTuple

from bot.computer.kernels.patterns import (
    EVERY,
    EVERY_OTHER,
    EVERY_OTHER_OF_TEN,
    KINGS,
    OF_EVERY,
    OF_OTHER,
    OF_TEN,
    SETS,
    STATES,
)
from bot.computer.search.weight_files import WeightFileError, read, shipped
from bot.engine.boards import Board

Spot = tuple[int, int]

MOST = 1400
"""No weight is larger, in hundredths of a man: one of each pattern, of kings and of the right to move together fit 16
bits, in which the kernel adds them up."""


class Patterns(NamedTuple):
    """``squares``: what squares patterns lie on; ``pieces``: with how many the board counts as full; ``table``: the
    entries that the kernel reads."""

    squares: int
    pieces: int
    table: array[int]


NONE = Patterns(0, 1, array("i", [0]))


class Square(NamedTuple):
    """A square of a pattern: column and row, and what a man of the first side and of the second adds to the number of
    a state."""

    spot: Spot
    first: int
    second: int


def squares_on(board: Board) -> int:
    """On what squares of a board patterns lie; 0 if they cannot."""
    return {(8, 8, 64): EVERY, (8, 8, 32): EVERY_OTHER, (10, 10, 50): EVERY_OTHER_OF_TEN}.get(
        (board.width, board.height, len(board.played)), 0
    )


def layout(played: Collection[Spot]) -> list[list[Square]]:
    """The squares of each pattern of a board, row by row, with the patterns and states numbered as the kernel does."""
    if len(played) == 64:
        return [
            [
                _square((x, y), 4 * (y - row) + x - 2 * file)
                for y in (row, row + 1)
                for x in range(2 * file, 2 * file + 4)
            ]
            for file in range(3)
            for row in range(7)
        ]
    if len(played) == 50:
        fives = [sorted(spot for spot in played if spot[1] == y) for y in range(10)]
        blocks = [
            [spot for y in range(row, row + 4) for spot in fives[y][file : file + 2]]
            for file in range(4)
            for row in range(0, 8, 2)
        ]
        return [[_square(spot, digit) for digit, spot in enumerate(one)] for one in blocks]
    rows = [[(x, y, 8 * (y - row) + x) for y in (row, row + 1) for x in range(8)] for row in range(7)]
    columns = [
        [(x, y, 4 * (y - row) + x - 2 * file) for y in range(row, row + 4) for x in range(2 * file, 2 * file + 4)]
        for file in range(3)
        for row in (0, 2, 4)
    ]
    return [
        [_square((x, y), bit // 2, swapped=bit % 2 == 1) for x, y, bit in one if (x, y) in played]
        for one in rows + columns
    ]


def _square(spot: Spot, digit: int, *, swapped: bool = False) -> Square:
    """``swapped``: the digit is 2 for a man of the first side, and 1 for one of the second."""
    first, second = (2, 1) if swapped else (1, 2)
    return Square(spot, first * 3**digit, second * 3**digit)


def numbers_of(pattern: list[Square]) -> list[int]:
    """For each state of a pattern, as a file has them, the number by which the kernel knows it."""
    found = [0]
    for square in pattern:
        found = [number + bit for bit in (0, square.first, square.second) for number in found]
    return found


def table_of(board: Board, weights: array[int], *, mirrored: bool = False) -> array[int]:
    """The entries that the kernel reads, of the integers of a file. ``mirrored``: the board is the mirror image of the
    one that the file was learned on."""

    def learned_on(square: Square) -> Square:
        x, y = square.spot
        return square._replace(spot=(board.width - 1 - x, y)) if mirrored else square

    here = [[learned_on(square) for square in one] for one in layout({board.places[place] for place in board.played})]
    there = layout({square.spot for one in here for square in one})
    order = [tuple(square.spot for square in one) for one in there]
    packed = [full + (empty << 16) for full, empty in zip(weights[::2], weights[1::2], strict=True)]
    table = array("i")
    *sets, others = sets_of(packed, len(here))
    for weights_of_set in sets:
        part = array("i", bytes(4 * STATES * len(here)))
        for at, pattern in enumerate(here):
            ordered = sorted(pattern, key=lambda square: square.spot[::-1])
            begin = STATES * order.index(tuple(square.spot for square in ordered))
            for number, weight in zip(numbers_of(ordered), weights_of_set[begin : begin + STATES], strict=True):
                part[STATES * at + number] = weight
        table += part
    if len(sets) == 1:
        table *= SETS
    table.extend(others)
    return table


def sets_of(packed: list[int], patterns: int) -> list[list[int]]:
    """The entries of each set, and those that belong to none."""
    end = len(packed) - KINGS * KINGS - 1
    sets = end // (STATES * patterns)
    return [*(packed[number:end:sets] for number in range(sets)), packed[end:]]


def weights_of(variant_id: str, board: Board, content: bytes) -> tuple[int, array[int]]:
    """How many pieces fill the board, and the integers of a file. Raises WeightFileError."""
    pieces, weights = read(variant_id, content)
    count = {EVERY: OF_EVERY, EVERY_OTHER: OF_OTHER, EVERY_OTHER_OF_TEN: OF_TEN}.get(squares_on(board), 0)
    sizes = [2 * (STATES * count * sets + KINGS * KINGS + 1) for sets in (1, SETS)]
    if not 0 < pieces <= len(board.played) or len(weights) not in sizes:
        raise WeightFileError(variant_id, "it does not fit the board")
    if max(weights) > MOST or min(weights) < -MOST:
        raise WeightFileError(variant_id, "its weights are too large")
    return pieces, weights


@lru_cache(maxsize=32)
def learned(variant_id: str, board: Board, *, mirrored: bool = False) -> Patterns:
    """The patterns of a shipped variant, NONE where there are none. Raises WeightFileError."""
    content = shipped(variant_id, "patterns") if squares_on(board) else None
    if content is None:
        return NONE
    pieces, weights = weights_of(variant_id, board, content)
    return Patterns(squares_on(board), pieces, table_of(board, weights, mirrored=mirrored))
