"""Moves of the draughts family on plain integers, in a form that runs as it is and that numba compiles as well.

A move is one integer: start, end << 8, a king afterwards << 16, a king before << 17. What a capture takes is kept as
bits. A list is filled from an offset on, and the functions return where they stopped. There may be very many ways to
capture: where the last entry of the list is not 0, what looks for them gives up.
"""

from __future__ import annotations

from bot.computer.kernels.lookup_tables import GOES_ON, STOPS, Ints, LookupTables

KING_AFTER, KING_BEFORE = 1 << 16, 1 << 17

PLIES = 160
MOVES = 512
"""Room for the moves of one position."""
SPAN = PLIES * MOVES
"""What a move takes stands so far behind it in the same list, the rank of a capture as far behind that."""


def capturers(t: LookupTables, side: int, men: int, kings: int, foe_men: int, foe_kings: int) -> int:
    """Bits of the own pieces that can capture something at all."""
    data = t.data
    foe = foe_men | foe_kings
    occupied = men | kings | foe
    prey = foe if t.takes_kings else foe_men
    empty = t.played & ~occupied
    able = men & 0
    if men:
        for g in range(data[t.jumps_at + side], data[t.jumps_at + side + 1], 8):
            left, right = data[g], data[g + 1]
            jumped = (men & data[g + 4]) << left >> right & data[g + 5] & prey
            if jumped:
                left2, right2 = data[g + 2], data[g + 3]
                landed = jumped << left2 >> right2 & data[g + 6] & empty
                if landed:
                    able |= landed >> (left + left2) << (right + right2) & (data[g + 7])
    rest = kings
    while rest:
        bit = rest & -rest
        rest ^= bit
        start = bit.bit_length() - 1
        for g in range(data[t.king_hunts_at + side], data[t.king_hunts_at + side + 1]):
            base = data[g] * t.size
            blockers = data[t.ray + base + start] & occupied
            if blockers:
                over = ((blockers & -blockers) if data[t.grows + data[g]] else blockers).bit_length() - 1
                if foe >> over & 1:
                    behind = data[t.next + base + over]
                    if behind >= 0 and not occupied >> behind & 1:
                        able |= bit
    return able


def quiets(t: LookupTables, side: int, men: int, kings: int, occupied: int, room: Ints, at: int) -> int:
    """Moves without a capture."""
    data = t.data
    empty = t.played & ~occupied
    crown = data[t.crown + side]
    for g in range(data[t.steps_at + side], data[t.steps_at + side + 1], 8):
        left, right = data[g], data[g + 1]
        targets = (men & data[g + 4]) << left >> right & data[g + 5] & empty
        while targets:
            bit = targets & -targets
            targets ^= bit
            end = bit.bit_length() - 1
            move = (end - left + right) | end << 8
            if bit & crown:
                move |= KING_AFTER
            room[at] = move
            at += 1
    while kings:
        bit = kings & -kings
        kings ^= bit
        start = bit.bit_length() - 1
        for g in range(data[t.king_glides_at + side], data[t.king_glides_at + side + 1]):
            base = data[g] * t.size
            end = data[t.next + base + start]
            left = t.reach
            while end >= 0 and left and not occupied >> end & 1:
                room[at] = start | end << 8 | KING_AFTER | KING_BEFORE
                at += 1
                left -= 1
                end = data[t.next + base + end]
    return at


def can_step(t: LookupTables, side: int, men: int, kings: int, occupied: int) -> bool:
    """Whether there is a move without a capture."""
    data = t.data
    empty = t.played & ~occupied
    for g in range(data[t.steps_at + side], data[t.steps_at + side + 1], 8):
        if (men & data[g + 4]) << data[g] >> data[g + 1] & data[g + 5] & empty:
            return True
    while kings:
        bit = kings & -kings
        kings ^= bit
        start = bit.bit_length() - 1
        for g in range(data[t.king_glides_at + side], data[t.king_glides_at + side + 1]):
            end = data[t.next + data[g] * t.size + start]
            if end >= 0 and not occupied >> end & 1:
                return True
    return False


def captures(
    t: LookupTables, side: int, men: int, kings: int, foe_men: int, foe_kings: int, able: int, room: Ints, at: int
) -> int:
    """The captures that the rule of choice allows, one for each position that they lead to. ``able``: see capturers."""
    data = t.data
    occupied = men | kings | foe_men | foe_kings
    foe = foe_men | foe_kings
    top = at
    while able:
        bit = able & -able
        able ^= bit
        start = bit.bit_length() - 1
        king = 1 if kings & bit else 0
        rank = data[t.weights + 2] if king else 0
        before = KING_BEFORE if king else 0
        _, top = _chain(
            t, side, start | before, start, king, -1, foe, foe, foe_kings, occupied ^ bit, rank, 0,
            room, at, top,
        )  # fmt: skip
    return top


