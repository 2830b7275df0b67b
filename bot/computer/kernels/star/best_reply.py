"""Best-reply search over flat integers, in a form that runs as it is and that numba compiles as well.

The player who thinks and all others take turns: of the turns that the others have, the worst for the player is
answered. For two this is plain alpha-beta.
"""

from __future__ import annotations

from typing import NamedTuple

from bot.computer.kernels.lookup_tables import Ints
from bot.computer.kernels.search_room import FAR, LIMIT, NODES, STOP, WIN
from bot.computer.kernels.star.peg_moves import (
    BOARD,
    CODE,
    HOLE,
    KEY,
    LEFT,
    LIST,
    MOVES,
    SET,
    WORTH,
    is_home,
    play,
    seat_worth,
    set_worth,
    take_back,
    turns_of,
)
from bot.computer.kernels.star.peg_tables import PegTables

SEAT, DUEL, GOES_ON, SELECTIVE, OWN_WIDTH, OTHER_WIDTH = 3, 4, 5, 6, 7, 8
"""Entries of the room behind those of alphabeta: who thinks; whether two play; whether others who come home do not end
the game; whether turns that would not matter are passed over; of how many turns below the root those that gain most are
looked at, of the player and of each of the others (0: all)."""
OTHERS = 9
"""The seats of the others, and -1 behind the last."""

MOST_GAINED = 1200
"""By how much the search believes that one turn can change a lead."""
SLOT = 4
"""Entries of a slot of the table: key, depth and bounds, the best turn."""

_THEIRS = 0x2545F4914F6CDD1D
_BOUND = 20
_BOUNDS = (1 << _BOUND) - 1


class PegWork(NamedTuple):
    """Room that one search writes in. ``table``: SLOT integers for each of ``slots`` positions (a power of two, 0 to
    search without)."""

    room: Ints
    table: Ints
    slots: int


def lead(t: PegTables, room: Ints) -> int:
    """The player's lead over the other, at a table over the best of the others, its own pegs counted twice."""
    own = seat_worth(t, room, room[SEAT])
    best = -FAR
    at = OTHERS
    while room[at] >= 0:
        best = max(best, seat_worth(t, room, room[at]))
        at += 1
    return own - best if room[DUEL] else own - best // 2


def decided(t: PegTables, room: Ints, own: bool, ply: int) -> int:
    """What the game is worth to who has just moved, the player or the others, if it is over, else FAR. By a swap
    somebody else may come home."""
    if is_home(t, room, room[SEAT]):
        return WIN - ply if own else ply - WIN
    if not room[GOES_ON]:
        at = OTHERS
        while room[at] >= 0:
            if is_home(t, room, room[at]):
                return ply - WIN if own else WIN - ply
            at += 1
    return FAR


def best_reply(t: PegTables, w: PegWork, own: bool, depth: int, alpha: int, beta: int, ply: int, passed: bool) -> int:
    """What a position is worth to who is to move, the player or the others, after ``depth`` more turns; 0 once stopped.
    ``passed``: the others had no turn."""
    room = w.room
    count = room[NODES] + 1
    room[NODES] = count
    if count > room[LIMIT]:
        room[STOP] = 1
        return 0
    if depth <= 0:
        return lead(t, room) if own else -lead(t, room)
    key = room[KEY] if own else room[KEY] ^ _THEIRS
    table = w.table
    slot = -1
    hint = 0
    low, high = -FAR, FAR
    if w.slots:
        slot = SLOT * (key & (w.slots - 1))
        if table[slot] == key:
            hint = table[slot + 3]
            if table[slot + 1] == depth:
                low = (table[slot + 2] >> _BOUND) - FAR
                high = (table[slot + 2] & _BOUNDS) - FAR
                if low >= beta or low == high:
                    return low
                if high <= alpha:
                    return high
    if depth == 1 and room[SELECTIVE]:
        # A turn nearly always gains something, and never everything.
        ahead = lead(t, room) if own else -lead(t, room)
        if ahead >= beta:
            return ahead
        if ahead + MOST_GAINED <= alpha:
            return ahead + MOST_GAINED
    at = MOVES + ply * LIST
    top = at
    if own:
        top = turns_of(t, room, room[SEAT], at, room[OWN_WIDTH])
    else:
        other = OTHERS
        while room[other] >= 0:
            top = turns_of(t, room, room[other], top, room[OTHER_WIDTH])
            other += 1
    if top == at:
        return 0 if passed else -best_reply(t, w, not own, depth, -beta, -alpha, ply, True)
    if hint:
        # What was best at a depth before is looked at first.
        for i in range(at + 1, top):
            if room[i] == hint:
                for behind in range(i, at, -1):
                    room[behind] = room[behind - 1]
                room[at] = hint
                break
    best = -FAR
    best_turn = room[at]
    floor = alpha
    for i in range(at, top):
        turn = room[i]
        code = turn >> CODE & SET
        # A swap moves another's peg as well.
        other = room[BOARD + (turn & HOLE)] if turn >> LEFT & HOLE != turn & HOLE else code
        worth, other_worth = room[WORTH + code], room[WORTH + other]
        play(t, room, turn)
        room[WORTH + code] = set_worth(t, room, code)
        if other != code:
            room[WORTH + other] = set_worth(t, room, other)
        score = decided(t, room, own, ply + 1)
        if score == FAR:
            # The first turn is expected to be best: of the others it is asked first whether they are no better.
            scout = best > -FAR and floor + 1 < beta
            until = floor + 1 if scout else beta
            score = -best_reply(t, w, not own, depth - 1, -until, -floor, ply + 1, False)
            if scout and floor < score < beta:
                score = -best_reply(t, w, not own, depth - 1, -beta, -floor, ply + 1, False)
        take_back(t, room, turn)
        room[WORTH + other] = other_worth
        room[WORTH + code] = worth
        if room[STOP]:
            return 0
        if score > best:
            best, best_turn = score, turn
            floor = max(floor, score)
            if floor >= beta:
                break
    # A win is told with the plies to it, which another way to this position has as well: all come at one depth.
    if slot >= 0:
        lowest = best if best > alpha else low
        highest = best if best < beta else high
        table[slot] = key
        table[slot + 1] = depth
        table[slot + 2] = (lowest + FAR) << _BOUND | (highest + FAR)
        table[slot + 3] = best_turn
    return best
