"""Arenas: who waits is paired with the nearest, never twice running with the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tournaments.pairing.arena import Waiting, arena_points, pair_waiting


def test_the_nearest_meet() -> None:
    """Points weigh more than rating, and white goes to who has had it less."""
    waiting = [
        Waiting(1, 1500, 4, since=1, whites=1),
        Waiting(2, 1500, 0, since=2),
        Waiting(3, 1600, 4, since=3),
        Waiting(4, 1400, 0, since=4),
    ]
    assert ((3, 1), (2, 4)) == pair_waiting(waiting)


def test_nobody_meets_the_same_twice_running() -> None:
    """Two alone who have just met wait for a third."""
    one, two = Waiting(1, 1500, 2, 10, last_opponent=2), Waiting(2, 1500, 0, 10, last_opponent=1)
    assert () == pair_waiting([one, two])
    assert ((1, 3),) == pair_waiting([one, two, Waiting(3, 1500, 2, 20)])
    assert () == pair_waiting([one])
    assert () == pair_waiting([])


def test_who_came_last_waits_on() -> None:
    """Of three, the two who have waited longer play, though the third is nearer to one of them."""
    waiting = [Waiting(1, 1500, 0, 1), Waiting(2, 1500, 9, 2), Waiting(3, 1500, 0, 3)]
    assert ((1, 2),) == pair_waiting(waiting)


@given(
    st.lists(st.tuples(st.integers(800, 2400), st.integers(0, 30), st.integers(0, 99), st.integers(0, 12)), max_size=13)
)
def test_any_queue(people: list[tuple[int, int, int, int]]) -> None:
    """As many play as can: all but one, or those whom the rematch rule keeps apart."""
    waiting = [Waiting(i, *each[:3], last_opponent=each[3]) for i, each in enumerate(people)]
    pairs = pair_waiting(waiting)
    places = [player for pair in pairs for player in pair]
    assert len(places) == len(set(places))
    for white, black in pairs:
        assert waiting[white].last_opponent != black
        assert waiting[black].last_opponent != white
    idle = [each for each in waiting if each.player not in places]
    for one in idle:
        for other in idle:
            kept_apart = one.last_opponent == other.player or other.last_opponent == one.player
            assert one is other or kept_apart


@pytest.mark.parametrize(
    ("results", "streaks", "points"),
    [("1=0", True, 3), ("111", True, 8), ("111", False, 6), ("11=1", True, 8), ("1101", True, 6)],
)
def test_points(results: str, streaks: bool, points: int) -> None:
    """Two and one; after two wins double, until a game is not won."""
    assert points == arena_points(results, streaks=streaks)
