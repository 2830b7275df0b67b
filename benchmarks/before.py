"""The search against one of another checkout of this repository (``git worktree add --detach ../before COMMIT``).

    python benchmarks/before.py ../before VARIANT [--pairs 100] [--nodes 5000 | --seconds 0.1] [--seed 1] [--plain]
        [--moves 8] [--endgames FOLDER] [--endgames-before FOLDER]

Both think in processes of their own, each with the code and the weights of its tree, at the same openings with both
colours, MOVES random moves that leave the sides about even (levels are measured after 4, benchmarks/strength.py).
Seconds are such of the processor, whatever else runs. Endgame tables are looked into where a folder is named.
It prints the share of the points of this checkout with twice its standard error, the games won, drawn and lost, and
what either spent in processor time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


GLANCE = 0.002
"""Seconds between two looks at the processor's clock."""
AMPLE = 3600
"""Seconds that no turn takes: a search with a time limit does not think long about the only turn."""


@contextmanager
def after(seconds: float | None) -> Iterator[threading.Event | None]:
    """An event that is set once this thread has had the processor for so long."""
    if seconds is None:
        yield None
        return
    clock, event = time.pthread_getcpuclockid(threading.get_ident()), threading.Event()
    until = time.clock_gettime(clock) + seconds

    def watch() -> None:
        while not event.is_set() and time.clock_gettime(clock) < until:
            time.sleep(min(GLANCE, seconds / 10))
        event.set()

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield event
    finally:
        event.set()


def serve(variant: str, *, plain: bool) -> None:
    """Answer each line of JSON on standard input (opening, turns since, positions, seconds) with a turn, the positions
    looked at and the processor time that it took."""
    from bot.computer.kernels import backends
    from bot.computer.search.draughts import Searcher
    from bot.computer.search.limits import Limit
    from bot.engine.registry import rules_for

    rules = rules_for(variant)
    # As `damero hub` and `damero best` have it; an older checkout knows one way to compile.
    with getattr(backends, "for_one_game", nullcontext)():
        searcher = Searcher(rules, backends.PLAIN if plain else None)  # type: ignore[arg-type]
    searcher.think(rules.start(), Limit(depth=2))  # type: ignore[arg-type]
    state, begun, played = rules.start(), "", list[str]()
    for line in sys.stdin:
        opening, turns, nodes, seconds = json.loads(line)
        if opening != begun or turns[: len(played)] != played:
            state, begun, played = rules.start(opening), opening, []
        for text in turns[len(played) :]:
            state = rules.play(state, rules.read(state, text))
        played = turns
        limit = Limit(nodes=nodes) if seconds is None else Limit(seconds=AMPLE)
        # As level 8 has it.
        if hasattr(limit, "continued"):
            limit = replace(limit, continued=True)
        if hasattr(limit, "fading"):
            limit = replace(limit, fading=True)
        began = time.thread_time()
        with after(seconds) as stop:
            found = searcher.think(state, limit, stop)  # type: ignore[arg-type]
        print(json.dumps([found.turn.text, found.nodes, time.thread_time() - began]), flush=True)


class Player:
    """A search of a checkout. ``spent``: seconds of processor time; ``nodes``: positions looked at."""

    def __init__(self, checkout: Path, variant: str, endgames: Path | None, *, plain: bool) -> None:
        command = [sys.executable, str(HERE / "before.py"), "--serve", str(checkout), variant, *["--plain"] * plain]
        named = {} if endgames is None else {"DAMERO_ENDGAMES": str(endgames.resolve())}
        path = {**os.environ, "PYTHONPATH": str(checkout), **named}
        self._process = subprocess.Popen(
            command, cwd=checkout, env=path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.spent, self.nodes = 0.0, 0

    def turn(self, opening: str, turns: list[str], nodes: int, seconds: float | None) -> str:
        """Its turn after ``turns``."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([opening, turns, nodes, seconds]), file=self._process.stdin, flush=True)
        text, nodes, spent = json.loads(self._process.stdout.readline())
        self.nodes, self.spent = self.nodes + nodes, self.spent + spent
        return str(text)


def match(
    players: list[Player], variant: str, pairs: int, nodes: int, seconds: float | None, seed: int, moves: int
) -> None:
    from self_play import LONGEST, SHUFFLED, opening
    from strength import told

    from bot.computer.search.draughts import Searcher
    from bot.engine.draughts.rules import DraughtsRules
    from bot.engine.registry import rules_for

    rules = rules_for(variant)
    assert isinstance(rules, DraughtsRules)
    random, quick = Random(f"before {variant} {seed}"), Searcher(rules)

    def game(start: str, first: int) -> float:
        """The points of this checkout, whose seat is ``first``."""
        state, turns = rules.start(start), list[str]()
        for _ in range(LONGEST):
            if state.outcome is not None:
                return 0.5 if state.outcome.winner is None else float(state.outcome.winner == first)
            if state.quiet >= SHUFFLED:
                break
            turns.append(players[state.seat != first].turn(start, turns, nodes, seconds))
            state = rules.play(state, rules.read(state, turns[-1]))
        return 0.5

    points = []
    for number in range(pairs):
        start = rules.position(opening(quick, random, 1000, moves))
        points += [game(start, 0), game(start, 1)]
        if number % 10 == 9 or number == pairs - 1:
            spent = " against ".join(f"{player.spent:.0f} s, {player.nodes / player.spent:.0f}" for player in players)
            shares = [(first + second) / 2 for first, second in zip(points[::2], points[1::2], strict=True)]
            results = ", ".join(str(points.count(result)) for result in (1.0, 0.5, 0.0))
            print(f"{told(shares)} ({results}); processor and positions a second {spent}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("variant")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--moves", type=int, default=8, help="random moves of an opening")
    parser.add_argument("--endgames", type=Path, help="the tables of this checkout")
    parser.add_argument("--endgames-before", type=Path, help="those of the other one")
    parser.add_argument("--plain", action="store_true", help="without compiling")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        serve(asked.variant, plain=asked.plain)
        return 0
    sides = (HERE.parent, asked.endgames), (asked.checkout.resolve(), asked.endgames_before)
    players = [Player(tree, asked.variant, tables, plain=asked.plain) for tree, tables in sides]
    match(players, asked.variant, asked.pairs, asked.nodes, asked.seconds, asked.seed, asked.moves)
    return 0


if __name__ == "__main__":
    sys.exit(main())
