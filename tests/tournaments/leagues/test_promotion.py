"""Leagues: who goes up and down, and who fills a free place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tournaments.errors import TournamentError
from bot.tournaments.leagues.promotion import Ladder, next_season

THREE = ((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12))
LADDER = Ladder(size=4, up=1, down=1)


def test_up_and_down() -> None:
    """The first goes up, the last goes down; the highest and the lowest have one border only."""
    assert ((1, 2, 3, 5), (4, 6, 7, 9), (8, 10, 11, 12)) == next_season(THREE, LADDER)


def test_leaving_and_newcomers() -> None:
    """A free place saves who would go down, newcomers begin at the bottom, a small last division is joined."""
    assert ((1, 3, 5, 4), (6, 7, 9, 8), (10, 11, 12, 13)) == next_season(THREE, LADDER, leaving=[2], newcomers=[13])
    assert ((1, 2, 3, 5), (4, 6, 7, 9), (8, 10, 11, 12, 13)) == next_season(THREE, LADDER, newcomers=[13, 1])
    assert ((1, 2, 3),) == next_season([(1, 2, 3)], LADDER)
    assert ((7, 8),) == next_season([], LADDER, newcomers=[7, 8])
    with pytest.raises(TournamentError, match="must be larger"):
        next_season(THREE, Ladder(2, 2, 2))


@given(
    st.integers(1, 5),
    st.integers(3, 8),
    st.integers(0, 2),
    st.sets(st.integers(0, 39), max_size=10),
    st.integers(0, 6),
)
def test_any_league(levels: int, size: int, moving: int, leaving: set[int], new: int) -> None:
    """Everybody who stays has one place, nobody who leaves has one, divisions are full but for the last."""
    moving = min(moving, size // 2)
    finished = [tuple(range(level * size, (level + 1) * size)) for level in range(levels)]
    newcomers = tuple(range(100, 100 + new))
    divisions = next_season(finished, Ladder(size, moving, moving), leaving=leaving, newcomers=newcomers)
    players = [player for division in divisions for player in division]
    assert sorted(players) == sorted({*range(levels * size)} - leaving | {*newcomers})
    assert all(len(division) == size for division in divisions[:-2])
    if not leaving and levels > 1:
        assert set(finished[1][:moving]) <= set(divisions[0])
        assert set(finished[0][size - moving :]) <= set(divisions[1])
