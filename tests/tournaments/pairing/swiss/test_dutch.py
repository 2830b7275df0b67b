"""The Dutch system: rounds worked out from its text, and what must hold of every round of every tournament."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.tournaments.errors import NoPairing, TournamentError
from bot.tournaments.pairing.record import DRAUGHTS, Colour, Mark, Points, Record, RoundEntry
from bot.tournaments.pairing.swiss import dutch, matching
from bot.tournaments.pairing.swiss.contenders import Float, RoundPairing, floats_of, initial_colour, swiss_round
from tests.support.tournaments.records import empty, noted, record_of, season, with_round

W, B = Colour.WHITE, Colour.BLACK
BYE = RoundEntry(None, None, Mark.HALF_BYE)
AWAY = RoundEntry(None, None, Mark.ZERO_BYE)


def test_first_round() -> None:
    """The upper half meets the lower half in order, colours alternating from the initial one, the last is free."""
    paired = dutch.next_round(empty(7, 5))
    assert ((1, 4), (5, 2), (3, 6)) == paired.games
    assert 7 == paired.bye
    assert "Dutch system (C.04.3, 2026)" == paired.system
    black_begins = replace(empty(6, 5), initial_colour=B)
    assert ((4, 1), (2, 5), (6, 3)) == dutch.next_round(black_begins).games


def test_second_round() -> None:
    """Winners meet winners, drawn meet drawn, losers meet losers, each with the other colour where that is possible."""
    record = record_of(["1 5 1, 6 2 0, 3 7 =, 8 4 ="], 8, planned=5)
    assert ((2, 1), (4, 3), (7, 8), (5, 6)) == dutch.next_round(record).games


def test_bye_where_the_score_groups_would_like_another() -> None:
    """The bye goes to the lowest score that leaves the rest a pairing, though two leaders do not meet (C.4, C.5)."""
    record = record_of(["1 4 1, 5 2 0, 3 6 1", "2 1 0, 4 3 0, 6 5 0"], 6, planned=3)
    record = noted(record, 4, 3, AWAY)
    paired = dutch.next_round(record)
    assert (((1, 5), (3, 2)), 6) == (paired.games, paired.bye)


def test_bye_to_who_has_played_most() -> None:
    """Of those who may be free, it is not the one who has sat out already (C.9)."""
    record = noted(record_of(["1 3 1, 4 2 0"], 5, planned=3), 5, 1, AWAY)
    paired = dutch.next_round(record)
    assert (((2, 1), (3, 5)), 4) == (paired.games, paired.bye)


@pytest.mark.parametrize("mark", [Mark.PAIRING_BYE, Mark.FULL_BYE])
def test_no_bye_after_a_free_point(mark: Mark) -> None:
    """Who has had a win's points without playing has no bye after it (C.2)."""
    record = noted(record_of(["1 2 1"], 3, planned=2), 3, 1, RoundEntry(None, None, mark))
    assert 2 == dutch.next_round(record).bye


def test_no_second_bye_of_half_a_point() -> None:
    """The pairing's bye is given once, also where it is worth less than a win (C.2)."""
    points = Points(pairing_bye=Fraction(1, 2))
    record = record_of(["1 3 1, 4 2 1, 5 U", "4 1 1, 3 5 1, 2 U"], 5, planned=5, points=points)
    assert {2, 5} == {c.number for c in swiss_round(record).contenders if not c.may_have_bye}
    assert dutch.next_round(record).bye not in {2, 5}


def test_bye_after_half_a_point() -> None:
    """A half-point bye does not save from the pairing's bye."""
    record = noted(noted(record_of(["1 2 1, 3 4 1", "2 3 1, 4 1 1"], 5, planned=5), 5, 1, BYE), 5, 2, AWAY)
    assert 5 == dutch.next_round(record).bye


