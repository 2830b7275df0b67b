"""Endings in which moves are counted (docs/rules.md, "Draws"): which of them stand on the board, and how far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from bot.engine import outcomes
from bot.engine.boards import Board
from bot.engine.draughts.state import DraughtsState, Position

if TYPE_CHECKING:
    from bot.engine.variant_tables import EndingTable, SideTable

Pieces = tuple[int, int]
"""How many men and how many kings a side has."""


def has(side: SideTable, pieces: Pieces) -> bool:
    """Whether a side of an ending is such."""
    men, kings = pieces
    return _within(men + kings, side.pieces) and _within(kings, side.kings)


def is_of(ending: EndingTable, strong: Pieces, weak: Pieces) -> bool:
    """Whether an ending is one of this material, wherever it stands."""
    if ending.total is not None and not _within(sum(strong) + sum(weak), ending.total):
        return False
    if ending.strong is None or ending.weak is None:
        return not strong[0] and not weak[0] and [strong[1], weak[1]] == ending.kings
    return has(ending.strong, strong) and has(ending.weak, weak)


def _within(number: int, least_and_most: Sequence[int]) -> bool:
    return least_and_most[0] <= number <= least_and_most[1]


class Counted(NamedTuple):
    """An ending that stands on the board: which, the strong side, what both have, and the moves that count so far."""

    ending: EndingTable
    strong: int
    pieces: tuple[Pieces, Pieces]
    done: int

    @property
    def reason(self) -> str:
        """Why the game is over when they are made."""
        lone, moves = self.ending.counted == "lone", self.ending.moves
        return outcomes.ending(*self.pieces, moves, lone=lone, main_road=self.ending.main_road)

    @property
    def notice(self) -> str:
        lone, moves = self.ending.counted == "lone", self.ending.moves
        return outcomes.counted(*self.pieces, moves, self.done, lone=lone, main_road=self.ending.main_road)


class Endings:
    """The endings that one game counts, on its board."""

    def __init__(self, endings: Sequence[EndingTable], board: Board) -> None:
        self._endings = endings
        self._roads = main_roads(board)

    def standing(self, state: DraughtsState) -> Iterator[Counted]:
        """The endings that the game has come to, in the order of the file."""
        position = state.position
        # Where the sides are equal the first of them counts as the weak one.
        by_strength = sorted(
            (1, 0), key=lambda side: (sum(position.pieces(side)), position.pieces(side)[1]), reverse=True
        )
        for ending in self._endings:
            done = {s: self._done(ending, s, state) for s in by_strength if self._holds(ending, s, position)}
            if done:
                # An ending that was one of unequal sides goes on: the side that was strong stays so.
                strong = max(done, key=done.__getitem__)
                yield Counted(ending, strong, (position.pieces(strong), position.pieces(1 - strong)), done[strong])

    def stood(self, state: DraughtsState) -> int:
        """For how many plies an ending has stood on the board whose moves count since it arose; 0: there is none."""
        for ending in self._endings:
            sides = [side for side in (0, 1) if self._holds(ending, side, state.position)]
            if sides and (ending.main_road or ending.since == "ending"):
                return max(sum(self._made(ending, side, state.trail)) for side in sides)
        return 0

    def _holds(self, ending: EndingTable, strong: int, position: Position) -> bool:
        weak = 1 - strong
        if not is_of(ending, position.pieces(strong), position.pieces(weak)):
            return False
        occupied, king = position.of(0) | position.of(1), position.kings[weak]
        return not ending.main_road or any(occupied & road == king for road in self._roads)

    def _done(self, ending: EndingTable, strong: int, state: DraughtsState) -> int:
        """The moves that count: those made since the material was last another, or since the ending arose."""
        made = state.since
        if ending.main_road or ending.since == "ending":
            made = self._made(ending, strong, state.trail)
        return made[1 - strong] if ending.counted == "lone" else min(made)

    def _made(self, ending: EndingTable, strong: int, trail: Sequence[Position]) -> tuple[int, int]:
        """The moves of each side at the end of ``trail`` during which the ending has stood on the board."""
        now, made = trail[-1].material(), [0, 0]
        for after, before in pairwise(reversed(trail)):
            changed = ending.since == "material" and before.material() != now
            if changed or not self._holds(ending, strong, before):
                break
            # A huff leaves its player to move.
            made[before.turn] += before.turn != after.turn
        return made[0], made[1]


def main_roads(board: Board) -> set[int]:
    """The bits of the long diagonals, each through the lower corner that is played on by one of the players, the left
    one where both are: on square boards one and the same. Where columns are odd and rows even in number, one of the
    players has no such corner, and no diagonal."""
    right, last = board.width - 1, board.height - 1
    roads = set[int]()
    for y, along, corners in ((0, 1, (0, right)), (last, -1, (right, 0))):
        x = next((x for x in corners if y * board.width + x in board.played), None)
        if x is not None:
            squares = ((x - step if x else step, y + step * along) for step in range(min(board.width, board.height)))
            roads.add(sum(1 << row * board.width + column for column, row in squares))
    return roads
