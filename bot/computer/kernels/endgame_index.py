"""Where in an endgame table a position stands, in a form that runs as it is and that numba compiles as well.

A table holds one byte for each position: 0 a draw, else one more than the plies to the end, which is a win of the mover
where they are odd. A position is seen from its mover, who plays up the board: the second player's are turned. It
belongs to the class of its material; there it has the number that is made of the ranks of its four groups (own men,
own kings, foreign men, foreign kings), each the rank of a set of squares among all sets of so many.

Where left and right are the same, one group leads: its sets are numbered up to reflection, and a position whose leading
set is the reflection of a numbered one is reflected. In a class whose moves the rules count (three kings against one,
drawn after so many) each position has a byte for every number of plies that have been played there.

The directory stands in ``Tables.data`` from ``Tables.ends`` on.
"""

from __future__ import annotations

from bot.computer.kernels.lookup_tables import LookupTables

WAY, REFLECTION, NUMBERS, WAYS, CLASSES = 0, 2, 3, 7, 8
"""Entries of the directory: how squares are carried over for a mover of either side (-1: they stay), how they are
reflected (-1: never), the numbers of the squares for each of four groups, the table of binomials, and the classes."""

BASE, LAYERS, STRIDES, LEADS, LEAD, WIDTH = 0, 1, 2, 6, 7, 8
"""Entries of a class: where its bytes begin (-1: it is not there), its bytes for one position, what a rank of each
group counts for, which group leads (-1: none), and where its sets' numbers are (see endgames.material)."""


def place_of(t: LookupTables, side: int, men: int, kings: int, foe_men: int, foe_kings: int, played: int) -> int:
    """Where the byte of a position with ``side`` to move is, -1 if there is none. ``played``: plies played with this
    material, which is no matter but where they are counted."""
    data = t.data
    n = t.most + 1
    own = men.bit_count() * n + kings.bit_count()
    entry = t.ends + CLASSES + WIDTH * ((own * n + foe_men.bit_count()) * n + foe_kings.bit_count())
    if data[entry + BASE] < 0:
        return -1
    way = data[t.ends + WAY + side]
    if way >= 0:
        men, kings = carried(t, men, way), carried(t, kings, way)
        foe_men, foe_kings = carried(t, foe_men, way), carried(t, foe_kings, way)
    return (
        data[entry + BASE]
        + number_of(t, entry, men, kings, foe_men, foe_kings) * data[entry + LAYERS]
        + min(played, data[entry + LAYERS] - 1)
    )


def number_of(t: LookupTables, entry: int, men: int, kings: int, foe_men: int, foe_kings: int) -> int:
    """The number in its class of a position whose mover plays up the board."""
    data = t.data
    number = 0
    group = data[entry + LEADS]
    if group >= 0:
        leading = men
        if group == 1:
            leading = kings
        elif group == 2:
            leading = foe_men
        elif group == 3:
            leading = foe_kings
        packed = data[data[entry + LEAD] + rank(t, leading, group)]
        number = (packed >> 1) * data[entry + STRIDES + group]
        if packed & 1:
            mirror = data[t.ends + REFLECTION]
            men, kings = carried(t, men, mirror), carried(t, kings, mirror)
            foe_men, foe_kings = carried(t, foe_men, mirror), carried(t, foe_kings, mirror)
    if men and group != 0:
        number += rank(t, men, 0) * data[entry + STRIDES]
    if kings and group != 1:
        number += rank(t, kings, 1) * data[entry + STRIDES + 1]
    if foe_men and group != 2:
        number += rank(t, foe_men, 2) * data[entry + STRIDES + 2]
    if foe_kings and group != 3:
        number += rank(t, foe_kings, 3) * data[entry + STRIDES + 3]
    return number


def carried(t: LookupTables, bits: int, way: int) -> int:
    """A set of squares, each replaced by the one that the list at ``way`` names."""
    squares = bits & 0
    while bits:
        bit = bits & -bits
        bits ^= bit
        squares |= 1 << t.data[way + bit.bit_length() - 1]
    return squares


def rank(t: LookupTables, bits: int, group: int) -> int:
    """The rank of a set of squares among all sets of as many, in the order of their greatest, next greatest, ..."""
    data = t.data
    numbers = data[t.ends + NUMBERS + group]
    ways = data[t.ends + WAYS]
    number = 0
    while bits:
        bit = bits & -bits
        bits ^= bit
        number += data[ways + data[numbers + bit.bit_length() - 1]]
        ways += t.size
    return number


def probe(
    t: LookupTables, ends: bytearray, side: int, men: int, kings: int, foe_men: int, foe_kings: int, played: int
) -> int:
    """The byte of a position, -1 if the tables do not hold it. ``ends``: the bytes."""
    if (men | kings | foe_men | foe_kings).bit_count() > t.most:
        return -1
    place = place_of(t, side, men, kings, foe_men, foe_kings, played)
    if place < 0:
        return -1
    # Through an addition, so that it is no byte any more when it is compiled.
    return ends[place] + 0
