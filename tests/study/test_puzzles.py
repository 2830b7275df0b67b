"""Puzzles: those that are shipped, how they are found, and how they and their solvers are rated."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.computer.puzzles import Mine, Puzzle, is_rest, mine, options_for, puzzle_at, self_play
from bot.computer.workers import Workers
from bot.engine.catalogue import rules_for
from bot.engine.rules import Rules, State
from bot.games.clock import DAY
from bot.games.refused import Refused
from bot.study import puzzles as study
from bot.study.puzzles import Puzzles
from bot.study.shipped import line_of, puzzle_of, shipped
from data.store import Store
from tests.games.club import ANA, BEN, Club

EASY = Puzzle("spanish", {}, "B:Wb3,d5,f1,g2,h3,h5:Ba6,b7,e4,f7,g8,h7", ("f7-g6", "h5xf7", "g8xe6xc4xa2"), 1100)
SHOT = "W:Wa3,a5,c5,f2,g1,g3,h2:Ba7,c7,e5,e7,g5,g7,h4"
HARD = Puzzle("spanish", {}, "W:Wa2,a4,b3,c4,h1,h3:Ba6,c6,d3,e6,f3,f7,g6,g8", ("c4-b5", "a6xc4", "b3xd5xb7"), 1500)


def material(rules: Rules, state: State, seat: int) -> int:
    """What a side has more than the other, in men; a king counts for three."""
    worth = {"man": 1, "king": 3}
    return sum(worth[p.kind] * (1 if p.owner == seat else -1) for p in rules.pieces(state).values())


@pytest.mark.parametrize("puzzle", shipped(), ids=lambda puzzle: f"{puzzle.variant}:{puzzle.position}")
def test_shipped_puzzles_hold(puzzle: Puzzle) -> None:
    """Each solution is legal turn by turn, begins and ends with the solver, and wins the game or material."""
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
    assert won or material(rules, state, solver) > before


def test_there_are_puzzles_of_each_draughts_game() -> None:
    """Whoever asks on the first day gets some."""
    assert {"americanas", "pinoy", "spanish", "tama"} == {puzzle.variant for puzzle in shipped()}
    assert len({(puzzle.variant, puzzle.position) for puzzle in shipped()}) == len(shipped())


def test_a_combination_is_found_and_a_quiet_position_is_none() -> None:
    """Three men given for seven; the set-up has nothing to find, nor has a simple recapture."""
    found = puzzle_at("pinoy", {}, SHOT)
    assert found is not None
    assert ("g3-f4", "e5xg3xe1", "g1-f2", "e1xg3", "h2xf4xh6xf8xd6xb8") == found.solution[:5]
    assert puzzle_at("spanish", {}, rules_for("spanish").position(rules_for("spanish").start())) is None
    assert puzzle_at("spanish", {}, "W:Wb3,e2,h1:Bc4,h7") is None


def test_games_are_mined_between_two_turns() -> None:
    """The position is reached by turn six; before and after nothing is looked at. A star has no puzzles."""
    whole = Mine("pinoy", {}, SHOT, ("g3-f4", "e5xg3xe1", "g1-f2"), 0, 3)
    assert [SHOT] == [puzzle.position for puzzle in mine(whole)]
    assert () == mine(whole._replace(since=3))
    assert () == mine(Mine("chinese-checkers", {}, None, (), 0, 5))


def test_captures_are_compulsory_in_puzzles_of_americanas() -> None:
    """Where a capture may be neglected nothing is forced."""
    assert {"neglect": "compulsory"} == options_for("americanas", {})
    assert {"quiet_moves": 40} == options_for("pinoy", {"quiet_moves": 40})


def test_self_play_gives_the_same_puzzles_for_the_same_seed() -> None:
    """So that the files can be made again."""
    first = [line_of(puzzle) for puzzle, _ in zip(self_play("spanish", {}, 16), range(2), strict=False)]
    again = [line_of(puzzle) for puzzle, _ in zip(self_play("spanish", {}, 16), range(2), strict=False)]
    assert first == again
    assert [line_of(puzzle_of(line)) for line in first] == first


def test_the_end_of_a_puzzle_is_no_puzzle_of_its_own() -> None:
    """A few turns on in the same game the same combination ends."""
    rest = EASY._replace(position="W:Wh5:Bg6", solution=EASY.solution[2:])
    assert is_rest(rest, EASY)
    assert not is_rest(HARD, EASY)
    assert not is_rest(EASY, None)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An open store, empty."""
    store = Store(f"sqlite+aiosqlite:///{tmp_path}/damero.sqlite3")
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def club(store: Store, monkeypatch: pytest.MonkeyPatch) -> Club:
    """Two puzzles."""
    monkeypatch.setattr(study, "shipped", lambda: (EASY, HARD))
    return Club(store)


