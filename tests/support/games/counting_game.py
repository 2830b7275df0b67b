"""A small game for any number of seats, to try what surrounds a game without its rules getting in the way.

Each player in turn adds 1, 2 or 3 to a heap; who reaches the goal exactly has won. A seat that has left is passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from bot.engine import registry, variants
from bot.engine.boards import Board
from bot.engine.errors import IllegalMove, NotAMove
from bot.engine.outcomes import AGREED
from bot.engine.rules import Rules, State
from bot.engine.ruleset import Ruleset
from bot.engine.turns import Outcome, Piece, Seat, Turn
from bot.engine.variants import OptionValue, Variant

GOAL = 12


@dataclass(frozen=True)
class Heap:
    seat: int = 0
    total: int = 0
    left: tuple[int, ...] = ()
    outcome: Outcome | None = None
    last: Turn | None = None
    notices: tuple[str, ...] = ()


class Counting:
    """The rules for ``seats`` players."""

    def __init__(self, seats: int) -> None:
        self.variant: Variant = replace(variants.load("tama"), ruleset=Ruleset(f"counting-{seats}", ""))
        self.seats = tuple(Seat(str(n), f"Seat {n}") for n in range(1, seats + 1))

    @property
    def board(self) -> Board:
        raise NotImplementedError

    def start(self, position: str | None = None) -> State:
        return Heap()

    def turns(self, state: State) -> tuple[Turn, ...]:
        heap = cast(Heap, state)
        most = 0 if heap.outcome else min(3, GOAL - heap.total)
        return tuple(Turn("move", str(n), (), (), heap.total + n) for n in range(1, most + 1))

    moves = turns

    def quick(self, state: State) -> bool:
        return True

    def perft(self, state: State, depth: int) -> int:
        raise NotImplementedError

    def remedies(self, state: State) -> tuple[Turn, ...]:
        return ()

    def read(self, state: State, text: str) -> Turn:
        if not text.strip().isdecimal():
            raise NotAMove(f"{text} is not a number")
        for turn in self.turns(state):
            if int(turn.text) == int(text):
                return turn
        raise IllegalMove(f"{text} cannot be added")

    def play(self, state: State, turn: Turn) -> State:
        heap = cast(Heap, state)
        total = heap.total + int(turn.text)
        if total == GOAL:
            return replace(heap, total=total, last=turn, outcome=Outcome(heap.seat, f"{GOAL} is reached"))
        return replace(heap, total=total, last=turn, seat=self._next(heap.seat, heap.left))

    def leave(self, state: State, seat: int, reason: str) -> State:
        heap = cast(Heap, state)
        left = (*heap.left, seat)
        staying = [n for n in range(len(self.seats)) if n not in left]
        if len(staying) == 1:
            return replace(heap, left=left, outcome=Outcome(staying[0], reason))
        return replace(heap, left=left, seat=self._next(heap.seat, left) if heap.seat == seat else heap.seat)

    def playing(self, state: State) -> tuple[int, ...]:
        left = cast(Heap, state).left
        return tuple(seat for seat in range(len(self.seats)) if seat not in left)

    def agree(self, state: State) -> State:
        return replace(cast(Heap, state), outcome=Outcome(None, AGREED))

    def position(self, state: State) -> str:
        heap = cast(Heap, state)
        return f"{heap.seat}:{heap.total}:{','.join(map(str, heap.left))}"

    def pieces(self, state: State) -> dict[int, Piece]:
        return {}

    def lost(self, state: State, turn: Turn) -> dict[int, Piece]:
        return {}

    def _next(self, seat: int, left: tuple[int, ...]) -> int:
        return next(n % len(self.seats) for n in range(seat + 1, seat + 9) if n % len(self.seats) not in left)


_TABLES = {f"counting-{seats}": Counting(seats) for seats in (2, 3, 4, 6)}


def rules_for(variant: str | Ruleset, options: Mapping[str, OptionValue]) -> Rules:
    """As the catalogue, with the counting games added."""
    variant_id = variant.id if isinstance(variant, Ruleset) else variant
    if variant_id in _TABLES:
        return cast(Rules, _TABLES[variant_id])
    return registry.rules_for(variant, options)
