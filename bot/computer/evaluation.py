"""What a draughts position is worth to its mover, in hundredths of a man: what each piece is worth where it stands.

The terms: material; how far a man has come; men that guard their own last row; pieces in the middle of the board.
"""

from __future__ import annotations

from random import Random

from bot.computer.tables import Ints, Squares
from bot.engine.boards import Board
from bot.engine.variants import DraughtsTables

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

KEY_BITS = 61


def worth(tables: DraughtsTables, board: Board, squares: Squares) -> Ints:
    """The worth of a piece by kind and square, ``kind * size + square``: kinds 0 and 1 man and king of the first side,
    2 and 3 of the second."""
    size = len(squares.place_of)
    found = [0] * (4 * size)
    for side in (0, 1):
        for place in board.played:
            x, y = board.places[place]
            square = squares.of_place[place]
            row = y if side == 0 else board.height - 1 - y
            across = min(x, board.width - 1 - x)
            along = min(y, board.height - 1 - y)
            man = MAN + STEP * row + MIDDLE * across
            man += GUARD * (row == 0) + NEARLY * (row == board.height - 2)
            found[2 * side * size + square] = man
            found[(2 * side + 1) * size + square] = king_worth(tables) + MIDDLE * (across + along)
    return found


def king_worth(tables: DraughtsTables) -> int:
    """What a king is worth before it stands anywhere."""
    if tables.king.reach == "short":
        return SHORT_KING
    return QUEEN if len(tables.king.moves) > 3 else FLYING_KING


def keys(size: int) -> Ints:
    """Zobrist keys by kind and square as ``worth`` is, and one for the side to move; the same in every run."""
    random = Random("damero")
    return [random.getrandbits(KEY_BITS) for _ in range(4 * size + 1)]
