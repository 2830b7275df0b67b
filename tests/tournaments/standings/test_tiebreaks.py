"""Tie-breaks against the published exercises to C.07, and the values that March 2026 changed."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.tournaments.errors import TournamentError
from bot.tournaments.pairing.record import DRAUGHTS, Record
from bot.tournaments.standings.standings import all_play_all, standings
from bot.tournaments.standings.tiebreaks import CURRENT, RuleBook, Strengths, TieBreak, explained, parse
from tests.support.tournaments.records import EXERCISE, EXERCISE_ROUND_ROBIN, record_of, season

SWISS = record_of(EXERCISE, 16)
ROUND_ROBIN = record_of(EXERCISE_ROUND_ROBIN, 6)
OLD = RuleBook.AUGUST_2024


def values(record: Record, name: str, rules: RuleBook = CURRENT, *, round_robin: bool = False) -> list[float]:
    (tie_break,) = parse(name)
    found = Strengths(record, rules, round_robin).values(tie_break)
    return [float(found[number]) for number in record.players]


# Players 1 to 16 of the exercises' Swiss, as their solutions print them (text of 2023).
PUBLISHED: dict[str, list[float]] = {
    "PTS": [3.5, 4, 3.5, 3.5, 2.5, 3, 1.5, 2.5, 1.5, 1, 2.5, 2, 1.5, 2, 2, 3.5],
    "BH": [12.5, 13, 15.5, 15, 8.5, 12, 14.5, 13.5, 9, 13, 13.5, 11.5, 14, 11, 12, 12.5],
    "FB": [13.5, 13.5, 15, 15.5, 10, 12, 13.5, 12.5, 9.5, 12.5, 12.5, 11.5, 13.5, 10.5, 12, 13.5],
    "AOB": [12.6, 13.6, 13.4, 13.38, 13.4, 13.25, 11.9, 13, 12.75, 10.9, 12.75, 15, 12.1, 13.17, 12.2, 13.3],
    "SB": [8, 9.5, 10.5, 9.75, 4.25, 6.5, 3.25, 5.25, 2.25, 1.5, 5.75, 4, 4.25, 4.5, 3.5, 7.25],
    "SB-C1": [7.25, 8.5, 9.25, 8, 3.25, 5.5, 1.25, 3.75, 2.25, 0, 4.25, 4, 4.25, 3, 2.5, 5.75],
    "WIN": [2, 3, 2, 2, 2, 3, 1, 2, 1, 1, 2, 2, 1, 2, 2, 3],
    "WON": [2, 3, 2, 2, 2, 2, 1, 2, 0, 1, 1, 0, 1, 2, 2, 3],
    "BPG": [2, 3, 2, 2, 2, 2, 3, 2, 1, 3, 2, 0, 3, 2, 3, 2],
    "BWG": [1, 1, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1],
    "GE": [5, 5, 5, 4, 5, 5, 5, 5, 3, 5, 5, 3, 5, 3, 5, 5],
    "PS": [11, 13, 11, 11.5, 5, 6, 6, 8.5, 2.5, 4, 5.5, 7, 7, 6, 7, 10.5],
    "PS-C1": [10, 12, 10.5, 10.5, 5, 6, 5, 8, 2.5, 4, 5, 7, 6, 5, 7, 10],
}
PUBLISHED_CUT_1 = {
    1: 11,
    3: 13,
    4: 11.5,
    5: 7.5,
    7: 12.5,
    8: 12,
    9: 7.5,
    11: 12,
    12: 9.5,
    13: 12,
    14: 9,
    15: 11,
    16: 11,
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_values(name: str) -> None:
    """Each printed solution of the Swiss exercises, byes, forfeits and a withdrawal included."""
    assert PUBLISHED[name] == values(SWISS, name, OLD)


def test_published_buchholz_cut() -> None:
    """A round that one stayed away from is cut first, though it is not the least (exercises 5 to 8)."""
    found = values(SWISS, "BH-C1", OLD)
    assert PUBLISHED_CUT_1 == {number: found[number - 1] for number in PUBLISHED_CUT_1}


@pytest.mark.parametrize(("name", "changed"), [("BH", {4: 14, 6: 11.5, 11: 12.5}), ("SB", {4: 9.25, 6: 6, 11: 4.75})])
def test_march_2026(name: str, changed: dict[int, float]) -> None:
    """Since March 2026 the dummy opponent is worth no more than draws, or than the real opponent of a forfeit."""
    assert [changed.get(number, old) for number, old in enumerate(PUBLISHED[name], start=1)] == values(SWISS, name)


@pytest.mark.parametrize(
    ("rounds", "players", "expected"),
    [
        (
            ["1 2 1, 3 4 =", "1 3 +, 2 4 1", "1 4 1, 2 U, 3 Z"],
            4,
            {"BH": [3.5, 5, 1.5, 6], "BH-C1": [3, 4.5, 1, 5], "SB": [3.5, 2, 0.25, 0.5]},
        ),
        (["1 2 1, 3 4 =", "1 3 +, 2 4 1"], 4, {"FB": [1.5, 2.5, 2.5, 1.5]}),
        (
            ["1 2 1, 3 4 =", "1 3 =, 2 4 1", "1 4 1, 2 U, 3 H"],
            4,
            {"BH": [4, 4.5, 4.5, 6], "BH-C1": [3.5, 4, 3, 4.5], "SB": [3.25, 2, 2.25, 0.75]},
        ),
        (
            ["1 4 1, 2 3 1, 5 U", "2 4 1, 3 5 1, 1 H", "1 2 =, 3 4 1, 5 Z"],
            5,
            {"BH": [4, 4, 4, 6.5, 4], "BH-C1": [2.5, 4, 4, 4.5, 3]},
        ),
    ],
)
def test_unplayed_rounds(rounds: list[str], players: int, expected: dict[str, list[float]]) -> None:
    """Articles 16.2 to 16.5 by hand: a forfeit, a bye of each kind, a last round sat out.

    Fore Buchholz takes a forfeit of the last round, like every pairing of it, for a drawn game (8.3)."""
    record = record_of(rounds, players)
    assert expected == {name: values(record, name) for name in expected}


def test_round_robin() -> None:
    """Where all play all, a forfeited game counts as a game (15.2), and Koya's half is of the games to be played."""
    assert [9.25, 6.25, 6.25, 4.25, 2.25, 3.25] == values(ROUND_ROBIN, "SB", round_robin=True)
    assert [2, 0.5, 0.5, 1, 0, 0.5] == values(ROUND_ROBIN, "KS", round_robin=True)


