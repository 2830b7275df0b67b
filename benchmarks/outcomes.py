"""Tables of who wins with five pieces and more, and of how far wins are from a conversion: whether they are right, and
what it costs to look into them.

    python benchmarks/outcomes.py FOLDER GAME [--positions N] [--solve] [--seed S]

N random positions of each number of pieces, made of all classes alike, are held against what their moves lead to; of
those of five pieces a hundredth that is won, how far it is from a conversion against its best move, and what the whole
choice of that costs a search.
``--solve``: all classes of five pieces are solved a second time, by what solves plies, and every position is compared
(a few hundred megabytes, some minutes). Then the time of one look-up is told beside that of a position of a search.
"""

from __future__ import annotations

import argparse
import importlib
import time
from dataclasses import replace
from pathlib import Path
from random import Random

from bot.computer.endgames.build import Maker
from bot.computer.endgames.conversion_tables import PIECES
from bot.computer.endgames.lookup import Endgames, conversions_for, file_for, outcomes_for
from bot.computer.endgames.material import Layout
from bot.computer.kernels import backends, outcome_moves
from bot.computer.kernels.backends import Backend, backend_for
from bot.computer.kernels.movegen import SPAN
from bot.computer.kernels.outcome_solver import WIN
from bot.computer.search.draughts import Searcher
from bot.computer.search.limits import Limit
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import Position, bits
from bot.engine.registry import rules_for
from tests.support.computer import outcome_closure


def random_positions(endgames: Endgames, pieces: int, number: int, random: Random) -> list[int]:
    """Random positions of so many pieces as the closure takes them."""
    assert endgames.outcomes is not None
    layout = endgames.outcomes.layout
    classes = [material for material in layout.classes if sum(material) == pieces]
    positions: list[int] = []
    while len(positions) < 5 * number:
        material, side = random.choice(classes), random.choice((0, 1))
        groups = list(layout.groups)
        if side:
            groups = [groups[2], groups[3], groups[0], groups[1]]
        sets = [0, 0, 0, 0]
        for group, squares in enumerate(groups):
            for square in random.sample(squares, material[group]):
                sets[group] |= 1 << square
        if sum(one.bit_count() for one in sets) == (sets[0] | sets[1] | sets[2] | sets[3]).bit_count():
            positions += [side, *sets]
    return positions


def compiled_closure() -> dict[str, object]:
    moves = backends._moves()
    return backends._twin(outcome_closure, {**moves, **backends._twin(outcome_moves, moves)})


def solved_again(rules: DraughtsRules, endgames: Endgames, backend: Backend, closure: dict[str, object]) -> None:
    """Compare every position of five pieces with what the solver of plies says."""
    np = importlib.import_module("numpy")
    layout = Layout(rules.tables, 5)
    maker = Maker(layout, backend)
    assert endgames.outcomes is not None
    told = closure["told"]
    assert callable(told)
    compared = bad = 0
    room = backend.room(3 * SPAN + 1)
    for material, content in maker.made(lambda m: endgames.file.read(m) if sum(m) < 5 else None):
        if sum(material) != 5:
            continue
        shape = layout.shapes[material]
        sets = [
            np.array(backend.fitted(layout.leading(g, n) if g == shape.leads else layout.sets(g, n)))
            for g, n in enumerate(material)
        ]
        inner = sets[1].size * sets[2].size * sets[3].size
        content = np.frombuffer(content, dtype=np.uint8)
        rest = np.stack(np.meshgrid(*sets[1:], indexing="ij"), axis=-1).reshape(-1, 3)
        for number, men in enumerate(sets[0]):
            positions = np.concatenate([np.full((inner, 1), men), rest], axis=1)
            # Pieces that share a square are nobody's position.
            shared = (positions[:, 0] & positions[:, 1]) | (positions[:, 2] & positions[:, 3])
            shared |= (positions[:, 0] | positions[:, 1]) & (positions[:, 2] | positions[:, 3])
            whole = shared == 0
            part = np.ascontiguousarray(content[number * inner : (number + 1) * inner][whole])
            asked = np.ascontiguousarray(positions[whole]).ravel()
            bad += told(endgames.tables, endgames.ends, endgames.packed, part, asked, room)
            compared += int(whole.sum())
        print(f"{material}: {compared:,} positions so far, {bad} told otherwise", flush=True)


