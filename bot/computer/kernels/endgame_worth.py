"""What an endgame position is worth by what its moves lead to, in a form that runs as it is and that numba compiles as
well.

A worth is a byte of the tables (see endgame_index); 255 stands for a draw while a class is solved.
"""

from __future__ import annotations

from bot.computer.kernels.endgame_index import place_of
from bot.computer.kernels.lookup_tables import FIRST_KING, LOSE_ALL, ONE_LEFT, Ints, LookupTables
from bot.computer.kernels.move_counts import (
    DRAWN,
    FOE_RUN_AT,
    MOST_PLIES,
    OWN_WON,
    RUN_AT,
    RUN_BITS,
    STOOD_AT,
    counted_out,
    counts_of,
    standing,
    stood_on,
)
from bot.computer.kernels.movegen import KING_AFTER, KING_BEFORE, SPAN, captures, quiets

CLOSED = 255
"""The byte of a position, while its class is solved, that is a draw for certain or that there is not."""
MOVES_AT = 8
"""Where in the room moves are listed: what stands before is the solver's."""


def reached(
    t: LookupTables,
    ends: bytearray,
    side: int,
    men: int,
    kings: int,
    foe_men: int,
    foe_kings: int,
    counts: int,
    stands: int,
    move: int,
    prey: int,
) -> int:
    """The byte of what a move of ``side`` leads to, seen from the other side. ``counts`` and ``stands`` (see
    move_counts): those before the move."""
    start = 1 << (move & 255)
    men = men & ~start
    kings = kings & ~start
    if move & KING_AFTER:
        kings |= 1 << (move >> 8 & 255)
    else:
        men |= 1 << (move >> 8 & 255)
    foe_men = foe_men & ~prey
    foe_kings = foe_kings & ~prey
    if not foe_men | foe_kings:
        return 2 if t.wins == LOSE_ALL else 1
    crowned = move & (KING_AFTER | KING_BEFORE) == KING_AFTER
    after = 0 if prey or crowned else (counts & MOST_PLIES) + 1
    if t.tracked:
        now = standing(t, foe_men, foe_kings, men, kings)
        after |= stood_on(t, stands, counts >> STOOD_AT & MOST_PLIES, now, after) << STOOD_AT
    if t.run:
        run, foe_run = counts >> RUN_AT & RUN_BITS, counts >> FOE_RUN_AT & RUN_BITS
        if not foe_men or not foe_kings >> (foe_run >> 8) & 1:
            foe_run = 0
        longer = 0
        if men and not prey and move >= KING_BEFORE:
            longer = (run & 255) + 1 if run and run >> 8 == move & 255 else 1
            longer = (move >> 8 & 255) << 8 | min(longer, t.run)
        after |= counts_of(0, 0, foe_run, longer)
    return ends[place_of(t, 1 - side, foe_men, foe_kings, men, kings, after)] + 0


def movable(t: LookupTables, men: int, kings: int, counts: int) -> int:
    """The own kings that may move without a capture: all but one that rests."""
    run = counts >> RUN_AT & RUN_BITS
    return kings & ~(1 << (run >> 8)) if t.run and men and run & 255 >= t.run else kings


def best_of(
    t: LookupTables,
    ends: bytearray,
    men: int,
    kings: int,
    foe_men: int,
    foe_kings: int,
    counts: int,
    stands: int,
    top: int,
    able: int,
    room: Ints,
) -> int:
    """The byte of a position of the first side by its moves in the room, up to ``top``; 0 for a draw. ``able``: the
    pieces that can capture, 0 where the moves are no captures."""
    win, draw, loss = CLOSED, 0, 0
    for i in range(MOVES_AT, top):
        prey = room[i + SPAN] if able else 0
        byte = reached(t, ends, 0, men, kings, foe_men, foe_kings, counts, stands, room[i], prey)
        if byte & 1:
            win = min(win, byte)
        elif byte:
            loss = max(loss, byte)
        else:
            draw = 1
    if win < CLOSED:
        return win + 1
    return 0 if draw else loss + 1


def decided(t: LookupTables, men: int, kings: int, foe_men: int, foe_kings: int) -> int:
    """The byte of a position in which the pieces say who has won, 0 if they do not."""
    if t.wins == FIRST_KING and kings | foe_kings:
        return 1 if foe_kings else 2
    if t.wins == ONE_LEFT:
        if (men | kings).bit_count() < 2:
            return 1
        if (foe_men | foe_kings).bit_count() < 2:
            return 2
    return 0


def worth(
    t: LookupTables,
    ends: bytearray,
    men: int,
    kings: int,
    foe_men: int,
    foe_kings: int,
    counts: int,
    stands: int,
    able: int,
    solved: bool,
    room: Ints,
) -> int:
    """The byte of a position of the first side, -1 where it is not certain yet: as long as its class is not ``solved``
    a move within it may lead to something better than what captures and promotions do."""
    byte = decided(t, men, kings, foe_men, foe_kings)
    if byte:
        return byte
    if able:
        top = captures(t, 0, men, kings, foe_men, foe_kings, able, room, MOVES_AT)
    else:
        free = movable(t, men, kings, counts)
        top = quiets(t, 0, men, free, men | kings | foe_men | foe_kings, room, MOVES_AT)
    if top == MOVES_AT:
        return 2 if t.wins == LOSE_ALL else 1
    if t.endings_end > t.endings:
        made, stood = counts & MOST_PLIES, counts >> STOOD_AT & MOST_PLIES
        over = counted_out(t, 0, men, kings, foe_men, foe_kings, able, made, stood)
        if over:
            return 0 if over == DRAWN else 2 if over == OWN_WON else 1
    known = top
    if not able and not solved:
        known = MOVES_AT
        for i in range(MOVES_AT, top):
            if room[i] & KING_AFTER and not room[i] & KING_BEFORE:
                room[known] = room[i]
                known += 1
    byte = best_of(t, ends, men, kings, foe_men, foe_kings, counts, stands, known, able, room)
    return -1 if known < top and (byte == 0 or byte & 1) else byte
