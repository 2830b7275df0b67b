"""What every game offers to the rest of the bot: one interface, whatever its family.

A game is a fold: ``state = rules.play(state, rules.read(state, text))`` over the list of turns. States and turns are
values; nothing here does I/O, knows the time or draws lots.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeAlias, TypeVar

from bot.engine.boards import Board
from bot.engine.turns import Outcome, Piece, Seat, Turn
from bot.engine.variants import Variant


class State(Protocol):
    """A game at one moment, as far as its rules remember it."""

    @property
    def seat(self) -> int:
        """The seat to move (of a game that is over: who would move)."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended by its rules, or None while it goes on."""

    @property
    def last(self) -> Turn | None:
        """The turn that led here."""

    @property
    def notices(self) -> tuple[str, ...]:
        """Counts that the players must see ("three kings against one: 7 of 12 moves"), as phrases."""


S = TypeVar("S", bound=State, contravariant=True)


class RulesOf(Protocol[S]):
    """The rules of one variant with one game's options, for the states ``S`` of its family."""

    def __hash__(self) -> int: ...

    @property
    def variant(self) -> Variant: ...

    @property
    def board(self) -> Board: ...

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats in turn order; the first begins, unless the game starts from another ``opening``."""

    def opening(self, first: int = 0) -> str:
        """The position string of the set-up with the seat ``first`` to move, for ``start``: what a toss decides is kept
        as the position from which the game starts."""

    def start(self, position: str | None = None) -> State:
        """The first state, from the variant's set-up or a position string. Raises errors.BadPosition."""

    def turns(self, state: S) -> tuple[Turn, ...]:
        """All legal moves, each once, in the order of their notation; none when the game is over."""

    def quick(self, state: S) -> bool:
        """Whether turns here are found, read and explained within milliseconds. Elsewhere, which is in contrived
        positions alone, whoever must not wait does so in a thread."""

    def moves(self, state: S) -> tuple[Turn, ...]:
        """As ``turns``, by the position alone: also where the game is drawn already."""

    def ranked(self, state: S) -> tuple[Turn, ...]:
        """``turns``, those that gain most first: captures by the pieces taken and crownings, on a star by the ground
        gained toward the target; equal ones in the order of their notation."""

    def perft(self, state: S, depth: int) -> int:
        """How many sequences of ``depth`` moves there are from here, draws apart (docs/rules.md, Known counts)."""

    def remedies(self, state: S) -> tuple[Turn, ...]:
        """What may be done about a neglected capture before moving: huffs, then oblige (docs/rules.md, Soplar)."""

    def read(self, state: S, text: str) -> Turn:
        """The one turn that ``text`` means. Raises errors.NotAMove, IllegalMove or AmbiguousMove."""

    def play(self, state: S, turn: Turn) -> State:
        """The state after ``turn``, which must come from this state."""

    def leave(self, state: S, seat: int, reason: str) -> State:
        """The state after ``seat`` resigned or ran out of time: with two seats the other has won."""

    def playing(self, state: S) -> tuple[int, ...]:
        """The seats that still play for something: those that have neither left nor come home."""

    def agree(self, state: S) -> State:
        """The state after all who still play have agreed to a draw. Who came home before keeps its place."""

    def position(self, state: S) -> str:
        """The position string (docs/rules.md, "Position strings")."""

    def pieces(self, state: S) -> Mapping[int, Piece]:
        """What stands where, by place index."""

    def tally(self, state: S) -> tuple[str, ...]:
        """For each seat the short count that stands beside its name ("3/10" pegs home), "" where a game has none."""

    def lost(self, state: S) -> dict[int, Piece]:
        """The pieces that the last turn took off, by the place where they stood."""


Rules: TypeAlias = RulesOf[Any]
"""The rules of some game, whatever its family: they are asked about the states that they have made."""
