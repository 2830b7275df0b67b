"""Solving who wins endgames, without in how many plies, in a form that runs as it is and that numba compiles as well.

Two classes that differ in who is to move are solved together, when all that captures and crownings lead to is known.
While that lasts each position has a byte. First it gets what is certain at once: who can capture must, and what
captures lead to is known; who cannot move has lost; a crowning may win. Each other position gets the number of its
moves that have not turned out to lose. Then what is newly won or lost is taken back by one move, in any order, until
nothing new is left: before a loss there is a win, and before a win there is one move fewer that does not lose. What has
moves left in the end is a draw.

Where it is asked how far a win is from its conversion (a capture or a crowning, by either side), wins and losses are
taken back in turns: what is won by the n-th turn of losses is n own moves before the last one, which converts.

``known`` has two bits for each position of the classes that are solved: DRAW, LOSS, WIN of the mover.

A class is described by eleven integers in a list ``c``: how many sets of squares each of four groups has, where those
sets are in the list, where its bytes begin, how many positions it has, and where the directory has it.
"""

from __future__ import annotations

from bot.computer.kernels.endgame_index import LEAD, LEADS, REFLECTION, STRIDES, WAY, carried, place_of, rank
from bot.computer.kernels.endgame_worth import MOVES_AT
from bot.computer.kernels.lookup_tables import Ints, LookupTables
from bot.computer.kernels.movegen import KING_AFTER, KING_BEFORE, SPAN, capturers, captures, quiets

DRAW, LOSS, WIN = 0, 1, 2
"""What a position is worth to its mover."""

SETS, START, SIZE, ENTRY = 4, 8, 9, 10
"""Entries of a class behind the numbers of its sets."""

MOST_LEFT = 239
"""Bytes up to here: so many moves have not turned out to lose. No side has more."""
TAKES, NEW, SHUT = 240, 4, 255
"""Bytes behind: a worth, more NEW where it has not been taken back yet, on TAKES or, where there is no capture, on
MOVES; SHUT: two pieces share a square."""
MOVES = 248


