"""What the computer makes ahead of any game: endgame tables, for the bot and ``damero best``, and puzzles."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

from bot.computer.endgames import outcome_making, outcome_tables
from bot.computer.endgames.build import USUAL
from bot.computer.endgames.conversion_tables import PIECES
from bot.computer.endgames.lookup import conversions_for, make
from bot.computer.puzzle_games import SelfPlay, play_for_puzzles
from bot.computer.puzzles import found_again, options_for
from bot.computer.workers.executors import end_with_parent
from bot.engine import variants
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.errors import VariantError
from bot.engine.registry import rules_for
from bot.engine.variants import OptionValue
from bot.study.puzzle_books import PuzzleBook, line_of

J = TypeVar("J")
R = TypeVar("R")

AT_ONCE: Final = 20
"""After so many games what was found is written."""


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
        rules = _draughts(name, options, "endgame tables")
        more = pieces if pieces is not None and pieces > USUAL and outcome_tables.possible(rules.tables) else None
        if more:
            outcome_making.layout_for(rules.tables, more, outcome_making.backend_of(rules))
        file = make(rules, folder, USUAL if more else pieces, progress=progress)
        yield f"{file.path} {file.pieces} pieces {file.layout.total} positions {file.path.stat().st_size} bytes"
        if more:
            won = outcome_making.make(rules, file, more, progress=progress)
            yield f"{won.path} {won.pieces} pieces {won.layout.total} positions {won.path.stat().st_size} bytes"
            far = conversions_for(rules, [folder])
            if far is not None:
                yield f"{far.path} {PIECES} pieces {far.path.stat().st_size} bytes"


def until_input_ends() -> None:
    """Have this process end when nobody is left who could write to it: whoever has begun it is gone."""
    threading.Thread(target=_end_with_input, name="input", daemon=True).start()


def _end_with_input() -> None:
    while os.read(0, 1):
        pass
    os._exit(1)


def puzzles(
    variant: str, options: Mapping[str, OptionValue], games: int, seed: int, into: Path | None, processes: int
) -> Iterator[str]:
    """Puzzles out of games that the computer plays with itself, as lines of a book (bot.study.puzzle_books), each as it
    is found; the same ones for the same seed, however many processes look for them.

    With a file ``into`` they are added to it, and games of that seed that it has had are not played again. Raises
    VariantError, PuzzleBookError, OSError.
    """
    _draughts(variant, options, "puzzles")
    options = options_for(variant, options)
    book = PuzzleBook(variant, options) if into is None else PuzzleBook.opened(into, variant, options)
    jobs = [SelfPlay(variant, options, number, seed) for number in range(book.games.get(str(seed), 0), games)]
    for job, found in zip(jobs, _each(play_for_puzzles, jobs, processes), strict=True):
        known = len(book.puzzles)
        book.add(found)
        book.games[str(seed)] = job.number + 1
        yield from map(line_of, book.puzzles[known:])
        if into is not None and (job.number % AT_ONCE == 0 or job.number + 1 == games):
            book.write(into)


def wrong_puzzles(variant: str, file: Path, processes: int) -> Iterator[str]:
    """The puzzles of a book in a file that the search does not find as they stand there: their lines. Raises
    VariantError, PuzzleBookError, OSError."""
    _draughts(variant, {}, "puzzles")
    file.stat()
    known = PuzzleBook.opened(file, variant, options_for(variant, {})).puzzles
    for puzzle, found in zip(known, _each(found_again, known, processes), strict=True):
        if not found:
            yield line_of(puzzle)


def _each(function: Callable[[J], R], jobs: Sequence[J], processes: int) -> Iterator[R]:
    """What a function makes of each job, in their order."""
    if processes == 1:
        yield from map(function, jobs)
        return
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=spawn, initializer=end_with_parent) as pool:
        yield from pool.map(function, jobs)


def _first_games() -> list[str]:
    loaded = map(variants.load, variants.names())
    return [each.id for each in loaded if each.tables.featured and each.family == "draughts"]


def _draughts(variant: str, options: Mapping[str, OptionValue], lacks: str) -> DraughtsRules:
    rules = rules_for(variant, options)
    if not isinstance(rules, DraughtsRules):
        raise VariantError(f"{variant} is no game of the draughts family: it has no {lacks}")
    return rules
