"""The draughts games once more, slow and obvious: the measure that the engine is held against.

An independent reading of the rules that shares nothing with the engine: squares are strings, boards are dictionaries,
every chain of captures is written out in full and the rule of choice is a filter at the end. Position strings are read
and written here too. Nothing is remembered between calls. Whole games are in ``slow_games``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

Square = str
Direction = tuple[int, int]
Route = tuple[Square, ...]

ORTHOGONALS: tuple[Direction, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONALS: tuple[Direction, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
EVERY_WAY = ORTHOGONALS + DIAGONALS
AHEAD: tuple[Direction, ...] = ((-1, 1), (1, 1))


class Piece(NamedTuple):
    side: str  # "W" or "B"; who begins moves up
    king: bool


Board = dict[Square, Piece]


class Position(NamedTuple):
    """The side to move and what stands where."""

    side: str
    pieces: frozenset[tuple[Square, Piece]]

    @property
    def board(self) -> Board:
        return dict(self.pieces)


IsOne = Callable[[int, int, int, int, bool], bool]
"""Whether an ending is one: by the men and kings of the stronger and of the weaker side, and by whether nothing but a
king of the weaker stands on the main road."""


class Count(NamedTuple):
    """An ending that is over after so many moves of each side."""

    is_one: IsOne
    moves: int
    anew: bool = True  # where the material changes
    captures_first: bool = False
    won: bool = False  # by the stronger side


FREE = ("any", "with a king")
"""The rules of choice that do not ask for the most pieces."""
WITH_KING = ("most, then with a king", "argentinian", "italian", "with a king")
"""Those by which a king captures before a man does, where it can as well."""


@dataclass(frozen=True)
class Law:
    """One game's rules with its options. Directions are as who begins sees them."""

    played: str  # "a1", "h1": the squares of that corner's colour; "all"
    men_rows: tuple[int, ...]
    man_steps: tuple[Direction, ...]
    man_jumps: tuple[Direction, ...]
    king_steps: tuple[Direction, ...]
    king_jumps: tuple[Direction, ...]
    choice: str  # "most", "most, then most kings", "value, then with a king", "any", or of WITH_KING
    removal: str  # "at_once", "at_end"
    last_row: str  # of a man in a capture: "stops" (crowned), "passes" (crowned only at the end), "crowns" (goes on)
    turn_back: bool = False
    soplar: bool = False
    ranks: int = 8
    files: int = 8
    long_king: bool = True
    lands_next: bool = False
    halts_behind_king: bool = False  # a king whose last capture is a king
    king_worth: int = 100  # in "value": hundredths of a man
    tires_after: int = 0  # moves of one king in a row while there are men; 0: it never tires
    man_takes_king: bool = True
    repetition: bool = True
    quiet_moves: int = 0
    lone_king_moves: int = 0  # pinoy: three kings against one
    first: str = "W"
    set_up: tuple[tuple[Square, ...], ...] = ()  # of who begins and of the other, beside the rows
    wins: str = "who can move"  # "who cannot move", "the first king", "who leaves one piece"
    counts: tuple[Count, ...] = ()
    king_endings: Mapping[tuple[int, int], int] = field(default_factory=dict)  # (more, fewer) kings: moves of each side


SPANISH = Law(
    played="h1", men_rows=(1, 2, 3), man_steps=AHEAD, man_jumps=AHEAD, king_steps=DIAGONALS, king_jumps=DIAGONALS,
    choice="most, then most kings", removal="at_end", last_row="stops",
)  # fmt: skip
PINOY = Law(
    played="a1", men_rows=(1, 2, 3), man_steps=AHEAD, man_jumps=DIAGONALS, king_steps=DIAGONALS, king_jumps=DIAGONALS,
    choice="most", removal="at_once", last_row="passes", lone_king_moves=12,
)  # fmt: skip
AMERICANAS = Law(
    played="a1", men_rows=(1, 2, 3), man_steps=AHEAD, man_jumps=AHEAD, king_steps=DIAGONALS, king_jumps=DIAGONALS,
    choice="most, then with a king", removal="at_end", last_row="stops", soplar=True,
    king_endings={(1, 1): 0, (2, 1): 5, (3, 1): 20},
)  # fmt: skip
TAMA = Law(
    played="all", men_rows=(2, 3), man_steps=(*AHEAD, (0, 1), (-1, 0), (1, 0)), man_jumps=((0, 1), (-1, 0), (1, 0)),
    king_steps=ORTHOGONALS + DIAGONALS, king_jumps=ORTHOGONALS, choice="most", removal="at_once", last_row="crowns",
)  # fmt: skip

LAWS: dict[str, Law] = {"spanish": SPANISH, "pinoy": PINOY, "americanas": AMERICANAS, "tama": TAMA}


