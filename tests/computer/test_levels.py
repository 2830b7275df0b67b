"""The levels: what they choose, when they resign, when they are content with a draw."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from bot.computer.kernels.search_room import WON
from bot.computer.levels import LEVELS, choose, find_level, pick
from bot.computer.search.limits import Limit
from bot.computer.search.think import think
from bot.engine.registry import rules_for
from tests.support.engine.shipped import SOME


@pytest.mark.usefixtures("enough_time")
@pytest.mark.parametrize("variant", SOME)
def test_every_level_has_a_turn(variant: str) -> None:
    """Levels without a long budget choose a legal turn in every kind of game, the same for the same seed."""
    rules = rules_for(variant)
    state = rules.start()
    for level in (1, 2, 3):
        choice = choose(rules, state, level, seed=7, played=0)
        assert choice.turn in rules.turns(state)
        assert choice.turn == choose(rules, state, level, seed=7, played=0).turn
        assert not choice.resigns


def test_the_seed_varies_the_opening() -> None:
    """Games do not all begin alike; a level that is not careless keeps to its best turn later on."""
    rules = rules_for("pinoy")
    state = rules.start()
    assert len({choose(rules, state, 3, seed, played=0).turn.text for seed in range(12)}) > 1


def test_a_win_is_never_given_away() -> None:
    """The weakest level takes the last piece when it sees it."""
    rules = rules_for("pinoy")
    state = rules.start("W:WKa1,c3:Bd4")
    for seed in range(5):
        choice = choose(rules, state, 1, seed)
        assert rules.play(state, choice.turn).outcome is not None


@pytest.mark.usefixtures("enough_time")
def test_the_lost_resign_and_the_even_take_a_draw() -> None:
    """Three kings behind is lost; king against king is a draw that the computer takes."""
    rules = rules_for("spanish")
    lost = choose(rules, rules.start("W:Wh1:BKa8,Kc8,Ke8,Kg8,Kb7"), 6, seed=0)
    assert lost.resigns
    even = choose(rules, rules.start("W:WKa2:BKd7,h5"), 6, seed=0)
    assert not even.resigns
    assert choose(rules, rules.start("W:WKa2:BKd7"), 6, seed=0).draws


@pytest.mark.parametrize("family", ["draughts", "star"])
def test_each_level_is_better_than_the_one_below(family: str) -> None:
    """It looks further, or overlooks less, or is less easily content; there are eight, and none takes longer on a star
    than in draughts."""
    levels = [find_level(number, family) for number in LEVELS]
    assert len(levels) == 8
    for lower, higher in pairwise(levels):
        assert (lower.depth, -lower.overlooks, -lower.careless) < (higher.depth, -higher.overlooks, -higher.careless)
        assert lower.nodes <= higher.nodes
        assert lower.rating < higher.rating
    assert all(level.seconds <= find_level(number).seconds for number, level in zip(LEVELS, levels, strict=True))
    with pytest.raises(ValueError, match="no level 9"):
        find_level(9)


@pytest.mark.usefixtures("enough_time")
def test_what_was_not_searched_to_its_end_is_not_played_for_a_change() -> None:
    """A search that is broken off leaves turns whose scores are of a lesser depth: they are no equals of the best."""
    rules = rules_for("pinoy")
    state = rules.start()
    broken = [think(rules, state, Limit(nodes=nodes, margin=6)) for nodes in range(400, 1200, 100)]
    assert any(result.unfinished for result in broken)
    for result in broken:
        played = {pick(result, 6, Random(seed)).text for seed in range(20)}
        assert not played & result.unfinished
    assert not think(rules, state, Limit(depth=2, margin=6)).unfinished


@pytest.mark.usefixtures("enough_time")
def test_the_weakest_overlooks_what_the_other_can_take() -> None:
    """Of c3-d4 it sees the answer at some times only, and so it is for one state and seed; a better level always."""
    rules = rules_for("pinoy")
    state = rules.start("W:Wc3,a1,h2:Be5,f6,g7,h8")
    assert any(turn.text == "c3-d4" for turn in rules.turns(state))
    weakest, better = (
        [choose(rules, state, level, seed, played=20).turn.text for seed in range(60)] for level in (1, 3)
    )
    assert 3 <= weakest.count("c3-d4") <= 30
    assert weakest == [choose(rules, state, 1, seed, played=20).turn.text for seed in range(60)]
    assert "c3-d4" not in better


def test_a_depth_of_nothing_looks_at_no_reply() -> None:
    """Who has turned is worth what stands on the board then, though the other takes it."""
    rules = rules_for("pinoy")
    state = rules.start("W:Wc3:Be5,h8")
    result = think(rules, state, Limit(depth=0))
    scores = {turn.text: score for turn, score in result.ranked}
    assert 0 == result.depth
    assert abs(scores["c3-d4"] - scores["c3-b4"]) < 50
    deeper = {turn.text: score for turn, score in think(rules, state, Limit(depth=1, margin=10_000)).ranked}
    assert deeper["c3-d4"] < deeper["c3-b4"] - 50


def test_score_is_from_the_side_to_move() -> None:
    """Who is ahead has a score above nothing, whichever side it is."""
    rules = rules_for("pinoy")
    ahead = think(rules, rules.start("B:Wa1,c1:BKh8,Kf8"), Limit(depth=3))
    assert 0 < ahead.score
    assert think(rules, rules.start("W:Wa1,c1:BKh8,Kf8"), Limit(depth=3)).score < 0
    assert abs(ahead.score) < 2 * WON
