"""Positions to hold the engine against the slow generator: by random play, and by placing pieces at random."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from random import Random

from hypothesis import strategies as st

from tests.support.engine import slow_draughts
from tests.support.engine.slow_draughts import DIAGONALS, Law, Piece, Position

Options = Mapping[str, str | bool | int]


_CHOICES: dict[str, dict[str, tuple[str | bool, ...]]] = {
    "spanish": {"mirror": (False, True)},
    "pinoy": {"removal": ("at_once", "at_end"), "mirror": (False, True)},
    "americanas": {
        "removal": ("at_end", "at_once"),
        "neglect": ("soplar", "compulsory"),
        "mirror": (False, True),
    },
    "tama": {"turn_back": (False, True)},
}

# Every combination of the options that change what a move is.
GAMES: list[tuple[str, dict[str, str | bool]]] = [
    (game, dict(zip(choices, values, strict=True)))
    for game, choices in _CHOICES.items()
    for values in itertools.product(*choices.values())
]


def name_of(item: object) -> str:
    """A short name of a game or of its options, for the names of tests."""
    if isinstance(item, dict):
        return "+".join(str(key) if value is True else str(value) for key, value in item.items() if value is not False)
    return str(item)


def by_play(law: Law, random: Random, most_moves: int = 80) -> Position:
    """A position reached from the start by random moves; never one in which nothing can move."""
    position = slow_draughts.start(law)
    for _ in range(random.randrange(most_moves)):
        successors = list(slow_draughts.moves(law, position))
        if not successors:
            break
        following = random.choice(sorted(successors, key=slow_draughts.write))
        if not slow_draughts.moves(law, following):
            break
        position = following
    return position


def by_placement(law: Law, random: Random, most_pieces: int = 16) -> Position:
    """Men and kings anywhere, but no man on its last row."""
    squares = slow_draughts.squares(law)
    board: slow_draughts.Board = {}
    kings = random.choice((0.1, 0.3, 0.6, 1.0))
    for square in random.sample(squares, random.randint(2, most_pieces)):
        side = random.choice("WB")
        king = random.random() < kings or slow_draughts.is_last_row(law, side, square)
        board[square] = Piece(side, king)
    return Position(random.choice("WB"), frozenset(board.items()))


def crowded(law: Law, random: Random) -> Position:
    """One or two kings among many foreign pieces with room between them: long captures, many routes."""
    squares = slow_draughts.squares(law)
    board: slow_draughts.Board = {}
    mover = random.choice("WB")
    inner = [square for square in squares if None not in [slow_draughts.beyond(law, square, way) for way in DIAGONALS]]
    apart = random.choice(([0, 1], [0], [1], [0, 1]))
    for square in inner:
        if slow_draughts.coordinates(square)[1] % 2 in apart and random.random() < 0.45 and len(board) < 11:
            board[square] = Piece(slow_draughts.other(mover), random.random() < 0.3)
    for square in random.sample(squares, random.randint(1, 3)):
        board[square] = Piece(mover, king=random.random() < 0.6 or slow_draughts.is_last_row(law, mover, square))
    return Position(mover, frozenset(board.items()))


def endings(law: Law, random: Random) -> Position:
    """A few kings: where the draws by counting are."""
    more, fewer = random.choice(((1, 1), (2, 1), (3, 1), (3, 1), (2, 2), (4, 1)))
    many = random.choice("WB")
    sides = many * more + slow_draughts.other(many) * fewer
    squares = random.sample(slow_draughts.squares(law), len(sides))
    board = {square: Piece(side, king=True) for square, side in zip(squares, sides, strict=True)}
    return Position(random.choice("WB"), frozenset(board.items()))


def few(law: Law, random: Random) -> Position:
    """Up to seven pieces, most of them kings: where the endings are that are counted with men on the board."""
    squares = slow_draughts.squares(law)
    board: slow_draughts.Board = {}
    for index, square in enumerate(random.sample(squares, random.randint(2, 7))):
        side = "WB"[index] if index < 2 else random.choice("WB")
        king = index < 2 or random.random() < 0.6 or slow_draughts.is_last_row(law, side, square)
        board[square] = Piece(side, king)
    return Position(random.choice("WB"), frozenset(board.items()))


def placements(law: Law, most_pieces: int = 14) -> st.SearchStrategy[Position]:
    """Positions that hypothesis can make smaller: fewer pieces, men before kings."""
    squares = st.sampled_from(slow_draughts.squares(law))
    pieces = st.tuples(squares, st.sampled_from("WB"), st.booleans())
    placed = st.lists(pieces, max_size=most_pieces, unique_by=lambda item: item[0])

    def build(side: str, items: list[tuple[str, str, bool]]) -> Position:
        board = {
            square: Piece(owner, king or slow_draughts.is_last_row(law, owner, square)) for square, owner, king in items
        }
        return Position(side, frozenset(board.items()))

    return st.builds(build, st.sampled_from("WB"), placed)
