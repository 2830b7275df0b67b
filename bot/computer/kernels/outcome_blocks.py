"""Who wins an endgame, looked up in packed tables, in a form that runs as it is and that numba compiles as well.

The numbers of a class (see endgame_index) are cut into blocks of BLOCK. Each block is a row of bytes, tokens: a token
below SIMPLE is a run of 2, 4, 8, ... positions with one worth, any other one stands for two tokens in a row. A class
is TABLE bytes that say of each token how many positions it has and which two it stands for, then four bytes for each
block, where in the class its tokens begin, then the tokens. A position in which the mover can capture is not asked for:
it has whatever worth makes the runs long, and so have places where two pieces share a square.
"""

from __future__ import annotations

from bot.computer.kernels.endgame_index import BLOCKS, entry_of, place_of
from bot.computer.kernels.lookup_tables import LookupTables

BLOCK_BITS = 12
BLOCK = 1 << BLOCK_BITS
"""So many positions are unpacked together."""
LENGTHS = BLOCK_BITS + 1
"""How many lengths of runs there are."""
SIMPLE = 3 * LENGTHS
"""Tokens that are runs: the worth times LENGTHS, more the bits of the length."""
TOKENS = 255
"""Tokens that there can be at most."""
TABLE = 4 * 256

UNKNOWN, BY_MOVES = -1, -2
"""Of a class that is not there; of one that follows from the other side to move, which is."""

SURE, SURE_MOST = 40_000, 60_000
"""Scores in between are wins of which nobody knows in how many plies; the higher the more is won as it stands."""


def outcome(t: LookupTables, packed: bytearray, side: int, men: int, kings: int, foe_men: int, foe_kings: int) -> int:
    """What a position without a capture is worth to its mover (see outcome_solver), UNKNOWN or BY_MOVES if the tables
    do not hold it."""
    if (men | kings | foe_men | foe_kings).bit_count() > t.outcomes:
        return UNKNOWN
    at = t.data[entry_of(t, men, kings, foe_men, foe_kings) + BLOCKS]
    if at < 0:
        return at
    return worth_at(packed, at, place_of(t, side, men, kings, foe_men, foe_kings, 0))


def sure(won: int, score: int) -> int:
    """The score of a position that is won (1) or lost (-1), where this is what it would be otherwise."""
    middle = (SURE + SURE_MOST) // 2
    return won * middle + max(SURE - middle, min(SURE_MOST - middle, score))


def worth_at(packed: bytearray, at: int, number: int) -> int:
    """The worth of a number in the class that begins at ``at``."""
    start = at + TABLE + 4 * (number >> BLOCK_BITS)
    place = at + (packed[start] | packed[start + 1] << 8 | packed[start + 2] << 16 | packed[start + 3] << 24)
    left = number & (BLOCK - 1)
    token = packed[place] + 0
    length = packed[at + 4 * token] | packed[at + 4 * token + 1] << 8
    while left >= length:
        left -= length
        place += 1
        token = packed[place] + 0
        length = packed[at + 4 * token] | packed[at + 4 * token + 1] << 8
    while token >= SIMPLE:
        first = packed[at + 4 * token + 2] + 0
        length = packed[at + 4 * first] | packed[at + 4 * first + 1] << 8
        if left < length:
            token = first
        else:
            left -= length
            token = packed[at + 4 * token + 3] + 0
    return token // LENGTHS
