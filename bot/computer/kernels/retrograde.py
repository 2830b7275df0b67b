"""Solving endgames backwards, in a form that runs as it is and that numba compiles as well.

Two classes that differ in who is to move are solved together, when all that captures and promotions lead to is done.
First each position gets what is certain at once: without a move it is lost, with captures it is worth what the best of
them leads to. Then, for 0, 1, 2, ... plies, what is decided in so many is taken back by one move: before a loss there
is a win; a position of which every move leads to a win is a loss. Who can capture must, so that only moves of positions
without a capture are taken back.

A position whose worth depends on the moves before it has a byte, a layer, for each of their counts. Where a count grows
with every move, the layers are solved from its end on. Where kings rest after a run, all layers are solved as one
class: what leads to a position is looked at afresh in each of its layers.

A class is described by thirteen integers in a list ``c``: how many sets of squares each of four groups has, where those
sets are in the list, where its bytes begin, how many positions and layers it has, where the pair's bytes begin, and
where the directory has it.
"""

from __future__ import annotations

from bot.computer.kernels.endgame_index import (
    LAYERS,
    MADE_LAYERS,
    REFLECTION,
    STOOD_LAYERS,
    carried,
    carried_run,
    counts_of_layer,
    entry_of,
    place_of,
)
from bot.computer.kernels.endgame_worth import CLOSED, MOVES_AT, movable, reached, worth
from bot.computer.kernels.lookup_tables import Ints, LookupTables
from bot.computer.kernels.move_counts import FOE_RUN_AT, MOST_PLIES, RUN_AT, RUN_BITS, STOOD_AT, counts_of, standing
from bot.computer.kernels.movegen import KING_AFTER, KING_BEFORE, capturers, quiets

SETS, START, SIZE, DEPTH, LOW, ENTRY = 4, 8, 9, 10, 11, 12
"""Entries of a class behind the numbers of its sets."""

LONGEST = 253
"""The greatest byte that a position may get."""

TOP, MEN, KINGS, FOE_MEN, FOE_KINGS = 0, 1, 2, 3, 4
"""The first entries of the room: the greatest byte given so far, and the position that was unpacked."""


