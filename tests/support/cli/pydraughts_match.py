"""pydraughts' Hub client, a program of others, has ``damero hub`` play games with itself: each move must be legal by
pydraughts' own rules, too.

``python -m tests.support.cli.pydraughts_match --games 100 --seed 1`` plays many; `draughts` is pydraughts' package.
"""

from __future__ import annotations

import argparse
import collections
import shutil
import sys
from random import Random
from typing import Any

# Through `env`: pydraughts follows links, and the interpreter of an environment is one.
COMMAND = [shutil.which("env") or "env", sys.executable, "-m", "bot", "hub"]
GAMES = {"standard": "normal", "frisian": "frisian", "antidraughts": "losing"}
"""What pydraughts calls a game, and what ``damero hub`` does. On smaller boards it numbers positions in one way and
moves in another, which no other program does."""
MOST_PLIES = 300


def play(variant: str, games: int, seed: int, nodes: int = 300, most: int = MOST_PLIES) -> collections.Counter[str]:
    """The results of so many games, each from an opening of random moves, and how many plies were played. Raises
    KeyError for a move that pydraughts does not know."""
    draughts: Any = __import__("draughts.engine")
    lots, told = Random(seed), collections.Counter[str]()
    engine = draughts.engine.HubEngine(COMMAND)
    try:
        engine.setoption("variant", GAMES[variant])
        engine.init()
        for _ in range(games):
            board = draughts.Board(variant)
            for _ in range(lots.randrange(2, 9)):
                board.push(lots.choice(board.legal_moves()))
            while not board.is_over() and len(board.move_stack) < most:
                limit = draughts.engine.Limit(nodes=nodes)
                board.push(engine.play(board, limit, False).move)
                told["plies"] += 1
            told[{1: "won by Black", 2: "won by White", 0: "drawn"}.get(board.winner(), "broken off")] += 1
            engine.send("new-game")
    finally:
        engine.quit()
        engine.p.communicate(timeout=30)
    return told


def main() -> None:
    """Play and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variant", choices=GAMES, default="standard")
    given = parser.parse_args()
    sys.stdout.write(f"{given.variant} {dict(play(given.variant, given.games, given.seed))}\n")


if __name__ == "__main__":
    main()