def test_a_forfeited_game_is_no_game() -> None:
    """After a forfeit the two may meet again, nobody has had a colour, and the winner has no bye."""
    record = record_of(["1 2 +"], 3, planned=3)
    swiss = swiss_round(noted(record, 3, 1, AWAY))
    known = swiss.by_number()
    assert not known[1].met
    assert () == known[1].side.colours == known[2].side.colours
    assert (False, True) == (known[1].may_have_bye, known[2].may_have_bye)


def test_floats() -> None:
    """Down when meeting fewer points or gaining without playing, up when meeting more (1.4)."""
    record = record_of(["1 2 1, 3 4 =, 5 H", "1 3 1, 4 5 =, 2 U", "1 4 =, 2 5 +, 3 Z"], 5)
    found = {number: "".join(f.value[0] for f in floats_of(record, number)) for number in record.players}
    assert {1: "ndd", 2: "ndd", 3: "nun", 4: "nnu", 5: "dnn"} == found
    assert Float.DOWN.value == "down"


@pytest.mark.parametrize(("rounds", "players", "colour"), [([], 4, W), (["3 1 1, 2 4 ="], 4, B), (["2 1 U"], 2, W)])
def test_initial_colour_is_read_from_the_first_round(rounds: list[str], players: int, colour: Colour) -> None:
    """What the highest numbered had in round 1 tells the colour drawn; white when nothing tells it."""
    record = record_of([text for text in rounds if "U" not in text], players)
    assert colour is initial_colour(record)


def test_late_entries_shift_no_colours_before_they_come() -> None:
    """Who has not come yet counts for nothing: the first who is there has the initial colour."""
    record = noted(empty(7, 5), 1, 1, BYE)
    assert ((2, 5), (6, 3), (4, 7)) == dutch.next_round(record).games


def test_absent_and_forbidden() -> None:
    """Absent players are not paired, and pairs that shall not meet do not, not even in round 1."""
    record = replace(empty(6, 5), forbidden=frozenset({frozenset((1, 4)), frozenset((2, 5))}))
    paired = dutch.next_round(record)
    assert not record.forbidden & {frozenset(game) for game in paired.games}
    assert () == paired.relaxations
    assert {1, 2, 3, 4} == {number for game in dutch.next_round(record, absent=[5, 6]).games for number in game}


@pytest.mark.parametrize("points", [DRAUGHTS, Points(Fraction(3), Fraction(1))])
def test_other_points(points: Points) -> None:
    """Two or three points a win change nothing while the order of the scores stays."""
    rounds = ["1 5 1, 6 2 0, 3 7 0, 8 4 1"]
    ours = dutch.next_round(record_of(rounds, 8, planned=5))
    assert ours == dutch.next_round(record_of(rounds, 8, planned=5, points=points))


def test_refusals() -> None:
    """Nothing is paired while games go on, after the last round, or with nobody there."""
    with pytest.raises(TournamentError, match="no result yet for 1, 2"):
        dutch.next_round(record_of(["1 2 *, 3 4 1"], 4))
    with pytest.raises(TournamentError, match="All 1 rounds"):
        dutch.next_round(record_of(["1 2 1"], 2, planned=1))
    with pytest.raises(NoPairing, match="nobody to pair"):
        dutch.next_round(empty(2, 3), absent=[1, 2])


def test_one_player_alone() -> None:
    """One player alone is free, and free again with a note."""
    record = empty(1, 3)
    first = dutch.next_round(record)
    assert ((), 1, ()) == (first.games, first.bye, first.relaxations)
    again = dutch.next_round(with_round(record, first, []))
    assert ((), 1) == (again.games, again.bye)
    assert "1 has a bye again." in again.relaxations


def test_when_all_have_met() -> None:
    """Where no legal pairing is left, two meet again, and the round says so."""
    record = record_of(["1 2 1, 3 4 1", "1 3 1, 2 4 1", "4 1 0, 2 3 1"], 4, planned=4)
    paired = dutch.next_round(record)
    assert matching.SYSTEM == paired.system
    assert "No legal pairing is left." == paired.relaxations[0]
    assert 2 == sum("meet again" in note for note in paired.relaxations)


