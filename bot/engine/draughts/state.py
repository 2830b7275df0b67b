"""Where a game of the draughts family stands, and what a move makes of a position."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import NamedTuple, TypeAlias

from bot.engine.draughts.movegen import Forces
from bot.engine.turns import Outcome, TurnTo
from bot.support.frozen import frozen


class Run(NamedTuple):
    """How many moves without a capture the king on ``place`` has made in a row."""

    place: int
    moves: int


class Position(NamedTuple):
    """Who is to move (0 or 1) and, as bits (1 << place), the men and kings of the first and of the second player.
    ``runs``: of either side, the run of the king that it moved last, where the rules limit runs: it is a part of the
    position, for it decides what may be played."""

    turn: int
    men: tuple[int, int]
    kings: tuple[int, int]
    runs: tuple[Run | None, Run | None] = (None, None)

    def forces(self) -> Forces:
        """The position from the mover's side."""
        own, foe = self.turn, 1 - self.turn
        return Forces(self.men[own], self.kings[own], self.men[foe], self.kings[foe])

    def of(self, side: int) -> int:
        """All pieces of one side."""
        return self.men[side] | self.kings[side]

    def pieces(self, side: int) -> tuple[int, int]:
        """How many men and how many kings a side has."""
        return self.men[side].bit_count(), self.kings[side].bit_count()

    def material(self) -> tuple[int, ...]:
        """How many men and kings each side has."""
        return tuple(bits.bit_count() for bits in (*self.men, *self.kings))


DraughtsTurn: TypeAlias = TurnTo[Position]


class LegalTurns(NamedTuple):
    """What may be played in a position: the turns by notation, the places from where captures were to be made, and
    whether this was quick to find."""

    turns: tuple[DraughtsTurn, ...]
    capturers: frozenset[int]
    quick: bool


@frozen
class DraughtsState:
    """A draughts game at one moment.

    ``trail``: the positions so far, this one last, each as often as somebody was to move in it. ``quiet``: plies since
    a capture, a huff or a man's move. ``since``: moves of each side since the present material arose. ``before``: the
    state before a neglected capture, while something can be done about it; ``offenders``: where the pieces that could
    have captured stand now. ``must_capture``: the capture was obliged. ``legal``: what may be played, once somebody has
    asked.
    """

    position: Position
    trail: tuple[Position, ...]
    outcome: Outcome | None = None
    last: DraughtsTurn | None = None
    notices: tuple[str, ...] = ()
    quiet: int = 0
    since: tuple[int, int] = (0, 0)
    before: DraughtsState | None = None
    offenders: tuple[int, ...] = ()
    must_capture: bool = False
    legal: list[LegalTurns] = field(default_factory=list, init=False, compare=False, repr=False)

    @property
    def seat(self) -> int:
        return self.position.turn


def bits(mask: int) -> Iterable[int]:
    """The places whose bits are set, in rising order."""
    while mask:
        bit = mask & -mask
        mask ^= bit
        yield bit.bit_length() - 1


def resting(position: Position, longest: int) -> int:
    """The bit of the mover's king that may not move unless it captures: it has made ``longest`` such moves in a row,
    and its side has men. 0: there is none, or none that the rules know (``longest`` 0)."""
    run = position.runs[position.turn]
    return 1 << run.place if longest and run and run.moves >= longest and position.men[position.turn] else 0


def moved(position: Position, start: int, end: int, taken: int, *, king: bool, runs: bool = False) -> Position:
    """The position after the mover's piece went from ``start`` to ``end``, taking the pieces of the bits ``taken``;
    ``runs``: whether the rules limit the runs of kings."""
    side = position.turn
    men, kings = list(position.men), list(position.kings)
    men[side] &= ~(1 << start)
    kings[side] &= ~(1 << start)
    (kings if king else men)[side] |= 1 << end
    men[1 - side] &= ~taken
    kings[1 - side] &= ~taken
    before, other = position.runs[side], position.runs[1 - side]
    run = None
    if runs and not taken and position.kings[side] >> start & 1 and men[side]:
        run = Run(end, before.moves + 1 if before and before.place == start else 1)
    if other and not (kings[1 - side] >> other.place & 1 and men[1 - side]):
        other = None
    return Position(1 - side, (men[0], men[1]), (kings[0], kings[1]), (run, other) if side == 0 else (other, run))


def removed(position: Position, place: int) -> Position:
    """The position without the piece on ``place``, the same side to move."""
    turn, men, kings, runs = position
    keep = ~(1 << place)
    first, second = (None if run and run.place == place else run for run in runs)
    return Position(turn, (men[0] & keep, men[1] & keep), (kings[0] & keep, kings[1] & keep), (first, second))
