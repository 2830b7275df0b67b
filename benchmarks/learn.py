"""How the weights of patterns are learned (data/weights/VARIANT.patterns): from games of the computer against itself.

    python benchmarks/self_play.py VARIANT FILE --games 6000
    python benchmarks/leaves.py VARIANT LEAVES FILE
    python benchmarks/learn.py fit VARIANT FILE [LEAVES ...] [--seed 1] [--epochs 12] [--pull 5] [--mix 0.2]
    python benchmarks/learn.py match VARIANT [--pairs 100] [--nodes 2500 | --seconds 0.1] [--seed 1] [--plain]

``fit`` finds the weights whose sum foretells best how a game goes on, by logistic regression (Adam, EPOCHS times over
the positions): the aim for a position is MIX of the game's result and for the rest what the search's score stands for;
off a game, as in LEAVES, that alone.
Piece values by square (benchmarks/tune.py) stay as they are; what is learned is what patterns, kings and the right to
move add to them. A weight and that of the same squares turned about, with colours changed, are one; where all squares
are played on, left and right are one as well. What a pattern is worth is the sum of a weight for all positions and one
for those in which the same sides have kings, so that what is seen seldom is known from the others. PULL positions speak
for a weight of nothing. Every tenth game is left out and tells how good the weights are. They are written over those in
data/weights if they foretell better than nothing learned; a net of the game was learned beside other patterns, and has
to be learned anew then (learn_net.py). It needs numpy, which the extra ``fast`` brings.

``match`` plays all that was learned, a net too, against the piece values alone, each opening with both colours, and
prints the share of the points with twice its standard error, and what either spent in processor time.
"""

from __future__ import annotations

import argparse
import importlib
import math
import sys
import time
from array import array
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from self_play import LONGEST, SHUFFLED, opening, read, rules_asked
from strength import told

from bot.computer.kernels.backends import PLAIN
from bot.computer.kernels.lookup_tables import squares_of
from bot.computer.kernels.patterns import KINGS, SETS, STATES
from bot.computer.search import evaluation
from bot.computer.search.draughts import Searcher
from bot.computer.search.limits import Limit
from bot.computer.search.pattern_weights import MOST, layout, squares_on
from bot.computer.search.weight_files import written
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState
from bot.engine.errors import EngineError

WEIGHTS = Path(__file__).resolve().parent.parent / "data" / "weights"
BATCH = 16384
STEP = 0.01
SWAPPED = (0, 2, 1, 3, SETS)
"""Which sets are of the same positions with colours changed."""
LEFT_OUT = 100
"""So many games at least tell how good weights are."""
FEWEST, DECIDED, OFF_GAMES = 5, 600, 1200
"""What is learned from: positions with so many pieces, for those with fewer there are tables, and of games with a score
of no more than DECIDED; off games a score counts as OFF_GAMES at most."""


class Lessons:
    """The positions of files as arrays, each once: men and kings of either side (as squares of the search), kings
    counted up to KINGS less one, whose turn it is (1 the first side's, -1), the worth by piece values and the search's
    score to the first side, its points (off a game what the score stands for), the game's number and how full the board
    is (1: as at the start)."""

    def __init__(self, rules: DraughtsRules, files: Iterable[Path]) -> None:
        np = self.np = importlib.import_module("numpy")
        searcher = Searcher(rules, worth=evaluation.worth(rules.variant, rules.board, squares_of(rules.board)))
        self.pieces = sum(rules.start().position.material())
        rows: list[tuple[int, ...]] = []
        known: set[str] = set()
        results: list[float] = []
        for seen in chain.from_iterable(map(read, files)):
            if seen.text in known:
                continue
            known.add(seen.text)
            here = rules.start(seen.text).position
            if sum(here.material()) < FEWEST or (abs(seen.score) > DECIDED and seen.result is not None):
                continue
            sign = 1 if here.turn == 0 else -1
            score = max(-OFF_GAMES, min(OFF_GAMES, seen.score))
            sets = (searcher.bits(each) for each in (*here.men, *here.kings))
            scores = sign * searcher.node(here).score, sign * score
            rows.append((*sets, sign, *scores, seen.game, sum(here.material())))
            results.append(math.nan if seen.result is None else seen.result)
        if all(map(math.isnan, results)):
            raise ValueError("there are no games in these files: give those of self_play.py as well")
        columns = list(zip(*rows, strict=True))
        self.men, self.all_kings = (
            [np.array(column, dtype=np.uint64) for column in columns[at : at + 2]] for at in (0, 2)
        )
        self.kings = [np.array([min(here.bit_count(), KINGS - 1) for here in column]) for column in columns[2:4]]
        self.turn, self.base, self.score, self.game, self.count = (np.array(column) for column in columns[4:])
        self.full = self.count / self.pieces
        self.results = np.array(results)
        self.of_games = ~np.isnan(self.results)
        self.scale = scale_of(np, self.score[self.of_games], self.results[self.of_games])
        """What a hundredth of a man in the search's score is worth in the logistic that foretells how games end: so is
        one of what is learned, and the unit stays what it was."""
        self.by_search = logistic(np, self.scale * self.score)
        self.results = np.where(self.of_games, self.results, self.by_search)

    def parts(self) -> tuple[Any, Any]:
        """Which positions are learned from, and which tell how good the weights are. Raises ValueError."""
        kept_back = self.game % 10 == 0
        if len(set(self.game[kept_back & self.of_games].tolist())) < LEFT_OUT:
            raise ValueError(f"every tenth game tells how good the weights are: give {10 * LEFT_OUT} games and more")
        return self.np.flatnonzero(~kept_back), self.np.flatnonzero(kept_back)