def unpacked(c: Ints, x: int, number: int, room: Ints) -> bool:
    """Put the position of a number into the room. False where two of its pieces share a square."""
    foe_kings = c[c[x + SETS + 3] + number % c[x + 3]]
    number //= c[x + 3]
    foe_men = c[c[x + SETS + 2] + number % c[x + 2]]
    number //= c[x + 2]
    kings = c[c[x + SETS + 1] + number % c[x + 1]]
    men = c[c[x + SETS] + number // c[x + 1]]
    room[1], room[2], room[3], room[4] = men, kings, foe_men, foe_kings
    return not (men & kings | foe_men & foe_kings | (men | kings) & (foe_men | foe_kings))


def begin(t: LookupTables, known: bytearray, worths: bytearray, c: Ints, x: int, room: Ints) -> None:
    """Give every position of a class its first byte."""
    for number in range(c[x + SIZE]):
        if not unpacked(c, x, number, room):
            worths[c[x + START] + number] = SHUT
            continue
        men, kings, foe_men, foe_kings = room[1], room[2], room[3], room[4]
        able = capturers(t, 0, men, kings, foe_men, foe_kings)
        if able:
            top = captures(t, 0, men, kings, foe_men, foe_kings, able, room, MOVES_AT)
            byte = TAKES + NEW + LOSS
            for i in range(MOVES_AT, top):
                worth = after(t, known, men, kings, foe_men, foe_kings, room[i], room[i + SPAN])
                if worth == LOSS:
                    byte = TAKES + NEW + WIN
                    break
                if worth == DRAW:
                    byte = TAKES + DRAW
        else:
            top = quiets(t, 0, men, kings, men | kings | foe_men | foe_kings, room, MOVES_AT)
            byte = top - MOVES_AT
            for i in range(MOVES_AT, top):
                if room[i] & (KING_AFTER | KING_BEFORE) == KING_AFTER:
                    worth = after(t, known, men, kings, foe_men, foe_kings, room[i], 0)
                    if worth == LOSS:
                        byte = MOVES + NEW + WIN
                        break
                    if worth == WIN:
                        byte -= 1
            if byte == 0:
                byte = MOVES + NEW + LOSS
        worths[c[x + START] + number] = byte


def after(
    t: LookupTables, known: bytearray, men: int, kings: int, foe_men: int, foe_kings: int, move: int, prey: int
) -> int:
    """What a move out of the class leads to is worth to the other side."""
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
        return LOSS
    place = place_of(t, 1, foe_men, foe_kings, men, kings, 0)
    return known[place >> 2] >> 2 * (place & 3) & 3


def take_back(
    t: LookupTables,
    worths: bytearray,
    c: Ints,
    x: int,
    y: int,
    room: Ints,
    only: int,
    distances: bytearray,
    distance: int,
) -> int:
    """Go from what is new in the class ``x`` to the positions of ``y``, the same with the other side to move, one move
    before; how much was new. ``only``: LOSS or WIN, DRAW for both. ``distances``: a byte for each position, where
    ``distance`` is above 0, which is that of what is won now."""
    data = t.data
    turned, mirror = data[t.ends + WAY + 1], data[t.ends + REFLECTION]
    leads = data[c[x + ENTRY] + LEADS]
    seen = 0
    for number in range(c[x + SIZE]):
        place = c[x + START] + number
        byte = worths[place] + 0
        if byte < TAKES or byte == SHUT or not byte & NEW or (only and byte & 3 != only):
            continue
        seen += 1
        worths[place] = byte ^ NEW
        unpacked(c, x, number, room)
        men, kings = carried(t, room[3], turned), carried(t, room[4], turned)
        foe_men, foe_kings = carried(t, room[1], turned), carried(t, room[2], turned)
        lost = byte & 3 == LOSS
        before(t, worths, c, y, men, kings, foe_men, foe_kings, lost, distances, distance)
        if leads >= 0:
            leading = room[1 + leads]
            # A set that is its own reflection: the reflected position has a place of its own.
            if carried(t, leading, mirror) != leading:
                men, kings = carried(t, men, mirror), carried(t, kings, mirror)
                foe_men, foe_kings = carried(t, foe_men, mirror), carried(t, foe_kings, mirror)
                before(t, worths, c, y, men, kings, foe_men, foe_kings, lost, distances, distance)
    return seen


def before(
    t: LookupTables,
    worths: bytearray,
    c: Ints,
    y: int,
    men: int,
    kings: int,
    foe_men: int,
    foe_kings: int,
    lost: bool,
    distances: bytearray,
    distance: int,
) -> None:
    """The positions of ``y`` one move of the first side before this one, in which the second side, now to move, has
    lost or won. Only those that are numbered: a reflection of them had its moves not counted."""
    data = t.data
    entry = c[y + ENTRY]
    leads = data[entry + LEADS]
    # What the four groups count for, in a number of the class.
    of_men = part(t, entry, leads, men, 0)
    of_kings = part(t, entry, leads, kings, 1)
    others = part(t, entry, leads, foe_men, 2)
    more = part(t, entry, leads, foe_kings, 3)
    if others < 0 or more < 0:
        return
    others += more + c[y + START]
    empty = t.played & ~(men | kings | foe_men | foe_kings)
    if of_kings >= 0:
        for g in range(data[t.steps_at], data[t.steps_at + 1], 8):
            rest = men
            while rest:
                bit = rest & -rest
                rest ^= bit
                start = bit.bit_length() - 1 - data[g] + data[g + 1]
                if 0 <= start < t.size and data[g + 4] >> start & 1 and empty >> start & 1:
                    of_moved = part(t, entry, leads, men ^ bit | 1 << start, 0)
                    if of_moved >= 0:
                        settle(worths, others + of_kings + of_moved, lost, distances, distance)
    if of_men >= 0:
        rest = kings
        while rest:
            bit = rest & -rest
            rest ^= bit
            end = bit.bit_length() - 1
            for g in range(data[t.king_glides_at], data[t.king_glides_at + 1]):
                base = data[t.opposite + data[g]] * t.size
                start = data[t.next + base + end]
                left = t.reach
                while start >= 0 and left and empty >> start & 1:
                    of_moved = part(t, entry, leads, kings ^ bit | 1 << start, 1)
                    if of_moved >= 0:
                        settle(worths, others + of_men + of_moved, lost, distances, distance)
                    left -= 1
                    start = data[t.next + base + start]


def part(t: LookupTables, entry: int, leads: int, bits: int, group: int) -> int:
    """What a group counts for in the number of a position, -1 for one that leads and is a reflection."""
    if not bits:
        return 0
    number = rank(t, bits, group)
    if group == leads:
        packed = t.data[t.data[entry + LEAD] + number]
        if packed & 1:
            return -1
        number = packed >> 1
    return number * t.data[entry + STRIDES + group]


def settle(worths: bytearray, place: int, lost: bool, distances: bytearray, distance: int) -> None:
    """A position has a move after which the other side has lost or won."""
    byte = worths[place] + 0
    if byte <= MOST_LEFT:
        if lost:
            worths[place] = MOVES + NEW + WIN
            if distance > 0:
                distances[place] = distance
        elif byte == 1:
            worths[place] = MOVES + NEW + LOSS
        else:
            worths[place] = byte - 1


def finish(worths: bytearray, start: int, size: int, known: bytearray, at: int) -> None:
    """Write what a class turned out to be worth, two bits a position, into ``known`` from the byte ``at`` on."""
    for first in range(0, size, 4):
        packed = 0
        for i in range(min(4, size - first)):
            byte = worths[start + first + i] + 0
            if byte >= TAKES and byte != SHUT:
                packed |= (byte & 3) << 2 * i
        known[at + (first >> 2)] = packed
