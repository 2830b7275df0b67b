"""Where in an endgame table a position stands, in a form that runs as it is and that numba compiles as well.

A table holds one byte for each position: 0 a draw, else one more than the plies to the end, which is a win of the mover
where they are odd. An end that is won by who would be to move (all pieces lost where that wins) counts as one ply more.
A position is seen from its mover, who plays up the board: the second player's are turned. It belongs to the class of
its material; there it has the number that is made of the ranks of its four groups (own men, own kings, foreign men,
foreign kings), each the rank of a set of squares among all sets of so many.

Where left and right are the same, one group leads: its sets are numbered up to reflection, and a position whose leading
set is the reflection of a numbered one is reflected.

What a position is worth may depend on the moves before it (see move_counts): then it has a byte, a layer, for each run
of an own king and of a foreign one, each number of plies since its material arose and each since its ending did.

The directory stands in ``Tables.data`` from ``Tables.ends`` on.
"""

from __future__ import annotations

from bot.computer.kernels.lookup_tables import LookupTables
from bot.computer.kernels.move_counts import FOE_RUN_AT, MOST_PLIES, RUN_AT, RUN_BITS, STOOD_AT, counts_of

WAY, REFLECTION, NUMBERS, WAYS, CLASSES = 0, 2, 3, 7, 8
"""Entries of the directory: how squares are carried over for a mover of either side (-1: they stay), how they are
reflected (-1: never), the numbers of the squares for each of four groups, the table of binomials, and the classes."""

BASE, LAYERS, STRIDES, LEADS, LEAD, RUN_LAYERS, FOE_RUN_LAYERS, MADE_LAYERS, STOOD_LAYERS, BLOCKS, WIDTH = (
    0,
    1,
    2,
    6,
    7,
    8,
    9,
    10,
    11,
    12,
    13,
)
"""Entries of a class: where its bytes begin (-1: it is not there), its bytes for one position, what a rank of each
group counts for, which group leads (-1: none), where its sets' numbers are (see endgames.material), and how many layers
each of the counts has: runs of own and of foreign kings, plies since the material and since the ending arose; and where
the class begins in the packed tables of who wins (below 0: it is not there; see outcome_blocks)."""


def place_of(t: LookupTables, side: int, men: int, kings: int, foe_men: int, foe_kings: int, counts: int) -> int:
    """Where the byte of a position with ``side`` to move is, -1 if there is none. ``counts``: see move_counts."""
    data = t.data
    entry = entry_of(t, men, kings, foe_men, foe_kings)
    if data[entry + BASE] < 0:
        return -1
    run, foe_run = counts >> RUN_AT & RUN_BITS, counts >> FOE_RUN_AT & RUN_BITS
    way = data[t.ends + WAY + side]
    if way >= 0:
        men, kings = carried(t, men, way), carried(t, kings, way)
        foe_men, foe_kings = carried(t, foe_men, way), carried(t, foe_kings, way)
        run, foe_run = carried_run(t, run, way), carried_run(t, foe_run, way)
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
            run, foe_run = carried_run(t, run, mirror), carried_run(t, foe_run, mirror)
    if men and group != 0:
        number += rank(t, men, 0) * data[entry + STRIDES]
    if kings and group != 1:
        number += rank(t, kings, 1) * data[entry + STRIDES + 1]
    if foe_men and group != 2:
        number += rank(t, foe_men, 2) * data[entry + STRIDES + 2]
    if foe_kings and group != 3:
        number += rank(t, foe_kings, 3) * data[entry + STRIDES + 3]
    if data[entry + LAYERS] == 1:
        return data[entry + BASE] + number
    layer = number_of_run(t, kings, run) if data[entry + RUN_LAYERS] > 1 else 0
    if data[entry + FOE_RUN_LAYERS] > 1:
        layer = layer * data[entry + FOE_RUN_LAYERS] + number_of_run(t, foe_kings, foe_run)
    layer = layer * data[entry + MADE_LAYERS] + min(counts & MOST_PLIES, data[entry + MADE_LAYERS] - 1)
    layer = layer * data[entry + STOOD_LAYERS] + min(counts >> STOOD_AT & MOST_PLIES, data[entry + STOOD_LAYERS] - 1)
    return data[entry + BASE] + number * data[entry + LAYERS] + layer


def entry_of(t: LookupTables, men: int, kings: int, foe_men: int, foe_kings: int) -> int:
    """Where the class of a position is in the directory."""
    n = t.widest + 1
    own = men.bit_count() * n + kings.bit_count()
    return t.ends + CLASSES + WIDTH * ((own * n + foe_men.bit_count()) * n + foe_kings.bit_count())


def number_of_run(t: LookupTables, kings: int, run: int) -> int:
    """The number of a king's run among all that a side's kings can have; 0: there is none."""
    if not run:
        return 0
    behind = (kings & ((1 << (run >> 8)) - 1)).bit_count()
    return behind * t.run + min(run & 255, t.run)


def run_of(t: LookupTables, kings: int, number: int) -> int:
    """The run of a number, as ``number_of_run`` gives it."""
    if not number:
        return 0
    for _ in range((number - 1) // t.run):
        kings &= kings - 1
    return ((kings & -kings).bit_length() - 1) << 8 | ((number - 1) % t.run + 1)


def counts_of_layer(t: LookupTables, entry: int, kings: int, foe_kings: int, layer: int) -> int:
    """The counts that a layer of a position in the class at ``entry`` stands for."""
    data = t.data
    stood = layer % data[entry + STOOD_LAYERS]
    layer //= data[entry + STOOD_LAYERS]
    made = layer % data[entry + MADE_LAYERS]
    layer //= data[entry + MADE_LAYERS]
    run, foe_run = layer // data[entry + FOE_RUN_LAYERS], layer % data[entry + FOE_RUN_LAYERS]
    return counts_of(made, stood, run_of(t, kings, run), run_of(t, foe_kings, foe_run))


def carried_run(t: LookupTables, run: int, way: int) -> int:
    """A king's run, its square replaced by the one that the list at ``way`` names."""
    return t.data[way + (run >> 8)] << 8 | (run & 255) if run else 0


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
    t: LookupTables, ends: bytearray, side: int, men: int, kings: int, foe_men: int, foe_kings: int, counts: int
) -> int:
    """The byte of a position, -1 if the tables do not hold it. ``ends``: the bytes."""
    if (men | kings | foe_men | foe_kings).bit_count() > t.most:
        return -1
    place = place_of(t, side, men, kings, foe_men, foe_kings, counts)
    if place < 0:
        return -1
    # Through an addition, so that it is no byte any more when it is compiled.
    return ends[place] + 0