@pytest.fixture
def puzzles(club: Club) -> Puzzles:
    return Puzzles(club.store, club.games, Workers(), club.clock)


async def test_the_nearest_puzzle_is_given_until_it_is_done(puzzles: Puzzles) -> None:
    """A newcomer gets the one nearer to 1200, and the same again; then the other; then no more."""
    first = await puzzles.give(ANA, "spanish")
    assert EASY.position == first.row.position
    assert first.row.id == (await puzzles.give(ANA, None)).row.id
    await puzzles.give_up(ANA, first.row.id)
    second = await puzzles.give(ANA, None)
    assert HARD.position == second.row.position
    with pytest.raises(Refused, match="tried all puzzles"):
        await puzzles.give(BEN, "tama")


async def test_solving_raises_one_rating_and_lowers_the_other(puzzles: Puzzles, club: Club) -> None:
    """Only at the end, and only once; an illegal or unreadable answer is none."""
    task = await puzzles.give(ANA, None)
    value = task.row.value
    for text in ("nonsense", "a1-a9", "a6-a5"):
        with pytest.raises(Refused):
            await puzzles.answer(ANA, task.row.id, text)
    step = await puzzles.answer(ANA, task.row.id, "f7-g6")
    assert (True, "h5xf7", None) == (step.right, step.answer, step.after)
    assert 1 == step.task.left
    done = await puzzles.answer(ANA, task.row.id, "g8-a2")
    assert done.after is not None
    assert (1, 1, 1) == (done.after.solved, done.after.streak, done.after.days)
    assert done.after.value > study.FIRST
    assert (await puzzles.task(BEN, task.row.id)).row.value < value
    with pytest.raises(Refused, match="done this puzzle"):
        await puzzles.answer(ANA, task.row.id, "f7-g6")
    assert done.after == await puzzles.solver(ANA)
    assert await puzzles.solver(BEN) is None
    assert 1 == await puzzles.solvers(task.row.id)


async def test_streaks_end_with_a_fault_and_days_with_a_day_off(puzzles: Puzzles, club: Club) -> None:
    """Solved in a row, and days in a row on which one was solved."""
    club.now = 100 * DAY
    easy, hard = await puzzles.give(ANA, None), None
    await puzzles.answer(ANA, easy.row.id, "f7-g6")
    await puzzles.answer(ANA, easy.row.id, "g8-a2")
    club.now += DAY
    hard = await puzzles.give(ANA, None)
    await puzzles.answer(ANA, hard.row.id, "c4-b5")
    done = await puzzles.answer(ANA, hard.row.id, "b3-b7")
    assert done.after is not None
    assert (2, 2, 2) == (done.after.streak, done.after.best_streak, done.after.days)

    await puzzles.give(BEN, None)
    wrong = await puzzles.answer(BEN, easy.row.id, "a6-b5")
    assert wrong.after is not None
    assert (False, "failed", 0, 0) == (wrong.right, wrong.task.status, wrong.after.streak, wrong.after.solved)
    assert wrong.after.value < study.FIRST


async def test_the_daily_puzzle_is_chosen_once_a_day(puzzles: Puzzles, club: Club) -> None:
    """The same until midnight (UTC), however often it is asked for; another one the next day."""
    club.now = 100 * DAY
    assert await puzzles.todays(7) is None
    await puzzles.set_daily(7, 70, None, 1)
    first = await puzzles.todays(7)
    assert first is not None
    await puzzles.daily_posted(7, 100, 555)
    again = await puzzles.todays(7)
    assert again is not None
    assert (555, first[1].id) == (again[0].message_id, again[1].id)
    club.now += DAY
    following = await puzzles.todays(7)
    assert following is not None
    assert following[0].message_id is None
    assert following[1].id != first[1].id
    assert await puzzles.drop_daily(7)
    assert not await puzzles.drop_daily(7)
