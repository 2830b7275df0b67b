"""What is said of the turns of a finished game."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from bot.computer import analysis
from bot.computer.analysis import (
    TURNING,
    JudgedTurn,
    PlayedPosition,
    SearchedTurn,
    SetPosition,
    TurnVerdict,
    accuracy,
    best_lines,
    chance,
    curve,
    judge,
    look,
    turning_points,
)
from bot.computer.kernels.search_room import WIN
from bot.computer.search.limits import Limit, SearchResult
from bot.computer.search.think import think
from bot.engine.errors import EngineError
from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State

POSITIONS = 2_000


def seen(
    score: int, played: int, *, seat: int = 0, choices: int = 5, same: bool = False, stake: float = 0.2
) -> SearchedTurn:
    """What a search saw, with the worth of the best turn and of the one that was played."""
    return SearchedTurn(seat, "a1-b2", score, "a1-b2" if same else "c1-d2", played, choices, 8, ("a1-b2",), stake)


@pytest.mark.parametrize(
    ("one", "verdict"),
    [
        (seen(0, 0, same=True), TurnVerdict.BEST),
        (seen(10, 10), TurnVerdict.BEST),
        (seen(20, 10), TurnVerdict.GOOD),
        (seen(0, -25), TurnVerdict.INACCURACY),
        (seen(0, -60), TurnVerdict.MISTAKE),
        (seen(0, -150), TurnVerdict.BLUNDER),
        (seen(WIN - 5, 400), TurnVerdict.GOOD),
        (seen(WIN - 5, 0), TurnVerdict.BLUNDER),
        (seen(-900, -WIN + 3), TurnVerdict.BEST),
        (seen(0, 0, choices=1), TurnVerdict.FORCED),
    ],
)
def test_turns_are_judged_by_the_points_that_they_give_away(one: SearchedTurn, verdict: TurnVerdict) -> None:
    """In a game that is won or lost anyway the same piece is worth less than in one that is even."""
    [judged] = judge([one], "draughts")
    assert verdict == judged.verdict


def test_a_star_has_a_scale_of_its_own() -> None:
    """A row on a star is no man on a board."""
    assert chance(100, "draughts") > 0.7 > chance(100, "star") > 0.5
    assert 1.0 - chance(-100, "star") == pytest.approx(chance(100, "star"))
    assert (1.0, 0.0) == (chance(WIN - 9, "star"), chance(9 - WIN, "draughts"))


def test_accuracy_is_of_free_choices_alone() -> None:
    """All best is 100; forced turns say nothing; who never chose has none."""
    judged = judge([seen(0, 0, same=True), seen(0, -200, choices=1), seen(0, -100, seat=1)], "draughts")
    assert 100.0 == accuracy(judged, 0)
    assert 0 < (accuracy(judged, 1) or 0) < 50
    assert accuracy(judged, 2) is None


def test_accuracy_weighs_what_was_at_stake() -> None:
    """Who gives away as much as chance would is far from good, however little there was to lose; a turn at which
    nothing was at stake changes nothing; who gives away half as much is much better."""
    lost = judge([seen(0, -25)], "draughts")[0].loss
    as_chance = accuracy(judge([seen(0, -25, stake=lost)], "draughts"), 0)
    assert as_chance is not None
    assert 25 < as_chance < 40
    dull = [seen(0, -25, stake=lost), *[seen(0, 0, same=True, stake=0.0)] * 20]
    assert as_chance == accuracy(judge(dull, "draughts"), 0)
    half = accuracy(judge([seen(0, -25, stake=lost), seen(0, 0, same=True, stake=lost)], "draughts"), 0)
    assert 60 < (half or 0) < 65
    assert accuracy(judge([seen(0, 0, stake=0.0)], "draughts"), 0) is None


def test_the_gravest_turns_are_the_turning_points() -> None:
    """So many at most, the worst ones, in the order in which they were played; small faults are none."""
    losses = [0, -30, -60, -200, -80, -120]
    judged = judge([seen(0, loss, same=not loss) for loss in losses], "draughts")
    points = turning_points(judged)
    assert [4, 5, 6] == [point.number for point in points]
    assert TURNING == len(points)
    assert [] == turning_points(judge([seen(0, -30)], "draughts"))


def test_the_curve_is_the_first_players() -> None:
    """Up is good for the first of two seats, whoever moved."""
    judged: list[JudgedTurn] = judge([seen(100, 100, same=True), seen(100, 100, seat=1, same=True)], "draughts")
    up, down = curve(judged)
    assert up > 0 > down
    assert up == pytest.approx(-down)


@pytest.fixture
def by_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches are given so many positions, not a time: a machine that is busy finds as much."""

    def search(rules: Rules, state: State, limit: Limit) -> SearchResult:
        return think(rules, state, replace(limit, seconds=None, nodes=POSITIONS))

    monkeypatch.setattr(analysis, "think", search)


