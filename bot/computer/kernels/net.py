"""What a small net adds to the worth of a position: in plain Python, where a row of it is one large integer.

Each of UNITS sums up the weights of the pieces where they stand, as the mover sees the board, and one for their number;
what lies above nothing counts, of the first half of the units for the mover, of the others against. A row holds the
weights of all units for one piece on one square, 16 bits for each unit: added up they stay apart, as each begins with
HALF and no weights that a file may have bring it out of its 16 bits. What is compiled has the rows as words of 64 bits
(``net_words``).
"""

from __future__ import annotations

from collections.abc import Sequence

UNITS = 32
BITS = 16
"""Of each unit in a row."""
HALF = 1 << (BITS - 1)
"""Where a sum of weights begins, so that it is never negative; its bit tells whether the unit counts."""
FRACTION = 2
"""A weight is so many bits finer than a hundredth of a man."""
MOST_PIECES = 40
"""Rows for so many pieces on the board and for each fewer, down to none, stand before those of pieces."""
COUNTS = MOST_PIECES + 1

_FIRST_BITS = sum(1 << BITS * unit for unit in range(UNITS))
_EVERY_OTHER = sum((1 << BITS) - 1 << 2 * BITS * pair for pair in range(UNITS // 2))
_FOR_THE_MOVER = (1 << BITS * UNITS // 2) - 1
_SUM = (1 << 2 * BITS) - 1
"""What is left of a number of digits of 2 * BITS by it is their sum."""


def joined(rows: Sequence[Sequence[int]]) -> list[int]:
    """Rows of the weights of their units, as ``net_worth`` takes them."""
    begin = HALF * _FIRST_BITS
    return [
        sum(weight << BITS * unit for unit, weight in enumerate(row)) + (begin if number < COUNTS else 0)
        for number, row in enumerate(rows)
    ]


def net_worth(net: Sequence[int], size: int, side: int, men: int, kings: int, foe_men: int, foe_kings: int) -> int:
    """What the net adds to the worth of a position to its mover, in hundredths of a man, rounded down. ``net``: the
    rows, first by the number of pieces, then of own men by square as the first side counts them, own kings, foreign men
    and foreign kings; ``size``: the squares of the board."""
    total = net[(men | kings | foe_men | foe_kings).bit_count()]
    begin = COUNTS
    for pieces in (men, kings, foe_men, foe_kings):
        left = pieces
        while left:
            bit = left & -left
            left ^= bit
            square = bit.bit_length() - 1
            total += net[begin + (size - 1 - square if side else square)]
        begin += size
    counts = total >> (BITS - 1) & _FIRST_BITS
    total &= (counts << (BITS - 1)) - counts
    pairs = (total & _EVERY_OTHER) + (total >> BITS & _EVERY_OTHER)
    own, foe = (pairs & _FOR_THE_MOVER) % _SUM, (pairs >> BITS * UNITS // 2) % _SUM
    return own - foe >> FRACTION