def law_for(game: str, options: Mapping[str, str | bool | int] | None = None) -> Law:
    """The law of ``game`` with ``options`` by their names in docs/rules.md."""
    law = LAWS[game]
    for name, value in (options or {}).items():
        if name == "removal":
            law = replace(law, removal=str(value))
        elif name == "mirror":
            if value:
                law = replace(law, played={"a1": "h1", "h1": "a1"}[law.played])
        elif name == "turn_back":
            law = replace(law, turn_back=bool(value))
        elif name == "neglect":
            law = replace(law, soplar=value == "soplar")
        elif name == "repetition":
            law = replace(law, repetition=bool(value))
        elif name == "quiet_moves":
            law = replace(law, quiet_moves=int(value))
        else:
            raise KeyError(name)
    return law


# Squares


def coordinates(square: Square) -> tuple[int, int]:
    """Column and row, both from 1."""
    return ord(square[0]) - ord("a") + 1, int(square[1:])


def squares(law: Law) -> list[Square]:
    """The squares that are played on, by file, then rank."""
    found = []
    for column in range(1, law.files + 1):
        for row in range(1, law.ranks + 1):
            like_a1 = (column + row) % 2 == 0
            if law.played == "all" or like_a1 == (law.played == "a1"):
                found.append("abcdefghijklmnop"[column - 1] + str(row))
    return found


def beyond(law: Law, square: Square, direction: Direction) -> Square | None:
    """The next square in a direction, or None at the edge."""
    column, row = coordinates(square)
    column, row = column + direction[0], row + direction[1]
    if 1 <= column <= law.files and 1 <= row <= law.ranks:
        return "abcdefghijklmnop"[column - 1] + str(row)
    return None


def line(law: Law, square: Square, direction: Direction) -> list[Square]:
    """The squares of this colour from here to the edge, the nearest first."""
    found = []
    here = beyond(law, square, direction)
    while here is not None:
        if law.played == "all" or sum(coordinates(here)) % 2 == sum(coordinates(square)) % 2:
            found.append(here)
        here = beyond(law, here, direction)
    return found


def as_seen_by(law: Law, side: str, direction: Direction) -> Direction:
    return direction if side == law.first else (-direction[0], -direction[1])


def is_last_row(law: Law, side: str, square: Square) -> bool:
    return coordinates(square)[1] == (law.ranks if side == law.first else 1)


def other(side: str) -> str:
    return "B" if side == "W" else "W"


# Positions


def start(law: Law) -> Position:
    board: Board = {}
    second = other(law.first)
    for square in squares(law):
        row = coordinates(square)[1]
        if row in law.men_rows:
            board[square] = Piece(law.first, king=False)
        if law.ranks + 1 - row in law.men_rows:
            board[square] = Piece(second, king=False)
    for side, men in zip((law.first, second), law.set_up, strict=False):
        board |= {square: Piece(side, king=False) for square in men}
    return Position(law.first, frozenset(board.items()))


def parse(text: str) -> Position:
    """``W:Wc3,e3,Kd4:Bb8`` as a position."""
    side, *lists = text.split(":")
    board: Board = {}
    for pieces in lists:
        for item in pieces[1:].split(","):
            if item:
                king = item.startswith("K")
                board[item[1:] if king else item] = Piece(pieces[0], king)
    return Position(side, frozenset(board.items()))


def write(position: Position) -> str:
    parts = [position.side]
    for side in "WB":
        mine = sorted((coordinates(square), square, piece) for square, piece in position.pieces if piece.side == side)
        parts.append(side + ",".join(("K" if piece.king else "") + square for _, square, piece in mine))
    return ":".join(parts)


# Moves


class Chain(NamedTuple):
    """One capture, written out: the squares visited, the pieces taken, what the piece is in the end."""

    route: Route
    taken: tuple[Square, ...]
    king: bool


class Leap(NamedTuple):
    victim: Square
    landing: Square
    direction: Direction


def leaps(
    law: Law, board: Board, here: Square, piece: Piece, taken: tuple[Square, ...], came: Direction | None
) -> list[Leap]:
    """The single jumps of ``piece`` from ``here``. ``board`` is without the piece; what was jumped may still stand."""
    found = []
    for direction in law.king_jumps if piece.king else law.man_jumps:
        direction = as_seen_by(law, piece.side, direction)
        if piece.king and came == (-direction[0], -direction[1]) and not law.turn_back:
            continue
        ahead = line(law, here, direction)
        if piece.king and law.long_king:
            while ahead and ahead[0] not in board:
                ahead = ahead[1:]
        if not ahead or ahead[0] not in board:
            continue
        victim = ahead[0]
        if board[victim].side == piece.side or victim in taken:
            continue
        if board[victim].king and not piece.king and not law.man_takes_king:
            continue
        for distance, landing in enumerate(ahead[1:]):
            if landing in board or (distance > 0 and (law.lands_next or not (piece.king and law.long_king))):
                break
            found.append(Leap(victim, landing, direction))
    return found


