"""The rules of one draughts game as flat tables of integers, for the kernel.

A square is a bit: the place itself where the whole board fits 64 bits, else its rank among the places played on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from bot.engine.boards import WAYS, Board
from bot.engine.draughts.counted_endings import main_roads
from bot.engine.draughts.movegen import worths
from bot.engine.draughts.state import bits

if TYPE_CHECKING:
    from bot.engine.variant_tables import CaptureTable, DraughtsTables, EndingTable

Ints = list[int]
Step = tuple[int, int]
"""One step in some direction, across and along the board."""

_EVERY = sorted({step for steps in WAYS.values() for step in steps})

WORD = 64

STOPS, PASSES, GOES_ON = 0, 1, 2
_CROWNING = {"stops": STOPS, "passes": PASSES, "goes-on": GOES_ON}

NO_MOVE, LOSE_ALL, FIRST_KING, ONE_LEFT = 0, 1, 2, 3
_WINS = {"no-move": NO_MOVE, "lose-all": LOSE_ALL, "first-king": FIRST_KING, "one-left": ONE_LEFT}

MEN_TOO = 2
"""Positions may come back after quiet moves of men as well, which then go sideways or back."""

TOTAL, ROADS, MADE, LONE, CAPTURE_FIRST, WON_BY_STRONG, SINCE, ENDING = 8, 10, 12, 13, 14, 15, 16, 17
"""Entries of a counted ending: the least and most pieces and the least and most kings of the strong side, likewise of
the weak one, the least and most pieces in all; the squares of either main road (0: they are no matter), after how many
moves it is over, whether these are those of the lone side, whether captures come first, whether the strong side has
won, since when moves count; and how many entries an ending has."""
FROM_MATERIAL, FROM_ENDING, FROM_BOTH = 0, 1, 2
"""Moves count since the material arose, since the ending did, or since both did."""

RANK_BITS = 62
"""What the rank of a capture may take: the rest of the word is for the sign."""
ORDER_PLACES = 20
"""How many captured pieces the criterion "kings-first" looks at, where the others leave it the bits."""


class LookupTables(NamedTuple):
    """``data`` holds all tables, one after the other; the fields named after a table tell where it begins there, for
    compiled functions are slow to be handed many arrays. ``size`` squares; a table by direction and square is flat:
    ``direction * size + square``.

    ``next``: the neighbour, -1 off the board. ``ray``: the bits that a king's capture may start over. ``grows``:
    whether bits grow along a direction. ``steps_at`` and ``jumps_at``: where the moves and captures of men
    are, as shifts in groups of eight (see ``_shifts``): those of a side from entry ``side`` to entry ``side + 1``;
    ``man_hunts_at``, ``king_glides_at`` and ``king_hunts_at``: their directions likewise. ``weights``: what a capture
    is worth to the rule of choice for each piece, each king, for a king that captures, and whether the order of kings
    counts, which is looked at for ``order_places`` pieces. ``halts``: whether a king that takes a king last lands right
    behind it. ``run``: after so many moves in a row a king rests. ``repetition``: whether it is a draw, 1 or MEN_TOO.
    ``wins``: what does. ``endings``: as many as fit
    before ``endings_end`` (see ``ENDING``), with ``counted`` pieces at most; ``tracked``: whether any counts other
    moves than those since a capture or a man's move. ``worth`` and ``keys``: by kind and square (see ``build``).
    ``ends``: the directory of the endgame tables (see endgame_index), for up to ``widest`` pieces, which hold positions
    of up to ``most`` pieces and, packed and without plies, of up to ``outcomes``; 0 where there are none. ``patterns``:
    on what squares patterns lie (see patterns), 0 where there are none; ``pieces``: how many a game begins with;
    ``net``: with how many at most a net is asked (see net), 0 where there is none.
    ``compiled``: whether the search is compiled; then what is known of a position is asked for from memory before it is
    needed, and what was learned is reckoned out anew each time, as looking it up takes as long.
    """

    data: Ints
    size: int
    played: int
    crown: int
    next: int
    ray: int
    grows: int
    opposite: int
    steps_at: int
    jumps_at: int
    man_hunts_at: int
    king_glides_at: int
    king_hunts_at: int
    reach: int
    landing: int
    halts: int
    run: int
    crowning: int
    at_once: int
    turn_back: int
    takes_kings: int
    weights: int
    order_places: int
    repetition: int
    quiet_limit: int
    wins: int
    endings: int
    endings_end: int
    counted: int
    tracked: int
    worth: int
    keys: int
    side_key: int
    ends: int = 0
    most: int = 0
    widest: int = 0
    outcomes: int = 0
    patterns: int = 0
    pieces: int = 1
    net: int = 0
    compiled: int = 0


class Squares(NamedTuple):
    """From a place of the board to its square and back; -1 where nobody plays."""

    of_place: tuple[int, ...]
    place_of: tuple[int, ...]


def signed(value: int) -> int:
    """The integer of 64 bits with a sign that has the same bits."""
    return value - (1 << WORD) if value >> (WORD - 1) == 1 else value


def squares_of(board: Board) -> Squares:
    """How the places of a board are numbered for the kernel."""
    count = len(board.places)
    places = sorted(board.played) if count > WORD else list(range(count))
    of_place = [-1] * count
    for square, place in enumerate(places):
        of_place[place] = square
    return Squares(tuple(of_place), tuple(places))


def _men_return(tables: DraughtsTables) -> bool:
    return any(not direction.startswith("forward") for direction in tables.man.moves)


def build(tables: DraughtsTables, board: Board, worth: Ints, keys: Ints) -> LookupTables:
    """The tables of one game. ``worth`` and ``keys`` are by kind and square: ``kind * size + square``, kinds 0 and 1
    man and king of the first side, 2 and 3 of the second; the last of ``keys`` is for the side to move."""
    squares = squares_of(board)
    size = len(squares.place_of)
    at = {board.places[place]: squares.of_place[place] for place in board.played}
    played = sum(1 << square for square in at.values())

    def neighbour(square: int, step: Step, distance: int = 1) -> int:
        x, y = board.places[squares.place_of[square]]
        return at.get((x + distance * step[0], y + distance * step[1]), -1)

    following = [neighbour(square, step) if played >> square & 1 else -1 for step in _EVERY for square in range(size)]
    short = tables.king.reach == "short"
    reach = 1 if short else size
    last = board.height - 1
    data: Ints = []
    weights, order_places = _weights(tables.capture)
    roads = [sum(1 << squares.of_place[place] for place in bits(road)) for road in sorted(main_roads(board))]
    endings = [_ending(ending, [roads[0], roads[-1]]) for ending in tables.draws.endings]

    def put(values: Ints) -> int:
        data.extend(values)
        return len(data) - len(values)

    def by_side(names: Sequence[str], entries: Callable[[Step], Ints]) -> int:
        """The entries of the directions of either side, one after the other, then where those of a side begin."""
        begins = [len(data)]
        for side in (0, 1):
            for dx, dy in (step for name in names for step in WAYS[name]):
                put(entries((dx, dy if side == 0 else -dy)))
            begins.append(len(data))
        return put(begins)

    def shifts(distance: int) -> Callable[[Step], Ints]:
        return lambda step: _shifts(at.values(), step, neighbour, distance)

    def direction(step: Step) -> Ints:
        return [_EVERY.index(step)]

    return LookupTables(
        data=data,
        size=size,
        played=played,
        crown=put([sum(1 << s for (_, y), s in at.items() if y == row) for row in (last, 0)]),
        next=put(following),
        ray=put([_line(following, d * size, square, reach) for d in range(len(_EVERY)) for square in range(size)]),
        grows=put([int(dy > 0 or (dy == 0 and dx > 0)) for dx, dy in _EVERY]),
        opposite=put([_EVERY.index((-dx, -dy)) for dx, dy in _EVERY]),
        steps_at=by_side(tables.man.moves, shifts(1)),
        jumps_at=by_side(tables.man.captures, shifts(2)),
        man_hunts_at=by_side(tables.man.captures, direction),
        king_glides_at=by_side(tables.king.moves, direction),
        king_hunts_at=by_side(tables.king.captures, direction),
        reach=reach,
        landing=1 if tables.king.lands == "next" or short else size,
        halts=int(tables.king.lands == "next-after-king"),
        run=tables.king.run,
        crowning=_CROWNING[tables.capture.crowning],
        at_once=int(tables.capture.removal == "at_once"),
        turn_back=int(tables.capture.turn_back),
        takes_kings=int(tables.man.captures_kings),
        weights=put(weights),
        order_places=order_places,
        repetition=(MEN_TOO if _men_return(tables) else 1) if tables.draws.repetition else 0,
        quiet_limit=2 * tables.draws.quiet_moves,
        wins=_WINS[tables.outcome.wins],
        endings=put([number for ending in endings for number in ending]),
        endings_end=len(data),
        counted=max((ending[TOTAL + 1] for ending in endings), default=0),
        tracked=int(any(ending.kings is None or counts_from(ending) for ending in tables.draws.endings)),
        worth=put(worth),
        keys=put(keys[:-1]),
        side_key=keys[-1],
    )


def _line(following: Ints, base: int, square: int, reach: int) -> int:
    """The bits along a line from ``square``, at most ``reach`` of them."""
    line, place = 0, following[base + square]
    while place >= 0 and reach:
        line |= 1 << place
        place = following[base + place]
        reach -= 1
    return line


def _shifts(squares: Collection[int], step: Step, neighbour: Callable[[int, Step, int], int], distance: int) -> Ints:
    """One direction as shifts of all men at once: (left, right, left again, right again), the men that have the squares
    to go to and, against the sign of compiled integers, the bits that a shift to the right may leave.

    Where squares are numbered by rank, odd and even rows shift differently: a group for each.
    """
    groups: dict[tuple[int, int], int] = {}
    # A board that no word holds is searched with Python's own integers, which have no sign to mind.
    word = WORD if len(squares) <= WORD else 2 * len(squares)
    for square in squares:
        way = [square, *(neighbour(square, step, further) for further in range(1, distance + 1))]
        if min(way) < 0:
            continue
        first, *more = (b - a for a, b in pairwise(way))
        shift = (first, more[0] if more else 0)
        groups[shift] = groups.get(shift, 0) | 1 << square
    flat: Ints = []
    for (first, second), can in sorted(groups.items()):
        flat += [max(first, 0), max(-first, 0), max(second, 0), max(-second, 0), can]
        flat += [_fit(-first, word), _fit(-second, word), _fit(first + second, word)]
    return flat


def _fit(right: int, word: int) -> int:
    return (1 << (word - right)) - 1 if 0 < right < word else -1


def _ending(ending: EndingTable, roads: Ints) -> Ints:
    """The entries of a counted ending."""
    strong, weak = (
        [*side.pieces, *side.kings] if side else [kings] * 4
        for side, kings in zip((ending.strong, ending.weak), ending.kings or (0, 0), strict=True)
    )
    total = ending.total or [strong[0] + weak[0], strong[1] + weak[1]]
    lone, first, won = ending.counted == "lone", ending.capture_first, ending.result == "win"
    roads = roads if ending.main_road else [0, 0]
    return [*strong, *weak, *total, *roads, ending.moves, int(lone), int(first), int(won), counts_from(ending)]


def counts_from(ending: EndingTable) -> int:
    """Since when the moves of an ending count."""
    if ending.since == "ending":
        return FROM_ENDING
    return FROM_BOTH if ending.main_road else FROM_MATERIAL


def _weights(capture: CaptureTable) -> tuple[Ints, int]:
    """The criteria of choice as parts of one number, the first the weightiest: for a piece, for a king taken, for a
    king that takes, and for a king taken early (0: the order does not count); and how many pieces the last looks at."""
    man, king = worths(capture.king_value)
    widths = {"most-pieces": 6, "most-value": (63 * king).bit_length(), "most-kings": 6, "with-king": 1}
    order_places = min(ORDER_PLACES, (RANK_BITS - sum(widths.get(name, 0) for name in capture.choice)) // 2)
    widths["kings-first"] = 2 * order_places
    weights, shift = dict.fromkeys(widths, 0), 0
    for criterion in reversed(capture.choice):
        weights[criterion] = 1 << shift
        shift += widths[criterion]
    value = weights["most-value"]
    piece, king_more = weights["most-pieces"] + value * man, weights["most-kings"] + value * (king - man)
    return [piece, king_more, weights["with-king"], weights["kings-first"]], order_places
