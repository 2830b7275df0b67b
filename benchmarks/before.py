"""The search against one of another checkout of this repository (``git worktree add --detach ../before COMMIT``).

    python benchmarks/before.py ../before VARIANT [--pairs 100] [--nodes 5000 | --seconds 0.1] [--seed 1] [--plain]

Both think in processes of their own, each with the code and the weights of its tree, at the same openings with both
colours. Seconds are such of processor time where nothing else runs. It prints the share of the points of this checkout
with twice its standard error, and what either spent in processor time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


def serve(variant: str, *, plain: bool) -> None:
    """Answer each line of JSON on standard input (opening, turns since, limit) with a turn, the positions looked at and
    the processor time that it took."""
    from bot.computer.kernels.backends import PLAIN
    from bot.computer.search.draughts import Searcher
    from bot.computer.search.limits import Limit
    from bot.engine.registry import rules_for

    rules = rules_for(variant)
    searcher = Searcher(rules, PLAIN if plain else None)  # type: ignore[arg-type]
    searcher.think(rules.start(), Limit(depth=2))  # type: ignore[arg-type]
    for line in sys.stdin:
        opening, turns, limit = json.loads(line)
        state = rules.start(opening)
        for text in turns:
            state = rules.play(state, rules.read(state, text))
        began = time.thread_time()
        found = searcher.think(state, Limit(**limit))  # type: ignore[arg-type]
        print(json.dumps([found.turn.text, found.nodes, time.thread_time() - began]), flush=True)


class Player:
    """A search of a checkout. ``spent``: seconds of processor time; ``nodes``: positions looked at."""

    def __init__(self, checkout: Path, variant: str, *, plain: bool) -> None:
        command = [sys.executable, str(HERE / "before.py"), "--serve", str(checkout), variant, *["--plain"] * plain]
        path = {**os.environ, "PYTHONPATH": str(checkout)}
        self._process = subprocess.Popen(
            command, cwd=checkout, env=path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.spent, self.nodes = 0.0, 0

    def turn(self, opening: str, turns: list[str], limit: dict[str, float]) -> str:
        """Its turn after ``turns``."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([opening, turns, limit]), file=self._process.stdin, flush=True)
        text, nodes, spent = json.loads(self._process.stdout.readline())
        self.nodes, self.spent = self.nodes + nodes, self.spent + spent
        return str(text)


def match(checkout: Path, variant: str, pairs: int, limit: dict[str, float], seed: int, *, plain: bool) -> None:
    from self_play import LONGEST, SHUFFLED, opening
    from strength import told

    from bot.computer.search.draughts import Searcher
    from bot.engine.draughts.rules import DraughtsRules
    from bot.engine.registry import rules_for

    rules = rules_for(variant)
    assert isinstance(rules, DraughtsRules)
    players = [Player(tree, variant, plain=plain) for tree in (HERE.parent, checkout.resolve())]
    random, quick = Random(f"before {variant} {seed}"), Searcher(rules)

    def game(start: str, first: int) -> float:
        """The points of this checkout, whose seat is ``first``."""
        state, turns = rules.start(start), list[str]()
        for _ in range(LONGEST):
            if state.outcome is not None:
                return 0.5 if state.outcome.winner is None else float(state.outcome.winner == first)
            if state.quiet >= SHUFFLED:
                break
            turns.append(players[state.seat != first].turn(start, turns, limit))
            state = rules.play(state, rules.read(state, turns[-1]))
        return 0.5

    shares = []
    for number in range(pairs):
        start = rules.position(opening(quick, random, 1000))
        shares.append((game(start, 0) + game(start, 1)) / 2)
        if number % 10 == 9 or number == pairs - 1:
            spent = " against ".join(f"{player.spent:.0f} s, {player.nodes / player.spent:.0f}" for player in players)
            print(f"{told(shares)}; processor and positions a second {spent}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("variant")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", action="store_true", help="without compiling")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        serve(asked.variant, plain=asked.plain)
        return 0
    limit = {"nodes": asked.nodes} if asked.seconds is None else {"seconds": asked.seconds}
    match(asked.checkout, asked.variant, asked.pairs, limit, asked.seed, plain=asked.plain)
    return 0


if __name__ == "__main__":
    sys.exit(main())