def _chain(
    t: LookupTables,
    side: int,
    start: int,
    cell: int,
    king: int,
    came: int,
    foe: int,
    left: int,
    foe_kings: int,
    occupied: int,
    rank: int,
    count: int,
    room: Ints,
    at: int,
    top: int,
) -> tuple[int, int]:
    """Search on from ``cell``: whether a capture was possible there, and where the list ends now."""
    data = t.data
    if room[-1]:
        return 1, top
    more = 0
    if king:
        for g in range(data[t.king_hunts_at + side], data[t.king_hunts_at + side + 1]):
            d = data[g]
            base = d * t.size
            blockers = data[t.ray + base + cell] & occupied
            if blockers and (t.turn_back or came < 0 or came != data[t.opposite + d]):
                over = ((blockers & -blockers) if data[t.grows + d] else blockers).bit_length() - 1
                first = data[t.next + base + over] if left >> over & 1 else -1
                if first >= 0 and not occupied >> first & 1:
                    more = 1
                    jumped = 1 << over
                    still = occupied & ~jumped if t.at_once else occupied
                    worth = rank + _worth(t, foe_kings, jumped, count)
                    goes_on = 0
                    land = first
                    reach = t.landing
                    while land >= 0 and reach and not occupied >> land & 1:
                        further, top = _chain(
                            t, side, start, land, 1, d, foe, left & ~jumped, foe_kings, still, worth, count + 1,
                            room, at, top,
                        )  # fmt: skip
                        goes_on |= further
                        land = data[t.next + base + land]
                        reach -= 1
                    if not goes_on:
                        land = first
                        reach = 1 if t.halts and foe_kings & jumped else t.landing
                        while land >= 0 and reach and not occupied >> land & 1:
                            move = start | land << 8 | KING_AFTER
                            top = _keep(move, foe ^ left | jumped, worth, room, at, top)
                            land = data[t.next + base + land]
                            reach -= 1
        return more, top
    prey = left if t.takes_kings else left & ~foe_kings
    for g in range(data[t.man_hunts_at + side], data[t.man_hunts_at + side + 1]):
        d = data[g]
        over = data[t.next + d * t.size + cell]
        land = data[t.next + d * t.size + over] if over >= 0 and prey >> over & 1 else -1
        if land >= 0 and not occupied >> land & 1:
            more = 1
            jumped = 1 << over
            still = occupied & ~jumped if t.at_once else occupied
            worth = rank + _worth(t, foe_kings, jumped, count)
            crowned = 1 if data[t.crown + side] >> land & 1 else 0
            further = 0
            if not (crowned and t.crowning == STOPS):
                becomes = 1 if crowned and t.crowning == GOES_ON else 0
                further, top = _chain(
                    t, side, start, land, becomes, d if becomes else -1, foe, left & ~jumped, foe_kings, still, worth,
                    count + 1, room, at, top,
                )  # fmt: skip
            if not further:
                move = start | land << 8 | (KING_AFTER if crowned else 0)
                top = _keep(move, foe ^ left | jumped, worth, room, at, top)
    return more, top


def _worth(t: LookupTables, foe_kings: int, jumped: int, count: int) -> int:
    """What the next piece taken adds to a capture's rank."""
    data = t.data
    king = 1 if foe_kings & jumped else 0
    worth = data[t.weights] + king * data[t.weights + 1]
    if data[t.weights + 3] and count < t.order_places:
        worth += data[t.weights + 3] * (1 + king) << 2 * (t.order_places - 1 - count)
    return worth


def _keep(move: int, prey: int, rank: int, room: Ints, at: int, top: int) -> int:
    """Enter a capture unless it is there already or a better one is; where the list ends now."""
    if top > at:
        if rank < room[at + 2 * SPAN]:
            return top
        if rank > room[at + 2 * SPAN]:
            top = at
    # A piece that ends where it began leaves the same position as any other of its kind that does.
    in_place = (move & 255) == (move >> 8 & 255)
    kinds = move >> 16
    for i in range(at, top):
        if room[i + SPAN] == prey:
            other = room[i]
            if other == move:
                return top
            if in_place and (other & 255) == (other >> 8 & 255) and other >> 16 == kinds and kinds in (0, 3):
                return top
    if top - at == MOVES:
        return top
    room[top], room[top + SPAN], room[top + 2 * SPAN] = move, prey, rank
    return top + 1
