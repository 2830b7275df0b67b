"""How the weights of the evaluation are made: games against itself, a fit of the weights to their results, and a match.

    python benchmarks/tune.py fit VARIANT FILE
    python benchmarks/tune.py match VARIANT [--pairs 150] [--nodes 2500] [--seed 1] [--set removal=at_end]

``fit`` reads games that benchmarks/self_play.py has written, of these the positions where neither side could capture if
it were to move, and writes data/weights/VARIANT.toml: what a man and a king are worth on each square, so that the
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
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from bot.computer.kernels.lookup_tables import Ints, squares_of
from bot.computer.search import evaluation
from bot.computer.search.draughts import Searcher
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.errors import EngineError

sys.path.insert(0, str(Path(__file__).resolve().parent))

from self_play import game, opening, quiet, read, rules_asked
from strength import told

WEIGHTS = Path(__file__).resolve().parent.parent / "data" / "weights"
FEWEST = 10
"""Pieces on the board in a position that is learnt from: endings with fewer are drawn too often, whoever is ahead, to
tell what a king is worth before."""
PULL = 900.0
"""How strongly a weight is held to its untuned value: as by so many positions that speak for it. The positions of one
game are no independent witnesses, some twenty of them count as one."""


def features(searcher: Searcher, file: Path, np: Any) -> tuple[Any, Any]:
    """For each position what each weight counts for, the first side's less the second's, and the results. The weights
    are those of the men by square, the kings by square, of every man, of every king, and of who is to move."""
    rules, size = searcher.rules, searcher.size
    seen = [[column(searcher, side, square) for square in range(size)] for side in (0, 1)]
    rows: list[Ints] = []
    results: list[float] = []
    for text, _, _, result in read(file):
        if result is None:
            continue
        state = rules.start(text)
        here = state.position
        if sum(here.material()) < FEWEST or not quiet(searcher, state):
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
        results.append(result)
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
    parser.add_argument("step", choices=("fit", "match"))
    parser.add_argument("variant")
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--pairs", type=int, default=150)
    parser.add_argument("--nodes", type=int, default=2500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a house rule")
    asked = parser.parse_args()
    rules = rules_asked(parser, asked.variant, asked.set)
    if asked.step != "match" and asked.file is None:
        parser.error("give a file of games to fit")
    if asked.step == "fit":
        try:
            content = fit(rules, asked.file)
        except (EngineError, OSError, ValueError) as error:
            parser.error(f"nothing is written: {error}")
        (WEIGHTS / f"{asked.variant}.toml").write_text(content, encoding="utf-8")
    else:
        shares = list(match(rules, asked.pairs, asked.nodes, asked.seed))
        print(f"{asked.variant}: tuned against untuned, {asked.nodes} positions a turn: {told(shares)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
