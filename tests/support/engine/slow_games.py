"""Whole games of the slow generator: remedies, draws and wins, counted afresh from all that was played."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from tests.support.engine.slow_draughts import (
    Count,
    Law,
    Move,
    Piece,
    Position,
    Route,
    Square,
    captures,
    coordinates,
    moves,
    other,
    squares,
)


class Event(NamedTuple):
    """What happened between two positions."""

    kind: str  # "move", "huff"
    by: str
    captured: bool
    man_moved: bool
    route: Route
    huffable: frozenset[Square]  # where the pieces stand that the opponent may blow away because of this


NOTHING: frozenset[Square] = frozenset()


@dataclass(frozen=True)
class Game:
    """A game as the list of its positions and of what lay between them; ``oblige`` cuts the list back."""

    law: Law
    positions: tuple[Position, ...]
    events: tuple[Event, ...] = ()
    obliged: bool = False

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def huffable(self) -> frozenset[Square]:
        """Where the pieces stand that may be blown away now. Who was obliged has already let this go by."""
        return self.events[-1].huffable if self.events and not self.obliged else NOTHING

    def moves(self) -> dict[Position, Move]:
        """The legal moves, whether or not the game is drawn."""
        run = self.run(self.position.side)
        tired = run[0] if run and run[1] >= self.law.tires_after else None
        return moves(self.law, self.position, must_capture=self.obliged, tired=tired)

    def run(self, side: str) -> tuple[Square, int] | None:
        """Where the king stands that a side moved last, and how often in a row without a capture; None where that is no
        matter: it never tires, it was taken, or the side has no man."""
        mine = [event for event in self.events if event.by == side]
        if not self.law.tires_after or not mine or Piece(side, king=False) not in self.position.board.values():
            return None
        here, times = mine[-1].route[-1], 0
        if self.position.board.get(here) != Piece(side, king=True):
            return None
        square = here
        for event in reversed(mine):
            if event.captured or event.man_moved or event.route[-1] != square:
                break
            square = event.route[0]
            times += 1
        return (here, times) if times else None

    def move(self, route: Route) -> Game:
        position = self.position
        [(successor, move)] = [(where, move) for where, move in self.moves().items() if route in move.routes]
        huffable: set[Square] = set()
        if move.neglects:
            for chain in captures(self.law, position):
                start_square = chain.route[0]
                huffable.add(route[-1] if start_square == route[0] else start_square)
        event = Event(
            "move",
            position.side,
            captured=bool(move.routes[route]),
            man_moved=not position.board[route[0]].king,
            route=route,
            huffable=frozenset(huffable),
        )
        return Game(self.law, (*self.positions, successor), (*self.events, event))

    def huff(self, square: Square) -> Game:
        """Soplar: the piece goes; the one who blew it away still has the move."""
        assert square in self.huffable
        side, pieces = self.position
        left = frozenset((place, piece) for place, piece in pieces if place != square)
        event = Event("huff", side, captured=True, man_moved=False, route=(square,), huffable=NOTHING)
        return Game(self.law, (*self.positions, Position(side, left)), (*self.events, event))

    def oblige(self) -> Game:
        """The neglecting move is taken back, as if it had not been played, and its player must capture."""
        assert self.huffable
        return Game(self.law, self.positions[:-1], self.events[:-1], obliged=True)

    # Draws

    def same_material(self) -> list[Event]:
        """The moves since the present material arose."""
        since: list[Event] = []
        for index in range(len(self.events) - 1, -1, -1):
            if material(self.positions[index]) != material(self.position):
                break
            since.append(self.events[index])
        return since

    def repeated(self) -> int:
        """How often the present position, with the same side to move and kings as tired, has stood."""
        moments = [replace(self, positions=self.positions[: i + 1], events=self.events[:i]) for i in self._same()]
        return sum(all(moment.run(side) == self.run(side) for side in "WB") for moment in moments)

    def _same(self) -> list[int]:
        return [index for index, position in enumerate(self.positions) if position == self.position]

    def quiet_run(self) -> int:
        """Moves of both sides since the last capture or man's move."""
        run = 0
        for event in reversed(self.events):
            if event.captured or event.man_moved:
                break
            run += 1
        return run

    def drawn(self) -> str | None:
        """Why the game is drawn, by its rules alone; never while the last move may still be huffed or taken back."""
        if self.huffable:
            return None
        counts = material(self.position)
        kings = tuple(sorted((counts["W", True], counts["B", True]), reverse=True))
        only_kings = not counts["W", False] and not counts["B", False]
        if self.law.repetition and self.repeated() >= 3:
            return "repetition"
        if self.law.lone_king_moves and only_kings and kings == (3, 1):
            lone = "W" if counts["W", True] == 1 else "B"
            if sum(event.by == lone for event in self.same_material()) >= self.law.lone_king_moves:
                return "three kings against one"
        if only_kings and kings in self.law.king_endings:
            enough = len(self.same_material()) >= 2 * self.law.king_endings[kings[0], kings[1]]
            if enough and not captures(self.law, self.position):
                return "king ending"
        if (count := self.counted_out()) is not None:
            return None if count[0].won else "a counted ending"
        if self.law.quiet_moves and self.quiet_run() >= 2 * self.law.quiet_moves:
            return "quiet moves"
        return None

    def counted_out(self) -> tuple[Count, str] | None:
        """The ending whose moves have all been made, and the stronger side."""
        for count in self.law.counts:
            for strong in "WB":
                if not is_one(self.law, count, self.position, strong):
                    continue
                made = dict.fromkeys("WB", 0)
                for before, event in zip(reversed(self.positions[:-1]), reversed(self.events), strict=True):
                    if not is_one(self.law, count, before, strong):
                        break
                    if count.anew and material(before) != material(self.position):
                        break
                    made[event.by] += 1
                waits = count.captures_first and captures(self.law, self.position)
                if min(made.values()) >= count.moves and not waits:
                    return count, strong
        return None

    def winner(self) -> str | None:
        """Who has won, if anybody has."""
        side, waiting = self.position.side, other(self.position.side)
        standing = [piece for _, piece in self.position.pieces]
        left = {each: sum(piece.side == each for piece in standing) for each in "WB"}
        upside_down = self.law.wins == "who cannot move"
        if left[side] and not left[waiting]:
            return waiting if upside_down else side
        for each in (waiting, side):
            if self.law.wins == "the first king" and Piece(each, king=True) in standing:
                return each
            if self.law.wins == "who leaves one piece" and left[other(each)] == 1:
                return each
        if self.lost():
            return side if upside_down else waiting
        if self.huffable or (self.law.repetition and self.repeated() >= 3):
            return None
        count = self.counted_out()
        return count[1] if count is not None and count[0].won else None

    def lost(self) -> bool:
        """Whether the side to move has no legal move; one that may still huff or oblige has not lost yet. A side whose
        last piece was blown away has lost before the other has moved."""
        if self.huffable:
            return False
        return not self.moves()


def is_one(law: Law, count: Count, position: Position, strong: str) -> bool:
    """Whether an ending stands on the board."""
    counts, weak = material(position), other(strong)
    # Up and right from the lower left corner; or as who sits opposite sees it, which differs on oblong boards.
    held = False
    for shift in {0, law.files - law.ranks}:
        road = [square for square in squares(law) if coordinates(square)[0] - coordinates(square)[1] == shift]
        on_road = [piece for square, piece in position.pieces if square in road]
        held = held or on_road == [Piece(weak, king=True)]
    return count.is_one(counts[strong, False], counts[strong, True], counts[weak, False], counts[weak, True], held)


def material(position: Position) -> dict[tuple[str, bool], int]:
    counts = {(side, king): 0 for side in "WB" for king in (False, True)}
    for _, piece in position.pieces:
        counts[piece.side, piece.king] += 1
    return counts


def perft(law: Law, position: Position, depth: int) -> int:
    """Moves to positions, counted to a depth."""
    return counted(Game(law, (position,)), depth)


def counted(game: Game, depth: int) -> int:
    """As ``perft``, from the moment of a game."""
    if depth == 0:
        return 1
    return sum(counted(game.move(min(move.routes)), depth - 1) for move in game.moves().values())