def digits(np: Any) -> Any:
    """By state of a pattern and square of it 0, 1 or 2."""
    return np.arange(STATES)[:, None] // 3 ** np.arange(8)[None, :] % 3


class Weights:
    """Which weights are one. ``number`` and ``sign``: by integer pair of the file, the weight that it is, and whether
    it counts against the first side."""

    def __init__(self, np: Any, rules: DraughtsRules) -> None:
        board = rules.board
        self.patterns = [[square.spot for square in one] for one in layout({board.places[p] for p in board.played})]
        self.block = STATES * len(self.patterns)
        """The weights of a set; behind the sets of the file there is one that counts in all positions."""
        self.size = (SETS + 1) * self.block + KINGS * KINGS + 1
        every = np.arange(self.size)
        turned = self._seen(np, lambda x, y: (board.width - 1 - x, board.height - 1 - y), swapped=True)
        alike = [every]
        if len(board.played) == board.width * board.height:
            alike.append(self._seen(np, lambda x, y: (board.width - 1 - x, y), swapped=False))
        own = np.minimum.reduce(alike)
        other = np.minimum.reduce([turned[image] for image in alike])
        self.number = np.minimum(own, other)
        self.sign = np.sign(other - own)
        # The right to move is nobody's by colour.
        self.number[-1], self.sign[-1] = self.size - 1, 1

    def _seen(self, np: Any, spot: Any, *, swapped: bool) -> Any:
        image = np.arange(self.size)
        stands = digits(np)
        for number, pattern in enumerate(self.patterns):
            seen = [spot(*square) for square in pattern]
            ordered = sorted(seen, key=lambda square: square[::-1])
            there = self.patterns.index(ordered)
            state = sum(
                3 ** ordered.index(square) * ((3 - stands[:, k]) % 3 if swapped else stands[:, k])
                for k, square in enumerate(seen)
            )
            for kind, turned in enumerate(SWAPPED if swapped else range(SETS + 1)):
                begin = self.block * kind + STATES * number
                image[begin : begin + STATES] = self.block * turned + STATES * there + state
        if swapped:
            kings = np.arange(KINGS * KINGS)
            image[-1 - KINGS * KINGS : -1] = self.block * (SETS + 1) + kings % KINGS * KINGS + kings // KINGS
        return image

    def columns(self, np: Any, rules: DraughtsRules, lessons: Lessons) -> Any:
        """For each position the integer pairs that count in it."""
        square_of = dict(zip(rules.board.places, squares_of(rules.board).of_place, strict=True))
        found = []
        kind = (lessons.kings[0] > 0) + 2 * (lessons.kings[1] > 0)
        for number, pattern in enumerate(self.patterns):
            state = np.zeros(len(lessons.results), dtype=np.int64)
            for k, spot in enumerate(pattern):
                bits = [(men >> np.uint64(square_of[spot]) & np.uint64(1)).astype(np.int64) for men in lessons.men]
                state += 3**k * (bits[0] + 2 * bits[1])
            found += [STATES * number + state + self.block * each for each in (kind, SETS)]
        found.append(self.block * (SETS + 1) + KINGS * lessons.kings[0] + lessons.kings[1])
        return np.stack(found, axis=1)

    def as_in_file(self, np: Any, theta: Any) -> Any:
        """The weights as a file has them, by phase: each set with what counts in all positions, and the others."""
        of_all = theta[:, self.number] * self.sign
        own, rest = of_all[:, : self.block * (SETS + 1)], of_all[:, self.block * (SETS + 1) :]
        *sets, everywhere = np.split(own, SETS + 1, axis=1)
        return np.concatenate([np.stack([each + everywhere for each in sets], axis=2).reshape(2, -1), rest], axis=1)


