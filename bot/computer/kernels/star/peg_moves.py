"""Pegs on the star and their turns over flat integers, in a form that runs as it is and that numba compiles as well.

A turn is one integer that sorts by what it gains: that, the set's code, the holes where it begins and ends, and the two
holes of a swap (the hole that the peg left, and the one it took), which are the same where there is none. Of the turns
with more than one swap none is found: they are rare, and at the root of a search the rules find them.
"""

from __future__ import annotations

from bot.computer.kernels.lookup_tables import Ints
from bot.computer.kernels.star.peg_tables import CODES, GOALS, NOWHERE, SIZE, WAYS, PegTables
from bot.engine.star.movegen import NOBODY

GAIN, CODE, START, END, LEFT = 31, 28, 21, 14, 7
"""The bits at which the parts of a turn begin; the hole of a swap that is taken comes at the first."""
HOLE = 127
SET = 7
OFFSET = 1 << 14
"""What is added to a gain so that it is more than nothing."""

STEP = 20
"""For each step of a peg outside the target to the nearest hole of it that is still free."""
HOME = 200
"""For a peg in its target: it takes a near hole from the others, and must be welcome all the same."""

# Entries of the room, behind those of the search.
BOARD = 16
"""By hole the set code of the peg there, 0 for none."""
PLACE = BOARD + SIZE
"""By hole where its peg stands among the pegs of the set."""
PEGS = PLACE + SIZE
"""By set code the holes of its pegs, in any order."""
COUNT = PEGS + CODES * GOALS
INSIDE = COUNT + CODES
"""By set code how many of its pegs stand in the target."""
WORTH = INSIDE + CODES
"""By set code what its pegs are worth."""
KEY = WORTH + CODES
FREE = KEY + 1
QUEUE = FREE + GOALS
SEEN = QUEUE + 2 * SIZE
"""By hole, for chains and for chains after a swap, the number of the last search for chains that came there."""
SEARCHES = SEEN + 2 * SIZE
SET_KEY = SEARCHES + 1
"""By set code a number that tells where its pegs stand."""
WORTHS = SET_KEY + CODES
"""What sets were worth: their number and the worth, for as many as there are slots."""
WORTH_SLOTS = 1 << 11
MOVES = WORTHS + 2 * WORTH_SLOTS
"""Where lists of turns begin,"""
LIST = 4096
"""each with room for so many."""


def set_up(t: PegTables, room: Ints, pegs: bytes) -> None:
    """Put pegs on the board in place of those that are there. ``pegs``: by hole the set code, 0 for none."""
    for code in range(CODES):
        room[COUNT + code] = 0
        room[INSIDE + code] = 0
        room[SET_KEY + code] = 0
    room[KEY] = 0
    for hole in range(SIZE):
        code = pegs[hole]
        room[BOARD + hole] = 0
        if code:
            count = room[COUNT + code]
            room[COUNT + code] = count + 1
            land(t, room, code, hole, count)
    for code in range(1, CODES):
        room[WORTH + code] = set_worth(t, room, code)


def lift(t: PegTables, room: Ints, code: int, hole: int) -> int:
    """Take a peg off the board; its place among those of the set. What that is worth is not changed, here as below."""
    room[BOARD + hole] = 0
    room[INSIDE + code] -= t.data[t.target + code * SIZE + hole]
    key = t.data[t.keys + code * SIZE + hole]
    room[KEY] ^= key
    room[SET_KEY + code] ^= key
    return room[PLACE + hole]


def land(t: PegTables, room: Ints, code: int, hole: int, place: int) -> None:
    """Put a peg that was lifted into an empty hole."""
    room[BOARD + hole] = code
    room[PLACE + hole] = place
    room[PEGS + code * GOALS + place] = hole
    room[INSIDE + code] += t.data[t.target + code * SIZE + hole]
    key = t.data[t.keys + code * SIZE + hole]
    room[KEY] ^= key
    room[SET_KEY + code] ^= key


