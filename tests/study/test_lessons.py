"""The lessons of a game: six positions out of its own rules, each with something to be done."""

from __future__ import annotations

import pytest

from bot.engine import variants
from bot.engine.rules import Rules, State
from bot.engine.turns import Turn
from bot.study.lessons import Lesson, lessons_of
from tests.support.engine.shipped import FIRST
from tests.support.thoroughness import THOROUGH

# Where who has nothing left wins, where captures go straight, where few pieces stand; of the others some seconds each.
GAMES = variants.names() if THOROUGH > 1 else [*FIRST, "antidraughts", "turkish", "frysk"]
BOARD = [("move",), ("must", "take"), ("several",), ("crown",), ("king",), ("finish",)]
STAR = [("step",), ("hop",), ("two",), ("chain",), ("home",), ("finish",)]


@pytest.mark.parametrize("game", GAMES)
def test_each_game_has_six_lessons(game: str) -> None:
    """In their order; each is done by at least one legal turn and by all that its goal says, and may be failed where
    that is its point."""
    lessons = lessons_of(game)
    wanted = STAR if lessons[0].rules.seats[0].sets else BOARD
    assert len(wanted) == len(lessons)
    for lesson, goals in zip(lessons, wanted, strict=True):
        assert lesson.goal in goals
        turns = lesson.rules.turns(lesson.state)
        assert lesson.solutions
        assert {turn.text for turn in lesson.solutions} <= {turn.text for turn in turns}
        assert all(does(lesson, turn) for turn in lesson.solutions)
        assert lesson.state.last is None


@pytest.mark.parametrize("game", GAMES)
def test_lessons_teach_one_thing_at_a_time(game: str) -> None:
    """Before kings are taught none stands on the board, the first capture is of one piece, nothing wins before the last
    lesson, and there is something to choose. Where so few pieces take so rarely, one of these may be wanting."""
    wanting = []
    for lesson in lessons_of(game):
        rules, turns = lesson.rules, lesson.rules.turns(lesson.state)
        before = lesson.goal in ("must", "take", "several", "crown")
        wanting += [
            f"{lesson.goal}: {fault}"
            for fault, is_so in (
                ("one choice", len(turns) < 2),
                ("a king", before and kings(rules, lesson.state) > 0),
                (
                    "several",
                    lesson.goal in ("must", "take") and any(len(turn.captured) > 1 for turn in lesson.solutions),
                ),
                (
                    "over",
                    lesson.goal != "finish" and any(rules.play(lesson.state, t).outcome for t in lesson.solutions),
                ),
            )
            if is_so
        ]
    assert WANTING.get(game, []) == wanting


WANTING = {"tama": ["several: a king"], "frysk": ["several: one choice"]}


def does(lesson: Lesson, turn: Turn) -> bool:
    """Whether a turn does what is asked for, told by what it leaves behind."""
    rules, before, after = lesson.rules, lesson.state, lesson.rules.play(lesson.state, turn)
    taken = len(rules.pieces(before)) - len(rules.pieces(after))
    match lesson.goal:
        case "move" | "step":
            return taken == 0
        case "must" | "take":
            return taken > 0
        case "several":
            return taken > 1
        case "crown":
            return kings(rules, after) > kings(rules, before) or taken > 0
        case "king":
            return rules.pieces(before)[turn.path[0]].kind == "king"
        case "hop" | "two" | "chain":
            hops = len(turn.path) - 1
            return hops == {"hop": 1, "two": 2}.get(lesson.goal, hops) and (lesson.goal != "chain" or hops > 2)
        case "home":
            return rules.tally(after)[before.seat] != rules.tally(before)[before.seat]
        case "finish":
            outcomes = [rules.play(after, answer).outcome for answer in rules.turns(after)] or [after.outcome]
            return all(outcome is not None and outcome.winner == before.seat for outcome in outcomes)
    return False


def kings(rules: Rules, state: State) -> int:
    return sum(piece.kind == "king" for piece in rules.pieces(state).values())


def test_a_neglected_capture_is_taught_where_there_is_one() -> None:
    """With *soplar* one may leave a capture; elsewhere nothing but captures is legal in that lesson."""
    assert "take" in [lesson.goal for lesson in lessons_of("americanas")]
    (must,) = [lesson for lesson in lessons_of("spanish") if lesson.goal == "must"]
    assert len(must.solutions) == len(must.rules.turns(must.state))


def test_lessons_are_the_same_each_time() -> None:
    """A button of yesterday finds its position."""
    before = [lesson.rules.position(lesson.state) for lesson in lessons_of("spanish")]
    lessons_of.cache_clear()
    assert before == [lesson.rules.position(lesson.state) for lesson in lessons_of("spanish")]
