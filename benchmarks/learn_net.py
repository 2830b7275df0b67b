"""How the weights of a net are learned (data/weights/VARIANT.net): from what learn.py learns patterns from, after it.

    python benchmarks/learn_net.py VARIANT FILE LEAVES... [--seed 1] [--epochs 25] [--shrink 0.05] [--mix 0.2]

The net (bot/computer/kernels/net.py) adds to piece values and patterns, which stay as they are: its weights are those
with which the sum foretells best how it goes on (least cross-entropy, Adam, EPOCHS times over the positions), with the
aims that learn.py has. In each step weights of pieces lose SHRINK of the step's length times what they are. Every tenth
game is left out and tells how good the weights are. They are written over those in data/weights if they foretell
better than none. It needs numpy, which the extra ``fast`` brings.
"""

from __future__ import annotations

import argparse
import sys
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from learn import WEIGHTS, Lessons, Weights, logistic, loss, losses_of, share, some, weight
from self_play import rules_asked

from bot.computer.kernels.lookup_tables import squares_of
from bot.computer.kernels.net import FRACTION, UNITS
from bot.computer.kernels.patterns import KINGS, SETS, STATES
from bot.computer.search.net_weights import fits, order
from bot.computer.search.pattern_weights import weights_of
from bot.computer.search.weight_files import shipped, written
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.errors import EngineError

BATCH = 4096
STEP = 0.006
SPREAD, BEGIN = 0.08, 0.05
"""Of the weights of pieces, and those of their number, before anything is learned."""


