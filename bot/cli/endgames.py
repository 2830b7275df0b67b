"""Endgame tables, made for the bot and for ``damero best``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from bot.computer.endgames.lookup import make
from bot.engine import variants
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.errors import VariantError
from bot.engine.registry import rules_for
from bot.engine.variants import OptionValue


def made(
    variant: str | None,
    options: Mapping[str, OptionValue],
    folder: Path,
    pieces: int | None,
    progress: Callable[[str], None],
) -> Iterator[str]:
    """Make the tables of a game with its options, or of all draughts games that are shipped: a line for each file.

    ``told``: what is called with each line of progress. Raises EngineError, OSError.
    """
    asked = [variant] if variant else [name for name in variants.names() if variants.load(name).family == "draughts"]
    for name in asked:
        rules = rules_for(name, options)
        if not isinstance(rules, DraughtsRules):
            raise VariantError(f"{name} is no game of the draughts family: it has no endgame tables")
        file = make(rules, folder, pieces, progress=progress)
        yield f"{file.path} {file.pieces} pieces {file.layout.total} positions {file.path.stat().st_size} bytes"
