"""How fast positions are counted: Damero against two packages of the field, the same counts in the same run.

The game is ``pinoy`` with ``removal=at_end``, which is Brazilian draughts. The packages py-draughts and pydraughts both
install a module ``draughts``, so each gets an environment of its own under the folder CACHE (made once, with pip):

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
from collections.abc import Callable
from pathlib import Path

from peers import environment

PACKAGES = {"py-draughts": "py-draughts==1.10.1", "pydraughts": "pydraughts==0.6.7"}

# The start, and a middle game with a king on either side. Squares of Brazilian draughts have a1 played.
POSITIONS = {
    "start": None,
    "middle game": "W:Wa1,b2,c3,d2,e1,f2,g3,h2,Ka7:Ba5,b8,c7,d8,f6,g7,h6,h8,Kg1",
}

# Each program reads {"depth", "position": FEN or null} from its argument and prints {"count", "seconds"}. All use the
# fastest way of their public interface, and count the moves of the last ply without playing them.
PROGRAMS = {
    "damero": """
import json, sys, time
from bot.engine.registry import rules_for

asked = json.loads(sys.argv[1])
rules = rules_for("pinoy", {"removal": "at_end"})
state = rules.start(asked["damero"])
started = time.perf_counter()
count = rules.perft(state, asked["depth"])
print(json.dumps({"count": count, "seconds": time.perf_counter() - started}))
""",
    "py-draughts": """
import json, sys, time
from draughts.boards.brazilian import Board

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
game = Game("brazilian", asked["fen"]) if asked["fen"] else Game("brazilian")
started = time.perf_counter()
count = perft(game, asked["depth"])
print(json.dumps({"count": count, "seconds": time.perf_counter() - started}))
""",
}


def fen(position: str) -> str:
    """A position string with the squares numbered as both packages number Brazilian draughts: 1 is b8, 32 is g1."""

    def number(square: str) -> int:
        column, row = "abcdefgh".index(square[0]), int(square[1])
        return (8 - row) * 4 + column // 2 + 1

    side, *lists = position.split(":")
    told = [side]
    for pieces in lists:
        items = [("K" * item.startswith("K"), number(item.removeprefix("K"))) for item in pieces[1:].split(",")]
        told.append(pieces[0] + ",".join(f"{king}{square}" for king, square in items))
    return ":".join(told)


def timer(name: str, python: str) -> Callable[[int, str | None], tuple[int, float]]:
    """A function that counts once in a new process: (depth, position) -> (count, seconds)."""
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parent.parent)} if name == "damero" else None

    def measure(depth: int, position: str | None) -> tuple[int, float]:
        asked = json.dumps({"depth": depth, "damero": position, "fen": fen(position) if position else None})
        done = subprocess.run([python, "-c", PROGRAMS[name], asked], env=env, stdout=subprocess.PIPE, check=True)
        answer = json.loads(done.stdout.splitlines()[-1])
        return answer["count"], answer["seconds"]

    return measure


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=Path, metavar="CACHE", help="where the packages' environments are kept")
    parser.add_argument("--depth", type=int, default=7)
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    measures = {"damero": timer("damero", sys.executable)}
    measures |= {name: timer(name, environment(asked.cache, package)) for name, package in PACKAGES.items()}
    worst = 0.0
    for label, position in POSITIONS.items():
        deep = asked.depth if position is None else asked.depth - 1
        for peer, depth in (("py-draughts", deep), ("pydraughts", min(deep, 4 if position is None else 3))):
            seconds: dict[str, list[float]] = {"damero": [], peer: []}
            counts = set()
            for _ in range(asked.runs):
                for name, times in seconds.items():
                    count, time = measures[name](depth, position)
                    counts.add(count)
                    times.append(time)
            if len(counts) != 1:
                print(f"{label}, depth {depth}: the counts differ: {sorted(counts)}")
                return 1
            medians = {name: statistics.median(times) for name, times in seconds.items()}
            told = ", ".join(f"{name} {1000 * median:.1f} ms" for name, median in medians.items())
            ratio = medians[peer] / medians["damero"]
            print(f"{label}, depth {depth}, {counts.pop()} positions: {told}; {ratio:.2f} times as fast as {peer}")
            if peer == "py-draughts":
                worst = min(worst or ratio, ratio)
    print(f"At least {worst:.2f} times as fast as py-draughts (wanted: 1).")
    return 0


if __name__ == "__main__":
    sys.exit(main())
