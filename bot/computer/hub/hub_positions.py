"""Positions and moves as the Hub protocol writes them: by numbers that begin at the upper left of whoever moves first,
row by row, whatever the numbers are that people of the game use."""

from __future__ import annotations

import re
from dataclasses import replace

from bot.engine.boards import Board, square_board
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState, DraughtsTurn
from bot.engine.errors import BadPosition, IllegalMove

_PIECES = {"w": ("W", ""), "b": ("B", ""), "W": ("W", "K"), "B": ("B", "K")}


class HubBoard:
    """A game's positions and moves to and from Hub's."""

    def __init__(self, rules: DraughtsRules) -> None:
        self.rules = rules
        self._places = _in_order(rules)
        self._numbers = {place: number for number, place in enumerate(self._places, start=1)}

    def position(self, state: DraughtsState) -> str:
        """The side to move, then a letter for each square."""
        keys = [seat.key for seat in self.rules.seats]
        standing = self.rules.pieces(state)
        letters = []
        for place in self._places:
            piece = standing.get(place)
            letter = "e" if piece is None else keys[piece.owner].lower()
            letters.append(letter.upper() if piece is not None and piece.kind == "king" else letter)
        return keys[state.seat] + "".join(letters)

    def state(self, position: str) -> DraughtsState:
        """The state of a position. Raises BadPosition."""
        turn, squares = position[:1], position[1:]
        if turn not in ("W", "B") or len(squares) != len(self._places) or set(squares) - {*_PIECES, "e"}:
            raise BadPosition(f"a position is W or B and {len(self._places)} of the letters w, b, W, B and e")
        sides: dict[str, list[str]] = {"W": [], "B": []}
        for place, letter in zip(self._places, squares, strict=True):
            if letter != "e":
                side, king = _PIECES[letter]
                sides[side].append(king + self.rules.board.names[place])
        return self.rules.start(f"{turn}:W{','.join(sides['W'])}:B{','.join(sides['B'])}")

    def move(self, turn: DraughtsTurn) -> str:
        """A move: its first and its last square, then those of the pieces that it takes."""
        first, last = self._numbers[turn.path[0]], self._numbers[turn.path[-1]]
        if not turn.captured:
            return f"{first}-{last}"
        return "x".join(map(str, [first, last, *sorted(self._numbers[place] for place in turn.captured)]))

    def turn(self, state: DraughtsState, text: str) -> DraughtsTurn:
        """The turn that a move means. Raises IllegalMove."""
        numbers = [int(number) for number in re.findall("[0-9]{1,3}", text)]
        for turn in self.rules.turns(undrawn(state)):
            ends = [self._numbers[turn.path[0]], self._numbers[turn.path[-1]]]
            if ends == numbers[:2] and {self._numbers[place] for place in turn.captured} == set(numbers[2:]):
                return turn
        raise IllegalMove(f"{text[:40]} is not a legal move")


def undrawn(state: DraughtsState) -> DraughtsState:
    """The state without a draw by the rules: the other program may count otherwise, and go on."""
    drawn = state.outcome is not None and state.outcome.winner is None
    return replace(state, outcome=None) if drawn else state


def _in_order(rules: DraughtsRules) -> tuple[int, ...]:
    table = rules.tables.board
    corner = "left" if rules.board.index["a1"] in rules.board.played else "right"
    board: Board = square_board(table.width, table.height, table.squares, corner, "left", "second")
    return tuple(board.number_index[number] for number in sorted(board.number_index))
