"""The puzzles that come with the program: the books in ``data/puzzles``, and how a store takes them in."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Final

from bot.computer.puzzles import Puzzle
from bot.games.persistence.transactions import reading, writing
from bot.study.mining import keep_puzzles
from bot.study.puzzle_books import puzzles_in
from data.queries import key_values
from data.store import Store

TAKEN: Final = "puzzles shipped"
"""The key of which books have been taken in."""
AT_ONCE: Final = 500
"""So many puzzles are taken in by one transaction: nobody waits long for it."""


class ShippedPuzzles:
    """Takes the books into the store when somebody first wants a puzzle, and again when they have changed."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store, self._clock = store, clock
        self._taken = False

    async def take(self) -> None:
        """See to it that the store has all of them. They are read only where they are not those that it took last."""
        if self._taken:
            return
        stamp = await asyncio.to_thread(_stamp)
        async with reading(self._store) as tx:
            known = await key_values.get(tx, TAKEN) == stamp
        if not known:
            puzzles = await asyncio.to_thread(shipped)
            for at in range(0, len(puzzles), AT_ONCE):
                async with writing(self._store) as tx:
                    await keep_puzzles(tx, puzzles[at : at + AT_ONCE], None, self._clock())
            async with writing(self._store) as tx:
                await key_values.put(tx, TAKEN, stamp)
        self._taken = True


def shipped() -> tuple[Puzzle, ...]:
    """All of them, read anew: there are thousands, and who takes them into a store needs them once."""
    return tuple(puzzle for file in _books() for puzzle in puzzles_in(file.read_text(encoding="utf-8")))


def _books() -> Iterator[Path]:
    yield from sorted(Path(str(files("data"))).joinpath("puzzles").glob("*.txt"))


def _stamp() -> str:
    """Another one whenever the books are others."""
    seen = [(file.name, (status := file.stat()).st_size, status.st_mtime_ns) for file in _books()]
    return hashlib.sha256(repr(seen).encode()).hexdigest()
