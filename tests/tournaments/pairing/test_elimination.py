"""Brackets of every size by simulation, byes, second finals, and corrections of what is past."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.tournaments.errors import TournamentError
from bot.tournaments.pairing.elimination import (
    Bracket,
    BracketGame,
    BracketState,
    colours,
    double,
    falls_from,
    fold,
    single,
)


def played(
    bracket: Bracket, seed: int, *, draws: float = 0.0, games: list[BracketGame] | None = None
) -> list[BracketGame]:
    """All results of a bracket, drawn by lot, on from those that are there."""
    lots = random.Random(seed)
    games = list(games or [])
    while (state := fold(bracket, games)).open:
        for match in state.open:
            white, black = colours(state, match)
            winner = None if lots.random() < draws else lots.choice((white, black))
            games.append(BracketGame(match.match.key, len(match.games) + 1, white, black, winner))
    return games


def losses(state: BracketState) -> Counter[int]:
    return Counter(match.loser for match in state.matches.values() if match.games and match.loser)


@pytest.mark.parametrize("count", range(2, 65))
def test_double_elimination_of_every_size(count: int) -> None:
    """Each but the winner loses twice, the winner once at most; one game less or two less than twice the field."""
    players = tuple(range(1, count + 1))
    for seed in range(3):
        games = played(double(players), seed)
        state = fold(double(players), games)
        assert state.champion in players
        lost = losses(state)
        assert {2} == {lost[player] for player in players if player != state.champion}
        assert lost[state.champion] == (len(games) == 2 * count - 1)
        assert len(games) in (2 * count - 2, 2 * count - 1)
        assert sorted(state.places) == list(players)
        assert [1, 2] == sorted(state.places.values())[:2]


@pytest.mark.parametrize("count", range(2, 65))
def test_single_elimination_of_every_size(count: int) -> None:
    """Each but the winner loses once; one game less than the field; the best seeds have the byes."""
    players = tuple(range(1, count + 1))
    bracket = single(players)
    begun = fold(bracket, [])
    free = {state.winner for state in begun.matches.values() if state.winner}
    assert free == set(players[: 2 ** (count - 1).bit_length() - count])
    games = played(bracket, count)
    state = fold(bracket, games)
    assert count - 1 == len(games)
    assert all(losses(state)[player] == (player != state.champion) for player in players)
    assert sorted(state.places) == list(players)


def test_the_best_meet_last() -> None:
    """If the better seed always wins, first meets second in the final, and the places follow the seeds."""
    bracket = single([11, 12, 13, 14, 15, 16, 17, 18], third_place=True)
    games: list[BracketGame] = []
    while open_matches := fold(bracket, games).open:
        one, other = sorted(player for player in open_matches[0].players if player)
        games.append(BracketGame(open_matches[0].match.key, 1, one, other, one))
    state = fold(bracket, games)
    assert {11, 12} == set(state.matches["W3-1"].players)
    assert {11: 1, 12: 2, 13: 3, 14: 4} == {player: state.places[player] for player in (11, 12, 13, 14)}
    assert {5} == {state.places[player] for player in (15, 16, 17, 18)}


@settings(max_examples=40)
@given(st.integers(2, 20), st.integers(0, 10_000), st.booleans(), st.booleans())
def test_a_place_that_is_told_stays(count: int, seed: int, twice: bool, third: bool) -> None:
    """Whoever is out has the same place to the end: it counts those who will still go out in the same round."""
    players = tuple(range(1, count + 1))
    bracket = double(players) if twice else single(players, third_place=third)
    games = played(bracket, seed, draws=0.2)
    end, fought = fold(bracket, games).places, third and count > 3 and not twice
    for upto in range(len(games)):
        told = fold(bracket, games[:upto]).places
        assert all(place == end[player] or (fought and place == 3) for player, place in told.items())


def test_second_final() -> None:
    """Only when the unbeaten player loses the first final is there a second."""
    bracket = double([1, 2])
    first = [BracketGame("W1-1", 1, 1, 2, 1), BracketGame("F1", 1, 2, 1, 1)]
    state = fold(bracket, first)
    assert (1, ()) == (state.champion, state.open)
    again = fold(bracket, [first[0], BracketGame("F1", 1, 2, 1, 2)])
    assert (None, ["F2"]) == (again.champion, [match.match.key for match in again.open])
    assert 2 == fold(bracket, [first[0], BracketGame("F1", 1, 2, 1, 2), BracketGame("F2", 1, 1, 2, 2)]).champion


def test_drawn_games_are_played_again() -> None:
    """A drawn game decides nothing: the match stays open, and the colours change."""
    bracket = single([1, 2])
    state = fold(bracket, [BracketGame("W1-1", 1, 1, 2, None)])
    (match,) = state.open
    assert (2, 1) == colours(state, match)
    assert 2 == fold(bracket, [BracketGame("W1-1", 1, 1, 2, None), BracketGame("W1-1", 2, 2, 1, 2)]).champion


def test_a_correction_reopens_what_followed() -> None:
    """A corrected winner goes on; what the other played in that place no longer counts, all else stays."""
    bracket = single([1, 2, 3, 4])
    games = [BracketGame("W1-1", 1, 1, 4, 1), BracketGame("W1-2", 1, 2, 3, 2), BracketGame("W2-1", 1, 1, 2, 1)]
    assert 1 == fold(bracket, games).champion
    state = fold(bracket, [*games, BracketGame("W1-1", 1, 1, 4, 4)])
    assert state.champion is None
    assert ((4, 2), ()) == (state.matches["W2-1"].players, state.matches["W2-1"].games)
    assert ["W2-1"] == [match.match.key for match in state.open]
    assert 1 == fold(bracket, [*games, BracketGame("W1-1", 1, 1, 4, 4), BracketGame("W1-1", 1, 1, 4, 1)]).champion


@settings(max_examples=40)
@given(st.integers(2, 20), st.integers(0, 10_000), st.booleans())
def test_corrections_of_any_bracket(count: int, seed: int, twice: bool) -> None:
    """A bracket with one result corrected and played on is the bracket that had been right from the start."""
    bracket = (double if twice else single)(tuple(range(1, count + 1)))
    games = played(bracket, seed, draws=0.2)
    wrong = random.Random(seed).choice([game for game in games if game.winner is not None])
    right = replace(wrong, winner=wrong.black if wrong.winner == wrong.white else wrong.white)
    state = fold(bracket, [*games, right])
    counting = [game for match in state.matches.values() for game in match.games]
    assert state.matches == fold(bracket, counting).matches
    end = fold(bracket, played(bracket, seed + 1, games=[*games, right]))
    assert end.champion is not None
    assert sorted(end.places) == list(range(1, count + 1))


def test_nobody_soon_meets_again() -> None:
    """Of sixteen, nobody who fell meets before the last three losers' rounds whom they met above."""
    for seed in range(20):
        games = played(double(tuple(range(1, 17))), seed)
        early = [frozenset((g.white, g.black)) for g in games if g.match[:2] in ("W1", "W2", "L1", "L2", "L3")]
        assert len(early) == len(set(early))


