"""The Swiss of tables: sizes, points, and that repeats and seats are balanced."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.tournaments.errors import NoPairing, TournamentError
from bot.tournaments.pairing.tables import TableHistory, TableResult, pair_tables, sizes, table_values
from bot.tournaments.standings.standings import Heading, ranked


@pytest.mark.parametrize(
    ("count", "preferred", "expected"),
    [
        (11, 4, (4, 4, 3)),
        (11, 6, (4, 4, 3)),
        (12, 6, (6, 6)),
        (10, 6, (6, 4)),
        (7, 4, (4, 3)),
        (9, 3, (3, 3, 3)),
        (6, 4, (3, 3)),
        (6, 6, (6,)),
        (5, 4, (3, 2)),
        (2, 3, (2,)),
        (1, 3, ()),
    ],
)
def test_sizes(count: int, preferred: int, expected: tuple[int, ...]) -> None:
    """As many tables of the size asked as can be, the rest near to it."""
    assert sorted(expected) == sorted(sizes(count, preferred))


@given(st.integers(6, 70), st.sampled_from((3, 4, 6)))
def test_sizes_cover_every_field(count: int, preferred: int) -> None:
    """Nobody is left over from six players on."""
    found = sizes(count, preferred)
    assert count == sum(found)
    assert {3, 4, 6} >= set(found)


def test_points() -> None:
    """5-3-2-1-0-0, and shared places share."""
    assert [5, 3, 2, 1, 0, 0] == list(TableResult((1, 2, 3, 4, 5, 6), (1, 2, 3, 4, 5, 6)).points().values())
    tied = TableResult((1, 2, 3, 4), (2, 1, 2, 4)).points()
    assert {1: Fraction(5, 2), 2: 5, 3: Fraction(5, 2), 4: 1} == tied


@given(st.integers(2, 6).flatmap(lambda size: st.lists(st.integers(1, size), min_size=size, max_size=size)))
def test_the_sum_of_a_table(places: list[int]) -> None:
    """However places are shared, a table gives the points of its places and no more."""
    points = TableResult(tuple(range(len(places))), tuple(places)).points()
    assert sum((5, 3, 2, 1, 0, 0)[: len(places)]) == sum(points.values())
    best = min(places)
    assert all(points[player] == max(points.values()) for player, place in enumerate(places) if place == best)


def season(seed: int, count: int, rounds: int, preferred: int) -> TableHistory:
    lots = random.Random(seed)
    history = TableHistory()
    for _ in range(rounds):
        paired = pair_tables(range(1, count + 1), history, preferred=preferred)
        results = []
        for table in paired.tables:
            places = list(range(1, len(table) + 1))
            lots.shuffle(places)
            results.append(TableResult(table, tuple(places)))
        history = TableHistory((*history.rounds, tuple(results)))
    return history


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(3, 19), st.sampled_from((3, 4, 6)))
def test_every_round(seed: int, count: int, preferred: int) -> None:
    """Everyone sits once a round, and the same history gives the same tables."""
    history = season(seed, count, 4, preferred)
    for tables in history.rounds:
        assert list(range(1, count + 1)) == sorted(player for table in tables for player in table.players)
    assert pair_tables(range(1, count + 1), history) == pair_tables(range(1, count + 1), history)


def test_repeats_are_avoided() -> None:
    """Sixteen at tables of four meet nobody again in the second round, and hardly anybody in the third."""
    for seed in range(5):
        assert 1 == max(season(seed, 16, 2, 4).meetings().values())
        assert 6 >= sum(times > 1 for times in season(seed, 16, 3, 4).meetings().values())


def test_seats_are_balanced() -> None:
    """Eleven players over six rounds: nobody always begins, and early and late seats even out."""
    for seed in range(5):
        history = season(seed, 11, 6, 4)
        for player in range(1, 12):
            seats = Counter(seat for seat, _ in history.seats(player))
            assert 3 >= max(seats.values())
            lead = float(sum(Fraction(size - 1 - 2 * seat, size - 1) for seat, size in history.seats(player)))
            assert -1 <= lead <= 1


def test_leaders_sit_together() -> None:
    """After a round the winners meet, as far as they have not met."""
    first = pair_tables(range(1, 13), TableHistory(), preferred=4)
    results = tuple(TableResult(table, (1, 2, 3, 4)) for table in first.tables)
    history = TableHistory((results,))
    winners = {table[0] for table in first.tables}
    second = pair_tables(range(1, 13), history, preferred=4)
    assert 2 <= len(winners & set(second.tables[0]))
    assert 1 == max(season(3, 12, 1, 4).meetings().values())


def test_standings() -> None:
    """Points, first places, the points of those one sat with; alike shares a rank."""
    history = TableHistory(((TableResult((1, 2, 3), (1, 2, 3)), TableResult((4, 5, 6), (1, 2, 2))),))
    lines = ranked((Heading.POINTS,), table_values(range(1, 7), history), deciding=3).lines
    assert [(1, 1, 5.0), (1, 4, 5.0), (3, 2, 3.0)] == [
        (line.rank, line.number, float(line.values[0])) for line in lines[:3]
    ]
    assert [(4, 5), (4, 6), (6, 3)] == [(line.rank, line.number) for line in lines[3:]]
    assert 1 == lines[0].values[1]


def test_small_fields() -> None:
    """One is free, two sit together, five as three and two; nobody is nobody; no other sizes."""
    assert 7 == pair_tables([7], TableHistory()).bye
    assert 2 in map(len, pair_tables([1, 2, 3, 4, 5], TableHistory()).tables)
    with pytest.raises(NoPairing):
        pair_tables([], TableHistory())
    with pytest.raises(TournamentError, match="three, four or six"):
        sizes(10, 5)
