"""Berger tables by their printed values, and what holds of every round robin."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tournaments.errors import TournamentError
from bot.tournaments.pairing.round_robin import berger

# As the annex to C.05 prints them.
PRINTED = {
    4: ["1-4 2-3", "4-3 1-2", "2-4 3-1"],
    6: ["1-6 2-5 3-4", "6-4 5-3 1-2", "2-6 3-1 4-5", "6-5 1-4 2-3", "3-6 4-2 5-1"],
    8: [
        "1-8 2-7 3-6 4-5",
        "8-5 6-4 7-3 1-2",
        "2-8 3-1 4-7 5-6",
        "8-6 7-5 1-4 2-3",
        "3-8 4-2 5-1 6-7",
        "8-7 1-6 2-5 3-4",
        "4-8 5-3 6-2 7-1",
    ],
    10: [
        "1-10 2-9 3-8 4-7 5-6",
        "10-6 7-5 8-4 9-3 1-2",
        "2-10 3-1 4-9 5-8 6-7",
        "10-7 8-6 9-5 1-4 2-3",
        "3-10 4-2 5-1 6-9 7-8",
        "10-8 9-7 1-6 2-5 3-4",
        "4-10 5-3 6-2 7-1 8-9",
        "10-9 1-8 2-7 3-6 4-5",
        "5-10 6-4 7-3 8-2 9-1",
    ],
}


@pytest.mark.parametrize("count", PRINTED)
def test_printed_tables(count: int) -> None:
    """The tables for 4, 6, 8 and 10 as they are printed, board by board."""
    rounds = berger(range(1, count + 1))
    assert PRINTED[count] == [" ".join(f"{white}-{black}" for white, black in each.games) for each in rounds]


@pytest.mark.parametrize("count", [3, 5, 7, 9])
def test_an_odd_field_uses_the_next_table(count: int) -> None:
    """In an odd field whoever would meet the last number is free."""
    even = berger(range(1, count + 2))
    for odd, full in zip(berger(range(1, count + 1)), even, strict=True):
        assert odd.games == full.games[1:]
        assert odd.bye == min(full.games[0])


@given(st.integers(2, 24), st.integers(1, 3))
def test_any_field(count: int, cycles: int) -> None:
    """Each pair meets once a cycle, nobody twice in a round, colours as even as they can be, free once a cycle."""
    players = [100 + number for number in range(count)]
    rounds = berger(players, cycles)
    assert cycles * (count - 1 + count % 2) == len(rounds)
    met: dict[frozenset[int], int] = {}
    whites = dict.fromkeys(players, 0)
    byes = dict.fromkeys(players, 0)
    for each in rounds:
        places = [player for game in each.games for player in game] + ([each.bye] if each.bye else [])
        assert sorted(places) == players
        for white, black in each.games:
            met[frozenset((white, black))] = met.get(frozenset((white, black)), 0) + 1
            whites[white] += 1
            whites[black] -= 1
        if each.bye:
            byes[each.bye] += 1
    assert set(met.values()) == {cycles}
    assert len(met) == count * (count - 1) // 2
    assert set(byes.values()) == {cycles if count % 2 else 0}
    assert max(map(abs, whites.values())) <= (1 if cycles % 2 else 0)


@given(st.integers(4, 20))
def test_double_round_robin(count: int) -> None:
    """The second cycle turns the colours about, and nobody has one colour three times running where they meet."""
    rounds = berger(range(1, count + 1), 2)
    half = len(rounds) // 2
    for player in range(1, count + 1):
        colours = [
            "w" if white == player else "b"
            for each in rounds[half - 2 : half + 2]
            for white, black in each.games
            if player in (white, black)
        ]
        assert not any(len(set(colours[i : i + 3])) == 1 for i in range(len(colours) - 2))


def test_refusals() -> None:
    """One player, or the same twice, is no round robin."""
    for players in ([1], [1, 1, 2]):
        with pytest.raises(TournamentError, match="two different players"):
            berger(players)
