"""What patterns of men add to the worth of a position, in a form that runs as it is and that numba compiles as well.

A pattern is eight squares that lie together; how the men of both sides stand on it is a number of eight digits to the
base of three, and the entry of that number in the table of the pattern is two weights in one integer: the lower 16 bits
count when the board is full, the upper ones when it is empty, and in between both in proportion. Weights are seen from
the first side, and there are four sets of them, by who has kings: nobody, the first side, the second, both. The digits
of all rows are reckoned out together, in words of a byte for each row. Where every other of 8 x 8 squares is played on,
the men of the other side are put on the squares in between, so that two bits are a square, and its digit; where every
other of 10 x 10 is, and those in between have no number, two squares of every row are brought together (see
bot.computer.search.pattern_weights, which fills the tables).
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.computer.kernels.lookup_tables import LookupTables

EVERY_OTHER, EVERY, EVERY_OTHER_OF_TEN = 1, 2, 3
"""What squares are played on, of 8 x 8 and of 10 x 10; 0: there are no patterns."""
STATES = 3**8
"""Entries of a pattern."""
OF_OTHER, OF_EVERY, OF_TEN = 7 + 9, 21, 16
"""How many patterns there are on these: of two rows and of four files, four rows high; of four files, two rows high; of
four files, four rows high."""
SETS = 4
"""Sets of weights, by who has kings."""
KINGS = 4
"""So many kings of a side, less one, are told apart."""

_EVENS = 0x5555555555555555
_SQUARE = 0x0303030303030303
_ONE_OF_EIGHT = 0x0101010101010101
# Of ten rows of five two squares each, and of every other row four, or one.
_TWOS = 0b00011_00011_00011_00011_00011_00011_00011_00011_00011_00011
_FOURS = 0b01111_00000_01111_00000_01111_00000_01111_00000_01111
_ONES = 0b00001_00000_00001_00000_00001_00000_00001_00000_00001


def pattern_worth(
    t: LookupTables, table: Sequence[int], side: int, men: int, kings: int, foe_men: int, foe_kings: int
) -> int:
    """What the patterns, the kings and the right to move add to the worth of a position to its mover."""
    first, second = men, foe_men
    if side:
        first, second = foe_men, men
    own, foe = kings.bit_count(), foe_kings.bit_count()
    if side:
        own, foe = foe, own
    total = 0
    each = STATES * (OF_OTHER if t.patterns == EVERY_OTHER else OF_EVERY if t.patterns == EVERY else OF_TEN)
    begin = (each if own else 0) + (2 * each if foe else 0)
    if t.patterns == EVERY_OTHER:
        both = first | (second & _EVENS) << 1 | second >> 1 & _EVENS
        # Of each row a square, two, and all four.
        west, mid_west, mid_east, east = (
            both & _SQUARE, both >> 2 & _SQUARE, both >> 4 & _SQUARE, both >> 6 & _SQUARE,
        )  # fmt: skip
        left, middle, right = west + 3 * mid_west, mid_west + 3 * mid_east, mid_east + 3 * east
        fours = left + 9 * right
        for row in range(7):
            total += table[(fours >> 8 * row & 255) + 81 * (fours >> 8 * row + 8 & 255) + begin + STATES * row]
        for file in range(3):
            pairs = left if file == 0 else middle if file == 1 else right
            pairs += 9 * (pairs >> 8)
            for rows in range(3):
                state = (pairs >> 16 * rows & 255) + 81 * (pairs >> 16 * rows + 16 & 255)
                total += table[state + begin + STATES * (3 * file + rows + 7)]
    elif t.patterns == EVERY_OTHER_OF_TEN:
        for file in range(4):
            of_first, of_second = first >> file & _TWOS, second >> file & _TWOS
            of_first = (of_first | of_first >> 3) & _FOURS
            of_second = (of_second | of_second >> 3) & _FOURS
            fours = 0
            for square in range(3, -1, -1):
                fours = 3 * fours + (of_first >> square & _ONES) + 2 * (of_second >> square & _ONES)
            for row in range(4):
                state = (fours >> 10 * row & 1023) + 81 * (fours >> 10 * row + 10 & 1023)
                total += table[state + begin + STATES * (4 * file + row)]
    else:
        before = 0
        for file in range(4):
            even = (first >> 2 * file & _ONE_OF_EIGHT) + 2 * (second >> 2 * file & _ONE_OF_EIGHT)
            odd = (first >> 2 * file + 1 & _ONE_OF_EIGHT) + 2 * (second >> 2 * file + 1 & _ONE_OF_EIGHT)
            twos = even + 3 * odd
            if file:
                fours = before + 9 * twos
                for row in range(7):
                    state = (fours >> 8 * row & 255) + 81 * (fours >> 8 * row + 8 & 255)
                    total += table[state + begin + STATES * (7 * (file - 1) + row)]
            before = twos
    after = SETS * each
    if own | foe:
        total += table[after + KINGS * min(own, KINGS - 1) + min(foe, KINGS - 1)]
    if side:
        total = -total
    total += table[after + KINGS * KINGS]
    full = ((total + 32768) & 65535) - 32768
    empty = (total - full) >> 16
    pieces = min((men | kings | foe_men | foe_kings).bit_count(), t.pieces)
    return (full * pieces + empty * (t.pieces - pieces)) // t.pieces