def logistic(np: Any, values: Any) -> Any:
    return 1 / (1 + np.exp(-values))


def loss(np: Any, values: Any, aims: Any) -> float:
    """Cross-entropy a position."""
    foretold = np.clip(logistic(np, values), 1e-9, 1 - 1e-9)
    return float(-(aims * np.log(foretold) + (1 - aims) * np.log(1 - foretold)).mean())


def losses_of(before: float, after: float) -> dict[str, float]:
    """What the head of a file says of the positions left out. Raises ValueError where what was learned is of no use."""
    if not after < before:
        raise ValueError(f"what was learned foretells no better ({after:.5f}) than without it ({before:.5f})")
    return {"loss_before": round(before, 5), "loss": round(after, 5)}


def some(text: str) -> int:
    """An argument: how often, once at least."""
    if (number := int(text)) < 1:
        raise argparse.ArgumentTypeError("give 1 or more")
    return number


def share(text: str) -> float:
    """An argument from 0 to 1."""
    if not 0 <= (number := float(text)) <= 1:
        raise argparse.ArgumentTypeError("give a number from 0 to 1")
    return number


def weight(text: str) -> float:
    """An argument that is 0 or more."""
    if not 0 <= (number := float(text)) < math.inf:
        raise argparse.ArgumentTypeError("give a number from 0 on")
    return number


def scale_of(np: Any, values: Any, results: Any) -> float:
    """What a hundredth of a man is worth in the logistic, by Newton's method. Raises ValueError where it cannot be
    told."""
    scale = 0.003
    for _ in range(30):
        foretold = logistic(np, scale * values)
        slope, bend = (values * (foretold - results)).sum(), (values**2 * foretold * (1 - foretold)).sum()
        if not bend:
            raise ValueError("the scores in these files foretell nothing of the results")
        scale -= float(slope / bend)
    return scale


def fit(rules: DraughtsRules, files: Iterable[Path], epochs: int, pull: float, mix: float, seed: int) -> bytes:
    """The bytes of the file of weights."""
    lessons = Lessons(rules, files)
    np = lessons.np
    weights = Weights(np, rules)
    columns = weights.columns(np, rules, lessons)
    numbers, signs = weights.number[columns], weights.sign[columns].astype(np.float32)
    scale = lessons.scale
    aims = mix * lessons.results + (1 - mix) * lessons.by_search
    learned_from, tested = lessons.parts()
    theta = np.zeros((2, weights.size))
    first, second = np.zeros_like(theta), np.zeros_like(theta)
    shares = np.stack([lessons.full, 1 - lessons.full])
    base = scale * lessons.base
    generator = np.random.default_rng(seed)

    def values(rows: Any) -> Any:
        parts = (theta[:, numbers[rows]] * signs[rows]).sum(axis=2) + theta[:, -1:] * lessons.turn[rows]
        return base[rows] + (parts * shares[:, rows]).sum(axis=0)

    def told_now(epoch: int) -> None:
        found = values(tested)
        by_aims, by_results = loss(np, found, aims[tested]), loss(np, found, lessons.results[tested])
        print(f"after {epoch}: aims {by_aims:.5f}, results {by_results:.5f}", flush=True)

    told_now(0)
    steps = 0
    for epoch in range(epochs):
        order = generator.permutation(learned_from)
        rate = STEP * (1 - epoch / epochs)
        for begin in range(0, len(order), BATCH):
            rows = order[begin : begin + BATCH]
            wrong = logistic(np, values(rows)) - aims[rows]
            steps += 1
            for phase in (0, 1):
                each = wrong * shares[phase, rows]
                slope = np.bincount(
                    numbers[rows].ravel(), weights=(each[:, None] * signs[rows]).ravel(), minlength=weights.size
                )
                slope[-1] = (each * lessons.turn[rows]).sum()
                slope = slope / len(rows) + pull * theta[phase] / len(learned_from)
                first[phase] = 0.9 * first[phase] + 0.1 * slope
                second[phase] = 0.999 * second[phase] + 0.001 * slope**2
                theta[phase] -= (
                    rate * (first[phase] / (1 - 0.9**steps)) / (np.sqrt(second[phase] / (1 - 0.999**steps)) + 1e-8)
                )
        if epoch % 5 == 4 or epoch == epochs - 1:
            told_now(epoch + 1)
    units = np.clip(np.rint(weights.as_in_file(np, theta) / scale), -MOST, MOST).astype(np.int64)
    values_of_file = units.T.ravel()
    losses = losses_of(loss(np, base[tested], aims[tested]), loss(np, values(tested), aims[tested]))
    head: dict[str, str | int | float] = {
        "game": rules.variant.id,
        "made": f"benchmarks/learn.py fit --epochs {epochs} --pull {pull} --mix {mix} --seed {seed}",
        "pieces": lessons.pieces,
        "games": len(set(lessons.game[lessons.of_games].tolist())),
        "positions": len(lessons.results),
        **losses,
    }
    return written(head, array("h", values_of_file.tolist()))