def test_forbidden_pairs_are_the_last_to_be_given_up() -> None:
    """Rather than a forbidden pair, two meet again."""
    record = replace(record_of(["1 2 1, 3 4 1", "1 3 1, 2 4 1"], 4), forbidden=frozenset({frozenset((1, 4))}))
    paired = dutch.next_round(record)
    assert frozenset((1, 4)) not in {frozenset(game) for game in paired.games}
    assert any("meet again" in note for note in paired.relaxations)


def broken_rules(record: Record, paired: RoundPairing) -> list[str]:
    """What is wrong with a round that claims to be legal."""
    swiss = swiss_round(record)
    known = swiss.by_number()
    wrong = []
    for white, black in paired.games:
        if black in record.met(white):
            wrong.append(f"{white} and {black} have met")
        for number, colour in ((white, W), (black, B)):
            colours = [*record.colours(number), colour]
            thrice = len(colours) > 2 and len(set(colours[-3:])) == 1
            uneven = abs(colours.count(W) - colours.count(B)) > 2
            excused = swiss.is_topscorer(known[white]) or swiss.is_topscorer(known[black])
            if (thrice or uneven) and not excused:
                wrong.append(f"{number} has had {colours}")
    if paired.bye is not None and not known[paired.bye].may_have_bye:
        wrong.append(f"{paired.bye} has had a bye")
    return wrong


@settings(max_examples=40)
@given(st.integers(0, 100_000), st.integers(2, 13), st.integers(1, 7), st.booleans())
def test_every_round_of_every_tournament(seed: int, players: int, rounds: int, troubled: bool) -> None:
    """All are paired once; without a note no rematch, no second bye, colours kept; boards by rank; found again."""
    for record, paired in season(seed, players, rounds, troubled=troubled):
        present = {number for number, p in record.players.items() if p.entry(record.rounds_paired + 1) is None}
        places = [number for game in paired.games for number in game]
        places += [] if paired.bye is None else [paired.bye]
        assert sorted(present) == sorted(places)
        assert (len(present) % 2 == 1) == (paired.bye is not None)
        if not paired.relaxations:
            assert [] == broken_rules(record, paired)
        else:
            assert not matching.legal_pairing_exists(swiss_round(record))
        tops = [max(record.score(white), record.score(black)) for white, black in paired.games]
        assert tops == sorted(tops, reverse=True)
        assert paired == dutch.next_round(record)


@settings(max_examples=40)
@given(st.integers(0, 100_000), st.integers(3, 9))
def test_what_is_given_up_is_the_least(seed: int, players: int) -> None:
    """Played on past all legal pairings, a round has a rematch only when any pairing would have one."""
    for record, paired in season(seed, players, players + 2, troubled=False):
        again = [game for game in paired.games if game[1] in record.met(game[0])]

        def fresh(i: int, j: int, record: Record = record) -> int | None:
            numbers = list(record.players)
            return 0 if j == len(numbers) or numbers[j] not in record.met(numbers[i]) else None

        if again:
            assert matching.best_matching(players + players % 2, fresh) is None


def test_matching_takes_the_least_sum() -> None:
    """The least sum of costs wins over the least single cost; what may not be is not."""
    costs = {(0, 1): 0, (2, 3): 9, (0, 2): 4, (1, 3): 4, (0, 3): 8, (1, 2): 8}
    assert {0: 2, 2: 0, 1: 3, 3: 1} == matching.best_matching(4, lambda i, j: costs[i, j])
    assert matching.best_matching(4, lambda i, j: None if 0 in (i, j) else 1) is None
    with pytest.raises(ValueError, match="too long"):
        matching.best_matching(4, lambda i, j: 1 << 124)
    huge = {(i, j): (i + 1) * (j + 1) << 110 for i in range(6) for j in range(i + 1, 6)}
    assert {0: 5, 5: 0, 1: 4, 4: 1, 2: 3, 3: 2} == matching.best_matching(6, lambda i, j: huge[i, j])
