"""What the computer makes ahead of any game: endgame tables, for the bot and ``damero best``, and puzzles."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from bot.computer.endgames.lookup import make
from bot.computer.puzzles import self_play
from bot.engine import variants
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.errors import VariantError
from bot.engine.registry import rules_for
from bot.engine.variants import OptionValue
from bot.study.shipped import line_of


def endgames(
    variant: str | None,
    options: Mapping[str, OptionValue],
    folder: Path,
    pieces: int | None,
    progress: Callable[[str], None],
) -> Iterator[str]:
    """Make the tables of a game with its options, or of the draughts games that are offered first: a line for each
    file.

    ``progress`` is called with each line of it. Raises EngineError, OSError.
    """
    for name in [variant] if variant else _first_games():
        file = make(_draughts(name, options, "endgame tables"), folder, pieces, progress=progress)
        yield f"{file.path} {file.pieces} pieces {file.layout.total} positions {file.path.stat().st_size} bytes"


def until_input_ends() -> None:
    """Have this process end when nobody is left who could write to it: whoever has begun it is gone."""
    threading.Thread(target=_end_with_input, name="input", daemon=True).start()


def _end_with_input() -> None:
    while os.read(0, 1):
        pass
    os._exit(1)


def puzzles(variant: str, options: Mapping[str, OptionValue], games: int, seed: int) -> Iterator[str]:
    """Puzzles out of games that the computer plays with itself, as lines of the files in ``data/puzzles``, each as it
    is found; the same ones for the same seed. Raises VariantError."""
    _draughts(variant, options, "puzzles")
    known = set()
    for number in range(games):
        for puzzle in self_play(variant, options, seed * 100_000 + number):
            if puzzle.position not in known:
                known.add(puzzle.position)
                yield line_of(puzzle)


def _first_games() -> list[str]:
    loaded = map(variants.load, variants.names())
    return [each.id for each in loaded if each.tables.featured and each.family == "draughts"]


def _draughts(variant: str, options: Mapping[str, OptionValue], lacks: str) -> DraughtsRules:
    rules = rules_for(variant, options)
    if not isinstance(rules, DraughtsRules):
        raise VariantError(f"{variant} is no game of the draughts family: it has no {lacks}")
    return rules
