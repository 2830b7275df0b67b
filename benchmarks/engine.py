"""How fast positions are counted: Damero against two packages of the field, the same counts in the same run.

The games are Brazilian draughts (``pinoy`` with ``removal=at_end``) and International draughts. The packages
py-draughts and pydraughts both install a module ``draughts``, so each gets an environment of its own under the folder
CACHE (made once, with pip):

    python benchmarks/engine.py CACHE [--depth 7] [--runs 5]

All counts must be equal. A run times every program once, one after the other; the medians of all runs are printed with
their ratios. pydraughts is so slow that it is measured at depth 4 and 3 only, Damero beside it at that depth.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from peers import environment

PACKAGES = {"py-draughts": "py-draughts==1.10.1", "pydraughts": "pydraughts==0.6.7"}


class Measured(NamedTuple):
    """A game: what it is called here and in the packages, how wide its board is, and a middle game with a king on
    either side. ``less``: by how many plies it is counted less deep than the other."""

    variant: str
    options: dict[str, str]
    py_draughts: str
    pydraughts: str
    width: int
    less: int
    middle: str


GAMES = {
    "Brazilian": Measured(
        "pinoy", {"removal": "at_end"}, "brazilian", "brazilian", 8, 0,
        "W:Wa1,b2,c3,d2,e1,f2,g3,h2,Ka7:Ba5,b8,c7,d8,f6,g7,h6,h8,Kg1",
    ),
    "International": Measured(
        "international", {}, "standard", "standard", 10, 1,
        "W:Wa1,b2,c1,c3,d2,d4,f2,g3,h2,i1,Ka9:Bb10,b8,c7,d10,e9,g7,h8,i7,i9,j8,Kj2",
    ),
}  # fmt: skip

POSITIONS = {"start": None, "middle game": GAMES["Brazilian"].middle}
"""Those of Brazilian draughts, which other benchmarks begin from too."""

# Each program reads {"depth", "game": ..., "fen" or null} from its argument and prints {"count", "seconds"}. All use
# the fastest way of their public interface, and count the moves of the last ply without playing them.
PROGRAMS = {
    "damero": """
import json, sys, time
from bot.engine.registry import rules_for

asked = json.loads(sys.argv[1])
rules = rules_for(asked["variant"], asked["options"])
state = rules.start(asked["position"])
started = time.perf_counter()
count = rules.perft(state, asked["depth"])
print(json.dumps({"count": count, "seconds": time.perf_counter() - started}))
""",
    "py-draughts": """
import importlib, json, sys, time

def perft(board, depth):
    moves = board.legal_moves
    if depth == 1:
        return len(moves)
    count = 0
    for move in moves:
        board.push(move)
        count += perft(board, depth - 1)
        board.pop()
    return count

asked = json.loads(sys.argv[1])
Board = importlib.import_module("draughts.boards." + asked["py_draughts"]).Board
board = Board.from_fen(asked["fen"]) if asked["fen"] else Board()
started = time.perf_counter()
count = perft(board, asked["depth"])
print(json.dumps({"count": count, "seconds": time.perf_counter() - started}))
""",
    "pydraughts": """
import json, sys, time
from draughts.core.game import Game

def perft(game, depth):
    moves, captures = game.legal_moves()
    ends = {(move[0][0], move[-1][-1], frozenset(taken)): move for move, taken in zip(moves, captures)}
    if depth == 1:
        return len(ends)
    count = 0
    for move in ends.values():
        game.push(move)
        count += perft(game, depth - 1)
        game.pop()
    return count

asked = json.loads(sys.argv[1])
game = Game(asked["pydraughts"], asked["fen"]) if asked["fen"] else Game(asked["pydraughts"])
started = time.perf_counter()
count = perft(game, asked["depth"])
print(json.dumps({"count": count, "seconds": time.perf_counter() - started}))
""",
}


def fen(position: str, width: int = 8) -> str:
    """A position string with the squares numbered as both packages number them: from the upper left, 1 is b8 or b10."""

    def number(square: str) -> int:
        column, row = "abcdefghij".index(square[0]), int(square[1:])
        return (width - row) * (width // 2) + column // 2 + 1

    side, *lists = position.split(":")
    told = [side]
    for pieces in lists:
        items = [("K" * item.startswith("K"), number(item.removeprefix("K"))) for item in pieces[1:].split(",")]
        told.append(pieces[0] + ",".join(f"{king}{square}" for king, square in items))
    return ":".join(told)


def timer(name: str, python: str) -> Callable[[Measured, int, str | None], tuple[int, float]]:
    """A function that counts once in a new process: (game, depth, position) -> (count, seconds)."""
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent.parent)} if name == "damero" else None

    def measure(game: Measured, depth: int, position: str | None) -> tuple[int, float]:
        there = fen(position, game.width) if position else None
        asked = json.dumps({**game._asdict(), "depth": depth, "position": position, "fen": there})
        done = subprocess.run([python, "-c", PROGRAMS[name], asked], env=env, stdout=subprocess.PIPE, check=True)
        answer = json.loads(done.stdout.splitlines()[-1])
        return answer["count"], answer["seconds"]

    return measure


def compared(
    label: str,
    game: Measured,
    position: str | None,
    depth: int,
    runs: int,
    measures: Mapping[str, Callable[[Measured, int, str | None], tuple[int, float]]],
) -> float | None:
    """How many times as fast the first program is as the second, printed; None where their counts differ."""
    seconds: dict[str, list[float]] = {name: [] for name in measures}
    counts = set()
    for _ in range(runs):
        for name, times in seconds.items():
            count, time = measures[name](game, depth, position)
            counts.add(count)
            times.append(time)
    if len(counts) != 1:
        print(f"{label}, depth {depth}: the counts differ: {sorted(counts)}")
        return None
    first, peer = measures
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    told = ", ".join(f"{name} {1000 * median:.1f} ms" for name, median in medians.items())
    ratio = medians[peer] / medians[first]
    print(f"{label}, depth {depth}, {counts.pop()} positions: {told}; {ratio:.2f} times as fast as {peer}")
    return ratio


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=Path, metavar="CACHE", help="where the packages' environments are kept")
    parser.add_argument("--depth", type=int, default=7)
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    measures = {"damero": timer("damero", sys.executable)}
    measures |= {name: timer(name, environment(asked.cache, package)) for name, package in PACKAGES.items()}
    worst = 0.0
    for name, game in GAMES.items():
        for position in (None, game.middle):
            label = f"{name}, {'start' if position is None else 'middle game'}"
            deep = asked.depth - game.less - (position is not None)
            for peer, depth in (("py-draughts", deep), ("pydraughts", min(deep, 4 if position is None else 3))):
                ratio = compared(label, game, position, depth, asked.runs, {n: measures[n] for n in ("damero", peer)})
                if ratio is None:
                    return 1
                if peer == "py-draughts":
                    worst = min(worst or ratio, ratio)
    print(f"At least {worst:.2f} times as fast as py-draughts (wanted: 1).")
    return 0


if __name__ == "__main__":
    sys.exit(main())
