"""Solving endgames backwards, in a form that runs as it is and that numba compiles as well.

Two classes that differ in who is to move are solved together, when all that captures and promotions lead to is done.
First each position gets what is certain at once: without a move it is lost, with captures it is worth what the best of
them leads to. Then, for 0, 1, 2, ... plies, what is decided in so many is taken back by one move: before a loss there
is a win; a position of which every move leads to a win is a loss. Who can capture must, so that only moves of positions
without a capture are taken back.

A class is described by twelve integers in a list ``c``: how many sets of squares each of four groups has, where those
sets are in the list, where its bytes begin, how many positions and layers it has, and where the pair's bytes begin.
"""

from __future__ import annotations

from bot.computer.kernels.endgame_index import REFLECTION, carried, place_of
from bot.computer.kernels.lookup_tables import Ints, LookupTables
from bot.computer.kernels.movegen import KING_AFTER, KING_BEFORE, SPAN, capturers, captures, quiets

SETS, START, SIZE, DEPTH, LOW = 4, 8, 9, 10, 11
"""Entries of a class behind the numbers of its sets."""

CLOSED = 255
"""The byte of a position, while its class is solved, that is a draw for certain or that there is not."""
LONGEST = 253
"""The greatest byte that a position may get."""

TOP, MEN, KINGS, FOE_MEN, FOE_KINGS = 0, 1, 2, 3, 4
"""The first entries of the room: the greatest byte given so far, and the position that was unpacked."""
MOVES_AT = 8


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


def reached(
    t: LookupTables,
    ends: bytearray,
    side: int,
    men: int,
    kings: int,
    foe_men: int,
    foe_kings: int,
    move: int,
    prey: int,
    played: int,
) -> int:
    """The byte of what a move of ``side`` leads to, seen from the other side."""
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
        return 1
    return ends[place_of(t, 1 - side, foe_men, foe_kings, men, kings, played)] + 0


def best_of(
    t: LookupTables,
    ends: bytearray,
    men: int,
    kings: int,
    foe_men: int,
    foe_kings: int,
    top: int,
    able: int,
    played: int,
    room: Ints,
) -> int:
    """The byte of a position of the first side by its moves in the room, up to ``top``; 0 for a draw. ``able``: the
    pieces that can capture, 0 where the moves are no captures."""
    win, draw, loss = CLOSED, 0, 0
    for i in range(MOVES_AT, top):
        prey = room[i + SPAN] if able else 0
        byte = reached(t, ends, 0, men, kings, foe_men, foe_kings, room[i], prey, played)
        if byte & 1:
            win = min(win, byte)
        elif byte:
            loss = max(loss, byte)
        else:
            draw = 1
    if win < CLOSED:
        return win + 1
    return 0 if draw else loss + 1


def begin(t: LookupTables, ends: bytearray, c: Ints, x: int, room: Ints) -> None:
    """Give every position of a class its first byte: what is certain, or what a promotion wins, else 0."""
    for number in range(c[x + SIZE]):
        place = c[x + START] + number
        if not unpack(c, x, number, room):
            ends[place] = CLOSED
            continue
        men, kings, foe_men, foe_kings = room[MEN], room[KINGS], room[FOE_MEN], room[FOE_KINGS]
        able = capturers(t, 0, men, kings, foe_men, foe_kings)
        if able:
            top = captures(t, 0, men, kings, foe_men, foe_kings, able, room, MOVES_AT)
            known = top
        else:
            top = quiets(t, 0, men, kings, men | kings | foe_men | foe_kings, room, MOVES_AT)
            known = MOVES_AT
            for i in range(MOVES_AT, top):
                if room[i] & KING_AFTER and not room[i] & KING_BEFORE:
                    room[known] = room[i]
                    known += 1
        byte = best_of(t, ends, men, kings, foe_men, foe_kings, known, able, 0, room)
        if known < top and (byte == 0 or byte & 1):
            # A move within these classes may be better than the promotions: what it leads to is not known yet.
            ends[place] = 0
        else:
            room[TOP] = max(room[TOP], byte)
            ends[place] = byte if byte else CLOSED


