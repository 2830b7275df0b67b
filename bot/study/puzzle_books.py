"""Books of puzzles, such as ``data/puzzles`` has for each game: text that is made by `damero puzzles`, read quickly.

The first line is JSON: the game with its options, and how many games of each seed the puzzles were looked for in. Every
further one is a puzzle: rating, themes (or a hyphen), position, and the turns of its solution, with blanks between.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from bot.computer.puzzle_games import Varied
from bot.computer.puzzles import Puzzle
from bot.engine.errors import EngineError
from bot.engine.variants import OptionValue

NONE: Final = "-"
"""What stands in place of themes where there are none."""


class PuzzleBookError(EngineError):
    """A file that holds no puzzles, or those of another game."""


class BookHeading(NamedTuple):
    """The first line of a book."""

    variant: str
    options: dict[str, OptionValue]
    games: dict[str, int]

    @classmethod
    def of(cls, text: str) -> BookHeading:
        """That of a book. Raises ValueError where there is none."""
        try:
            values = json.loads(text.partition("\n")[0])
            return cls(values["variant"], values["options"], values.get("games", {}))
        except (LookupError, TypeError, AttributeError) as error:
            raise ValueError("the first line says no game") from error


class PuzzleBook:
    """The puzzles of one game that were found so far, no two of them much alike. ``games``: how many games of each seed
    they were looked for in."""

    def __init__(
        self, variant: str, options: Mapping[str, OptionValue], games: Mapping[str, int] = MappingProxyType({})
    ) -> None:
        self.variant, self.options, self.games = variant, dict(options), dict(games)
        self.puzzles: list[Puzzle] = []
        self._varied = Varied(variant, options)

    @classmethod
    def opened(cls, file: Path, variant: str, options: Mapping[str, OptionValue]) -> PuzzleBook:
        """The book in a file, or an empty one where there is none. Raises PuzzleBookError for what is no book of this
        game, OSError."""
        if not file.exists():
            return cls(variant, options)
        try:
            text = file.read_text(encoding="utf-8")
            heading = BookHeading.of(text)
            if heading[:2] != (variant, dict(options)):
                raise ValueError(f"they are of {heading.variant}, {heading.options}")
            book = cls(*heading)
            book.add(tuple(puzzles_in(text)))
        except (ValueError, EngineError) as error:
            raise PuzzleBookError(f"{file} holds no puzzles of {variant}: {error}") from error
        return book

    def add(self, found: Sequence[Puzzle]) -> int:
        """Take puzzles in; those that are like one that is there are left out. How many are new."""
        new = [puzzle for puzzle in found if self._varied.takes(puzzle)]
        self.puzzles += new
        return len(new)

    def text(self) -> str:
        """The book as its file holds it."""
        heading = BookHeading(self.variant, self.options, self.games)
        lines = [json.dumps(heading._asdict(), separators=(",", ":")), *map(line_of, self.puzzles)]
        return "\n".join(lines) + "\n"

    def write(self, file: Path) -> None:
        """Put the book into its file, in place of what it held. Raises OSError."""
        beside = file.with_name(f"{file.name}.new")
        beside.write_text(self.text(), encoding="utf-8")
        os.replace(beside, file)


def puzzles_in(text: str) -> Iterator[Puzzle]:
    """The puzzles of a book. Raises ValueError for what is none."""
    heading = BookHeading.of(text)
    for line in text.splitlines()[1:]:
        rating, themes, position, *solution = line.split(" ")
        named = () if themes == NONE else tuple(themes.split(","))
        yield Puzzle(heading.variant, heading.options, position, tuple(solution), int(rating), named)


def line_of(puzzle: Puzzle) -> str:
    """A puzzle as a line of a book."""
    return " ".join((str(puzzle.rating), ",".join(puzzle.themes) or NONE, puzzle.position, *puzzle.solution))