def test_koya_of_an_odd_round_robin() -> None:
    """The free round of an odd field is no game that could have been won."""
    record = record_of(["1 2 1", "1 3 =", "2 3 1"], 3)
    assert [1, 0, 0.5] == values(record, "KS", round_robin=True)


def test_direct_encounter() -> None:
    """The published values of the round robin, in the order that they give (exercise 26)."""
    table = standings(ROUND_ROBIN, parse("PTS,DE"))
    assert [(1, 1, 2.0), (2, 2, 0.5), (2, 3, 0.5), (4, 5, 1.5), (5, 6, 1.0), (6, 4, 0.5)] == [
        (row.rank, row.number, float(row.values[1])) for row in table.lines
    ]


def ranks(rounds: list[str], players: int, tie_breaks: str = "DE") -> list[tuple[int, int]]:
    table = standings(record_of(rounds, players), parse(tie_breaks), round_robin=False)
    return [(row.rank, row.number) for row in table.lines]


def test_direct_encounter_when_not_all_have_met() -> None:
    """First is who stays first whatever the missing games would bring; the others stay tied (article 6.2)."""
    assert [(1, 1), (2, 2), (2, 3)] == ranks(["1 2 1", "1 3 1"], 3)
    assert [(1, 1), (1, 2), (1, 3)] == ranks(["1 2 1", "1 3 ="], 3)
    assert [(1, 1), (1, 2), (1, 3)] == ranks(["1 2 1"], 3)


def test_direct_encounter_looks_again_at_those_still_tied() -> None:
    """Of four, two are ahead with equal points among the four: their own game decides."""
    rounds = ["1 2 0, 3 4 1", "1 3 1, 2 4 =", "1 4 1, 2 3 ="]
    assert [(1, 2), (2, 1), (3, 3), (4, 4)] == ranks(rounds, 4)