def take_back(t: LookupTables, ends: bytearray, marks: bytearray, c: Ints, x: int, plies: int, room: Ints) -> None:
    """Go from the positions of a class that are decided in ``plies`` to those one ply before."""
    data = t.data
    for number in range(c[x + SIZE]):
        if ends[c[x + START] + number] != plies + 1:
            continue
        unpack(c, x, number, room)
        men, kings, foe_men, foe_kings = room[MEN], room[KINGS], room[FOE_MEN], room[FOE_KINGS]
        empty = t.played & ~(men | kings | foe_men | foe_kings)
        for g in range(data[t.steps_at + 1], data[t.steps_at + 2], 8):
            rest = foe_men
            while rest:
                bit = rest & -rest
                rest ^= bit
                start = bit.bit_length() - 1 - data[g] + data[g + 1]
                if 0 <= start < t.size and data[g + 4] >> start & 1 and empty >> start & 1:
                    before(t, ends, marks, c[x + LOW], plies, foe_men ^ bit | 1 << start, foe_kings, men, kings, room)
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
                    before(t, ends, marks, c[x + LOW], plies, foe_men, foe_kings ^ bit | 1 << start, men, kings, room)
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
            settle(t, ends, men, kings, foe_men, foe_kings, place, plies + 2, room)
        return
    stamp = plies >> 1 & 127 | 128
    if byte or marks[place - low] == stamp:
        return
    marks[place - low] = stamp
    if capturers(t, 1, men, kings, foe_men, foe_kings):
        return
    top = quiets(t, 1, men, kings, men | kings | foe_men | foe_kings, room, MOVES_AT)
    worst = 0
    for i in range(MOVES_AT, top):
        move = room[i]
        byte = reached(t, ends, 1, men, kings, foe_men, foe_kings, move, 0, 0)
        if byte == 0 or byte & 1:
            return
        # What is decided later within these classes may yet be decided sooner.
        if byte > plies + 1 and not (move & KING_AFTER and not move & KING_BEFORE):
            return
        worst = max(worst, byte)
    settle(t, ends, men, kings, foe_men, foe_kings, place, worst + 1, room)


def settle(
    t: LookupTables,
    ends: bytearray,
    men: int,
    kings: int,
    foe_men: int,
    foe_kings: int,
    place: int,
    byte: int,
    room: Ints,
) -> None:
    """Give a position with the second side to move its byte, and its reflection where that has a place of its own."""
    ends[place] = byte
    room[TOP] = max(room[TOP], byte)
    mirror = t.data[t.ends + REFLECTION]
    if mirror >= 0:
        men, kings = carried(t, men, mirror), carried(t, kings, mirror)
        foe_men, foe_kings = carried(t, foe_men, mirror), carried(t, foe_kings, mirror)
        ends[place_of(t, 1, men, kings, foe_men, foe_kings, 0)] = byte


def finish(ends: bytearray, start: int, size: int) -> None:
    """Put a draw where only that is left."""
    for place in range(start, start + size):
        if ends[place] == CLOSED:
            ends[place] = 0


def count_down(
    t: LookupTables,
    ends: bytearray,
    c: Ints,
    x: int,
    played: int,
    moves: int,
    lone: int,
    capture_first: int,
    room: Ints,
) -> None:
    """The bytes of a class of kings whose moves are counted, after so many plies with this material, from those after
    one more: drawn when both (or the ``lone``) have made ``moves``; ``capture_first``: not before a capture."""
    for number in range(c[x + SIZE]):
        place = c[x + START] + number * c[x + DEPTH] + played
        ends[place] = 0
        if not unpack(c, x, number, room):
            continue
        kings, foe_kings = room[KINGS], room[FOE_KINGS]
        moved = played // 2
        if lone and kings.bit_count() > foe_kings.bit_count():
            moved = (played + 1) // 2
        over = moved >= moves
        able = capturers(t, 0, 0, kings, 0, foe_kings)
        if able:
            top = captures(t, 0, 0, kings, 0, foe_kings, able, room, MOVES_AT)
        else:
            top = quiets(t, 0, 0, kings, kings | foe_kings, room, MOVES_AT)
        if not over or top == MOVES_AT or (able and capture_first):
            byte = best_of(t, ends, 0, kings, 0, foe_kings, top, able, 0 if able else played + 1, room)
            room[TOP] = max(room[TOP], byte)
            ends[place] = byte
