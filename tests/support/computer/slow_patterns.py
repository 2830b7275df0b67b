"""What patterns add to the worth of a position, read from the file of a game square by square: a slow reference."""

from __future__ import annotations

import lzma
import struct
import tomllib
from functools import cache
from importlib.resources import files

from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import Position

Spot = tuple[int, int]


def spots_of(rules: DraughtsRules) -> list[list[Spot]]:
    """The squares of the patterns, in the order of the file: columns and rows as the unmirrored board has them."""
    board = rules.board
    played = {board.places[place] for place in board.played}
    if rules.tables.board.mirror:
        played = {(board.width - 1 - x, y) for x, y in played}
    if board.width == 10:
        # Two of the five squares of each of four rows.
        areas = [(range(left, left + 2), range(row, row + 4)) for left in range(4) for row in (0, 2, 4, 6)]
        return [[(2 * n + (0 if (0, y) in played else 1), y) for y in down for n in across] for across, down in areas]
    areas = [(range(8), range(row, row + 2)) for row in range(7)]
    areas += [(range(left, left + 4), range(row, row + 4)) for left in (0, 2, 4) for row in (0, 2, 4)]
    if len(played) == 64:
        areas = [(range(left, left + 4), range(row, row + 2)) for left in (0, 2, 4) for row in range(7)]
    return [[(x, y) for y in down for x in across if (x, y) in played] for across, down in areas]


@cache
def file_of(variant: str) -> tuple[int, list[tuple[int, int]]] | None:
    """With how many pieces the game begins, and its weights on a full and on an empty board; None without patterns."""
    file = files("data").joinpath("weights", f"{variant}.patterns")
    if not file.is_file():
        return None
    head, _, body = file.read_bytes().partition(b"\n---\n")
    most = tomllib.loads(head.decode())["pieces"]
    return most, [(full, empty) for full, empty in struct.iter_unpack("<hh", lzma.decompress(body))]


def pattern_worth(rules: DraughtsRules, position: Position) -> int:
    """To the mover; 0 where the game has no patterns. A board with more pieces than a game begins with is a full
    one."""
    file = file_of(rules.variant.id)
    if file is None:
        return 0
    most, pairs = file
    here = {spot: place for place, spot in enumerate(rules.board.places)}
    entries = []
    patterns = spots_of(rules)
    sets = len(pairs) // (6561 * len(patterns))
    chosen = sum(number for number, kings in enumerate(position.kings, 1) if kings) % sets
    for number, pattern in enumerate(patterns):
        state = 0
        for x, y in reversed(pattern):
            place = here[(rules.board.width - 1 - x if rules.tables.board.mirror else x), y]
            state = 3 * state + (position.men[0] >> place & 1) + 2 * (position.men[1] >> place & 1)
        entries.append(pairs[(6561 * number + state) * sets + chosen])
    own, foe = (min(3, bin(kings).count("1")) for kings in position.kings)
    entries.append(pairs[-17 + 4 * own + foe])
    sign = -1 if position.turn else 1
    full, empty = (sign * sum(entry[phase] for entry in entries) + pairs[-1][phase] for phase in (0, 1))
    left = min(most, sum(position.material()))
    return int((full * left + empty * (most - left)) // most)
