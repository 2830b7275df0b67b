"""``net.net_worth`` in a form that numba compiles: a row of the net is WORDS words of 64 bits, four units in each.

Their sums stand in as many variables, which a processor adds up several at a time. It gives what ``net`` gives.
"""

from __future__ import annotations

from collections.abc import Sequence

from bot.computer.kernels.net import BITS, COUNTS, FRACTION, HALF, UNITS

IN_A_WORD = 4
WORDS = UNITS // IN_A_WORD
Sums = tuple[int, int, int, int, int, int, int, int]

_FIRST_BITS = 0x0001_0001_0001_0001
_EVERY_OTHER = 0x0000_FFFF_0000_FFFF
_PAIR = 0xFFFF_FFFF


def words(rows: Sequence[Sequence[int]]) -> list[int]:
    """Rows of the weights of their units, as ``net_worth`` takes them."""
    return [
        sum(weight + begin << BITS * unit for unit, weight in enumerate(row[at : at + IN_A_WORD])) & (1 << 64) - 1
        for begin, row in ((HALF if number < COUNTS else 0, row) for number, row in enumerate(rows))
        for at in range(0, UNITS, IN_A_WORD)
    ]


def net_worth(net: Sequence[int], size: int, side: int, men: int, kings: int, foe_men: int, foe_kings: int) -> int:
    """As ``net.net_worth`` has it; ``net``: the words of all rows."""
    sums = row(net, (men | kings | foe_men | foe_kings).bit_count())
    sums = added(sums, net, COUNTS, size, side, men)
    sums = added(sums, net, COUNTS + size, size, side, kings)
    sums = added(sums, net, COUNTS + 2 * size, size, side, foe_men)
    sums = added(sums, net, COUNTS + 3 * size, size, side, foe_kings)
    a, b, c, d, e, f, g, h = sums
    own = counted(a) + counted(b) + counted(c) + counted(d)
    foe = counted(e) + counted(f) + counted(g) + counted(h)
    return (own & _PAIR) + (own >> 32) - (foe & _PAIR) - (foe >> 32) >> FRACTION


def row(net: Sequence[int], number: int) -> Sums:
    at = WORDS * number
    return net[at], net[at + 1], net[at + 2], net[at + 3], net[at + 4], net[at + 5], net[at + 6], net[at + 7]


def added(sums: Sums, net: Sequence[int], begin: int, size: int, side: int, pieces: int) -> Sums:
    """The sums with the rows of pieces of one kind, which begin at ``begin``."""
    a, b, c, d, e, f, g, h = sums
    # Of the second side ~square + size, the square seen from the other end.
    turned = -side
    begin += turned & size
    while pieces:
        bit = pieces & -pieces
        pieces ^= bit
        i, j, k, l, m, n, o, p = row(net, begin + (bit.bit_length() - 1 ^ turned))  # noqa: E741
        a, b, c, d, e, f, g, h = a + i, b + j, c + k, d + l, e + m, f + n, g + o, h + p
    return a, b, c, d, e, f, g, h


def counted(word: int) -> int:
    """What lies above nothing of four sums, those of either two in 32 bits."""
    above = word >> 15 & _FIRST_BITS
    word &= (above << 15) - above
    return (word & _EVERY_OTHER) + (word >> 16 & _EVERY_OTHER)
