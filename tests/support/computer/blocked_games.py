"""Games of Chinese checkers against players who do not want to come home but to stand in the way: all of them end.

``python -m tests.support.computer.blocked_games --games 200`` plays so many with each level and prints the longest.
"""

from __future__ import annotations

import argparse
import collections
import sys
from random import Random
from typing import NamedTuple

from bot.computer import levels
from bot.engine.registry import rules_for
from bot.engine.star.movegen import StarTurn
from bot.engine.star.rules import StarRules
from bot.engine.star.state import StarState
from bot.engine.variants import OptionValue

CAP = 400
"""Own turns of the computer in which every game has ended."""

TABLES: tuple[dict[str, OptionValue], ...] = (
    {"players": 2},
    {"players": 2},
    {"players": 2},
    {"players": 2, "blocked": "filled"},
    {"players": 2, "blocked": "none"},
    {"players": 3},
    {"players": 2, "sets": 3},
    {"players": 3, "sets": 2, "places": True},
    {"players": 4},
    {"players": 6},
)
"""One game after the other has these options; most are for two, with swaps."""


class BlockedGame(NamedTuple):
    """How a game against blockers ended: ``home`` (the computer won), ``beaten``, ``gave up`` or ``went on``; after how
    many own turns of the computer; in how many of those it swapped."""

    end: str
    turns: int
    swaps: int


class Blocker:
    """Keeps some pegs for ever in the triangle in which they began, a target of the computer's, and never comes home if
    it can help it. With ``spite`` it takes a turn, of a few, after which the computer's best one gains least; else any.
    """

    def __init__(self, rules: StarRules, seat: int, against: int, random: Random) -> None:
        self.rules, self.seat, self.against, self.random = rules, seat, against, random
        kernel = rules.kernel
        self.own = kernel.codes[seat]
        self.start = {hole: code for code in self.own for hole, peg in enumerate(kernel.set_up()) if peg == code}
        self.stays = random.randint(1, 9)
        self.spite = random.random() < 0.6
        self.errs = random.choice((0.0, 0.1, 0.5))

    def turn(self, state: StarState) -> StarTurn:
        """What it plays."""
        turns = self.rules.turns(state)
        turns = tuple(turn for turn in turns if not self.rules.kernel.is_home(turn.after, self.seat)) or turns
        turns = tuple(turn for turn in turns if self.staying(turn.after) >= self.stays) or turns
        if not self.spite or self.random.random() < self.errs:
            return self.random.choice(turns)
        return min(self.random.sample(turns, min(8, len(turns))), key=self.leaves)

    def staying(self, pegs: bytes) -> int:
        """How many of its pegs stand where they began."""
        return sum(pegs[hole] == code for hole, code in self.start.items())

    def leaves(self, turn: StarTurn) -> int:
        """What the computer can gain after a turn."""
        kernel, pegs = self.rules.kernel, StarState(turn.after, self.against)
        return max((self.rules.gain(pegs, answer) for answer in kernel.turns(turn.after, self.against)), default=-99)


def blocked_game(level: int, number: int, seed: int, options: dict[str, OptionValue]) -> BlockedGame:
    """A game of ``level`` against blockers at all other seats, from some turns at random on."""
    rules, random = rules_for("chinese-checkers", options), Random(f"blocked {seed} {number} {level}")
    assert isinstance(rules, StarRules)
    seats = range(len(rules.seats))
    computer = random.choice(seats)
    blockers = {seat: Blocker(rules, seat, computer, random) for seat in seats if seat != computer}
    states = [rules.start()]
    mood, turns, swaps = levels.Mood(), 0, 0
    for _ in range(random.randrange(8) * len(seats)):
        states.append(rules.play(states[-1], random.choice(rules.ranked(states[-1])[:12])))
    while turns < CAP:
        state = states[-1]
        if state.outcome or computer in state.home:
            won = computer in state.home or (state.outcome and state.outcome.winner == computer)
            return BlockedGame("home" if won else "beaten", turns, swaps)
        if state.seat != computer:
            states.append(rules.play(state, blockers[state.seat].turn(state)))
        else:
            choice = levels.choose(rules, state, level, number, len(states) - 1, states)
            if mood.gives_up(level, choice.resigns):
                return BlockedGame("gave up", turns, swaps)
            turns, swaps = turns + 1, swaps + bool(choice.turn.swaps)
            states.append(rules.play(state, choice.turn))
    return BlockedGame("went on", turns, swaps)


def main() -> int:
    """Play and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--levels", default="1-8", help="one, or from the weakest to the strongest")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    lowest, _, highest = given.levels.partition("-")
    ends = collections.Counter[str]()
    for level in range(int(lowest), int(highest or lowest) + 1):
        played = [
            blocked_game(level, number, given.seed, TABLES[number % len(TABLES)]) for number in range(given.games)
        ]
        ends = collections.Counter(game.end for game in played)
        longest = max(played, key=lambda game: game.turns)
        swaps = max(game.swaps for game in played)
        sys.stdout.write(
            f"level {level}: {len(played)} games, {dict(ends)}; longest {longest.turns} own turns, {longest.end};"
            f" {swaps} turns with swaps at most\n"
        )
        sys.stdout.flush()
        if ends["went on"]:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
