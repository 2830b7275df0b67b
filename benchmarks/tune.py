"""How the weights of the evaluation are made: games against itself, a fit of the weights to their results, and a match.

    python benchmarks/tune.py games VARIANT FILE [--games 2500] [--nodes 2500] [--seed 1] [--set removal=at_end]
    python benchmarks/tune.py fit VARIANT FILE
    python benchmarks/tune.py match VARIANT [--pairs 150] [--nodes 2500] [--seed 1] [--set removal=at_end]

``games`` appends to FILE, one on a line, the quiet positions of games that the computer plays against itself with NODES
positions a turn, each with the points of its first side. A game begins with OPENING random moves that leave the sides
about even. A position is quiet where neither side could capture if it were to move.

``fit`` reads them and writes data/weights/VARIANT.toml: what a man and a king are worth on each square, so that the
logistic of the difference foretells the results best (least cross-entropy, by Newton's method, with a pull toward the
untuned weights that holds squares which were seen too seldom). The scale is such that men are worth 100 on the average.
It needs numpy, which the extra ``fast`` brings.

``match`` plays the tuned weights against the untuned ones at NODES a turn, each opening with both colours, and prints
the share of the points with twice its standard error.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from bot.computer.kernels.alphabeta import WON
from bot.computer.kernels.lookup_tables import Ints, squares_of
from bot.computer.kernels.movegen import capturers
from bot.computer.search import evaluation
from bot.computer.search.draughts import Searcher
from bot.computer.search.limits import Limit
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState
from bot.engine.registry import rules_for

sys.path.insert(0, str(Path(__file__).resolve().parent))

from strength import told

WEIGHTS = Path(__file__).resolve().parent.parent / "data" / "weights"
OPENING = 8
"""Random moves of both sides."""
EVEN = 120
"""An opening leaves no side ahead by more than this."""
LONGEST, SHUFFLED = 200, 40
"""A game is a draw after so many moves, or so many without a capture or a man's move."""
FEWEST = 10
"""Pieces on the board in a position that is learnt from: endings with fewer are drawn too often, whoever is ahead, to
tell what a king is worth before."""
PULL = 900.0
"""How strongly a weight is held to its untuned value: as by so many positions that speak for it. The positions of one
game are no independent witnesses, some twenty of them count as one."""


def quiet(searcher: Searcher, state: DraughtsState) -> bool:
    """Whether neither side could capture."""
    node, tables = searcher.node(state.position), searcher.plain
    own, foe = (node.men, node.kings), (node.foe_men, node.foe_kings)
    return not capturers(tables, node.side, *own, *foe) and not capturers(tables, 1 - node.side, *foe, *own)


def opening(searcher: Searcher, random: Random, nodes: int) -> DraughtsState:
    """Random moves from the set-up that leave the sides about even."""
    rules = searcher.rules
    while True:
        state = rules.start()
        for _ in range(OPENING):
            turns = [turn for turn in rules.turns(state) if not turn.neglects]
            state = rules.play(state, random.choice(turns))
            if state.outcome:
                break
        if state.outcome or not quiet(searcher, state):
            continue
        if abs(searcher.think(state, Limit(nodes=nodes)).score) <= EVEN:
            return state


def game(players: tuple[Searcher, Searcher], start: DraughtsState, nodes: int) -> tuple[float, list[DraughtsState]]:
    """The points of the first side, and the states on the way."""
    rules, state, states = players[0].rules, start, [start]
    for _ in range(LONGEST):
        if state.outcome is not None:
            winner = state.outcome.winner
            return (0.5 if winner is None else 1.0 - winner), states
        if state.quiet >= SHUFFLED:
            break
        found = players[state.seat].think(state, Limit(nodes=nodes))
        if abs(found.score) > WON:
            return float((found.score > 0) == (state.seat == 0)), states
        state = rules.play(state, found.turn)
        states.append(state)
    return 0.5, states


def play_games(rules: DraughtsRules, file: Path, games: int, nodes: int, seed: int) -> None:
    searcher, random = Searcher(rules), Random(f"tune {rules.variant.id} {seed}")
    started, points, positions = time.perf_counter(), 0.0, 0
    with file.open("a", encoding="utf-8") as out:
        for number in range(1, games + 1):
            result, states = game((searcher, searcher), opening(searcher, random, nodes), nodes)
            points += result
            kept = [state for state in states if state.outcome is None and quiet(searcher, state)]
            positions += len(kept)
            out.writelines(f"{rules.position(state)} {result}\n" for state in kept)
            if number % 100 == 0:
                spent = time.perf_counter() - started
                print(f"{number} games, {positions} positions, {points / number:.3f} points, {spent:.0f} s", flush=True)


def features(searcher: Searcher, file: Path, np: Any) -> tuple[Any, Any]:
    """For each position what each weight counts for, the first side's less the second's, and the results. The weights
    are those of the men by square, the kings by square, of every man, of every king, and of who is to move."""
    rules, size = searcher.rules, searcher.size
    seen = [[column(searcher, side, square) for square in range(size)] for side in (0, 1)]
    rows: list[Ints] = []
    results: list[float] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        text, result = line.split()
        here = rules.start(text).position
        if sum(here.material()) < FEWEST:
            continue
        row = [0] * (2 * size + 3)
        for side, sign in ((0, 1), (1, -1)):
            for kind, places in enumerate((here.men[side], here.kings[side])):
                squares = searcher.bits(places)
                row[2 * size + kind] += sign * squares.bit_count()
                while squares:
                    square = (squares & -squares).bit_length() - 1
                    squares &= squares - 1
                    row[kind * size + seen[side][square]] += sign
        row[-1] = 1 if here.turn == 0 else -1
        rows.append(row)
        results.append(float(result))
    return np.array(rows, dtype=np.float64), np.array(results)


