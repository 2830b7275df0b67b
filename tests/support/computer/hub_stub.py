"""A small engine that speaks Hub, and its faults: ``python -m tests.support.computer.hub_stub GAME FAULT``.

It plays the first legal move. ``none`` is no fault; ``dies:FILE`` ends at its first search, unless FILE is there.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bot.computer.hub.hub_lines import read_line
from bot.computer.hub.hub_positions import HubBoard
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.registry import rules_for


def say(line: str) -> None:
    """Write a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(game: str, fault: str) -> None:
    """Answer until standard input ends."""
    rules = rules_for(game)
    assert isinstance(rules, DraughtsRules)
    board, state = HubBoard(rules), rules.start()
    for text in sys.stdin:
        line = read_line(text)
        match None if line is None else line.command:
            case "hub":
                games = "elsewhere" if fault == "elsewhere" else f"normal {game}"
                say(f'id name=Stub\nparam name=variant value=normal type=enum values="{games}"\n\x00=" = \nwait')
            case "init":
                say("reading a book ...\nready")
            case "pos" if line is not None:
                state = board.state(line.arguments["pos"])
                for move in line.arguments.get("moves", "").split():
                    state = rules.play(state, board.turn(state, move))
            case "go" if fault == "hangs":
                continue
            case "go" if fault == "floods":
                while True:
                    say("info depth=1")
            case "go" if fault == "long":
                say("x" * 1_000_000)
            case "go" if fault == "illegal":
                say("done move=1-1")
            case "go" if fault.startswith("dies:") and not Path(fault[5:]).exists():
                Path(fault[5:]).touch()
                return
            case "go":
                token = "1" if "DISCORD_TOKEN" in os.environ else "0"
                say(f"info depth=x score=0.5 nodes={token}\ndone move={board.move(rules.turns(state)[0])} ponder=1-2")
            case "quit":
                return


if __name__ == "__main__":
    main(*sys.argv[1:])