def match(rules: DraughtsRules, pairs: int, limit: Limit, seed: int, *, plain: bool) -> None:
    backend = PLAIN if plain else None
    without = evaluation.worth(rules.variant, rules.board, squares_of(rules.board))
    players = Searcher(rules, backend), Searcher(rules, backend, worth=without)
    random, quick = Random(f"learn {rules.variant.id} {seed}"), Searcher(rules, worth=without)
    spent, nodes = [0.0, 0.0], [0, 0]

    def game(start: DraughtsState, seats: tuple[int, int]) -> float:
        """The points of the first seat."""
        state = start
        for _ in range(LONGEST):
            if state.outcome is not None:
                return 0.5 if state.outcome.winner is None else 1.0 - state.outcome.winner
            if state.quiet >= SHUFFLED:
                break
            player = seats[state.seat]
            before = time.thread_time()
            found = players[player].think(state, limit)
            spent[player] += time.thread_time() - before
            nodes[player] += found.nodes
            state = rules.play(state, found.turn)
        return 0.5

    for player in players:
        player.think(rules.start(), Limit(depth=2))
    shares = []
    for number in range(pairs):
        start = opening(quick, random, 1000)
        shares.append((game(start, (0, 1)) + 1 - game(start, (1, 0))) / 2)
        if number % 10 == 9:
            speeds = [looked_at / took for looked_at, took in zip(nodes, spent, strict=True)]
            print(f"{told(shares)}; processor {spent[0]:.0f} s against {spent[1]:.0f}, positions a second "
                  f"{speeds[0]:.0f} against {speeds[1]:.0f}", flush=True)  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("fit", "match"))
    parser.add_argument("variant")
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--epochs", type=some, default=12, help="how often over the positions")
    parser.add_argument("--pull", type=weight, default=5, help="how many positions speak for a weight of nothing")
    parser.add_argument("--mix", type=share, default=0.2, help="how much of the aim is the result of the game")
    parser.add_argument("--pairs", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=2500)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plain", action="store_true", help="without compiling")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a house rule")
    asked = parser.parse_args()
    rules = rules_asked(parser, asked.variant, asked.set)
    if not squares_on(rules.board):
        parser.error("give a draughts variant on a board that patterns lie on")
    if asked.step == "fit":
        if not asked.files:
            parser.error("give a file of games to fit")
        if rules.tables.board.mirror:
            parser.error("give games on the board that is not mirrored: what was learned there is used on both")
        try:
            content = fit(rules, asked.files, asked.epochs, asked.pull, asked.mix, asked.seed)
        except (EngineError, OSError, ValueError) as error:
            parser.error(f"nothing is written: {error}")
        (WEIGHTS / f"{asked.variant}.patterns").write_bytes(content)
    else:
        limit = Limit(seconds=asked.seconds) if asked.seconds else Limit(nodes=asked.nodes)
        match(rules, asked.pairs, limit, asked.seed, plain=asked.plain)
    return 0


if __name__ == "__main__":
    sys.exit(main())
