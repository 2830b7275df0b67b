"""The puzzles that come with the program: one to a line of ``data/puzzles/VARIANT.jsonl``, made by `damero puzzles`."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files

from bot.computer.puzzles import Puzzle


@lru_cache(maxsize=1)
def shipped() -> tuple[Puzzle, ...]:
    """All of them, read once."""
    folder = files("data").joinpath("puzzles")
    puzzles = []
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".jsonl"):
            puzzles += [puzzle_of(line) for line in file.read_text(encoding="utf-8").splitlines() if line]
    return tuple(puzzles)


def line_of(puzzle: Puzzle) -> str:
    """A puzzle as a line of such a file."""
    return json.dumps({**puzzle._asdict(), "solution": list(puzzle.solution)}, separators=(",", ":"))


def puzzle_of(line: str) -> Puzzle:
    """The puzzle that a line holds."""
    values = json.loads(line)
    return Puzzle(values["variant"], values["options"], values["position"], tuple(values["solution"]), values["rating"])
