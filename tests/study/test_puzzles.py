"""Puzzles: those that are shipped, how they are found, and how they and their solvers are rated."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.computer.puzzles import GAIN, MiningJob, Puzzle, is_rest, mine, options_for, puzzle_at, standing
from bot.computer.search.limits import Limit
from bot.computer.search.think import think
from bot.computer.workers.pool import Busy, WorkerLost, Workers
from bot.engine import variants
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.errors import BadPosition
from bot.engine.registry import rules_for
from bot.engine.ruleset import Ruleset
from bot.games.model.errors import Duplicate, Refused
from bot.study import mining
from bot.study import puzzles as study
from bot.study.model import AnswerResult, DailyHour
from bot.study.puzzles import Puzzles
from bot.support.time_units import DAY, HOUR
from data.queries import rulesets
from data.queries import study as queries
from data.schema.study import puzzles as puzzle_rows
from data.store import Store
from tests.support.games.club import ANA, BEN, HALL, Club

EASY = Puzzle("spanish", {}, "B:Wb3,d5,f1,g2,h3,h5:Ba6,b7,e4,f7,g8,h7", ("f7-g6", "h5xf7", "g8xe6xc4xa2"), 1100)
SHOT = "W:Wa3,d2,d6,e1,e3:Ba5,d8,Kh6,h8"
NOON = DailyHour(12, "UTC")
HARD = Puzzle("spanish", {}, "W:Wa2,a4,b3,c4,h1,h3:Ba6,c6,d3,e6,f3,f7,g6,g8", ("c4-b5", "a6xc4", "b3xd5xb7"), 1500)


def test_a_combination_is_found_and_a_quiet_position_is_none() -> None:
    """Two men given for two and a king; the set-up has nothing to find, nor has a simple recapture."""
    found = puzzle_at("pinoy", {}, SHOT)
    assert found is not None
    assert ("d6-c7", "d8xb6", "d2-c3", "h6xd2xb4", "a3xc5xa7") == found.solution
    assert puzzle_at("spanish", {}, rules_for("spanish").position(rules_for("spanish").start())) is None
    assert puzzle_at("spanish", {}, "W:Wb3,e2,h1:Bc4,h7") is None


@pytest.mark.parametrize(
    ("position", "other"),
    [("B:Wa3,h4:BKc3,e5", "c3-d2"), ("W:Wa3,a5,c5,f2,g1,g3,h2:Ba7,c7,e5,e7,g5,g7,h4", "c5-b6")],
)
def test_what_is_won_in_two_ways_is_no_puzzle(position: str, other: str) -> None:
    """Another turn wins too, only later, or wins two men and more: who plays it has not failed."""
    rules = rules_for("pinoy")
    assert isinstance(rules, DraughtsRules)
    state = rules.start(position)
    turns = [turn.text for turn in rules.turns(state) if turn.text != other]
    assert think(rules, state, Limit(nodes=50_000, without=tuple(turns))).score - standing(rules, state) >= GAIN
    assert puzzle_at("pinoy", {}, position) is None


def test_games_are_mined_between_two_turns() -> None:
    """The position is reached by turn six; before and after nothing is looked at. A star has no puzzles."""
    whole = MiningJob("pinoy", {}, SHOT, ("d6-c7", "d8xb6", "d2-c3"), 0, 3)
    assert [SHOT] == [puzzle.position for puzzle in mine(whole)]
    assert () == mine(whole._replace(since=3))
    assert () == mine(MiningJob("chinese-checkers", {}, None, (), 0, 5))


def test_captures_are_compulsory_in_puzzles_of_americanas() -> None:
    """Where a capture may be neglected nothing is forced."""
    assert {"neglect": "compulsory"} == options_for("americanas", {})
    assert {"quiet_moves": 40} == options_for("pinoy", {"quiet_moves": 40})


def test_the_end_of_a_puzzle_is_no_puzzle_of_its_own() -> None:
    """A few turns on in the same game the same combination ends."""
    rest = EASY._replace(position="W:Wh5:Bg6", solution=EASY.solution[2:])
    assert is_rest(rest, EASY)
    assert not is_rest(HARD, EASY)
    assert not is_rest(EASY, None)


@pytest.fixture
def club(store: Store, monkeypatch: pytest.MonkeyPatch) -> Club:
    """Two puzzles."""
    monkeypatch.setattr("bot.study.shipped.shipped", lambda: (EASY, HARD))
    return Club(store)


@pytest.fixture
def puzzles(club: Club) -> Puzzles:
    return Puzzles(club.store, club.games, Workers(), club.clock)


async def test_the_nearest_puzzle_is_given_until_it_is_done(puzzles: Puzzles) -> None:
    """A newcomer gets the one nearer to 1200, and the same again; then the other; then no more."""
    first = await puzzles.give(ANA, "spanish")
    assert EASY.position == first.position
    assert first.number == (await puzzles.give(ANA, None)).number
    await puzzles.give_up(ANA, first.number)
    second = await puzzles.give(ANA, None)
    assert HARD.position == second.position
    with pytest.raises(Refused, match="of that game"):
        await puzzles.give(BEN, "tama")


async def test_without_a_game_it_is_one_that_is_known(puzzles: Puzzles, club: Club) -> None:
    """A newcomer gets one of the featured games, though another's is nearer; once a game is played by them or on their
    server its puzzles come too; where no other is left, any."""
    async with club.store.write() as tx:
        assert 1 == await mining.keep_puzzles(tx, [EASY._replace(variant="portuguese", rating=1200)], None, 1)
    newcomer = 99
    assert "spanish" == (await puzzles.give(newcomer, None, 12345)).variant_id
    await club.started("portuguese")
    assert "portuguese" == (await puzzles.give(BEN, None)).variant_id
    assert "portuguese" == (await puzzles.give(98, None, HALL.guild_id)).variant_id
    for _number in range(2):
        await puzzles.give_up(newcomer, (await puzzles.give(newcomer, None)).number)
    assert "portuguese" == (await puzzles.give(newcomer, None)).variant_id


async def test_puzzles_of_a_servers_own_game_are_given_where_it_is_asked_for(puzzles: Puzzles, club: Club) -> None:
    """They are solved by the text that they were found under, whatever becomes of it, and nobody gets them who asks for
    any."""
    text = variants.shipped("spanish").text.replace("Dama (Spanish draughts)", "House dama")
    own = EASY._replace(variant=Ruleset("house@7", text))
    async with club.store.write() as tx:
        assert 1 == await mining.keep_puzzles(tx, [own], None, 1)
        assert 0 == await rulesets.forget_unused(tx)
    given = await puzzles.give(BEN, "house@7")
    assert text == given.rules.variant.ruleset.text
    await puzzles.answer(BEN, given.number, EASY.solution[0])
    assert "solved" == (await puzzles.answer(BEN, given.number, EASY.solution[2])).task.status
    for _number in range(2):
        task = await puzzles.give(ANA, None)
        assert "spanish" == task.variant_id
        await puzzles.give_up(ANA, task.number)
    with pytest.raises(Refused, match="New ones come from games as they are played"):
        await puzzles.give(ANA, None)


async def test_solving_raises_one_rating_and_lowers_the_other(puzzles: Puzzles, club: Club) -> None:
    """Only at the end, and only once; an illegal or unreadable answer is none."""
    task = await puzzles.give(ANA, None)
    value = task.rating
    for text in ("nonsense", "a1-a9", "a6-a5"):
        with pytest.raises(Refused):
            await puzzles.answer(ANA, task.number, text)
    step = await puzzles.answer(ANA, task.number, "f7-g6")
    assert (True, "h5xf7", None) == (step.right, step.answer, step.after)
    assert 1 == step.task.left
    done = await puzzles.answer(ANA, task.number, "g8-a2")
    assert done.after is not None
    assert (1, 1, 1) == (done.after.solved, done.after.streak, done.after.days)
    assert done.after.rating.value > study.FIRST
    assert (await puzzles.task(BEN, task.number)).rating < value
    with pytest.raises(Refused, match="done this puzzle"):
        await puzzles.answer(ANA, task.number, "f7-g6")
    assert done.after == await puzzles.solver(ANA)
    assert await puzzles.solver(BEN) is None
    assert 1 == await puzzles.solvers(task.number)


async def test_streaks_end_with_a_fault_and_days_with_a_day_off(puzzles: Puzzles, club: Club) -> None:
    """Solved in a row, and days in a row on which one was solved."""
    club.now = 100 * DAY
    easy, hard = await puzzles.give(ANA, None), None
    await puzzles.answer(ANA, easy.number, "f7-g6")
    await puzzles.answer(ANA, easy.number, "g8-a2")
    club.now += DAY
    hard = await puzzles.give(ANA, None)
    await puzzles.answer(ANA, hard.number, "c4-b5")
    done = await puzzles.answer(ANA, hard.number, "b3-b7")
    assert done.after is not None
    assert (2, 2, 2) == (done.after.streak, done.after.best_streak, done.after.days)

    await puzzles.give(BEN, None)
    wrong = await puzzles.answer(BEN, easy.number, "a6-b5")
    assert wrong.after is not None
    assert (False, "failed", 0, 0) == (wrong.right, wrong.task.status, wrong.after.streak, wrong.after.solved)
    assert wrong.after.rating.value < study.FIRST


async def test_days_in_a_row_are_those_where_the_solver_lives(puzzles: Puzzles, club: Club) -> None:
    """In Los Angeles: two afternoons, of which one is a day and the other the day after next by UTC; days that have
    passed without a puzzle are not told as if they went on; who has come from further east counts no day twice."""
    await club.games.preferences.change(
        ANA, lambda preferences: replace(preferences, zone="America/Los_Angeles"), "test:west"
    )
    monday = 100 * DAY + 23 * HOUR
    club.now = monday
    easy = await puzzles.give(ANA, None)
    await puzzles.answer(ANA, easy.number, "f7-g6")
    await puzzles.answer(ANA, easy.number, "g8-a2")
    club.now = monday + 26 * HOUR
    hard = await puzzles.give(ANA, None)
    await puzzles.answer(ANA, hard.number, "c4-b5")
    done = await puzzles.answer(ANA, hard.number, "b3-b7")
    assert done.after is not None
    assert 2 == done.after.days
    assert done.after == await puzzles.solver(ANA)
    club.now += DAY
    solver = await puzzles.solver(ANA)
    assert solver is not None
    assert 2 == solver.days
    club.now += DAY
    solver = await puzzles.solver(ANA)
    assert solver is not None
    assert 0 == solver.days


async def test_the_daily_puzzle_is_chosen_once_a_day(puzzles: Puzzles, club: Club) -> None:
    """The same all day, however often it is asked for; another one the next day."""
    assert await puzzles.todays(7, 100 * DAY) is None
    await puzzles.set_daily(7, 70, None, NOON)
    first = await puzzles.todays(7, 100 * DAY)
    assert first is not None
    await puzzles.daily_posted(7, 100, 555)
    again = await puzzles.todays(7, 100 * DAY)
    assert again is not None
    assert (555, first.puzzle) == (again.message_id, again.puzzle)
    following = await puzzles.todays(7, 101 * DAY)
    assert following is not None
    assert following.message_id is None
    assert following.puzzle != first.puzzle
    assert await puzzles.drop_daily(7)
    assert not await puzzles.drop_daily(7)


async def test_an_answer_is_read_in_any_notation(puzzles: Puzzles) -> None:
    """Capitals, spaces, colons, the squares of the ends alone: the same move; each is the right one."""
    for person, first, last in (
        (1, "F7 G6", "g8:a2"),
        (2, "f7 - g6", "G8xE6xC4xA2"),
        (3, "F7-g6", "g8 e6 c4 a2"),
    ):
        task = await puzzles.give(person, "spanish")
        assert (await puzzles.answer(person, task.number, first)).right
        assert (await puzzles.answer(person, task.number, last)).task.status == "solved"


async def test_an_answer_that_comes_twice_is_taken_once(puzzles: Puzzles) -> None:
    """The same interaction again is none; a form of an earlier step changes nothing; ten at once rate once."""
    task = await puzzles.give(ANA, None)
    number = task.number
    assert (await puzzles.answer(ANA, number, "f7-g6", step=0, source="i:1")).right
    with pytest.raises(Duplicate):
        await puzzles.answer(ANA, number, "f7-g6", step=0, source="i:1")
    late = await puzzles.answer(ANA, number, "h7-g6", step=0, source="i:2")
    assert (False, "", "open", 1) == (late.right, late.played, late.task.status, late.task.step)
    ten = await asyncio.gather(
        *(puzzles.answer(ANA, number, "g8-a2", step=1, source=f"i:{at}") for at in range(10, 20)),
        return_exceptions=True,
    )
    assert [True] == [one.right for one in ten if isinstance(one, AnswerResult)]
    solver = await puzzles.solver(ANA)
    assert solver is not None
    assert (1, 1, 1) == (solver.rating.games, solver.solved, solver.streak)


async def test_a_daily_puzzle_that_moves_is_posted_again(puzzles: Puzzles, club: Club) -> None:
    """In another channel on the day on which one was posted: another one, when the hour comes. Not posted yet: the
    same."""
    club.now = 100 * DAY
    await puzzles.set_daily(7, 70, None, NOON)
    first = await puzzles.todays(7, 100 * DAY)
    assert first is not None
    await puzzles.set_daily(7, 71, None, NOON)
    same = await puzzles.todays(7, 100 * DAY)
    assert same is not None
    assert (first.puzzle, 71) == (same.puzzle, same.channel_id)
    await puzzles.daily_posted(7, 100, 555)
    # In the channel where it stands another hour, and another after that, begin the next day.
    for hour in (20, 22):
        assert 101 * DAY + hour * HOUR == await puzzles.set_daily(7, 71, "tama", DailyHour(hour, "UTC"))
    assert 100 * DAY + 12 * HOUR == await puzzles.set_daily(7, 72, None, NOON)
    moved = await puzzles.todays(7, 100 * DAY)
    assert moved is not None
    assert moved.message_id is None
    assert moved.puzzle != first.puzzle


class Searching(Workers):
    """Workers that search at once, here; ``failing`` says what becomes of a game's turns instead, by its first turn."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[MiningJob] = []
        self.failing: dict[str, Exception] = {}

    async def call(self, function: Any, argument: Any, server: int, *, seconds: float, soon: bool = False) -> Any:
        assert function is mine
        assert not soon
        assert argument.until - argument.since <= mining.AT_ONCE
        self.asked.append(argument)
        if argument.turns[0] in self.failing:
            raise self.failing[argument.turns[0]]
        return ()


