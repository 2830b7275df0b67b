"""What the accuracy of an analysis says of players whose strength is known: chance and the levels of the computer.

    python benchmarks/accuracy.py [--games 100] [--variants spanish pinoy] [--levels 1 4 8] [--seconds 0.05]

Each plays its games against itself, after a few turns at random; every turn is looked over as in an analysis, with less
time. Printed are the mean and the spread over all players of those games, in percent.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys

from bot.computer.analysis import PlayedPosition, SearchedTurn, accuracy, judge, look
from bot.computer.levels import choose
from bot.engine.registry import rules_for
from bot.engine.rules import State

CHANCE = 0
OPENING = 4
LONGEST = 200


def played(variant: str, level: int, seed: int) -> list[str]:
    """A game of a level against itself; CHANCE plays at random."""
    rules = rules_for(variant)
    lots = random.Random(f"{variant} {level} {seed}")
    state, record, states = rules.start(), list[str](), list[State]()
    while state.outcome is None and len(record) < LONGEST:
        states.append(state)
        turns = rules.turns(state)
        if level == CHANCE or len(record) < OPENING:
            turn = lots.choice([turn for turn in turns if not getattr(turn, "neglects", False)] or list(turns))
        else:
            turn = choose(rules, state, level, seed, len(record), states).turn
        record.append(turn.text)
        state = rules.play(state, turn)
    return record


def looked_over(variant: str, record: list[str], seconds: float) -> list[float]:
    """The accuracy of each seat that had one."""
    rules = rules_for(variant)
    options = dict(rules.variant.options)
    seen: list[SearchedTurn] = [
        look(PlayedPosition(variant, options, None, tuple(record[:at]), record[at], seconds))
        for at in range(OPENING, len(record))
    ]
    judged = judge(seen, rules.variant.family, len(rules.seats))
    found = [accuracy(judged, seat) for seat in range(len(rules.seats))]
    return [value for value in found if value is not None]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--variants", nargs="+", default=["spanish", "pinoy", "americanas", "tama", "chinese-checkers"])
    parser.add_argument("--levels", nargs="+", type=int, default=[1, 4, 8])
    parser.add_argument("--seconds", type=float, default=0.05, help="for each position that is looked over")
    asked = parser.parse_args()
    for variant in asked.variants:
        for level in [CHANCE, *asked.levels]:
            values: list[float] = []
            for seed in range(asked.games):
                values += looked_over(variant, played(variant, level, seed), asked.seconds)
            name = "chance" if level == CHANCE else f"level {level}"
            low, *_, high = statistics.quantiles(values, n=10) if len(values) > 1 else (values[0], values[0])
            sys.stdout.write(
                f"{variant:16} {name:8} {statistics.mean(values):5.1f} (a tenth below {low:.0f}, above {high:.0f};"
                f" {len(values)} players)\n"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
