"""Positions of Chinese checkers as a search has them: what they are worth, and which follow.

What a seat is worth is how far its pegs have come, in hundredths of a row; a peg left behind costs more than the rows
that it lacks, and each pays for the steps to the nearest hole of its target that is still free.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final, NamedTuple

from bot.computer.kernels.backends import Backend, backend_for, star_kernel
from bot.computer.kernels.lookup_tables import Ints
from bot.computer.kernels.star import peg_tables
from bot.computer.kernels.star.peg_moves import CODE, END, HOLE, LEFT, LIST, MOVES, SET, START, WORTH
from bot.computer.kernels.star.peg_tables import PegTables
from bot.engine.star.geometry import GROUND, HOLES, OPPOSITE, SETS, STEPS
from bot.engine.star.movegen import Pegs
from bot.engine.star.rules import StarRules

ROW: Final = 100
BEHIND, BEHIND_OF_MANY = 5, 12
"""For each row that a peg lacks, times the rows that it lacks: the last ones must not be forgotten, least of all where
a player has several sets and pegs that come home can shut others in."""
ASIDE: Final = 8
"""For each half hole that a peg stands off the line between the two triangles."""
ASTRAY: Final = 1500
"""For a peg in the target of another set of its player: pegs that may not leave it again can shut it in for good."""


def _distances(start: int) -> tuple[int, ...]:
    """The steps from a hole to each other one on an empty board."""
    steps = {start: 0}
    nodes = [start]
    for hole in nodes:
        for to in STEPS[hole]:
            if to not in steps:
                steps[to] = steps[hole] + 1
                nodes.append(to)
    return tuple(steps[hole] for hole in HOLES)


@cache
def _all_distances() -> tuple[tuple[int, ...], ...]:
    """The steps between two holes."""
    return tuple(_distances(hole) for hole in HOLES)


class Following(NamedTuple):
    """The pegs after a turn, what those of its player are worth then, and whether it is home."""

    pegs: Pegs
    worth: int
    home: bool


class StarPositions:
    """The positions of one choice of options. ``tables``: for the kernel, in the backend's form."""

    def __init__(self, rules: StarRules, backend: Backend | None = None) -> None:
        self.rules, self.backend = rules, backend or backend_for(1)
        self.kernel = star_kernel(self.backend)
        worth = ((0,) * len(HOLES), *(self._worth(name) for name in SETS))
        plain = peg_tables.build(rules.kernel, worth, _all_distances())
        self.tables: PegTables = self.backend.handed(plain._replace(data=self.backend.fitted(plain.data)))

    def _worth(self, name: str) -> tuple[int, ...]:
        """What a peg of a set is worth, by hole."""
        ground = GROUND[OPPOSITE[name]]
        # The two other axes that cross the line tell how far a hole lies to either side of it.
        place = SETS.index(name)
        left, right = GROUND[SETS[(place + 2) % 6]], GROUND[SETS[(place + 4) % 6]]
        code, kernel = place + 1, self.rules.kernel
        behind = BEHIND if len(kernel.codes[0]) == 1 else BEHIND_OF_MANY
        others = (other for own in kernel.codes if code in own for other in own if other != code)
        astray = frozenset[int]().union(*(kernel.target[other] for other in others))
        return tuple(
            ROW * ground[hole]
            - behind * (16 - ground[hole]) ** 2
            - ASIDE * abs(left[hole] - right[hole])
            - ASTRAY * (hole in astray)
            for hole in HOLES
        )

    def room(self, pegs: Pegs, lists: int = 1) -> Ints:
        """Room for so many lists of turns, with these pegs on the board."""
        room = self.backend.room(MOVES + lists * LIST)
        self.kernel.set_up(self.tables, room, pegs)
        return room

    def standing(self, pegs: Pegs) -> list[int]:
        """What each seat's pegs are worth where they stand."""
        room = self.room(pegs, 0)
        return [sum(int(room[WORTH + code]) for code in codes) for codes in self.rules.kernel.codes]

    def following(self, pegs: Pegs, seat: int) -> list[Following]:
        """What follows after the turns of a seat, but for those with more than one swap."""
        room = self.room(pegs)
        top = self.kernel.turns_of(self.tables, room, seat, MOVES, 0)
        turns = [int(turn) for turn in room[MOVES:top]]
        self.kernel.weigh(self.tables, room, seat, MOVES, top)
        return [
            Following(_after(pegs, turn), int(worth) >> 1, bool(worth & 1))
            for turn, worth in zip(turns, room[MOVES:top], strict=True)
        ]


def _after(pegs: Pegs, turn: int) -> Pegs:
    """The pegs after a turn of the kernel's."""
    board = bytearray(pegs)
    left, taken = turn >> LEFT & HOLE, turn & HOLE
    board[turn >> START & HOLE] = 0
    if left != taken:
        board[left], board[taken] = pegs[taken], 0
    board[turn >> END & HOLE] = turn >> CODE & SET
    return bytes(board)


def star_positions_for(rules: StarRules) -> StarPositions:
    """The positions of these rules, plain or compiled as it is now; the tables of each are made once."""
    return _made(rules, backend_for(1))


@lru_cache(maxsize=32)
def _made(rules: StarRules, backend: Backend) -> StarPositions:
    return StarPositions(rules, backend)