def test_refusals() -> None:
    """One player is no bracket; a match without two players has no colours."""
    for make in (single, double):
        with pytest.raises(TournamentError, match="two different players"):
            make([1])
    state = fold(single([1, 2, 3]), [])
    with pytest.raises(TournamentError, match="does not have two players"):
        colours(state, state.matches["W2-1"])


def test_who_plays_on() -> None:
    """Whoever stands in an undecided match plays on; a loss leads to another match on the winners' side of a double
    elimination, in its first final, and before a match for third place."""
    bracket = double((1, 2, 3, 4))
    assert {"W1-1": True, "W2-1": True, "L1-1": False, "F1": True, "F2": False} == {
        key: falls_from(bracket, key) for key in ("W1-1", "W2-1", "L1-1", "F1", "F2")
    }
    assert falls_from(single((1, 2, 3, 4), third_place=True), "W1-1")
    assert not falls_from(single((1, 2, 3, 4)), "W1-1")

    games = [BracketGame("W1-1", 1, 1, 4, 1), BracketGame("W1-2", 1, 2, 3, 2), BracketGame("L1-1", 1, 4, 3, 4)]
    assert {1, 2, 4} == fold(bracket, games).to_play
    # With and without a second final.
    assert {frozenset()} == {fold(bracket, played(bracket, seed)).to_play for seed in range(8)}
