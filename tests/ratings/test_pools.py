"""Pools of ratings: what games add up to, whatever is corrected when."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ratings import pools
from bot.ratings.glicko2 import Rating
from bot.ratings.pools import RatedGame, RatingPool, RatingStep, reckon

HOUR = 3_600_000
PAIR, TABLE = RatingPool("pinoy", True), RatingPool("chinese-checkers", True, table=True)


@st.composite
def games_of_a_pool(draw: st.DrawFn) -> tuple[RatingPool, list[RatedGame]]:
    """Games of a few people, an hour apart; some count no more."""
    pool = draw(st.sampled_from((PAIR, TABLE)))
    found = []
    for number in range(1, draw(st.integers(1, 12)) + 1):
        size = 2 if pool == PAIR else draw(st.integers(3, 5))
        people = tuple(draw(st.permutations(range(11, 17)))[:size])
        if pool == PAIR:
            first = draw(st.sampled_from((0.0, 0.5, 1.0)))
            scores: tuple[float | None, ...] = (first, 1.0 - first)
        else:
            scores = tuple(float(place) for place in draw(st.permutations(range(1, size + 1))))
        if draw(st.booleans()) and number % 3 == 0:
            scores = (None,) * size
        found.append(RatedGame(number, number * HOUR, people, scores, (0.0,) * size))
    return pool, found


def last_of(reckoned: list[RatingStep]) -> dict[int, Rating]:
    return {one.person: one.after for one in reckoned}


@given(games_of_a_pool(), st.data())
def test_reckoning_from_the_middle_is_reckoning_from_the_start(
    made: tuple[RatingPool, list[RatedGame]], data: st.DataObject
) -> None:
    """With the ratings before a game known, the games from there on give what all games give."""
    pool, games = made
    whole = reckon(pool, games, {})
    at = data.draw(st.integers(0, len(games)))
    before = {p: r for p, r in last_of(reckon(pool, games[:at], {})).items() if r.at is not None}
    assert [one for one in whole if one.game > at] == reckon(pool, games[at:], before)


@given(games_of_a_pool())
def test_a_game_that_counts_no_more_leaves_no_trace(made: tuple[RatingPool, list[RatedGame]]) -> None:
    """Without it the ratings are the same; its own line shows no change."""
    pool, games = made
    there = [game for game in games if None not in game.scores]
    whole = reckon(pool, games, {})
    assert {p: r for p, r in last_of(whole).items() if r.at is not None} == last_of(reckon(pool, there, {}))
    gone = {game.id for game in games} - {game.id for game in there}
    assert all(one.before == one.after for one in whole if one.game in gone)


def test_a_game_with_somebody_unknown_changes_as_it_did() -> None:
    """Of a game of which one player is known no more, the change that it made stays."""
    (one,) = reckon(PAIR, [RatedGame(1, HOUR, (11,), (1.0,), (40.0,))], {11: Rating(1600.0, 80.0, 0.09, 3, 5)})
    assert (1640.0, 4, HOUR) == (one.after.value, one.after.games, one.after.at)


def test_tables_and_pairs_are_pools_of_their_own() -> None:
    """Their names differ, and what is sure enough to be listed does too."""
    names = [RatingPool("star", True, table=table).key for table in (False, True)]
    assert [("star", True, 0), ("star/table", True, 0)] == names
    assert RatingPool("star", True, table=True, server=5) == RatingPool.of("star/table", True, 5)
    after = pools.played(TABLE, [pools.start_of(TABLE)] * 4, (1, 2, 3, 3), HOUR)
    assert after[0].value > after[1].value > after[2].value
    assert after[2].value == after[3].value
    assert "?" in pools.shown(TABLE, after[0], HOUR)
    assert pools.is_ranked(TABLE, replace(after[0], games=5), HOUR)
    assert pools.order(TABLE, after[0]) > pools.order(TABLE, after[3])


def test_ratings_of_tables_are_sure_after_five_games() -> None:
    """Lists of tables go by the skill that one has almost surely, and a ``?`` stands beside what four games gave."""
    begun, known = pools.start_of(TABLE), Rating(1540.0, 120.0, 0.0, games=5)
    assert 500 == pytest.approx(pools.order(TABLE, begun))
    assert ("1500?", "1540") == (pools.shown(TABLE, begun, HOUR), pools.shown(TABLE, known, HOUR))


def test_pools() -> None:
    """A game counts everywhere, and in its server; correspondence and live apart."""
    assert (RatingPool("spanish", True), RatingPool("spanish", True, server=5)) == pools.pools_of(
        "spanish", correspondence=True, table=False, server=5
    )
    assert (RatingPool("star", False, True),) == pools.pools_of("star", correspondence=False, table=True, server=None)
