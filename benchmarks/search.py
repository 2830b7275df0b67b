"""How fast the computer searches: Damero, plain and compiled, against py-draughts' own 8x8 engine in the same run.

The game is ``pinoy`` with ``removal=at_end``, which is Brazilian draughts. py-draughts gets an environment of its own
under the folder CACHE (made once, with pip), as in benchmarks/engine.py:

    python benchmarks/search.py CACHE [--depth 9] [--runs 3]

Each program searches the start and a middle game to DEPTH once a run, one after the other; the medians of all runs are
printed. Nodes a second are those of a full search (of the compiled one four plies deeper, for it is over too soon); the
time to a depth is told for a search that looks less deep at late moves, as the computer plays. The compiled search is
measured where numba is installed, without its compile time.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine import PACKAGES, POSITIONS, fen
from peers import environment

DAMERO = """
import json, sys, time
from bot.computer.search.limits import Budget
from bot.computer.search import Searcher
from bot.engine.registry import rules_for

asked = json.loads(sys.argv[1])
rules = rules_for("pinoy", {"removal": "at_end"})
searcher, state = Searcher(rules), rules.start(asked["damero"])
searcher.think(state, Budget(depth=1))
told = {"backend": searcher.backend.name}
for kind, selective in (("full", False), ("play", True)):
    started = time.perf_counter()
    deeper = 4 if not selective and searcher.backend.name == "compiled" else 0
    found = searcher.think(state, Budget(depth=asked["depth"] + deeper, selective=selective))
    told[kind] = {"seconds": time.perf_counter() - started, "nodes": found.nodes, "depth": found.depth}
print(json.dumps(told))
"""

PEER = """
import json, sys, time
from loguru import logger
from draughts.boards.brazilian import Board
from draughts.engines.simple import SimpleEngine

logger.remove()
asked = json.loads(sys.argv[1])
board = Board.from_fen(asked["fen"]) if asked["fen"] else Board()
engine = SimpleEngine(depth_limit=asked["depth"])
started = time.perf_counter()
engine.get_best_move(board)
told = {"seconds": time.perf_counter() - started, "nodes": engine.nodes, "depth": asked["depth"]}
print(json.dumps({"backend": "py-draughts", "full": told, "play": told}))
"""


def run(python: str, program: str, asked: dict[str, object], **env: str) -> dict[str, Any]:
    done = subprocess.run(
        [python, "-c", program, json.dumps(asked)], env={**os.environ, **env}, stdout=subprocess.PIPE, check=True
    )
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=Path, metavar="CACHE", help="where the packages' environments are kept")
    parser.add_argument("--depth", type=int, default=9)
    parser.add_argument("--runs", type=int, default=3)
    asked = parser.parse_args()
    root = str(Path(__file__).resolve().parent.parent)
    peer = environment(asked.cache, PACKAGES["py-draughts"])
    programs: dict[str, Callable[[dict[str, object]], dict[str, Any]]] = {
        "py-draughts": lambda task: run(peer, PEER, task),
        "plain": lambda task: run(sys.executable, DAMERO, task, PYTHONPATH=root, DAMERO_PLAIN="1"),
    }
    if importlib.util.find_spec("numba") is not None:
        programs["compiled"] = lambda task: run(sys.executable, DAMERO, task, PYTHONPATH=root, DAMERO_PLAIN="")
    for label, position in POSITIONS.items():
        task: dict[str, object] = {
            "depth": asked.depth, "damero": position, "fen": fen(position) if position else None
        }  # fmt: skip
        rates: dict[str, list[float]] = {name: [] for name in programs}
        times: dict[str, list[float]] = {name: [] for name in programs}
        for _ in range(asked.runs):
            for name, program in programs.items():
                told = program(task)
                rates[name].append(told["full"]["nodes"] / told["full"]["seconds"])
                times[name].append(told["play"]["seconds"])
        base = statistics.median(rates["py-draughts"])
        print(f"{label}, depth {asked.depth}:")
        for name in programs:
            rate, seconds = statistics.median(rates[name]), statistics.median(times[name])
            print(f"  {name}: {rate:,.0f} nodes/s ({rate / base:.1f} times), {seconds:.3f} s to depth {asked.depth}")
    print("Wanted: 3 times plain, 30 times compiled.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