def column(searcher: Searcher, side: int, square: int) -> int:
    """The square as the side sees it: the second looks from the other end. Where all squares are played on, left and
    right are alike and count as one."""
    board, place = searcher.rules.board, searcher.squares.place_of[square]
    x, y = board.places[place]
    if side:
        x, y = board.width - 1 - x, board.height - 1 - y
    if len(board.played) == len(board.places):
        x = min(x, board.width - 1 - x)
    return searcher.squares.of_place[board.places.index((x, y))]


def fit(rules: DraughtsRules, file: Path) -> str:
    """The text of the weights' file."""
    np = importlib.import_module("numpy")
    searcher = Searcher(rules, worth=evaluation.derived(rules.tables, rules.board, squares_of(rules.board)))
    size, before = searcher.size, searcher.plain.data[searcher.plain.worth :]
    counts, results = features(searcher, file, np)
    games = counts.shape[0]
    # First the untuned weights and one scale, for what the tuned ones are pulled to, then every weight.
    untuned = np.array([*before[: 2 * size], 0, 0, 0], dtype=np.float64) / evaluation.MAN
    scale = newton(np, (counts @ untuned)[:, None], results, np.zeros(1), np.zeros(1))
    start = untuned * scale[0]
    pull = np.full(2 * size + 3, PULL)
    pull[2 * size :] = 1e-6
    weights = newton(np, counts, results, start, pull)
    men, kings = (weights[at : at + size] + weights[2 * size + at // size] for at in (0, size))
    seen = np.abs(counts[:, :size]).sum(axis=0)
    unit = float((men * seen).sum() / seen.sum()) / evaluation.MAN
    losses = [loss(np, counts @ start, results), loss(np, counts @ weights, results)]
    head = (
        f"# {rules.tables.name}: what a piece is worth by its square, in hundredths of a man, seen from its own side.\n"
        f"# Made by benchmarks/tune.py from {games} positions.\n"
        f"# Cross-entropy {losses[0]:.4f} untuned, {losses[1]:.4f} tuned.\n"
    )
    return head + "".join(
        f"{name} = [\n{board_of(searcher, table / unit)}]\n" for name, table in (("man", men), ("king", kings))
    )


def newton(np: Any, counts: Any, results: Any, start: Any, pull: Any) -> Any:
    """The weights of the least cross-entropy plus pull / 2 times the squared distance from ``start``."""
    weights = start.copy()
    for _ in range(12):
        told = 1 / (1 + np.exp(-(counts @ weights)))
        slope = counts.T @ (told - results) + pull * (weights - start)
        bend = (counts * (told * (1 - told))[:, None]).T @ counts + np.diag(pull + 1e-9)
        step = np.linalg.solve(bend, slope)
        weights = weights - step
        if np.abs(step).max() < 1e-6:
            break
    return weights


def loss(np: Any, values: Any, results: Any) -> float:
    told = 1 / (1 + np.exp(-values))
    return float(-(results * np.log(told) + (1 - results) * np.log(1 - told)).mean())


def board_of(searcher: Searcher, table: Any) -> str:
    """A table as a board looks: the last row on top, 0 where nobody stands."""
    board, of_place = searcher.rules.board, searcher.squares.of_place
    lines = []
    for y in reversed(range(board.height)):
        row = [0] * board.width
        for x in range(board.width):
            place = y * board.width + x
            if place in board.played:
                row[x] = round(float(table[column(searcher, 0, of_place[place])]))
        lines.append("  [" + ", ".join(f"{value:3d}" for value in row) + "],\n")
    return "".join(lines)


def match(rules: DraughtsRules, pairs: int, nodes: int, seed: int) -> Iterator[float]:
    """For each pair of games the tuned weights' share of the points."""
    tuned, untuned = (
        Searcher(rules),
        Searcher(rules, worth=evaluation.derived(rules.tables, rules.board, squares_of(rules.board))),
    )
    random = Random(f"match {rules.variant.id} {seed}")
    for _ in range(pairs):
        start = opening(untuned, random, nodes)
        first, _ = game((tuned, untuned), start, nodes)
        second, _ = game((untuned, tuned), start, nodes)
        yield (first + 1 - second) / 2


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("games", "fit", "match"))
    parser.add_argument("variant")
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--games", type=int, default=2500)
    parser.add_argument("--pairs", type=int, default=150)
    parser.add_argument("--nodes", type=int, default=2500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a house rule")
    asked = parser.parse_args()
    rules = rules_for(asked.variant, dict(pair.split("=", 1) for pair in asked.set))
    if not isinstance(rules, DraughtsRules) or (asked.step != "match" and asked.file is None):
        parser.error("give a draughts variant, and a file for games and fit")
    if asked.step == "games":
        play_games(rules, asked.file, asked.games, asked.nodes, asked.seed)
    elif asked.step == "fit":
        (WEIGHTS / f"{asked.variant}.toml").write_text(fit(rules, asked.file), encoding="utf-8")
    else:
        shares = list(match(rules, asked.pairs, asked.nodes, asked.seed))
        print(f"{asked.variant}: tuned against untuned, {asked.nodes} positions a turn: {told(shares)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
