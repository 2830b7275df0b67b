"""Why this opponent, and what do I need."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.tournaments.analysis.prospects import what_do_i_need
from bot.tournaments.analysis.why_paired import why_this_opponent
from bot.tournaments.errors import TournamentError
from bot.tournaments.model.events import ByeAsked, Forbade, Kind, RoundPaired, Scored, TournamentSettings
from bot.tournaments.pairing.record import Mark
from tests.support.tournaments import formats
from tests.support.tournaments.director import MARKS, Directed, swiss

SIDES = ("White", "Red")


def told(cup: Directed, round_number: int, number: int) -> str:
    return " ".join(why_this_opponent(cup.state, round_number, number, SIDES, lambda n: f"P{n}"))


def test_same_score() -> None:
    """The score group, whom of it one has met, and the rule of the colour."""
    cup = swiss(8, 5)
    cup.pair()
    cup.score("====")
    cup.pair()
    said = told(cup, 2, 1)
    assert "Both have ½ point: their score group has 8 players." in said
    assert "P1 has already met P5, who has the same score." in said
    assert "P1 has Red (colours so far: White)" in said


def test_first_round() -> None:
    """In the first round the number decides the colour."""
    cup = swiss(4, 3)
    cup.pair()
    assert "neither has played yet" in told(cup, 1, 2)


def test_float() -> None:
    """Who is moved down is told from where and why."""
    cup = swiss(6, 5)
    cup.pair()
    cup.score("1=1").pair()
    floated = [
        (white, black)
        for white, black in cup.state.paired[2].games
        if cup.state.record.scores[white][1] != cup.state.record.scores[black][1]
    ]
    assert floated
    said = told(cup, 2, floated[0][0])
    assert "was moved down from the group of" in said


def test_a_second_float_is_told() -> None:
    """Who has floated in one of the last two rounds, not in both perhaps, is told that there was no other way."""
    rng, said = random.Random(1), list[str]()
    for _cup in range(12):
        cup = swiss(6, 5)
        for number in range(1, 6):
            cup.pair()
            said += [told(cup, number, one) for one in sorted(cup.state.by_number)]
            cup.score("".join(rng.choice("1=0") for _game in range(3)))
    floats = [text for text in said if "floated" in text]
    assert floats
    assert all("had already floated the same way in one of the last two rounds" in text for text in floats)


def test_bye() -> None:
    """Who has the bye is told why it is nobody with fewer points."""
    cup = swiss(5, 5)
    first = cup.pair().bye
    assert first is not None
    assert "It goes to the lowest score group that leaves everyone else a pairing" in told(cup, 1, first)
    cup.score("==").pair()
    assert cup.state.paired[2].bye != first
    second = cup.state.paired[2].bye
    assert second is not None
    assert "It goes to the lowest score group that leaves everyone else a pairing" in told(cup, 2, second)


def test_director_and_other_kinds() -> None:
    """A pairing by hand says so, a forbidden pair is named, a round robin has its table; strangers are refused."""
    cup = swiss(4, 3)(RoundPaired(1, ((2, 1), (3, 4)), by_hand=True))
    said = told(cup, 1, 1)
    assert "by hand" in said
    assert "by the director's hand" in said
    cup = swiss(6, 3)(Forbade(1, 4), ByeAsked(6, 1), ByeAsked(5, 1))
    cup.pair()
    assert "does not let P1 meet P4" in told(cup, 1, 1)
    with pytest.raises(TournamentError, match="is not paired in round 1"):
        told(cup, 1, 6)
    with pytest.raises(TournamentError, match="not paired yet"):
        told(cup, 2, 1)
    table = Directed(TournamentSettings(Kind.ROUND_ROBIN), 4)
    table.pair()
    assert "Berger" in told(table, 1, 1)


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.integers(5, 10))
def test_there_is_always_a_reason(seed: int, players: int) -> None:
    """Every player of every round is told something, and the colour given is the colour the rules give."""
    cup = swiss(players, 4).play(4, random.Random(seed))
    for number, pairing in cup.state.paired.items():
        for player in [n for game in pairing.games for n in game] + ([pairing.bye] if pairing.bye else []):
            said = why_this_opponent(cup.state, number, player, SIDES)
            assert said
            assert not any("director" in sentence for sentence in said)


def test_what_do_i_need() -> None:
    """Best and worst places after a win, a draw and a loss, by trying everything."""
    cup = swiss(4, 3)
    cup.pair()
    cup.score("11")
    cup.pair()
    win, draw, loss = what_do_i_need(cup.state, 1)
    assert (Mark.WIN, 1, 1, True) == (win.result, win.best, win.worst, win.certain)
    assert draw.best <= draw.worst <= loss.worst
    assert loss.best > 1
    cup.score("11")
    (over,) = what_do_i_need(cup.state, 1)
    assert over.result is None
    assert over.best == over.worst
    with pytest.raises(TournamentError, match="Swiss or a round robin"):
        what_do_i_need(Directed(TournamentSettings(Kind.ARENA), 3).state, 1)


@settings(max_examples=10)
@given(st.integers(0, 10_000), st.sampled_from((8, 14)), st.integers(1, 3))
def test_what_comes_lies_between(seed: int, players: int, played: int) -> None:
    """However the round ends, the place is between the best and the worst foretold for one's own result."""
    lots = random.Random(seed)
    cup = swiss(players, 5).play(played, lots)
    games = cup.pair().games
    foretold = {number: what_do_i_need(cup.state, number) for number in (1, games[-1][0], games[-1][1])}
    assert {players < 12} == {each.certain for found in foretold.values() for each in found}
    own: dict[int, Mark] = {}
    for white, black in games:
        marks = MARKS[lots.choice("1=0")]
        own |= {white: marks[0], black: marks[1]}
        cup(Scored(played + 1, white, black, *marks))
    ranks = {line.number: line.rank for line in formats.ranking(cup.state).lines}
    for number, found in foretold.items():
        if number in own:
            mine = next(each for each in found if each.result is own[number])
            assert mine.best <= ranks[number] <= mine.worst