def chains(
    law: Law, board: Board, route: Route, piece: Piece, taken: tuple[Square, ...], came: Direction | None
) -> Iterator[Chain]:
    """Every capture that begins with ``route`` and cannot go on, one for each way."""
    here = route[-1]
    if taken and not piece.king and is_last_row(law, piece.side, here):
        if law.last_row == "stops":
            yield Chain(route, taken, king=True)
            return
        if law.last_row == "crowns":
            piece = Piece(piece.side, king=True)
    possible = leaps(law, board, here, piece, taken, came)
    if not possible:
        if taken:
            yield Chain(route, taken, piece.king or is_last_row(law, piece.side, here))
        return
    for victim, landing, direction in possible:
        after = dict(board)
        if law.removal == "at_once":
            del after[victim]
        further = list(chains(law, after, (*route, landing), piece, (*taken, victim), direction))
        if law.choice in FREE and all(chain.route == (*route, landing) for chain in further):
            # No majority rule: a king that could land where it can go on must do so.
            rivals = [leap for leap in possible if leap.victim == victim and leap.landing != landing]
            if any(leaps(law, after, rival.landing, piece, (*taken, victim), direction) for rival in rivals):
                continue
        halts = further and further[0].route == (*route, landing)
        behind_king = piece.king and board[victim].king and law.halts_behind_king
        if halts and behind_king and landing != line(law, victim, direction)[0]:
            continue
        yield from further


def captures(law: Law, position: Position) -> list[Chain]:
    """All captures that the rule of choice allows."""
    board = position.board
    found = []
    for square, piece in sorted(board.items()):
        if piece.side == position.side:
            rest = {place: man for place, man in board.items() if place != square}
            found += list(chains(law, rest, (square,), piece, (), None))

    def with_king(chain: Chain) -> bool:
        return board[chain.route[0]].king

    def kings_taken(chain: Chain) -> int:
        return sum(board[square].king for square in chain.taken)

    def how_soon_kings(chain: Chain) -> tuple[bool, ...]:
        return tuple(board[square].king for square in chain.taken)

    def value(chain: Chain) -> int:
        return sum(law.king_worth if board[square].king else 100 for square in chain.taken)

    if law.choice == "value, then with a king":
        found = [chain for chain in found if not any(value(other) > value(chain) for other in found)]
        by_kings = [chain for chain in found if with_king(chain)]
        return by_kings or found
    if law.choice not in FREE and found:
        most = max(len(chain.taken) for chain in found)
        found = [chain for chain in found if len(chain.taken) == most]
    if law.choice == "most, then most kings" and found:
        most = max(kings_taken(chain) for chain in found)
        found = [chain for chain in found if kings_taken(chain) == most]
    if law.choice in WITH_KING and any(with_king(chain) for chain in found):
        found = [chain for chain in found if with_king(chain)]
    if law.choice in ("argentinian", "italian") and found:
        most = max(kings_taken(chain) for chain in found)
        found = [chain for chain in found if kings_taken(chain) == most]
    if law.choice == "italian" and found:
        soonest = max(how_soon_kings(chain) for chain in found)
        found = [chain for chain in found if how_soon_kings(chain) == soonest]
    return found


def quiet(law: Law, position: Position, tired: Square | None = None) -> list[Chain]:
    """All moves without a capture, as chains that take nothing; the king on the square ``tired`` makes none."""
    board = position.board
    found = []
    for square, piece in sorted(board.items()):
        if piece.side != position.side or square == tired:
            continue
        for direction in law.king_steps if piece.king else law.man_steps:
            ahead = line(law, square, as_seen_by(law, piece.side, direction))
            for target in ahead if piece.king and law.long_king else ahead[:1]:
                if target in board:
                    break
                found.append(Chain((square, target), (), piece.king or is_last_row(law, piece.side, target)))
    return found


def after(position: Position, chain: Chain) -> Position:
    board = position.board
    del board[chain.route[0]]
    for square in chain.taken:
        del board[square]
    board[chain.route[-1]] = Piece(position.side, chain.king)
    return Position(other(position.side), frozenset(board.items()))


@dataclass
class Move:
    """All the ways to reach one position: each route with what it takes, in the order jumped."""

    routes: dict[Route, tuple[Square, ...]] = field(default_factory=dict)
    neglects: bool = False


def moves(
    law: Law, position: Position, *, must_capture: bool = False, tired: Square | None = None
) -> dict[Position, Move]:
    """The legal moves by the position that they lead to. ``must_capture``: the player has been obliged; ``tired``: see
    ``quiet``."""
    taking = captures(law, position)
    resting = quiet(law, position, tired) if not taking or (law.soplar and not must_capture) else []
    found: dict[Position, Move] = {}
    for chain in taking + resting:
        move = found.setdefault(after(position, chain), Move())
        move.routes[chain.route] = chain.taken
        move.neglects = bool(taking) and not chain.taken
    return found
