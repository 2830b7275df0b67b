"""Games of the computer against itself, which its weights are learned from: benchmarks/tune.py and learn.py.

    python benchmarks/self_play.py VARIANT FILE [--games 2500] [--nodes 2500] [--seed 1] [--set removal=at_end]

It appends to FILE the positions in which the mover has nothing to capture, one on a line with the search's score to the
mover, NODES positions a turn; behind those of a game a line with its seed, its number and the points of the first side.
A game begins with random moves, as many as one of BEFORE, that leave the sides about even: with as few as OPENING, most
positions of some thousand games stand in others as well. Games that stand in FILE are passed over, so
that what was broken off goes on.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from bot.computer.kernels.movegen import capturers
from bot.computer.kernels.search_room import WON
from bot.computer.search.draughts import Searcher
from bot.computer.search.limits import Limit
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState
from bot.engine.errors import EngineError
from bot.engine.registry import rules_for

SEEDED = 1_000_000
"""No seed has so many games."""
OPENING = 8
"""Random moves of both sides, before a game that is to tell who plays better."""
BEFORE = range(OPENING, 21)
"""And before one that is learned from."""
EVEN = 120
"""An opening leaves no side ahead by more than this."""
LONGEST, SHUFFLED = 200, 40
"""A game is a draw after so many moves, or so many without a capture or a man's move."""
FIGURES = re.compile("-?[0-9]+")


def quiet(searcher: Searcher, state: DraughtsState) -> bool:
    """Whether neither side could capture."""
    node, tables = searcher.node(state.position), searcher.plain
    own, foe = (node.men, node.kings), (node.foe_men, node.foe_kings)
    return not capturers(tables, node.side, *own, *foe) and not capturers(tables, 1 - node.side, *foe, *own)


def opening(searcher: Searcher, random: Random, nodes: int, moves: int = OPENING) -> DraughtsState:
    """Random moves from the set-up that leave the sides about even."""
    rules = searcher.rules
    while True:
        state = rules.start()
        for _ in range(moves):
            turns = [turn for turn in rules.turns(state) if not turn.neglects]
            state = rules.play(state, random.choice(turns))
            if state.outcome:
                break
        if state.outcome or not quiet(searcher, state):
            continue
        if abs(searcher.think(state, Limit(nodes=nodes)).score) <= EVEN:
            return state


Searched = tuple[DraughtsState, int]
"""A state, and the score of the search from it, to the side that moves."""


def game(players: tuple[Searcher, Searcher], start: DraughtsState, nodes: int) -> tuple[float, list[Searched]]:
    """The points of the first side, and the states on the way."""
    rules, state = players[0].rules, start
    states: list[Searched] = []
    for _ in range(LONGEST):
        if state.outcome is not None:
            winner = state.outcome.winner
            return (0.5 if winner is None else 1.0 - winner), states
        if state.quiet >= SHUFFLED:
            break
        found = players[state.seat].think(state, Limit(nodes=nodes))
        if abs(found.score) > WON:
            return float((found.score > 0) == (state.seat == 0)), states
        states.append((state, found.score))
        state = rules.play(state, found.turn)
    return 0.5, states


def play_games(rules: DraughtsRules, file: Path, games: int, nodes: int, seed: int) -> None:
    """Append games number 1 to ``games`` to the file, those left out that stand there already."""
    searcher, started, played = Searcher(rules), time.perf_counter(), 0
    standing = kept_games(file)
    with file.open("a", encoding="utf-8") as out:
        out.truncate(end_of_games(file))
        for number in range(1, games + 1):
            if (seed, number) in standing:
                continue
            random = Random(f"tune {rules.variant.id} {seed} {number}")
            start = opening(searcher, random, nodes, random.choice(BEFORE))
            result, states = game((searcher, searcher), start, nodes)
            lines = [f"{rules.position(state)} {score}\n" for state, score in states if at_rest(searcher, state)]
            # The head comes last: a game that was broken off is written again.
            out.writelines([*lines, f"game {seed} {number} {result}\n"])
            out.flush()
            played += 1
            if played % 100 == 0:
                print(f"{number} games, {time.perf_counter() - started:.0f} s", flush=True)


def kept_games(file: Path) -> set[tuple[int, int]]:
    """The seeds and numbers of the games that stand in a file. Raises OSError, and ValueError as ``read``."""
    return {divmod(seen.game, SEEDED) for seen in read(file)} if file.exists() else set()


def end_of_games(file: Path) -> int:
    """Behind how many bytes of a file its last game ends: what stands there is of one that was broken off."""
    heads = re.finditer(rb"^(?:game|leaves) .*\n", file.read_bytes(), re.MULTILINE)
    return max((head.end() for head in heads), default=0)


def at_rest(searcher: Searcher, state: DraughtsState) -> bool:
    """Whether the mover has nothing to capture, as where the search asks for an evaluation."""
    node = searcher.node(state.position)
    return not capturers(searcher.plain, node.side, node.men, node.kings, node.foe_men, node.foe_kings)


class Seen(NamedTuple):
    """A position of a game, by its text: the search's score to the mover, a number of the game's own, and the points
    of the first side; None off a game (leaves.py), where positions that were found together have a number."""

    text: str
    score: int
    game: int
    result: float | None


def read(file: Path) -> Iterator[Seen]:
    """What a file of games, or of positions off them, holds; what was broken off is left out. Raises OSError, and
    ValueError for what is no such file."""
    game: list[tuple[str, int]] = []
    with file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.endswith("\n"):
                return
            try:
                match line.split():
                    case ["game", seed, of_seed, points]:
                        which, result = SEEDED * int(seed) + int(of_seed), float(points)
                        if result not in (0, 0.5, 1):
                            raise ValueError
                        yield from (Seen(text, score, which, result) for text, score in game)
                        game = []
                    case ["leaves", which_leaves]:
                        yield from (Seen(text, score, int(which_leaves), None) for text, score in game)
                        game = []
                    case [text, score] if ":" in text and FIGURES.fullmatch(score):
                        game.append((text, int(score)))
                    case _:
                        raise ValueError
            except ValueError:
                raise ValueError(f"{file}, line {number}, is none of a file of self_play.py or leaves.py") from None


def rules_asked(parser: argparse.ArgumentParser, variant: str, options: Sequence[str] = ()) -> DraughtsRules:
    """Those of a game of draughts with house rules, each as ``NAME=VALUE``; what there is not ends the program."""
    try:
        rules = rules_for(variant, dict(pair.partition("=")[::2] for pair in options))
    except EngineError as error:
        parser.error(str(error))
    if not isinstance(rules, DraughtsRules):
        parser.error("give a draughts variant")
    return rules


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variant")
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=2500)
    parser.add_argument("--nodes", type=int, default=2500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a house rule")
    asked = parser.parse_args()
    rules = rules_asked(parser, asked.variant, asked.set)
    try:
        play_games(rules, asked.file, asked.games, asked.nodes, asked.seed)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
