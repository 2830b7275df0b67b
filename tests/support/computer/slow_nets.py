"""What a net adds to the worth of a position, read from the file of a game unit by unit: a slow reference."""

from __future__ import annotations

import lzma
import struct
import tomllib
from functools import cache
from importlib.resources import files

from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import Position

UNITS = 32
QUARTERS = 4


@cache
def file_of(variant: str) -> tuple[int, list[tuple[int, ...]]] | None:
    """With how many pieces the game begins, and the rows of its net; None where it has none."""
    file = files("data").joinpath("weights", f"{variant}.net")
    if not file.is_file():
        return None
    head, _, body = file.read_bytes().partition(b"\n---\n")
    return tomllib.loads(head.decode())["pieces"], list(struct.iter_unpack(f"<{UNITS}h", lzma.decompress(body)))


def net_worth(rules: DraughtsRules, position: Position) -> int:
    """To the mover; 0 where the game has no net, and with more pieces than a game begins with."""
    file = file_of(rules.variant.id)
    count = sum(position.material())
    if file is None or count > file[0]:
        return 0
    pieces, rows = file
    board, mover = rules.board, position.turn
    mirror = rules.tables.board.mirror

    def learned_on(place: int) -> tuple[int, int]:
        """Row and column of a square on the board of the file, as the mover sees it."""
        x, y = board.places[place]
        if mirror:
            x = board.width - 1 - x
        return (y, x) if mover == 0 else (board.height - 1 - y, board.width - 1 - x)

    spots = [board.places[place] for place in board.played]
    squares = sorted((y, board.width - 1 - x if mirror else x) for x, y in spots)
    counts = [rows[count]]
    for kind, sets in enumerate((position.men, position.kings, position.men, position.kings)):
        here = sets[mover if kind < 2 else 1 - mover]
        standing = (squares.index(learned_on(place)) for place in board.played if here >> place & 1)
        counts += [rows[pieces + 1 + kind * len(squares) + square] for square in standing]
    sums = [max(0, sum(row[unit] for row in counts)) for unit in range(UNITS)]
    return (sum(sums[: UNITS // 2]) - sum(sums[UNITS // 2 :])) // QUARTERS
