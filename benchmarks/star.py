"""How fast the turns of Chinese checkers are found: Damero against two packages of the field, in the same run.

The positions are the middles of random games for two, three, four and six players that Damero plays. Each package gets
an environment of its own under the folder CACHE (made once, with pip):

    python benchmarks/star.py CACHE [--runs 7]

- magmacrunch-chinese-checkers is the fastest whole-turn generator in Python that we found. It lets pegs hop over other
  players' pegs only; it is measured so, and once more with its own functions called so that they hop over all pegs.
- open_spiel generates single hops in C++; whole turns are folded from its actions here, with one clone for each hop.

Neither knows closed triangles, targets that hold their pegs, or swaps, so both list other turns than Damero, which is
measured by its public interface with its default rules: whole turns with notation, path and the position after each.
The number of turns that each finds is printed. The two that hop over all pegs and know no more rules must agree in
every position.
A run times every program once, one after the other; the medians of all runs are printed with their ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

from peers import environment

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {
    "magmacrunch": "magmacrunch-chinese-checkers==0.1.1",
    "open_spiel": "open_spiel==2.0.2",
}
PLAYERS = (2, 3, 4, 6)
GAMES, ROUNDS, LAPS = 8, (12, 18, 24), 20

# Each program reads a list of positions {"players", "seat", "position", "holes": owner or -1 by hole, "hops": the holes
# of each turn so far} and prints {"turns": how many in each position, "seconds": for all positions LAPS times}.
_LAPS = """
def measured(tasks, turns):
    counts = [turns(*task) for task in tasks]
    started = time.perf_counter()
    for _ in range(laps):
        for task in tasks:
            turns(*task)
    print(json.dumps({"turns": counts, "seconds": time.perf_counter() - started}))
"""
PROGRAMS = {
    "damero": """
from bot.engine.registry import rules_for

def task(asked):
    rules = rules_for("chinese-checkers", {"players": asked["players"]})
    return rules, rules.start(asked["position"])

measured([task(asked) for asked in positions], lambda rules, state: len(rules.turns(state)))
""",
    "magmacrunch": """
from chinese_checkers.rules import legal_moves

measured([(asked["holes"], asked["seat"]) for asked in positions], lambda cells, seat: len(legal_moves(cells, seat)))
""",
    "magmacrunch, all pegs": """
from chinese_checkers.rules import POSITIONS, _adjacent_moves, _multi_hop_moves

def turns(cells, seat):
    found = []
    for i, owner in enumerate(cells):
        if owner == seat:
            hole = POSITIONS[i]
            found += _adjacent_moves(cells, hole)
            # Nobody's number: no peg is the mover's own, so all may be hopped. The peg itself is not there.
            cells[i] = -1
            found += _multi_hop_moves(cells, hole, -2)
            cells[i] = owner
    return len(found)

measured([(asked["holes"], asked["seat"]) for asked in positions], turns)
""",
    "open_spiel": """
import pyspiel

ROWS = (1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1)
PLACES = [(y, 12 - (n - 1) + 2 * i) for y, n in enumerate(ROWS) for i in range(n)]
AT = {place: i for i, place in enumerate(PLACES)}
# Ours to theirs: the star turned about its upright axis.
THEIRS = [AT[y, 24 - x] for y, x in PLACES]
WAYS = ((-1, -1), (-1, 1), (0, -2), (0, 2), (1, -1), (1, 1))
STEP = [[AT.get((y + dy, x + dx)) for dy, dx in WAYS] for y, x in PLACES]
HOP = [[AT.get((y + 2 * dy, x + 2 * dx)) for dy, dx in WAYS] for y, x in PLACES]
PASS = 121 * 6

def task(asked):
    game = pyspiel.load_game("chinese_checkers", {"players": asked["players"], "max_moves": 100000})
    state = game.new_initial_state()
    for hops in asked["hops"]:
        player = state.current_player()
        for here, there in zip(hops, hops[1:]):
            here, there = THEIRS[here], THEIRS[there]
            way = next(d for d in range(6) if there in (STEP[here][d], HOP[here][d]))
            state.apply_action(here * 6 + way)
        if state.current_player() == player:
            state.apply_action(PASS)
    empty = [False] * 121
    for i, owner in enumerate(asked["holes"]):
        empty[THEIRS[i]] = owner < 0
    assert state.current_player() == asked["seat"]
    return state, empty

