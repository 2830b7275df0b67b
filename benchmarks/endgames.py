"""What endgame tables cost: processor seconds and memory to make them, plain and compiled, and the size of their files.

    python benchmarks/endgames.py FOLDER [GAME ...] [--pieces N]

Each is made from nothing in a process of its own, three pieces in plain Python and four compiled (where numba is
installed; compiling is counted), and left in FOLDER. The greatest memory of all comes last.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import resource
import subprocess
import sys
from pathlib import Path

GAMES = ("spanish", "pinoy", "americanas", "tama")


def made(game: str, pieces: int, folder: Path, *, plain: bool) -> str:
    """Make one file; a line of the table."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    told = subprocess.run(
        [sys.executable, "-m", "bot", "endgames", game, "--pieces", str(pieces), "--folder", str(folder)],
        env={**os.environ, "DAMERO_PLAIN": "1" if plain else ""},
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    positions, size = int(told[-4]), int(told[-2])
    form = "plain" if plain else "compiled"
    return f"{game:11} {pieces} {form:8} {positions:>11,} {size / 1e6:>7.2f} MB {seconds:>7.1f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", nargs="*", default=GAMES, metavar="GAME")
    parser.add_argument("--pieces", type=int, default=4, help="of the compiled tables")
    asked = parser.parse_args()
    for game in asked.games:
        print(made(game, 3, asked.folder / "plain", plain=True), flush=True)
        if importlib.util.find_spec("numba"):
            print(made(game, asked.pieces, asked.folder / "compiled", plain=False), flush=True)
    print(f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024} MB of memory at most")


if __name__ == "__main__":
    main()
