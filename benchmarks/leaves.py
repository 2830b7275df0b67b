"""Positions off the games that self_play.py has written, as a search meets them: weights are learned from them too.

    python benchmarks/leaves.py VARIANT FILE GAMES... [--positions 1000000] [--nodes 2500] [--seed 1]

In games both sides play well; the positions that a search has to weigh come of turns that nobody would play. So from a
position of GAMES one to six turns are played, every second by chance, the others by a look of two plies. What stands
there, if the mover has nothing to capture, is appended to FILE with the search's score to the mover: that of the
greatest depth before a half of NODES positions are looked at. Behind each hundred of them stands a line with a number
of their own. Endgame tables are looked into where DAMERO_ENDGAMES names a folder. It needs numba.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent))

from self_play import SEEDED, at_rest, read, rules_asked

from bot.computer.kernels.backends import for_one_game
from bot.computer.kernels.lookup_tables import signed
from bot.computer.kernels.search_room import FAR, LIMIT, NODES, REDUCE, STOP, WON
from bot.computer.search.draughts import Searcher, _DraughtsSearch
from bot.computer.search.limits import Limit
from bot.engine.draughts.state import DraughtsState, Position
from bot.engine.errors import EngineError

TURNS = 6
ROUNDS = 9
"""So often at most each position of a game is begun from."""
FEW = 5
"""Pieces with which endgame tables are of use."""
OPENED_BY = 20_000
"""Of so many positions of the games the tables are opened before anything is looked at."""
TOGETHER = 100
REMEMBERED = 1 << 17
GREATEST_DEPTH = 29


class Scorer:
    """Looks at one position after the other, and remembers what it saw: several times as fast as searches of their own
    for so few positions. ``few``: a position with so few pieces that tables are looked into, if there are any."""

    def __init__(self, searcher: Searcher, few: DraughtsState) -> None:
        self.searcher = searcher
        self._search = _DraughtsSearch(searcher, few, Limit(nodes=REMEMBERED))
        self._search.room[REDUCE] = 1

    def value(self, position: Position, depth: int, most: int = 1 << 60) -> tuple[int | None, int]:
        """The score to the mover, None where it takes more positions than ``most``, and how many it took."""
        search, node = self._search, map(signed, self.searcher.node(position))
        room = search.room
        room[NODES], room[STOP], room[LIMIT] = 0, 0, most
        score = search.negamax(search.tables, search.work, *node, depth, -FAR, FAR, 1, 0, 0)
        return None if room[STOP] else int(score), int(room[NODES])

    def open_tables(self, position: Position) -> None:
        """Have the tables of an ending at hand from now on."""
        if sum(position.material()) <= FEW:
            self.searcher.endgames(position)

    def score(self, position: Position, nodes: int) -> int:
        """The score of the greatest depth before a half of ``nodes`` is spent."""
        self.open_tables(position)
        best, spent = 0, 0
        for depth in range(1, GREATEST_DEPTH + 1):
            score, took = self.value(position, depth, max(3 * nodes - spent, 1))
            spent += took
            if score is None:
                break
            best = score
            if spent > nodes // 2 or abs(best) > WON:
                break
        return best


def walked(scorer: Scorer, state: DraughtsState, random: Random) -> DraughtsState | None:
    """The state after some turns, None where the game is over."""
    rules = scorer.searcher.rules
    for _ in range(random.randint(1, TURNS)):
        turns = [turn for turn in rules.turns(state) if not turn.neglects]
        if len(turns) == 1:
            turn = turns[0]
        elif random.random() < 0.5:
            turn = random.choice(turns)
        else:
            turn = min(turns, key=lambda turn: scorer.value(turn.after, 2)[0] or 0)
        state = rules.play(state, turn)
        if state.outcome is not None:
            return None
    return state


def found(scorer: Scorer, texts: list[str], nodes: int, random: Random) -> Iterator[tuple[str, int]]:
    """Positions, each once, with their scores."""
    rules, seen = scorer.searcher.rules, set[str]()
    for text in texts * ROUNDS:
        state = walked(scorer, rules.start(text), random)
        if state is None or not at_rest(scorer.searcher, state):
            continue
        there = rules.position(state)
        if there not in seen:
            seen.add(there)
            yield there, scorer.score(state.position, nodes)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variant")
    parser.add_argument("file", type=Path)
    parser.add_argument("games", type=Path, nargs="+")
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--nodes", type=int, default=2500)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rules = rules_asked(parser, asked.variant)
    try:
        texts = list(dict.fromkeys(seen.text for file in asked.games for seen in read(file)))
        pieces = {text: sum(rules.start(text).position.material()) for text in texts}
    except (EngineError, OSError, ValueError) as error:
        parser.error(f"nothing is written: {error}")
    random = Random(f"leaves {asked.variant} {asked.seed}")
    random.shuffle(texts)
    few = next((text for text in texts if pieces[text] <= FEW), None)
    if few is None:
        parser.error(f"there is no position with {FEW} pieces in these files: give more games")
    with for_one_game():
        scorer = Scorer(Searcher(rules), rules.start(few))
    for text in texts[:OPENED_BY]:
        scorer.open_tables(rules.start(text).position)
    started = time.perf_counter()
    number = 0
    with asked.file.open("a", encoding="utf-8") as out:
        for text, score in islice(found(scorer, texts, asked.nodes, random), asked.positions):
            out.write(f"{text} {score}\n")
            number += 1
            if number % TOGETHER == 0:
                out.write(f"leaves {SEEDED * asked.seed + number // TOGETHER}\n")
            if number % 20_000 == 0:
                print(f"{number} positions, {time.perf_counter() - started:.0f} s", flush=True)
        if number % TOGETHER:
            out.write(f"leaves {SEEDED * asked.seed + number // TOGETHER + 1}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