def unpack(c: Ints, x: int, number: int, room: Ints) -> bool:
    """Put the position of a number into the room. False where two of its pieces share a square."""
    foe_kings = c[c[x + SETS + 3] + number % c[x + 3]]
    number //= c[x + 3]
    foe_men = c[c[x + SETS + 2] + number % c[x + 2]]
    number //= c[x + 2]
    kings = c[c[x + SETS + 1] + number % c[x + 1]]
    men = c[c[x + SETS] + number // c[x + 1]]
    room[MEN], room[KINGS], room[FOE_MEN], room[FOE_KINGS] = men, kings, foe_men, foe_kings
    return not (men & kings | foe_men & foe_kings | (men | kings) & (foe_men | foe_kings))


def begin(t: LookupTables, ends: bytearray, c: Ints, x: int, room: Ints) -> None:
    """Give every position of a class its first byte: what is certain, or what a promotion wins, else 0."""
    layers = c[x + DEPTH]
    for number in range(c[x + SIZE]):
        place = c[x + START] + number * layers
        if not unpack(c, x, number, room):
            for layer in range(layers):
                ends[place + layer] = CLOSED
            continue
        men, kings, foe_men, foe_kings = room[MEN], room[KINGS], room[FOE_MEN], room[FOE_KINGS]
        able = capturers(t, 0, men, kings, foe_men, foe_kings)
        stands = standing(t, men, kings, foe_men, foe_kings) if t.tracked else 0
        for layer in range(layers):
            counts = counts_of_layer(t, c[x + ENTRY], kings, foe_kings, layer) if layers > 1 else 0
            byte = worth(t, ends, men, kings, foe_men, foe_kings, counts, stands, able, False, room)
            room[TOP] = max(room[TOP], byte)
            ends[place + layer] = 0 if byte < 0 else byte if byte else CLOSED


def take_back(t: LookupTables, ends: bytearray, marks: bytearray, c: Ints, x: int, plies: int, room: Ints) -> None:
    """Go from the positions of a class that are decided in ``plies`` to those one ply before."""
    data = t.data
    layers = c[x + DEPTH]
    for number in range(c[x + SIZE]):
        place = c[x + START] + number * layers
        last = place + layers
        while place < last and ends[place] != plies + 1:
            place += 1
        if place == last:
            continue
        unpack(c, x, number, room)
        men, kings, foe_men, foe_kings = room[MEN], room[KINGS], room[FOE_MEN], room[FOE_KINGS]
        empty = t.played & ~(men | kings | foe_men | foe_kings)
        low = c[x + LOW]
        for g in range(data[t.steps_at + 1], data[t.steps_at + 2], 8):
            rest = foe_men
            while rest:
                bit = rest & -rest
                rest ^= bit
                start = bit.bit_length() - 1 - data[g] + data[g + 1]
                if 0 <= start < t.size and data[g + 4] >> start & 1 and empty >> start & 1:
                    stepped = foe_men ^ bit | 1 << start
                    if layers == 1:
                        before(t, ends, marks, low, plies, stepped, foe_kings, men, kings, room)
                    else:
                        before_in_layers(t, ends, marks, low, plies, stepped, foe_kings, men, kings, room)
        rest = foe_kings
        while rest:
            bit = rest & -rest
            rest ^= bit
            end = bit.bit_length() - 1
            for g in range(data[t.king_glides_at + 1], data[t.king_glides_at + 2]):
                base = data[t.opposite + data[g]] * t.size
                start = data[t.next + base + end]
                left = t.reach
                while start >= 0 and left and empty >> start & 1:
                    glided = foe_kings ^ bit | 1 << start
                    if layers == 1:
                        before(t, ends, marks, low, plies, foe_men, glided, men, kings, room)
                    else:
                        before_in_layers(t, ends, marks, low, plies, foe_men, glided, men, kings, room)
                    left -= 1
                    start = data[t.next + base + start]


def before(
    t: LookupTables,
    ends: bytearray,
    marks: bytearray,
    low: int,
    plies: int,
    men: int,
    kings: int,
    foe_men: int,
    foe_kings: int,
    room: Ints,
) -> None:
    """A position with the second side to move, one move of which leads to something decided in ``plies``."""
    place = place_of(t, 1, men, kings, foe_men, foe_kings, 0)
    byte = ends[place] + 0
    if plies & 1 == 0:
        if (byte == 0 or plies + 2 < byte < CLOSED) and not capturers(t, 1, men, kings, foe_men, foe_kings):
            settle(t, ends, men, kings, foe_men, foe_kings, 0, plies + 2, room)
        return
    stamp = plies >> 1 & 127 | 128
    if byte or marks[place - low] == stamp:
        return
    marks[place - low] = stamp
    if capturers(t, 1, men, kings, foe_men, foe_kings):
        return
    top = quiets(t, 1, men, kings, men | kings | foe_men | foe_kings, room, MOVES_AT)
    byte = by_now(t, ends, men, kings, foe_men, foe_kings, 0, 0, plies, top, room)
    if byte:
        settle(t, ends, men, kings, foe_men, foe_kings, 0, byte, room)


def before_in_layers(
    t: LookupTables,
    ends: bytearray,
    marks: bytearray,
    low: int,
    plies: int,
    men: int,
    kings: int,
    foe_men: int,
    foe_kings: int,
    room: Ints,
) -> None:
    """As ``before``, in every layer of the position: which of them the move comes from shows when all moves are looked
    at."""
    first = place_of(t, 1, men, kings, foe_men, foe_kings, 0)
    # A mark for each ply, of which a byte tells no more than half.
    mark, stamp = first - low + (plies >> 7), plies & 127 | 128
    if marks[mark] == stamp:
        return
    marks[mark] = stamp
    if capturers(t, 1, men, kings, foe_men, foe_kings):
        return
    entry = entry_of(t, men, kings, foe_men, foe_kings)
    stands = standing(t, men, kings, foe_men, foe_kings) if t.tracked else 0
    for layer in range(t.data[entry + LAYERS]):
        counts = counts_of_layer(t, entry, kings, foe_kings, layer)
        old = ends[place_of(t, 1, men, kings, foe_men, foe_kings, counts)] + 0
        if old and (old <= plies + 2 or old == CLOSED):
            continue
        free = movable(t, men, kings, counts)
        top = quiets(t, 1, men, free, men | kings | foe_men | foe_kings, room, MOVES_AT)
        byte = by_now(t, ends, men, kings, foe_men, foe_kings, counts, stands, plies, top, room)
        if byte and (old == 0 or byte < old):
            settle(t, ends, men, kings, foe_men, foe_kings, counts, byte, room)


def by_now(
    t: LookupTables,
    ends: bytearray,
    men: int,
    kings: int,
    foe_men: int,
    foe_kings: int,
    counts: int,
    stands: int,
    plies: int,
    top: int,
    room: Ints,
) -> int:
    """The byte of a position of the second side by its moves in the room, none of them a capture, as far as it follows
    from what is decided in ``plies``; 0: not yet."""
    worst = 0
    for i in range(MOVES_AT, top):
        move = room[i]
        byte = reached(t, ends, 1, men, kings, foe_men, foe_kings, counts, stands, move, 0)
        if byte == plies + 1 and byte & 1:
            return plies + 2
        # What is decided later within these classes may yet be decided sooner; before a loss only a win is looked for.
        crowned = move & (KING_AFTER | KING_BEFORE) == KING_AFTER
        if plies & 1 and (byte == 0 or byte & 1 or (byte > plies + 1 and not crowned)):
            return 0
        worst = max(worst, byte)
    return worst + 1 if plies & 1 else 0


def settle(
    t: LookupTables,
    ends: bytearray,
    men: int,
    kings: int,
    foe_men: int,
    foe_kings: int,
    counts: int,
    byte: int,
    room: Ints,
) -> None:
    """Give a position with the second side to move its byte, and its reflection where that has a place of its own."""
    ends[place_of(t, 1, men, kings, foe_men, foe_kings, counts)] = byte
    room[TOP] = max(room[TOP], byte)
    mirror = t.data[t.ends + REFLECTION]
    if mirror >= 0:
        men, kings = carried(t, men, mirror), carried(t, kings, mirror)
        foe_men, foe_kings = carried(t, foe_men, mirror), carried(t, foe_kings, mirror)
        run = carried_run(t, counts >> RUN_AT & RUN_BITS, mirror)
        foe_run = carried_run(t, counts >> FOE_RUN_AT & RUN_BITS, mirror)
        counts = counts_of(counts & MOST_PLIES, counts >> STOOD_AT & MOST_PLIES, run, foe_run)
        ends[place_of(t, 1, men, kings, foe_men, foe_kings, counts)] = byte


def finish(ends: bytearray, start: int, size: int) -> None:
    """Put a draw where only that is left."""
    for place in range(start, start + size):
        if ends[place] == CLOSED:
            ends[place] = 0


def count_down(t: LookupTables, ends: bytearray, c: Ints, x: int, played: int, room: Ints) -> None:
    """The bytes of a class whose moves are counted, after so many plies since the material arose (since the ending did,
    where that alone counts), from those after one more."""
    data = t.data
    layers, made, stood = c[x + DEPTH], data[c[x + ENTRY] + MADE_LAYERS], data[c[x + ENTRY] + STOOD_LAYERS]
    # Layers of one count of this stand beside each other, and those of the next run a whole range of both counts on.
    beside = stood if made > 1 else 1
    for number in range(c[x + SIZE]):
        place = c[x + START] + number * layers
        there = unpack(c, x, number, room)
        men, kings, foe_men, foe_kings = room[MEN], room[KINGS], room[FOE_MEN], room[FOE_KINGS]
        able = capturers(t, 0, men, kings, foe_men, foe_kings) if there else 0
        stands = standing(t, men, kings, foe_men, foe_kings) if t.tracked else 0
        for first in range(played * beside, layers, made * stood):
            for layer in range(first, first + beside):
                byte = 0
                if there:
                    counts = counts_of_layer(t, c[x + ENTRY], kings, foe_kings, layer)
                    byte = worth(t, ends, men, kings, foe_men, foe_kings, counts, stands, able, True, room)
                    room[TOP] = max(room[TOP], byte)
                ends[place + layer] = byte