@pytest.mark.usefixtures("by_positions")
def test_a_lost_man_is_seen() -> None:
    """Spanish Dama: c4-b5 gives a man away for nothing; what had been better begins another line."""
    found = look(PlayedPosition("spanish", {}, None, ("b3-c4", "e6-f5"), "c4-b5", 0.3))
    [judged] = judge([found], "draughts")
    assert judged.verdict in (TurnVerdict.MISTAKE, TurnVerdict.BLUNDER)
    assert found.best == found.line[0] != "c4-b5"
    assert len(found.line) > 1
    assert 0.02 < found.stake < judged.loss


@pytest.mark.usefixtures("by_positions")
def test_a_neglected_capture_is_judged_too() -> None:
    """Damas americanas: the search itself never neglects a capture; who did, is told what that was worth."""
    turns = ("c3-d4", "f6-e5")
    found = look(PlayedPosition("americanas", {}, None, turns, "b2-c3", 0.2))
    assert "b2-c3" == found.played
    assert found.best.startswith("d4x")
    assert found.played_score <= found.score


@pytest.mark.usefixtures("by_positions")
def test_a_race_is_judged() -> None:
    """Chinese checkers of two: a step backwards out of nowhere is no good turn."""
    rules = rules_for("chinese-checkers", {"players": 2})
    first = rules.turns(rules.start())[0]
    found = look(PlayedPosition("chinese-checkers", {"players": 2}, None, (), first.text, 0.3))
    assert found.choices == len(rules.turns(rules.start()))
    assert found.played_score <= found.score


def test_at_a_table_turns_are_held_against_the_best_one() -> None:
    """Against several a score is far from even at the start already: what counts is what a turn brings less."""
    best, poor = seen(-4000, -4000, same=True), seen(-4000, -5200)
    assert [TurnVerdict.BEST, TurnVerdict.BLUNDER] == [one.verdict for one in judge([best, poor], "star", 3)]
    assert 0.5 == judge([best], "star", 6)[0].chance
    lost, won = seen(-WIN + 3, -WIN + 2), seen(WIN - 3, -4000)
    assert [TurnVerdict.BEST, TurnVerdict.BLUNDER] == [one.verdict for one in judge([lost, won], "star", 4)]


@pytest.mark.usefixtures("by_positions")
@pytest.mark.parametrize("players", [3, 4, 6])
def test_a_bad_step_at_a_table_is_seen(players: int) -> None:
    """A real search of a table that somebody has left: of all steps the worst is no good one, and takes no longer."""
    rules = rules_for("chinese-checkers", {"players": players})
    state = rules.start()
    record: list[str] = []
    for _ in range(players + 1):
        turn = rules.turns(state)[0]
        record.append(turn.text)
        state = rules.play(state, turn)
    record.append(f"leave {state.seat}")
    state = rules.leave(state, state.seat, "resign")
    back = PlayedPosition(
        "chinese-checkers", {"players": players}, None, tuple(record), rules.turns(state)[-1].text, 0.2
    )
    found = [look(back._replace(played=turn.text)) for turn in rules.turns(state)[::8]]
    assert {state.seat} == {one.seat for one in found}
    worst = min(found, key=lambda one: one.played_score - one.score)
    assert judge([worst], "star", players)[0].verdict in (
        TurnVerdict.INACCURACY,
        TurnVerdict.MISTAKE,
        TurnVerdict.BLUNDER,
    )


@pytest.mark.parametrize("variant", ["spanish", "chinese-checkers"])
def test_sixty_turns_take_less_than_a_minute(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that may be spent on a turn with a better line, searches of that line included, is less than a second."""
    spent: list[float] = []

    def search(rules: Rules, state: State, limit: Limit) -> SearchResult:
        spent.append(limit.seconds or math.inf)
        return think(rules, state, replace(limit, seconds=None, depth=1))

    monkeypatch.setattr(analysis, "think", search)
    rules = rules_for(variant)
    most = 0
    for turn in rules.turns(rules.start())[:3]:
        spent.clear()
        look(PlayedPosition(variant, {}, None, (), turn.text))
        assert 60 * sum(spent) < 56
        most = max(most, len(spent))
    assert analysis.LINE == most


def test_a_record_that_does_not_hold_is_refused() -> None:
    """A worker with other rules says so."""
    with pytest.raises(EngineError):
        look(PlayedPosition("spanish", {}, None, ("b3-c4", "b3-c4"), "a1-b2", 0.1))


def test_the_lines_of_a_position() -> None:
    """The best turns of a position, best first, each with how it would go on; three at most."""
    rules = rules_for("pinoy")
    asked = SetPosition(rules.variant.ruleset, {}, "W:WKc3,g1:Bb8,d8,h8", 0.2)
    lines = best_lines(asked)
    assert 2 <= len(lines) <= 3
    assert sorted((line.score for line in lines), reverse=True) == [line.score for line in lines]
    for line in lines:
        state = rules.start(asked.position)
        for turn in line.turns:
            state = rules.play(state, rules.read(state, turn))
    [forced] = best_lines(asked._replace(position="W:Wc3:Bd4,h8"))
    assert "c3xe5" == forced.turns[0]