def timed(rules: DraughtsRules, endgames: Endgames, positions: list[int], searcher: Searcher) -> None:
    """The time of a look-up, and of a position of a search that looks into nothing."""
    sets = [tuple(positions[i : i + 5]) for i in range(0, len(positions), 5)]
    array = searcher.backend.fitted(positions)
    looked = compiled_closure()["looked"]
    assert callable(looked)
    held = looked(endgames.tables, endgames.packed, array)
    begun = time.perf_counter()
    looked(endgames.tables, endgames.packed, array)
    probe = (time.perf_counter() - begun) / len(sets)
    state = rules.start()
    searcher.think(state, Limit(depth=2, endgames=False))
    begun = time.perf_counter()
    nodes = searcher.think(state, Limit(nodes=2_000_000, endgames=False)).nodes
    node = (time.perf_counter() - begun) / nodes
    print(f"{held / len(sets):.0%} of the positions are held as they stand, the others follow from one ply on")
    print(f"a look-up {probe * 1e9:.0f} ns, a position of a search {node * 1e9:.0f} ns: {probe / node:.2f} times")


def measured(rules: DraughtsRules, endgames: Endgames, positions: list[int], searcher: Searcher) -> None:
    """How far wins are from a conversion, by the tables and by their best move; the time of a choice."""
    far = endgames.conversions
    if far is None:
        return
    compared = bad = farthest = 0
    spent = 0.0
    for i in range(0, len(positions), 5):
        side, men, kings, foe_men, foe_kings = positions[i : i + 5]
        sets = men, kings, foe_men, foe_kings
        distance = far.distance(sets, side)
        places = [sum(1 << searcher.squares.place_of[square] for square in bits(each)) for each in sets]
        first, second = 2 * side, 2 - 2 * side
        position = Position(side, (places[first], places[second]), (places[first + 1], places[second + 1]))
        state = rules.start(rules.position(replace(rules.start(), position=position)))
        turns = [] if state.outcome else rules.turns(state)
        if distance < 0 or not turns or any(turn.captured for turn in turns) or far.worth(sets, side) != WIN:
            continue
        begun = time.perf_counter()
        told = []
        for turn in turns:
            node = searcher.node(turn.after)
            crowned = turn.after.kings[side].bit_count() > kings.bit_count()
            after = node.sets
            told.append(far.by_move(after, node.side, crowned=crowned))
        spent += time.perf_counter() - begun
        compared += 1
        bad += min(each for each in told if each >= 0) != distance
        farthest = max(farthest, distance)
    print(
        f"{compared:,} wins, {bad} not as far from a conversion as their best move, the farthest {farthest} own moves"
    )
    print(f"a choice of a move {spent / max(compared, 1) * 1e3:.1f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("game")
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--solve", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rules = rules_for(asked.game)
    assert isinstance(rules, DraughtsRules)
    # On the board on which the tables are made: then positions need no carrying over.
    board = rules.tables.board.model_copy(update={"corner": "left", "mirror": False})
    rules = DraughtsRules(replace(rules.variant, tables=rules.tables.model_copy(update={"board": board})))
    searcher = Searcher(rules)
    backend = backend_for(searcher.size)
    plies = file_for(rules, [asked.folder])
    assert plies is not None
    outcomes = outcomes_for(rules, plies, [asked.folder])
    assert outcomes is not None
    conversions = conversions_for(rules, [asked.folder])
    endgames = Endgames(plies, rules, searcher.plain, backend, outcomes, conversions)
    for material in plies.layout.classes:
        endgames.hold(material)
    closure = compiled_closure()
    wrong = closure["wrong"]
    assert callable(wrong)
    random, room = Random(asked.seed), backend.room(3 * SPAN + 1)
    for pieces in range(plies.pieces + 1, outcomes.pieces + 1):
        positions = random_positions(endgames, pieces, asked.positions, random)
        bad = wrong(endgames.tables, endgames.ends, endgames.packed, backend.fitted(positions), room)
        print(f"{pieces} pieces: {asked.positions:,} positions, {bad} not worth what their moves make of them")
        timed(rules, endgames, positions[: 5 * 200_000], searcher)
        if pieces == PIECES:
            measured(rules, endgames, positions[: 5 * (asked.positions // 100)], searcher)
    if asked.solve:
        solved_again(rules, endgames, backend, closure)


if __name__ == "__main__":
    main()