def by_patterns(rules: DraughtsRules, lessons: Lessons) -> Any:
    """What piece values and the shipped patterns make of the positions, to the first side."""
    np = lessons.np
    content = shipped(rules.variant.id, "patterns")
    if content is None:
        return lessons.base
    _, integers = weights_of(rules.variant.id, rules.board, content)
    pairs = np.array(integers).reshape(-1, 2).T
    weights = Weights(np, rules)
    sets = (pairs.shape[1] - KINGS * KINGS - 1) // weights.block
    columns = weights.columns(np, rules, lessons)
    begin = weights.block * sets
    kind, kings = columns[:, 0] // weights.block if sets == SETS else 0, columns[:, -1] - weights.block * (SETS + 1)
    total = pairs[:, begin + kings] + pairs[:, -1:] * lessons.turn
    for number in range(weights.block // STATES):
        total = total + pairs[:, columns[:, 2 * number + 1] % weights.block * sets + kind]
    return lessons.base + total[0] * lessons.full + total[1] * (1 - lessons.full)


def inputs(rules: DraughtsRules, lessons: Lessons) -> Any:
    """By position which rows of a file count in it, 1 or 0, as its mover sees the board."""
    np = lessons.np
    of_place = squares_of(rules.board).of_place
    places = order(rules.board)
    first = lessons.turn > 0
    columns = [lessons.count == count for count in range(lessons.pieces + 1)]
    for own, sets in ((True, lessons.men), (True, lessons.all_kings), (False, lessons.men), (False, lessons.all_kings)):
        mine, other = sets if own else sets[::-1]
        # Turned about, the last square is the first.
        for place, turned in zip(places, reversed(places), strict=True):
            bits = [here >> np.uint64(of_place[at]) & np.uint64(1) for here, at in ((mine, place), (other, turned))]
            columns.append(np.where(first, *bits) == 1)
    return np.stack(columns, axis=1).astype(np.uint8)


def fit(rules: DraughtsRules, files: Iterable[Path], epochs: int, shrink: float, mix: float, seed: int) -> bytes:
    """The bytes of the file of weights."""
    lessons = Lessons(rules, files)
    np = lessons.np
    mine = lessons.turn > 0
    aims = mix * lessons.results + (1 - mix) * lessons.by_search
    aims = np.where(mine, aims, 1 - aims).astype(np.float32)
    results = np.where(mine, lessons.results, 1 - lessons.results)
    scale = lessons.scale
    before = (scale * by_patterns(rules, lessons) * lessons.turn).astype(np.float32)
    rows = inputs(rules, lessons)
    learned_from, tested = lessons.parts()
    counts = lessons.pieces + 1
    generator = np.random.default_rng(seed)
    theta = generator.normal(0, SPREAD, (rows.shape[1], UNITS)).astype(np.float32)
    theta[:counts] = BEGIN
    # A row that no position has keeps to nothing.
    theta[~rows.any(axis=0)] = 0
    shrinks = np.full((len(theta), 1), shrink, np.float32)
    shrinks[:counts] = 0
    sides = np.where(np.arange(UNITS) < UNITS // 2, 1, -1).astype(np.float32)
    first, second = np.zeros_like(theta), np.zeros_like(theta)

    def values(which: Any) -> tuple[Any, Any, Any]:
        """What stands there, the sums of the units and what they make of it."""
        stands = rows[which].astype(np.float32)
        sums = stands @ theta
        return stands, sums, before[which] + np.maximum(sums, 0) @ sides

    def told_now(epoch: int) -> float:
        value = np.concatenate([values(part)[2] for part in np.array_split(tested, 1 + len(tested) // BATCH)])
        by_aims, by_results = loss(np, value, aims[tested]), loss(np, value, results[tested])
        print(f"after {epoch}: aims {by_aims:.5f}, results {by_results:.5f}", flush=True)
        return by_aims

    loss_before = loss_now = loss(np, before[tested], aims[tested])
    print(f"a hundredth of a man {scale:.5f}; without: aims {loss_before:.5f}", flush=True)
    steps = 0
    for epoch in range(epochs):
        shuffled = generator.permutation(learned_from)
        rate = STEP * (1 - epoch / epochs) + 1e-5
        for begin in range(0, len(shuffled), BATCH):
            which = shuffled[begin : begin + BATCH]
            stands, sums, value = values(which)
            wrong = ((logistic(np, value) - aims[which]) / len(which)).astype(np.float32)
            slope = stands.T @ (wrong[:, None] * sides * (sums > 0))
            steps += 1
            first = 0.9 * first + 0.1 * slope
            second = 0.999 * second + 0.001 * slope**2
            theta -= rate * (
                (first / (1 - 0.9**steps)) / (np.sqrt(second / (1 - 0.999**steps)) + 1e-8) + shrinks * theta
            )
        if epoch % 5 == 4 or epoch == epochs - 1:
            loss_now = told_now(epoch + 1)
    units = np.rint(theta * 2**FRACTION / scale).astype(np.int64)
    kinds = units[counts:].reshape(4, -1, UNITS)
    if np.abs(units).max() > 32767 or not fits(units[:counts].tolist(), kinds.tolist()):
        raise ValueError("the weights do not fit into their bits: give a larger --shrink")
    head: dict[str, str | int | float] = {
        "game": rules.variant.id,
        "made": f"benchmarks/learn_net.py --epochs {epochs} --shrink {shrink} --mix {mix} --seed {seed}",
        "pieces": lessons.pieces,
        "positions": len(lessons.results),
        **losses_of(loss_before, loss_now),
    }
    return written(head, array("h", units.ravel().tolist()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variant")
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--epochs", type=some, default=25, help="how often over the positions")
    parser.add_argument("--shrink", type=weight, default=0.05, help="what weights of pieces lose in each step")
    parser.add_argument("--mix", type=share, default=0.2, help="how much of the aim is the result of the game")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rules = rules_asked(parser, asked.variant)
    if len(squares_of(rules.board).place_of) > 64:
        parser.error("give a draughts variant on a board of 64 squares at most")
    try:
        content = fit(rules, asked.files, asked.epochs, asked.shrink, asked.mix, asked.seed)
    except (EngineError, OSError, ValueError) as error:
        parser.error(f"nothing is written: {error}")
    (WEIGHTS / f"{asked.variant}.net").write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
