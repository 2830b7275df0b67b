"""Random games of Chinese checkers to the end, with every choice of options: never an illegal position."""

from __future__ import annotations

import itertools
from collections import Counter
from random import Random

import pytest

from bot.engine.boards import star_board
from bot.engine.star.rules import StarRules
from bot.engine.star.state import StarState
from bot.engine.variants import load
from tests.support.engine import slow_star
from tests.support.engine.star_lockstep import MOVING, Options, name_of
from tests.support.thoroughness import THOROUGH

# Turns of each player after which a game is stopped: with a remedy or none, some block each other for ever.
MOST_ROUNDS = 400

NAMES = star_board().names
CHOICES: list[dict[str, str | int | bool]] = [
    {**options, "places": places} for options, places in itertools.product(MOVING, (False, True))
]


def homeward(rules: StarRules, state: StarState, random: Random) -> str:
    """Mostly the best of some turns, now and then any: such games come to an end."""
    turns = rules.turns(state)
    some = random.sample(turns, min(len(turns), random.choice((1, 12, 12, 12, 12, 12, 12, 12))))
    return max(some, key=lambda turn: (rules.gain(state, turn), random.random())).text


class Watch:
    """What must hold after every turn of a game, worked out from the board alone."""

    def __init__(self, rules: StarRules, options: Options) -> None:
        self.rules = rules
        self.law = slow_star.law_for(options)
        self.start = self.look(rules.start())
        self.seats = {name: self.law.seat_of(name) for name in self.start}
        self.targets = {
            name: {hole for hole in NAMES if slow_star.triangle_of(hole) == across}
            for name, across in slow_star.ACROSS.items()
        }
        self.ends = {
            seat: {hole for hole in NAMES if self.law.may_end(seat, hole)}
            for seat in self.seats.values()
            if seat is not None
        }
        self.in_target: Counter[str] = Counter()

    def look(self, state: StarState) -> dict[str, set[str]]:
        """The holes of each set."""
        found: dict[str, set[str]] = {}
        for hole, piece in self.rules.pieces(state).items():
            found.setdefault(piece.set, set()).add(NAMES[hole])
        return found

    def check(self, state: StarState) -> None:
        """Ten pegs of each set, none that left its target or rests where it may not, the idle ones where they were."""
        holes = self.look(state)
        assert {name: len(held) for name, held in holes.items()} == dict.fromkeys(self.start, 10)
        for name, held in holes.items():
            seat = self.seats[name]
            if seat is None:
                assert held == self.start[name]
                continue
            home = len(held & self.targets[name])
            assert home >= self.in_target[name]
            self.in_target[name] = home
            assert held <= self.ends[seat]


def play(options: Options, random: Random, leaving: float) -> StarState:
    """One game to its end or to the cap, watched; the record alone must lead to the same state."""
    rules = StarRules(load("chinese-checkers", options))
    seats = len(rules.seats)
    opening = rules.opening(random.randrange(seats))
    state, watch = rules.start(opening), Watch(rules, options)
    record: list[str | int] = []
    for _ in range(MOST_ROUNDS * seats):
        if state.outcome is not None:
            break
        entry = random.randrange(seats) if random.random() < leaving else homeward(rules, state, random)
        record.append(entry)
        state = enter(rules, state, entry)
        watch.check(state)
    again = rules.start(opening)
    for entry in record:
        again = enter(rules, again, entry)
    assert again == state
    return state


def enter(rules: StarRules, state: StarState, entry: str | int) -> StarState:
    """The state after a turn's text, or after a seat has left."""
    if isinstance(entry, int):
        return rules.leave(state, entry, f"{rules.seats[entry].name} resigned")
    return rules.play(state, rules.read(state, entry))


@pytest.mark.parametrize("options", CHOICES, ids=name_of)
def test_random_games_to_the_end(options: Options) -> None:
    """Games end by a win, a draw or the cap; the board is legal after every turn and the result fits the options."""
    random = Random(f"games {options}")
    for _ in range(THOROUGH):
        state = play(options, random, random.choice((0.0, 0.02)))
        if state.outcome is None:
            continue
        seats = int(options["players"])
        places = state.outcome.places
        assert len(set(places)) == len(places) <= seats
        if not options["places"]:
            assert places == ()
        elif state.outcome.winner is not None:
            assert places[0] == state.outcome.winner
            assert len(places) + len(state.left) == seats or state.outcome.reason == "nobody can move"


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_most_games_are_won(players: int) -> None:
    """With swaps players who make for home get there: the cap is not what ends these games."""
    random = Random(f"won {players}")
    ends = [play({"players": players}, random, 0.0).outcome for _ in range(2)]
    assert all(outcome is not None and outcome.winner is not None for outcome in ends)
