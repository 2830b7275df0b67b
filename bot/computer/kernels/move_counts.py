"""Moves that the rules count, in a form that runs as it is and that numba compiles as well.

What a position is worth may depend on moves before it: how many plies were played since its material arose (``made``),
how many since a counted ending arose that goes on through crownings or needs a main road (``stood``), and the run of
the king that either side moved last (its square << 8 | its moves in a row, 0: none). ``counts`` holds all of these.
"""

from __future__ import annotations

from bot.computer.kernels.lookup_tables import (
    CAPTURE_FIRST,
    ENDING,
    FROM_ENDING,
    LONE,
    MADE,
    ROADS,
    SINCE,
    TOTAL,
    WON_BY_STRONG,
    LookupTables,
)

MOST_PLIES = 4095
"""As many plies as ``counts`` can tell; no count is longer."""
STOOD_AT, RUN_AT, FOE_RUN_AT = 12, 24, 40
"""Where in ``counts`` its parts begin."""
RUN_BITS = (1 << 16) - 1

GOES_ON, DRAWN, OWN_WON, FOE_WON = 0, 1, 2, 3
"""What counts make of a position, to its mover."""


def counts_of(made: int, stood: int, run: int, foe_run: int) -> int:
    """All counts of a position in one number."""
    return min(made, MOST_PLIES) | min(stood, MOST_PLIES) << STOOD_AT | run << RUN_AT | foe_run << FOE_RUN_AT


def strong_of(t: LookupTables, g: int, men: int, kings: int, foe_men: int, foe_kings: int) -> int:
    """Which side is the strong one of an ending that stands on the board: 1 the own, 2 the other, 3 either; 0: it does
    not stand there."""
    data = t.data
    m, k, n, f = men.bit_count(), kings.bit_count(), foe_men.bit_count(), foe_kings.bit_count()
    if not data[g + TOTAL] <= m + k + n + f <= data[g + TOTAL + 1]:
        return 0
    occupied = men | kings | foe_men | foe_kings
    strong = 0
    if is_of(t, g, m, k) and is_of(t, g + 4, n, f) and on_road(t, g, occupied, foe_kings):
        strong = 1
    if is_of(t, g, n, f) and is_of(t, g + 4, m, k) and on_road(t, g, occupied, kings):
        strong |= 2
    return strong


def is_of(t: LookupTables, at: int, men: int, kings: int) -> bool:
    """Whether a side has what the entries at ``at`` ask for."""
    data = t.data
    return data[at] <= men + kings <= data[at + 1] and data[at + 2] <= kings <= data[at + 3]


def on_road(t: LookupTables, g: int, occupied: int, weak: int) -> bool:
    """Whether the kings of the weak side, and nothing else, stand on a main road, where the ending asks for it."""
    data = t.data
    return not data[g + ROADS] or occupied & data[g + ROADS] == weak or occupied & data[g + ROADS + 1] == weak


def standing(t: LookupTables, men: int, kings: int, foe_men: int, foe_kings: int) -> int:
    """The ending on the board whose moves count from when it arose: where it is << 2 | its strong side; 0: none."""
    data = t.data
    for g in range(t.endings, t.endings_end, ENDING):
        if data[g + SINCE]:
            strong = strong_of(t, g, men, kings, foe_men, foe_kings)
            if strong:
                return g << 2 | strong
    return 0


def stood_on(t: LookupTables, stands: int, stood: int, now: int, made: int) -> int:
    """How many plies the ending ``now`` has stood, where ``stands`` stood for ``stood`` plies a move ago, as the other
    side saw it; ``made``: plies since the material arose."""
    data = t.data
    if not now or stands >> 2 != now >> 2 or not ((stands & 1) << 1 | (stands >> 1 & 1)) & now:
        return 0
    if made == 0 and data[(now >> 2) + SINCE] != FROM_ENDING:
        return 0
    return stood + 1


def counted_out(
    t: LookupTables, side: int, men: int, kings: int, foe_men: int, foe_kings: int, able: int, made: int, stood: int
) -> int:
    """What the counts make of a position in which ``side`` can move; ``able``: the pieces that can capture."""
    data = t.data
    for g in range(t.endings, t.endings_end, ENDING):
        strong = strong_of(t, g, men, kings, foe_men, foe_kings)
        if strong:
            plies = stood if data[g + SINCE] else made
            # The mover has made every other of these plies, the last one was the other side's.
            moves = (plies + 1) // 2 if data[g + LONE] and strong & 1 else plies // 2
            if moves >= data[g + MADE] and not (data[g + CAPTURE_FIRST] and able):
                if not data[g + WON_BY_STRONG]:
                    return DRAWN
                # Of equal sides the second counts as the strong one.
                return OWN_WON if strong == 1 or (strong == 3 and side == 1) else FOE_WON
    return GOES_ON


def marked(run: int, other: int) -> int:
    """What two runs add to the key of a position, that of the side to move and that of the other."""
    return (run * 0x9E3779B1) ^ (other * 0x85EBCA6B) << 13
