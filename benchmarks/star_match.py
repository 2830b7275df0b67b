"""How strong the computer is at Chinese checkers, held against another state of this repository.

    python benchmarks/star_match.py BEFORE [--players 2] [--sets 1] [--games 80] [--nodes 120000 6000] [--seed 1]

BEFORE is a folder with that state, a git worktree. Either side is a process of its own and knows the game so far. They
have so many positions for a turn, the new one and the old one, as take both the same time of the processor: what else
runs takes no strength from either side. Each opening, a few turns of every seat that lead forward, is played as often
as there are seats: one new player sits among old ones, at each seat in turn. What is printed is how often the new one
came home first, with twice the standard error over openings, and the seconds of the processor that a turn took.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
from pathlib import Path
from random import Random

from bot.engine.registry import rules_for
from bot.engine.rules import Rules

ROOT = Path(__file__).resolve().parent.parent
OPENING = 2
MOST_TURNS = 150
"""Own turns after which a game of a match is nobody's."""

# Both sides run this: a line has the options and the turns so far, the answer is a turn and the seconds it took.
ENGINE = """
import json, sys, time
from bot.computer import levels
from bot.computer.search.limits import Limit
from bot.engine.registry import rules_for

nodes = int(sys.argv[1])
levels.limit_of = lambda rules, number, played=None: Limit(nodes=nodes)
rules, told, states = None, None, []
# Not on anybody's account: what is made once.
first = rules_for("chinese-checkers", json.loads(sys.argv[2]))
levels.choose(first, first.start(), 8, 1, 0, [first.start()])
for line in sys.stdin:
    options, turns = json.loads(line)
    if told is None or turns[: len(told)] != told or options != kept:
        rules, told, kept = rules_for("chinese-checkers", options), [], options
        states = [rules.start()]
    for text in turns[len(told):]:
        states.append(rules.play(states[-1], rules.read(states[-1], text)))
    told = turns
    started = time.process_time()
    turn = levels.choose(rules, states[-1], 8, 1, len(turns), states).turn
    print(json.dumps([turn.text, time.process_time() - started]), flush=True)
"""


class Engine:
    """The computer of a worktree, in a process of its own."""

    def __init__(self, folder: Path, nodes: int, options: dict[str, int]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", ENGINE, str(nodes), json.dumps(options)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(folder)},
        )
        self.spent: list[float] = []

    def turn(self, options: dict[str, int], turns: list[str]) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps([options, turns]), file=self.process.stdin, flush=True)
        text, seconds = json.loads(self.process.stdout.readline())
        self.spent.append(seconds)
        return str(text)


def opening(rules: Rules, random: Random) -> list[str]:
    """A few turns of each seat, among those that lead forward."""
    state, turns = rules.start(), list[str]()
    for _ in range(OPENING * len(rules.seats)):
        turn = random.choice(rules.ranked(state)[:8])
        turns.append(turn.text)
        state = rules.play(state, turn)
    return turns


def first_home(rules: Rules, options: dict[str, int], turns: list[str], players: list[Engine]) -> int | None:
    """The seat that has won, None where nobody has after MOST_TURNS of each."""
    state = rules.start()
    for text in turns:
        state = rules.play(state, rules.read(state, text))
    turns = list(turns)
    while state.outcome is None and len(turns) < MOST_TURNS * len(players):
        turns.append(players[state.seat].turn(options, turns))
        state = rules.play(state, rules.read(state, turns[-1]))
    return state.outcome.winner if state.outcome else None


def match(before: Path, options: dict[str, int], games: int, nodes: tuple[int, int], seed: int) -> None:
    rules, random = rules_for("chinese-checkers", options), Random(f"{seed} star {options}")
    new, old = Engine(ROOT, nodes[0], options), Engine(before, nodes[1], options)
    seats = len(rules.seats)
    shares: list[float] = []
    while len(shares) * seats < games:
        turns, points = opening(rules, random), 0.0
        for seat in range(seats):
            winner = first_home(rules, options, turns, [new if one == seat else old for one in range(seats)])
            points += 1 / seats if winner is None else winner == seat
        shares.append(points / seats)
        mean = statistics.mean(shares)
        error = 2 * statistics.stdev(shares) / math.sqrt(len(shares)) if len(shares) > 1 else 1.0
        print(
            f"{options}, {nodes[0]} and {nodes[1]} positions: {100 * mean:.1f} % ± {100 * error:.1f} of"
            f" {len(shares) * seats} games, {seats * mean:.2f} times chance; a turn took"
            f" {statistics.mean(new.spent):.3f} s, before {statistics.mean(old.spent):.3f} s",
            flush=True,
        )
    new.process.kill()
    old.process.kill()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, metavar="BEFORE")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--sets", type=int, default=1)
    parser.add_argument("--games", type=int, default=80)
    parser.add_argument("--nodes", type=int, nargs=2, default=(120_000, 6_000))
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    options = {"players": asked.players, "sets": asked.sets}
    match(asked.before.resolve(), options, asked.games, tuple(asked.nodes), asked.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
