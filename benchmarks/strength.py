"""How strong the levels are: matches of a level against the one below, each opening played with both colours.

    python benchmarks/strength.py [VARIANT ...] [--levels 1-5] [--pairs 10] [--seed 1] [--set removal=at_end]

An opening is a few random moves of both sides; the same opening is played twice, the players changing seats. A draw
counts half a point each. What is printed is the stronger level's share of the points with twice its standard
error over pairs of games (about 95 %), and the difference of ratings that this share stands for. Nobody resigns.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from random import Random

from bot.computer.levels import choose
from bot.engine.catalogue import rules_for
from bot.engine.rules import Rules, State
from bot.engine.variants import names

OPENING = 4
MOST_TURNS = 300


def opening(rules: Rules, random: Random) -> State:
    """A few random moves from the set-up, without a capture hanging."""
    while True:
        state = rules.start()
        for _ in range(OPENING):
            state = rules.play(state, random.choice(rules.ranked(state)))
            if state.outcome:
                break
        if state.outcome is None and not any(turn.captured for turn in rules.turns(state)):
            return state


def game(rules: Rules, start: State, levels: tuple[int, int], seed: int) -> float:
    """The points of the first seat."""
    state = start
    for played in range(MOST_TURNS):
        if state.outcome is not None:
            break
        choice = choose(rules, state, levels[state.seat], seed, OPENING + played)
        state = rules.play(state, choice.turn)
    if state.outcome is None or state.outcome.winner is None:
        return 0.5
    return 1.0 - state.outcome.winner


def match(rules: Rules, strong: int, weak: int, pairs: int, random: Random) -> list[float]:
    """For each pair of games the stronger level's share of the two points."""
    shares = []
    for seed in range(pairs):
        start = opening(rules, random)
        first = game(rules, start, (strong, weak), seed)
        second = 1 - game(rules, start, (weak, strong), seed)
        shares.append((first + second) / 2)
    return shares


def told(shares: list[float]) -> str:
    mean = statistics.mean(shares)
    error = 2 * statistics.stdev(shares) / math.sqrt(len(shares)) if len(shares) > 1 else 1.0
    inside = min(max(mean, 0.01), 0.99)
    ratings = 400 * math.log10(inside / (1 - inside))
    return f"{100 * mean:.0f} % ± {100 * error:.0f} of {2 * len(shares)} games, {ratings:+.0f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help="by default every game of two")
    parser.add_argument("--levels", default="1-5", help="from the weakest to the strongest, such as 1-8")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a house rule")
    asked = parser.parse_args()
    lowest, highest = (int(part) for part in asked.levels.split("-"))
    options = dict(pair.split("=", 1) for pair in asked.set)
    for variant in asked.variants or names():
        rules = rules_for(variant, options)
        for strong in range(lowest + 1, highest + 1):
            started = time.perf_counter()
            shares = match(rules, strong, strong - 1, asked.pairs, Random(f"{asked.seed} {variant} {strong}"))
            spent = time.perf_counter() - started
            print(f"{variant}: level {strong} against {strong - 1}: {told(shares)} ({spent:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
