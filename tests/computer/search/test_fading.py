"""Searches to which a lead counts for less the fewer pieces there will be."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.computer.kernels.backends import PLAIN
from bot.computer.kernels.search_room import WON
from bot.computer.levels import LEVELS, limit_of
from bot.computer.search.draughts import Searcher, _DraughtsSearch
from bot.computer.search.limits import Limit
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.registry import rules_for
from tests.support.computer.minimax import minimax, playable
from tests.support.engine import slow_draughts
from tests.support.engine.random_positions import by_placement, by_play, endings
from tests.support.thoroughness import THOROUGH

GAMES = ("spanish", "americanas")
WHOLE = 16
"""With so many pieces of the 24 a lead counts whole: two thirds."""


def searcher(game: str) -> Searcher:
    rules = rules_for(game)
    assert isinstance(rules, DraughtsRules)
    return Searcher(rules, PLAIN)


@pytest.mark.parametrize("game", GAMES)
def test_what_a_minimax_of_such_leads_says(game: str) -> None:
    """On random positions the best turn is that of a plain minimax to which a lead counts in proportion to the pieces
    where it ends; it is told in hundredths of a man as many pieces as there are now, and a won game as ever."""
    found, law, random = searcher(game), slow_draughts.law_for(game, {}), Random(f"fading {game}")
    faded = won = 0
    for make, times in ((by_play, 8), (by_placement, 8), (endings, 8)):
        for _ in range(times * THOROUGH):
            state = playable(found.rules, slow_draughts.write(make(law, random)))
            if state is None:
                continue
            best = found.think(state, Limit(depth=2, selective=False, fading=True, endgames=False))
            turns = [turn for turn in found.rules.turns(state) if not turn.neglects]
            after = {turn: found.rules.play(state, turn) for turn in turns}
            expected = {turn: -minimax(found.rules, there, best.depth - 1, 1, WHOLE) for turn, there in after.items()}
            score = max(expected.values())
            assert expected[best.turn] == score
            assert best.score == (score if abs(score) > WON else score * WHOLE // sum(state.position.material()))
            won += abs(score) > WON
            faded += best.score != found.think(state, Limit(depth=2, selective=False, endgames=False)).score
    assert faded > 3
    assert won > 0


@pytest.mark.parametrize("game", GAMES)
def test_all_turns_within_the_margin_have_their_scores(game: str) -> None:
    """A margin is one of hundredths as they are told: turns within it have the scores that they have by themselves."""
    found, law, random = searcher(game), slow_draughts.law_for(game, {}), Random(f"margin {game}")
    several = 0
    for _ in range(40):
        state = playable(found.rules, slow_draughts.write(by_play(law, random)))
        if state is None:
            continue
        limit = Limit(depth=2, selective=False, fading=True, margin=50)
        ranked = [(turn, score) for turn, score in found.think(state, limit).ranked if turn.kind == "move"]
        near = [(turn, score) for turn, score in ranked if score >= ranked[0][1] - limit.margin]
        for turn, score in near:
            others = tuple(other.text for other, _ in found.think(state, limit).ranked if other.text != turn.text)
            assert found.think(state, replace(limit, margin=0, without=others)).score == score
        several += len(near) > 1
    assert several > 10


def test_no_bound_is_told_to_be_within_the_margin() -> None:
    """A turn of which is known only that it is worse by more than the margin is told to be worse by more."""
    found, law, random = searcher("spanish"), slow_draughts.law_for("spanish", {}), Random("bounds")
    for make in 8 * (by_play, endings):
        state = playable(found.rules, slow_draughts.write(make(law, random)))
        for margin in (1, 6, 100) if state is not None else ():
            assert state is not None
            search = _DraughtsSearch(found, state, Limit(margin=margin, fading=True))
            for best in range(-200, 200):
                assert search._told(best) - search._told(best - search.margin - 1) > margin


@pytest.mark.parametrize("game", ["pinoy", "tama"])
def test_other_games_are_played_as_before(game: str) -> None:
    """Where no match has shown that it wins more, a lead is a lead."""
    found, law, random = searcher(game), slow_draughts.law_for(game, {}), Random(f"others {game}")
    for _ in range(5):
        state = playable(found.rules, slow_draughts.write(by_play(law, random)))
        if state is not None:
            assert found.think(state, Limit(depth=3, fading=True)) == found.think(state, Limit(depth=3))


def test_a_file_of_ones_own_is_another_game() -> None:
    """One that is called as a shipped game, with another aim, has leads that nobody has measured."""
    rules = rules_for("spanish")
    assert isinstance(rules, DraughtsRules)
    outcome = rules.tables.outcome.model_copy(update={"wins": "lose-all"})
    other = replace(rules.variant, tables=rules.tables.model_copy(update={"outcome": outcome}))
    assert Searcher(rules, PLAIN).share
    assert not Searcher(DraughtsRules(other), PLAIN).share


def test_the_highest_level_plays_so() -> None:
    """The others, which are content with less, weigh leads as they are told."""
    assert [level for level in LEVELS if limit_of(rules_for("spanish"), level).fading] == [LEVELS[-1]]
