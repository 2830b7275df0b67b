"""How strong the levels are: matches of a level against the one below, each opening played with both colours.

    python benchmarks/strength.py [VARIANT ...] [--levels 1-5] [--pairs 10] [--seed 1] [--set removal=at_end]
    python benchmarks/strength.py [VARIANT ...] --beginner [--pairs 40] [--seed 1]
    python benchmarks/strength.py --peer CACHE [--seconds 0.1] [--pairs 20] [--seed 1]

An opening is a few random moves of both sides; the same opening is played twice, the players changing seats. A draw
counts half a point each. What is printed is the stronger level's share of the points with twice its standard
error over pairs of games (about 95 %), and the difference of ratings that this share stands for. Nobody resigns.

With ``--beginner`` level 1 plays somebody who takes what is free, gives nothing away that is seen a turn ahead, and
otherwise plays at random.

With ``--peer`` the full search plays the alpha-beta of py-draughts (its SimpleEngine) at Brazilian draughts, which is
``pinoy`` with ``removal=at_end``; both have the same time for a turn. The package gets an environment of its own under
CACHE, as in benchmarks/engine.py.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from engine import PACKAGES, fen
from peers import environment

from bot.computer.levels import choose
from bot.computer.search.limits import Limit
from bot.computer.search.think import think
from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from bot.engine.turns import Turn
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


Player = Callable[[State, int, int], Turn]
"""Who is given a state, how many turns the game has seen, and the game's seed, and answers a turn."""


def game(rules: Rules, start: State, players: tuple[Player, Player], seed: int) -> float:
    """The points of the first seat."""
    state = start
    for played in range(MOST_TURNS):
        if state.outcome is not None:
            break
        state = rules.play(state, players[state.seat](state, OPENING + played, seed))
    if state.outcome is None or state.outcome.winner is None:
        return 0.5
    return 1.0 - state.outcome.winner


def match(rules: Rules, strong: Player, weak: Player, pairs: int, random: Random) -> list[float]:
    """For each pair of games the stronger player's share of the two points."""
    shares = []
    for seed in range(pairs):
        start = opening(rules, random)
        first = game(rules, start, (strong, weak), seed)
        second = 1 - game(rules, start, (weak, strong), seed)
        shares.append((first + second) / 2)
    return shares


def player(rules: Rules, level: int) -> Player:
    return lambda state, played, seed: choose(rules, state, level, seed, played).turn


def beginner(rules: Rules) -> Player:
    """Who takes most, counting what the other can take in return, and plays at random among equals."""

    def gain(state: State, turn: Turn) -> int:
        after = rules.play(state, turn)
        answers = rules.turns(after) if after.outcome is None else ()
        return len(turn.captured) - max((len(answer.captured) for answer in answers), default=0)

    def turn_of(state: State, played: int, seed: int) -> Turn:
        gains = [(turn, gain(state, turn)) for turn in rules.turns(state)]
        most = max(gained for _, gained in gains)
        return Random(f"{seed} {played}").choice([turn for turn, gained in gains if gained == most])

    return turn_of


PEER = """
import json, sys
from loguru import logger
from draughts.boards.brazilian import Board
from draughts.engines.simple import SimpleEngine

logger.remove()
for line in sys.stdin:
    asked = json.loads(line)
    if "fen" in asked:
        board, engine = Board.from_fen(asked["fen"]), SimpleEngine(depth_limit=60, time_limit=asked["seconds"])
    elif "move" in asked:
        start, end, taken = asked["move"]
        ways = [m for m in board.legal_moves if m.square_list[0] == start and m.square_list[-1] == end]
        board.push(next(m for m in ways if sorted(m.captured_list) == taken))
    else:
        move = engine.get_best_move(board)
        board.push(move)
        print(json.dumps([move.square_list[0], move.square_list[-1], sorted(move.captured_list)]), flush=True)
"""


class Peer:
    """py-draughts' engine in a process of its own, which follows one game after the other."""

    def __init__(self, python: str, rules: Rules, seconds: float) -> None:
        self.rules, self.seconds, self.known = rules, seconds, ""
        self.process = subprocess.Popen([python, "-c", PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.spent: list[float] = []

    def told(self, turn: Turn) -> list[object]:
        """A turn in its squares: number 0 is b8, 31 is g1."""

        def number(place: int) -> int:
            x, y = self.rules.board.places[place]
            return (self.rules.board.height - 1 - y) * 4 + x // 2

        return [number(turn.path[0]), number(turn.path[-1]), sorted(map(number, turn.captured))]

    def send(self, asked: dict[str, object]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()

    def __call__(self, state: State, played: int, seed: int) -> Turn:
        if state.last is None or played <= OPENING + 1:
            self.send({"fen": fen(self.rules.position(state)), "seconds": self.seconds})
        else:
            self.send({"move": self.told(state.last)})
        started = time.perf_counter()
        self.send({})
        assert self.process.stdout is not None
        chosen = json.loads(self.process.stdout.readline())
        self.spent.append(time.perf_counter() - started)
        return next(turn for turn in self.rules.turns(state) if self.told(turn) == chosen)


def against_peer(python: str, seconds: float, pairs: int, seed: int) -> None:
    rules = rules_for("pinoy", {"removal": "at_end"})
    peer = Peer(python, rules, seconds)
    spent: list[float] = []

    def damero(state: State, played: int, seed: int) -> Turn:
        started = time.perf_counter()
        turn = think(rules, state, Limit(seconds=seconds)).turn
        spent.append(time.perf_counter() - started)
        return turn

    think(rules, rules.start(), Limit(depth=1))
    shares = match(rules, damero, peer, pairs, Random(f"{seed} peer"))
    peer.process.kill()
    print(f"Damero against py-draughts, {seconds} s a turn: {told(shares)}")
    print(f"  a turn took {statistics.mean(spent):.3f} s, py-draughts {statistics.mean(peer.spent):.3f} s (means)")


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
    parser.add_argument("--beginner", action="store_true", help="level 1 against somebody who takes what is free")
    parser.add_argument("--peer", type=Path, metavar="CACHE", help="play py-draughts' engine instead")
    parser.add_argument("--seconds", type=float, default=0.1, help="what it and the full search have for a turn")
    asked = parser.parse_args()
    if asked.peer:
        against_peer(environment(asked.peer, PACKAGES["py-draughts"]), asked.seconds, asked.pairs, asked.seed)
        return 0
    lowest, highest = (int(part) for part in asked.levels.split("-"))
    options = dict(pair.split("=", 1) for pair in asked.set)
    for variant in asked.variants or names():
        rules = rules_for(variant, options)
        if asked.beginner:
            shares = match(
                rules, beginner(rules), player(rules, 1), asked.pairs, Random(f"{asked.seed} {variant} free")
            )
            print(f"{variant}: who takes what is free, against level 1: {told(shares)}", flush=True)
            continue
        for strong in range(lowest + 1, highest + 1):
            started = time.perf_counter()
            random = Random(f"{asked.seed} {variant} {strong}")
            shares = match(rules, player(rules, strong), player(rules, strong - 1), asked.pairs, random)
            spent = time.perf_counter() - started
            print(f"{variant}: level {strong} against {strong - 1}: {told(shares)} ({spent:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