def play(t: PegTables, room: Ints, turn: int) -> None:
    """Make a turn."""
    code, left, taken = turn >> CODE & SET, turn >> LEFT & HOLE, turn & HOLE
    place = lift(t, room, code, turn >> START & HOLE)
    if left != taken:
        other = room[BOARD + taken]
        land(t, room, other, left, lift(t, room, other, taken))
    land(t, room, code, turn >> END & HOLE, place)


def take_back(t: PegTables, room: Ints, turn: int) -> None:
    """Take the turn back that was made last."""
    code, left, taken = turn >> CODE & SET, turn >> LEFT & HOLE, turn & HOLE
    place = lift(t, room, code, turn >> END & HOLE)
    if left != taken:
        other = room[BOARD + left]
        land(t, room, other, taken, lift(t, room, other, left))
    land(t, room, code, turn >> START & HOLE, place)


def set_worth(t: PegTables, room: Ints, code: int) -> int:
    """What the pegs of one set are worth where they stand."""
    # Other sets move in between, and the same places come again and again.
    key = room[SET_KEY + code]
    slot = WORTHS + 2 * (key & (WORTH_SLOTS - 1))
    if room[slot] == key:
        return room[slot + 1]
    data, worths, targets = t.data, t.worth + code * SIZE, t.target + code * SIZE
    free = FREE
    for at in range(t.goals + code * GOALS, t.goals + code * GOALS + GOALS):
        goal = data[at]
        if room[BOARD + goal] != code:
            room[free] = goal
            free += 1
    worth = HOME * room[INSIDE + code]
    for at in range(PEGS + code * GOALS, PEGS + code * GOALS + room[COUNT + code]):
        hole = room[at]
        worth += data[worths + hole]
        if not data[targets + hole]:
            row = t.near + hole * SIZE
            least = SIZE
            for each in range(FREE, free):
                steps = data[row + room[each]]
                if steps < least:
                    least = steps
            worth -= STEP * least
    room[slot] = key
    room[slot + 1] = worth
    return worth


def seat_worth(t: PegTables, room: Ints, seat: int) -> int:
    """What the pegs of a seat are worth, by what was noted of its sets."""
    worth = 0
    first = t.codes + seat * t.sets
    for at in range(first, first + t.sets):
        worth += room[WORTH + t.data[at]]
    return worth


def is_home(t: PegTables, room: Ints, seat: int) -> bool:
    """Whether a seat has come home, as StarMoveGenerator.is_home has it."""
    data = t.data
    standing = inside = 0
    first = t.codes + seat * t.sets
    for at in range(first, first + t.sets):
        standing += room[COUNT + data[at]]
        inside += room[INSIDE + data[at]]
    if inside == standing:
        return inside > 0
    if not t.filling:
        return False
    for at in range(first, first + t.sets):
        code = data[at]
        if not room[INSIDE + code]:
            return False
        for goal in range(t.goals + code * GOALS, t.goals + code * GOALS + GOALS):
            other = room[BOARD + data[goal]]
            if other != code and (other == 0 or not foreign(t, seat, other)):
                return False
    return True


def foreign(t: PegTables, seat: int, code: int) -> bool:
    """Whether pegs of a set are another player's."""
    owner = t.data[t.owners + code]
    return owner not in (seat, NOBODY)


def turns_of(t: PegTables, room: Ints, seat: int, at: int, width: int) -> int:
    """Write the turns of a seat from the entry ``at`` on, the ``width`` that gain most (0: all), the best first; where
    they end."""
    top = at
    first = t.codes + seat * t.sets
    for place in range(first, first + t.sets):
        code = t.data[place]
        for peg in range(PEGS + code * GOALS, PEGS + code * GOALS + room[COUNT + code]):
            top = turns_of_peg(t, room, seat, code, room[peg], at, top, width)
    return top


def weigh(t: PegTables, room: Ints, seat: int, at: int, top: int) -> None:
    """Put in place of each turn of a seat, from the entry ``at`` to ``top``, twice what its pegs are worth then, and 1
    more where it is home."""
    for i in range(at, top):
        turn = room[i]
        code = turn >> CODE & SET
        worth = room[WORTH + code]
        play(t, room, turn)
        room[WORTH + code] = set_worth(t, room, code)
        room[i] = 2 * seat_worth(t, room, seat) + int(is_home(t, room, seat))
        take_back(t, room, turn)
        room[WORTH + code] = worth