def turns(state, empty):
    player, found = state.current_player(), set()
    for action in state.legal_actions():
        start, way = divmod(action, 6)
        if action == PASS:
            continue
        if empty[STEP[start][way]]:
            found.add((start, STEP[start][way]))
        elif (start, HOP[start][way]) not in found:
            follow(state, action, start, player, found)
    return len(found)

def follow(state, action, start, player, found):
    here, way = divmod(action, 6)
    found.add((start, HOP[here][way]))
    child = state.child(action)
    if child.current_player() == player:
        for further in child.legal_actions():
            there, way = divmod(further, 6)
            if further != PASS and (start, HOP[there][way]) not in found:
                follow(child, further, start, player, found)

measured([task(asked) for asked in positions], turns)
""",
}


def positions() -> list[dict[str, Any]]:
    """Middles of random games, with ``blocked=none`` so that all can follow them."""
    sys.path.insert(0, str(ROOT))
    from bot.engine.registry import rules_for

    random, found = Random("star"), []
    for players in PLAYERS:
        rules = rules_for("chinese-checkers", {"players": players, "blocked": "none"})
        for _ in range(GAMES):
            state = rules.start()
            hops: list[tuple[int, ...]] = []
            for ply in range(players * max(ROUNDS) + 1):
                if ply in [players * rounds for rounds in ROUNDS]:
                    pieces = rules.pieces(state)
                    found.append(
                        {
                            "players": players,
                            "seat": state.seat,
                            "position": rules.position(state),
                            "holes": [pieces[hole].owner if hole in pieces else -1 for hole in range(121)],
                            "hops": list(hops),
                        }
                    )
                ranked = rules.ranked(state)
                turn = random.choice(ranked[: max(3, len(ranked) // 2)])
                hops.append(turn.path)
                state = rules.play(state, turn)
    return found


def run(name: str, python: str, asked: str) -> tuple[list[int], float]:
    """One program in a new process: how many turns in each position, and the seconds for one position."""
    head = f"import json, sys, time\npositions, laps = json.load(sys.stdin), {LAPS}\n{_LAPS}"
    env = os.environ | {"PYTHONPATH": str(ROOT)} if name == "damero" else None
    done = subprocess.run(
        [python, "-c", head + PROGRAMS[name]], input=asked.encode(), env=env, stdout=subprocess.PIPE, check=True
    )
    answer = json.loads(done.stdout.splitlines()[-1])
    return answer["turns"], answer["seconds"] / LAPS / len(answer["turns"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=Path, metavar="CACHE", help="where the packages' environments are kept")
    parser.add_argument("--runs", type=int, default=7)
    given = parser.parse_args()
    pythons = {"damero": sys.executable} | {
        name: environment(given.cache, PACKAGES[name.split(",")[0]]) for name in PROGRAMS if name != "damero"
    }
    worst, every = 0.0, positions()
    for players in PLAYERS:
        asked = json.dumps([position for position in every if position["players"] == players])
        seconds: dict[str, list[float]] = {name: [] for name in PROGRAMS}
        found: dict[str, list[int]] = {}
        for _ in range(given.runs):
            for name in PROGRAMS:
                found[name], time = run(name, pythons[name], asked)
                seconds[name].append(time)
        if found["magmacrunch, all pegs"] != found["open_spiel"]:
            print(f"{players} players: the packages find other numbers of turns")
            return 1
        medians = {name: statistics.median(times) for name, times in seconds.items()}
        for name, median in medians.items():
            mean = statistics.mean(found[name])
            ratio = median / medians["damero"]
            told = "" if name == "damero" else f"; Damero is {ratio:.2f} times as fast"
            print(f"{players} players, {name}: {1e6 * median:.1f} us a position, {mean:.1f} turns{told}")
            if name != "damero":
                worst = min(worst or ratio, ratio)
    print(f"At least {worst:.2f} times as fast as the others (wanted: 1).")
    return 0


if __name__ == "__main__":
    sys.exit(main())
