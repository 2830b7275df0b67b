"""Puzzles out of games that the computer plays with itself, as lines of the files in ``data/puzzles``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bot.computer.puzzles import self_play
from bot.engine.errors import VariantError
from bot.engine.registry import rules_for
from bot.engine.variants import OptionValue
from bot.study.shipped import line_of


def made(variant: str, options: Mapping[str, OptionValue], games: int, seed: int) -> Iterator[str]:
    """A line for each puzzle of so many games, as it is found; the same ones for the same seed. Raises VariantError."""
    if rules_for(variant, options).variant.family != "draughts":
        raise VariantError(f"{variant} is no game of the draughts family: it has no puzzles")
    seen = set()
    for number in range(games):
        for puzzle in self_play(variant, options, seed * 100_000 + number):
            if puzzle.position not in seen:
                seen.add(puzzle.position)
                yield line_of(puzzle)
