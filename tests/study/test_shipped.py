"""The puzzles that come with the program: that they hold, and that a store takes them in when they are new."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import cast

import pytest

from bot.computer.puzzles import Puzzle, options_for
from bot.engine import variants
from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from bot.engine.variant_tables import DraughtsTables
from bot.study import shipped as books
from bot.study.puzzle_books import PuzzleBook
from bot.study.shipped import ShippedPuzzles, shipped
from data.queries import study
from data.queries.rows import numbers
from data.schema.study import puzzles
from data.store import Store
from tests.support.data.executed import note_statements

SOME = Random("puzzles").sample(shipped(), 120)
"""There are thousands: `damero puzzles --check` goes through all of them."""
EASY = Puzzle("spanish", {}, "B:Wb3,d5,f1,g2,h3,h5:Ba6,b7,e4,f7,g8,h7", ("f7-g6", "h5xf7", "g8xe6xc4xa2"), 1100)
HARD = Puzzle("spanish", {}, "W:Wa2,a4,b3,c4,h1,h3:Ba6,c6,d3,e6,f3,f7,g6,g8", ("c4-b5", "a6xc4", "b3xd5xb7"), 1500)


def material(rules: Rules, state: State, seat: int) -> int:
    """What a side has more than the other, in men; a king counts for three."""
    worth = {"man": 1, "king": 3}
    return sum(worth[p.kind] * (1 if p.owner == seat else -1) for p in rules.pieces(state).values())


@pytest.mark.parametrize("puzzle", SOME, ids=lambda puzzle: f"{puzzle.variant}:{puzzle.position}")
def test_shipped_puzzles_hold(puzzle: Puzzle) -> None:
    """Each solution is legal turn by turn, begins and ends with the solver, and wins the game or what counts in it:
    pieces, or in give-away to be rid of them."""
    rules = rules_for(puzzle.variant, puzzle.options)
    assert options_for(puzzle.variant, puzzle.options) == dict(puzzle.options)
    state = rules.start(puzzle.position)
    solver, before = state.seat, material(rules, state, state.seat)
    assert len(rules.turns(state)) >= 3
    for number, text in enumerate(puzzle.solution):
        assert state.outcome is None
        assert (solver if number % 2 == 0 else 1 - solver) == state.seat
        turn = rules.read(state, text)
        assert text == turn.text
        state = rules.play(state, turn)
    assert 1 == len(puzzle.solution) % 2
    assert puzzle.moves >= 2
    # What is still hanging is taken before it is counted.
    while state.outcome is None and (captures := [turn for turn in rules.turns(state) if turn.captured]):
        state = rules.play(state, captures[0])
    won = state.outcome is not None and state.outcome.winner == solver
    gained = material(rules, state, solver) - before
    upside_down = cast(DraughtsTables, rules.variant.tables).outcome.wins == "lose-all"
    assert won or (gained < 0 if upside_down else gained > 0)


def test_there_are_puzzles_of_each_draughts_game() -> None:
    """Whoever asks on the first day gets some, whatever the game; none twice."""
    draughts = {name for name in variants.names() if variants.load(name).family == "draughts"}
    assert draughts == {puzzle.variant for puzzle in shipped()}
    assert len({(puzzle.variant, puzzle.position) for puzzle in shipped()}) == len(shipped())


def test_shipped_books_are_small() -> None:
    """A puzzle has 150 bytes at most in the mean, and stands in the book of its game."""
    folder = Path(books.__file__).parents[2] / "data" / "puzzles"
    files = {file.stem: file.read_text(encoding="utf-8") for file in folder.glob("*.txt")}
    assert {puzzle.variant for puzzle in shipped()} == set(files)
    assert sum(map(len, files.values())) < 150 * len(shipped())


async def test_what_is_shipped_is_taken_in_once(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """When somebody first wants a puzzle; not read again while the books are the same, in another run either. One that
    has changed is: what is new in it comes to what is there."""
    file = tmp_path / "spanish.txt"
    book = PuzzleBook("spanish", {})
    book.add((EASY,))
    book.write(file)
    monkeypatch.setattr(books, "_books", lambda: [file])
    read: list[int] = []

    def reads() -> tuple[Puzzle, ...]:
        found = shipped()
        read.append(len(found))
        return found

    monkeypatch.setattr(books, "shipped", reads)

    async def there() -> int:
        async with store.read() as tx:
            return len(await numbers(tx, puzzles.select()))

    await ShippedPuzzles(store, lambda: 1).take()
    assert (1, [1]) == (await there(), read)
    again = ShippedPuzzles(store, lambda: 2)
    await again.take()
    assert [1] == read
    statements: list[str] = []
    note_statements(store, monkeypatch, lambda statement, _values: statements.append(statement))
    await again.take()
    assert [] == statements
    book.add((HARD,))
    book.write(file)
    os.utime(file, ns=(1, 1))
    await ShippedPuzzles(store, lambda: 3).take()
    assert (2, [1, 2]) == (await there(), read)
    async with store.read() as tx:
        newest = await study.puzzle(tx, 2)
        assert newest is not None
        assert (HARD.position, 3) == (newest.position, newest.made_at)