def turns_of_peg(t: PegTables, room: Ints, seat: int, code: int, start: int, at: int, top: int, width: int) -> int:
    """Add the turns of one peg to the list from ``at`` to ``top``; where it ends now."""
    data = t.data
    base = code * SIZE
    worths, rests = t.worth + base, t.rest + base
    begin = (OFFSET - data[worths + start] << GAIN) + (code << CODE) + (start << START)
    room[BOARD + start] = 0
    for step in range(t.steps + (base + start) * WAYS, t.steps + (base + start) * WAYS + WAYS):
        to = data[step]
        if to == NOWHERE:
            break
        if not room[BOARD + to]:
            top = add(room, at, top, width, begin + (data[worths + to] << GAIN) + (to << END))
        elif t.swaps and data[t.target + base + to] and foreign(t, seat, room[BOARD + to]):
            swap = begin + (data[worths + to] << GAIN) + (to << END) + (start << LEFT) + to
            top = add(room, at, top, width, swap)
    search = room[SEARCHES] + 1
    room[SEARCHES] = search
    room[SEEN + start] = search
    room[QUEUE] = start
    reached, here = QUEUE + 1, QUEUE
    while here < reached:
        hole = room[here]
        here += 1
        for hop in range(t.hops + (base + hole) * 2 * WAYS, t.hops + (base + hole + 1) * 2 * WAYS, 2):
            over = data[hop]
            if over == NOWHERE:
                break
            if room[BOARD + over]:
                to = data[hop + 1]
                if not room[BOARD + to]:
                    if room[SEEN + to] != search:
                        room[SEEN + to] = search
                        room[reached] = to
                        reached += 1
                        if data[rests + to]:
                            top = add(room, at, top, width, begin + (data[worths + to] << GAIN) + (to << END))
                elif t.swaps and data[t.target + base + to] and foreign(t, seat, room[BOARD + to]):
                    top = turns_after_swap(t, room, begin, hole, to, at, top, width)
    room[BOARD + start] = code
    return top


def turns_after_swap(t: PegTables, room: Ints, begin: int, left: int, taken: int, at: int, top: int, width: int) -> int:
    """Add the turns of a peg that swaps in a hop from ``left`` to ``taken``: it may hop on. ``begin``: the turn without
    its end. The peg is beside the board."""
    data = t.data
    base, start = (begin >> CODE & SET) * SIZE, begin >> START & HOLE
    worths, rests = t.worth + base, t.rest + base
    begin += (left << LEFT) + taken
    room[BOARD + left] = room[BOARD + taken]
    room[BOARD + taken] = 0
    queue, seen = QUEUE + SIZE, SEEN + SIZE
    search = room[SEARCHES] + 1
    room[SEARCHES] = search
    room[seen + taken] = search
    room[queue] = taken
    reached, here = queue + 1, queue
    while here < reached:
        hole = room[here]
        here += 1
        if hole != start and data[rests + hole]:
            top = add(room, at, top, width, begin + (data[worths + hole] << GAIN) + (hole << END))
        for hop in range(t.hops + (base + hole) * 2 * WAYS, t.hops + (base + hole + 1) * 2 * WAYS, 2):
            over = data[hop]
            if over == NOWHERE:
                break
            to = data[hop + 1]
            if room[BOARD + over] and not room[BOARD + to] and room[seen + to] != search:
                room[seen + to] = search
                room[reached] = to
                reached += 1
    room[BOARD + taken] = room[BOARD + left]
    room[BOARD + left] = 0
    return top


def add(room: Ints, at: int, top: int, width: int, turn: int) -> int:
    """Put a turn into the list from ``at`` to ``top``, which is sorted and keeps ``width`` (0: all); where it ends."""
    if width and top - at == width:
        if turn < room[top - 1]:
            return top
        top -= 1
    here = top
    while here > at and room[here - 1] < turn:
        room[here] = room[here - 1]
        here -= 1
    room[here] = turn
    return top + 1
