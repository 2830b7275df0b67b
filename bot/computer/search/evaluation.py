"""What a draughts position is worth to its mover, in hundredths of a man: what each piece is worth where it stands.

The terms: material; how far a man has come; men that guard their own last row; pieces in the middle of the board. For
the games that are shipped, benchmarks/tune.py has made a table of each kind of piece by square out of them, with games
against itself (data/weights); a game that is only a file has the terms as they stand here.
"""

from __future__ import annotations

import tomllib
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

from bot.computer.kernels.lookup_tables import Ints, Squares
from bot.computer.kernels.search_room import SHARE_BITS
from bot.computer.search.weight_files import MOST_OF_TOML, WeightFileError, is_learned, shipped
from bot.engine.boards import Board
from bot.engine.variants import Variant

if TYPE_CHECKING:
    from bot.engine.variant_tables import DraughtsTables

Table = list[list[int]]
"""By row and column as a board looks from the first side: the last row on top."""

MAN = 100
FLYING_KING, SHORT_KING = 320, 150
QUEEN = 520
"""A king that moves any distance in all eight directions."""
STEP = 4
"""For each row that a man has come."""
NEARLY = 12
"""For a man one row from its crown, beside the rows that it has come."""
GUARD = 9
MIDDLE = 3
"""For each unit nearer to the middle files, and for kings to the middle rows too."""

MOST_WORTH = 1000
"""No file says more of a piece: forty pieces of it are less than a game that is won."""

KEY_BITS = 61

FADING = frozenset({"spanish", "americanas"})
"""Games in which a lead foretells less of the result the fewer pieces are left, and more is won where it counts so."""
WHOLE = 2, 3
"""There it counts whole with two thirds of the pieces that a game begins with."""


def share(variant_id: str, pieces: int) -> int:
    """Which share of a lead each piece on the board makes up (search_room.SHARE) in a shipped variant that begins with
    so many ``pieces``; 0 where it always counts whole."""
    return (WHOLE[1] << SHARE_BITS) // (WHOLE[0] * pieces) if variant_id in FADING else 0


def worth(variant: Variant, board: Board, squares: Squares) -> Ints:
    """The worth of a piece by kind and square, ``kind * size + square``: kinds 0 and 1 man and king of the first side,
    2 and 3 of the second. Tuned weights where the variant has them, else what is derived from its rules."""
    tables = variant.tables
    assert tables.family == "draughts"
    worths = derived(tables, board, squares)
    tuned = weights(variant.id) if is_learned(variant) else None
    if tuned is None or any((len(t), *{len(row) for row in t}) != (board.height, board.width) for t in tuned):
        return worths
    size = len(squares.place_of)
    for side in (0, 1):
        for place in board.played:
            x, y = board.places[place]
            # The tables are as the first side sees the board, its last row on top; the second looks from the other end.
            row, column = (board.height - 1 - y, x) if side == 0 else (y, board.width - 1 - x)
            if tables.board.mirror:
                column = board.width - 1 - column
            for kind, table in enumerate(tuned):
                worths[(2 * side + kind) * size + squares.of_place[place]] = table[row][column]
    return worths


@lru_cache(maxsize=32)
def weights(variant_id: str) -> tuple[Table, Table] | None:
    """The tuned tables of a shipped variant, of its men and its kings; None where there are none. Raises
    WeightFileError."""
    content = shipped(variant_id, "toml")
    return None if content is None else tables_of(variant_id, content)


def tables_of(variant_id: str, content: bytes) -> tuple[Table, Table]:
    """What a file says: two tables of as many rows and columns. Raises WeightFileError."""
    try:
        if len(content) > MOST_OF_TOML:
            raise ValueError
        told = tomllib.loads(content.decode())
        tables = told["man"], told["king"]
        rows = [row for table in tables for row in table]
        squares = [worth for row in rows for worth in row]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise WeightFileError(variant_id, "the file is damaged") from error
    even = len(tables[0]) == len(tables[1]) and len({len(row) for row in rows}) == 1
    if not squares or not even or any(type(worth) is not int or abs(worth) > MOST_WORTH for worth in squares):
        raise WeightFileError(variant_id, "the file is damaged")
    return tables


def derived(tables: DraughtsTables, board: Board, squares: Squares) -> Ints:
    """What pieces are worth by the rules alone, before anything is tuned: see ``worth``. Where who loses all wins, a
    piece is a burden, a king no other than a man, and less so in the middle, from where it can be given away: in games
    against itself a greater burden of kings or of rows made no difference."""
    size = len(squares.place_of)
    worths = [0] * (4 * size)
    for side in (0, 1):
        for place in board.played:
            x, y = board.places[place]
            square = squares.of_place[place]
            row = y if side == 0 else board.height - 1 - y
            across = min(x, board.width - 1 - x)
            along = min(y, board.height - 1 - y)
            if tables.outcome.wins == "lose-all":
                for kind in (2 * side, 2 * side + 1):
                    worths[kind * size + square] = MIDDLE * across - MAN
                continue
            man = MAN + STEP * row + MIDDLE * across
            man += GUARD * (row == 0) + NEARLY * (row == board.height - 2)
            worths[2 * side * size + square] = man
            worths[(2 * side + 1) * size + square] = king_worth(tables) + MIDDLE * (across + along)
    return worths


def king_worth(tables: DraughtsTables) -> int:
    """What a king is worth before it stands anywhere."""
    if tables.king.reach == "short":
        return SHORT_KING
    return QUEEN if len(tables.king.moves) > 3 else FLYING_KING


def keys(size: int) -> Ints:
    """Zobrist keys by kind and square as ``worth`` is, and one for the side to move; the same in every run."""
    random = Random("damero")
    return [random.getrandbits(KEY_BITS) for _ in range(4 * size + 1)]