def test_direct_encounter_of_two_games() -> None:
    """Two games against one opponent count as their average (article 6.1.2)."""
    record = record_of(["1 2 1", "2 1 ="], 2)
    assert (Fraction(3, 4), 1) == Strengths(record).points_between(1, frozenset({2}))


def test_ranks_are_shared() -> None:
    """Who cannot be told apart has the same rank, and the next rank is left out; within one by starting number."""
    assert [(1, 1), (1, 4), (3, 2), (3, 3)] == ranks(["1 2 1, 3 4 0"], 4, "PTS")


def test_each_place_knows_what_has_decided_it() -> None:
    """The first value in which it differs from the next; of a direct encounter that is looked at again, that one."""
    table = standings(SWISS, parse("PTS,BH-C1,SB,WIN"))
    for upper, lower in pairwise(table.lines):
        if upper.rank != lower.rank:
            both = zip(upper.values, lower.values, strict=True)
            assert next(at for at, (one, other) in enumerate(both) if one != other) == upper.by
    rounds = ["1 2 0, 3 4 1", "1 3 1, 2 4 =", "1 4 1, 2 3 ="]
    again = standings(record_of(rounds, 4), parse("PTS,DE,WIN"), round_robin=False)
    assert [(2, 1), (1, 0), (3, 0), (4, None)] == [(line.number, line.by) for line in again.lines]


def test_the_rules_are_named() -> None:
    """Standings say which text they follow."""
    assert "C.07, March 2026" == standings(SWISS, parse("PTS")).rules
    assert OLD is standings(SWISS, parse("PTS"), rules=OLD).rules


def test_names() -> None:
    """Tie-breaks are written BH-C1, BH/C1 or bhc1; what is not known is named."""
    assert (TieBreak("PTS"), TieBreak("BH", 1), TieBreak("BH", 2, 2), TieBreak("SB", 1)) == parse(
        "PTS, BH/C1,bh-m2,SBC1"
    )
    assert ["BH-C1", "BH-M1", "PTS"] == [str(each) for each in parse("BH/C1,BH/M1,PTS")]
    for wrong in ("", "PTS,XX", "PTS-C1", "BH-X1", "BH-C"):
        with pytest.raises(TournamentError, match="with cuts such as BH-C1, BH-M1, SB-C1, PS-C1"):
            parse(wrong)


def test_all_play_all() -> None:
    """A round robin is known by its pairs; a Swiss is not one."""
    assert all_play_all(ROUND_ROBIN)
    assert not all_play_all(SWISS)
    assert not all_play_all(record_of(["1 2 1"], 2))


@settings(max_examples=30)
@given(st.integers(0, 100_000), st.integers(5, 10), st.booleans())
def test_any_tournament(seed: int, players: int, troubled: bool) -> None:
    """Cuts only take away, twice the points double Buchholz and quadruple Sonneborn-Berger, ranks follow the values."""
    *_, (record, _) = season(seed, players, 5, troubled=troubled)
    full, cut, median = (values(record, name) for name in ("BH", "BH-C1", "BH-M1"))
    assert all(a >= b >= c for a, b, c in zip(full, cut, median, strict=True))
    doubled = Record(record.players, record.rounds, DRAUGHTS)
    assert [2 * value for value in full] == values(doubled, "BH")
    assert [4 * value for value in values(record, "SB")] == values(doubled, "SB")
    table = standings(record, parse("PTS,BH-C1,SB,WIN"))
    keys = [row.values for row in table.lines]
    assert keys == sorted(keys, reverse=True)
    assert [1 + sum(other > key for other in keys) for key in keys] == [row.rank for row in table.lines]


def test_letters_are_explained_once() -> None:
    """Each tie-break with what it is, cuts apart, and points not at all; an unknown one is named."""
    told = explained(parse("PTS,BH-C1,BH,SB-C1,PS-C2,BH-M1"))
    assert ["-C1", "-C2", "-M1", "BH", "PS", "SB"] == sorted(part.split(":")[0] for part in told.split("; "))
    assert "BH: Buchholz, the sum" in told
    assert "-C2: without the 2 lowest values" in told
    assert "-C1: without the lowest value" in told
    with pytest.raises(TournamentError, match="XX is not a tie-break"):
        parse("PTS,XX")
