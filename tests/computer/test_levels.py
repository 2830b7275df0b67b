"""The levels: what they choose, when they resign, when they are content with a draw."""

from __future__ import annotations

from itertools import pairwise

import pytest

from bot.computer.kernels.alphabeta import WON
from bot.computer.levels import LEVELS, choose, find_level
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
    lost = choose(rules, rules.start("W:Wh1:BKa8,Kc8,Ke8,Kg8,Kb7"), 5, seed=0)
    assert lost.resigns
    even = choose(rules, rules.start("W:WKa2:BKd7,h5"), 4, seed=0)
    assert not even.resigns
    assert choose(rules, rules.start("W:WKa2:BKd7"), 4, seed=0).draws


def test_levels_look_deeper_one_after_another() -> None:
    """Each level may look further than the one below, and there are eight."""
    depths = [find_level(number).depth for number in LEVELS]
    assert depths == sorted(set(depths))
    assert len(depths) == 8
    with pytest.raises(ValueError, match="no level 9"):
        find_level(9)


def test_levels_on_a_star() -> None:
    """Each looks further than the one below or is less easily content, and none takes longer than in draughts."""
    levels = [find_level(number, "star") for number in LEVELS]
    for lower, higher in pairwise(levels):
        assert (lower.depth, -lower.careless) < (higher.depth, -higher.careless)
        assert lower.nodes <= higher.nodes
    assert all(level.seconds <= find_level(number).seconds for number, level in zip(LEVELS, levels, strict=True))


def test_score_is_from_the_side_to_move() -> None:
    """Who is ahead has a score above nothing, whichever side it is."""
    rules = rules_for("pinoy")
    ahead = think(rules, rules.start("B:Wa1,c1:BKh8,Kf8"), Limit(depth=3))
    assert 0 < ahead.score
    assert think(rules, rules.start("W:Wa1,c1:BKh8,Kf8"), Limit(depth=3)).score < 0
    assert abs(ahead.score) < 2 * WON
