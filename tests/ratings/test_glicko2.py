"""Ratings: Glickman's printed example, lichess's constants, tables of three to six, and what is rated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ratings.glicko2 import (
    MOST,
    MOST_DEVIATION,
    START,
    START_TABLE_DEVIATION,
    Rating,
    after_game,
    after_table,
    glicko2,
    why_not_rated,
)

DAY = 86_400_000
NEW_AT_TABLES = Rating(START, START_TABLE_DEVIATION, 0.0)


def test_glickmans_example() -> None:
    """The worked example of the Glicko-2 paper: one win, two losses in one period, tau 0.5."""
    results = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    value, deviation, volatility = glicko2(Rating(1500, 200, 0.06), results, tau=0.5)
    assert (1464.05, 151.52, 0.05999) == pytest.approx((value, deviation, volatility), abs=0.01)
    assert 0.05999 == pytest.approx(volatility, abs=1e-5)


def test_who_does_not_play_grows_unsure() -> None:
    """A deviation of 60 becomes 110 in a year at volatility 0.06, more at 0.09, and never more than at the start."""
    rating = Rating(1700, 60, 0.09, games=50, at=0)
    assert 60 == pytest.approx(rating.live_deviation(0))
    assert 150 == pytest.approx(rating.live_deviation(365 * DAY), abs=1)
    assert 110 == pytest.approx(Rating(1700, 60, 0.06, 50, 0).live_deviation(365 * DAY), abs=1)
    assert MOST_DEVIATION == Rating(1700, 500, 0.09, 1, 0).live_deviation(1000 * DAY)
    assert glicko2(rating, [])[1] > 60


def test_the_first_game() -> None:
    """Two newcomers: the winner gains what the loser loses, both are surer than before."""
    winner, loser = after_game(Rating(), Rating(), 1.0, DAY)
    assert 3000 == pytest.approx(winner.value + loser.value)
    assert (1, DAY, 1, DAY) == (winner.games, winner.at, loser.games, loser.at)
    assert 1700 < winner.value < 1800
    assert winner.deviation < 450


def test_marks() -> None:
    """A question mark from deviation 110; in the list below 80 and with five games."""
    assert ("1500?", "1612") == (Rating().shown(0), Rating(1611.6, 109.9).shown(0))
    assert Rating(1500, 110).is_provisional(0)
    assert not Rating(1500, 79.9, games=4).is_ranked(0)
    assert Rating(1500, 79.9, games=5).is_ranked(0)
    assert not Rating(1500, 80, games=5).is_ranked(0)


@given(
    st.floats(400, 4000),
    st.floats(45, 500),
    st.floats(400, 4000),
    st.floats(45, 500),
    st.sampled_from((0.0, 0.5, 1.0)),
    st.integers(0, 3000),
)
def test_any_game(one: float, its: float, other: float, others: float, score: float, days: int) -> None:
    """No rating leaves its bounds, winning never costs, losing never gains, and nothing is ever not a number."""
    first, second = Rating(one, its, at=0), Rating(other, others, at=0)
    for before, after, made in zip(
        (first, second), after_game(first, second, score, days * DAY), (score, 1 - score), strict=True
    ):
        assert 400 <= after.value <= MOST
        assert 45 <= after.deviation <= 500
        assert 0 < after.volatility <= 0.1
        if made == 1:
            assert after.value >= before.value
        if made == 0:
            assert after.value <= before.value


def test_many_games_find_the_difference() -> None:
    """Who scores three of four against another ends near the 191 points that this means."""
    one, other = Rating(), Rating()
    for game in range(400):
        one, other = after_game(one, other, 0.0 if game % 4 == 0 else 1.0, game * 1000)
    assert 191 == pytest.approx(one.value - other.value, abs=60)
    assert one.is_ranked(400_000)


def test_tables() -> None:
    """Plackett-Luce: the winner gains most, the last loses most, shared places change alike."""
    changed = after_table([NEW_AT_TABLES] * 6, [1, 2, 3, 4, 5, 6], DAY)
    values = [each.value for each in changed]
    assert values == sorted(values, reverse=True)
    assert values[0] > 1500 > values[-1]
    assert all(each.deviation < START_TABLE_DEVIATION and each.games == 1 for each in changed)
    tied = after_table([NEW_AT_TABLES] * 3, [1, 2, 2], DAY)
    assert tied[1] == tied[2]
    assert tied[0].value > tied[1].value
    with pytest.raises(ValueError, match="no table"):
        after_table([NEW_AT_TABLES] * 2, [1, 2], DAY)


def test_upset_at_a_table_counts_more() -> None:
    """A newcomer who beats the best gains more than one who beats the weakest."""
    strong, weak = Rating(1900, 120, 0), Rating(1100, 120, 0)
    over_strong = after_table([NEW_AT_TABLES, strong, strong], [1, 2, 3], DAY)[0]
    over_weak = after_table([NEW_AT_TABLES, weak, weak], [1, 2, 3], DAY)[0]
    assert over_strong.value > over_weak.value


@pytest.mark.parametrize(
    ("turns", "earlier_timeout", "last_turn", "reason"),
    [
        ((20, 20), None, None, None),
        ((0, 0), None, None, "has made a move"),
        ((1, 0), None, None, "has made a move"),
        ((5, 5), None, 90, None),
        ((5, 5), 100, 90, "already run out"),
        ((5, 5), 100, None, "already run out"),
        ((5, 5), 100, 110, None),
    ],
)
def test_what_is_rated(
    turns: tuple[int, int], earlier_timeout: int | None, last_turn: int | None, reason: str | None
) -> None:
    """Unplayed games are not; of many games that one person leaves, only the first is."""
    found = why_not_rated(turns, earlier_timeout, last_turn)
    assert (found is None) if reason is None else (found is not None and reason in found)