async def ended(club: Club, first: str) -> int:
    """A game of ten turns that begins with ``first``; its number."""
    game = await club.started("spanish", place=HALL)
    rules, state = game.rules, game.state
    for number in range(10):
        text = first if number == 0 else rules.turns(state)[0].text
        state = rules.play(state, rules.read(state, text))
        game = await club.games.moves.turn(game.id, (ANA, BEN)[number % 2], text, club.source())
    return (await club.games.moves.resign(game.id, ANA, club.source())).id


async def test_games_are_mined_once_and_failures_are_passed_over(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record that does not hold, workers that die: the next game is looked at all the same; a queue that is full is
    waited for until the next night; no game is looked at twice."""
    monkeypatch.setattr("bot.study.shipped.shipped", lambda: ())
    club, workers = Club(store), Searching()
    puzzles = Puzzles(store, club.games, workers, club.clock)
    openings = [turn.text for turn in rules_for("spanish").turns(rules_for("spanish").start())]
    damaged, dying, full = openings[0], openings[1], openings[2]
    workers.failing = {damaged: BadPosition("no"), dying: WorkerLost("killed"), full: Busy()}
    for first in (damaged, dying, openings[3], full, openings[4]):
        await ended(club, first)
    assert 0 == await puzzles.mine()
    looked = [job.turns[0] for job in workers.asked]
    assert [damaged, dying, dying, dying, openings[3], openings[3], openings[3], full] == looked
    workers.asked.clear()
    workers.failing.clear()
    assert 0 == await puzzles.mine()
    assert {full, openings[4]} == {job.turns[0] for job in workers.asked}
    workers.asked.clear()
    assert 0 == await puzzles.mine()
    assert [] == workers.asked


async def test_a_game_is_mined_for_puzzles(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """What workers find is kept with the game that it is from, and given to people."""
    monkeypatch.setattr("bot.study.shipped.shipped", lambda: ())
    club, workers = Club(store), Searching()
    puzzles = Puzzles(store, club.games, workers, club.clock)
    first = rules_for("spanish").turns(rules_for("spanish").start())[0].text
    number = await ended(club, first)

    async def found(function: Any, argument: MiningJob, server: int, *, seconds: float, soon: bool = False) -> Any:
        return (EASY,) if argument.since == 6 else (HARD._replace(position="W:Wh5:Bg6"),) if argument.since == 4 else ()

    monkeypatch.setattr(workers, "call", found)
    assert 2 == await puzzles.mine()
    task = await puzzles.give(ANA, "spanish")
    assert (EASY.position, number) == (task.position, task.game_id)


async def test_workers_that_always_die_end_a_night_but_not_the_search(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No worker lives: after so many the night is over, and the next one begins with the games after."""
    monkeypatch.setattr("bot.study.shipped.shipped", lambda: ())
    monkeypatch.setattr(mining, "LOST_A_NIGHT", 4)
    club, workers = Club(store), Searching()
    puzzles = Puzzles(store, club.games, workers, club.clock)
    openings = [turn.text for turn in rules_for("spanish").turns(rules_for("spanish").start())]
    for first in openings[:3]:
        workers.failing[first] = WorkerLost("killed")
        await ended(club, first)
    await puzzles.mine()
    assert {openings[0], openings[1]} == {job.turns[0] for job in workers.asked}
    workers.asked.clear()
    await puzzles.mine()
    assert {openings[2]} == {job.turns[0] for job in workers.asked}


async def test_a_game_that_lasts_long_is_mined_when_it_ends(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was begun before games that were looked at long ago."""
    monkeypatch.setattr("bot.study.shipped.shipped", lambda: ())
    club, workers = Club(store), Searching()
    puzzles = Puzzles(store, club.games, workers, club.clock)
    long = await club.started("spanish")
    for number in range(6):
        text = long.rules.turns(long.state)[0].text if number else "b3-c4"
        long = await club.games.moves.turn(long.id, (ANA, BEN)[number % 2], text, club.source())
    club.now += DAY
    assert long.id < await ended(club, "f3-g4")
    await puzzles.mine()
    assert {"f3-g4"} == {job.turns[0] for job in workers.asked}
    club.now += DAY
    await club.games.moves.resign(long.id, ANA, club.source())
    workers.asked.clear()
    await puzzles.mine()
    assert {"b3-c4"} == {job.turns[0] for job in workers.asked}


async def test_themes_of_older_puzzles_are_found_at_night(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that were kept before there were themes, once; one whose solution does not hold has none."""
    monkeypatch.setattr("bot.study.shipped.shipped", lambda: ())
    club = Club(store)
    puzzles = Puzzles(store, club.games, Searching(), club.clock)
    bad = HARD._replace(position="W:Wa2:Bh7")
    async with store.write() as tx:
        await mining.keep_puzzles(tx, [EASY, HARD, bad], None, 1)
        await tx.execute(puzzle_rows.update().values(themes=None))
        assert 3 == len(await queries.without_themes(tx, 9))
    await puzzles.mine()
    async with store.read() as tx:
        assert [] == await queries.without_themes(tx, 9)
    easy = await puzzles.give(ANA, "spanish", theme="long-capture")
    assert (EASY.position, ("sacrifice", "long-capture")) == (easy.position, easy.themes)
