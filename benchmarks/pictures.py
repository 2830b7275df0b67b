"""What a picture costs: boards of squares against chess.svg + cairosvg, the star against drawing at 4x and shrinking.

    python benchmarks/pictures.py [CACHE] [--rounds 7]

The pictures are middle games that the engine played at random, drawn and encoded anew each time, at 768 pixels, the
star at 900; the sizes are those of forty pictures of each. The peers' packages (PACKAGES) live in an environment of
their own under the folder CACHE, made once with pip; cairosvg needs the cairo library. They draw chess middle games at
768 pixels. In every round all programs take their turn, one after the other; medians of single pictures are printed,
with their ratios.
"""

from __future__ import annotations

import argparse
import io
import json
import math
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

from peers import environment
from PIL import Image, ImageDraw, ImageFont

from bot.engine.registry import rules_for
from bot.presentation.board_scene import ShownPosition, scene_of
from render import STAR_PLACES, Scene, picture
from render.glyphs import BOLD, FONTS
from render.star_board import StarLayout
from render.star_sprites import COLOURS

PACKAGES = ("chess==1.11.2", "cairosvg==2.9.1")

# Answers each line of input with the milliseconds that each of these middle games took, and their mean of bytes.
PEER = """
import json, sys, time
import cairosvg, chess, chess.svg

FENS = (
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/P1N1BN2/BP3PPP/R2Q1RK1 w - - 0 14",
    "2r2rk1/pp1bqppp/2n1pn2/3p4/3P4/1QNBPN2/PP3PPP/2R2RK1 b - - 3 13",
    "r4rk1/ppq1bppp/2n1bn2/3p4/8/1NN1B3/PPP1BPPP/R2Q1RK1 w - - 4 12",
)
boards = [chess.Board(fen) for fen in FENS]
for _ in sys.stdin:
    times, sizes = [], []
    for board in boards:
        move = next(iter(board.legal_moves))
        started = time.perf_counter()
        svg = chess.svg.board(board, size=768, lastmove=move, arrows=[(move.from_square, move.to_square)])
        png = cairosvg.svg2png(bytestring=svg.encode())
        times.append(1000 * (time.perf_counter() - started))
        sizes.append(len(png))
    print(json.dumps([times, sum(sizes) / len(sizes)]), flush=True)
"""

# Game, options, turns played at random, what it is called here.
GAMES: tuple[tuple[str, dict[str, str | bool | int], int, str], ...] = (
    ("spanish", {}, 24, "squares, ivory"),
    ("americanas", {"neglect": "compulsory"}, 24, "squares, red"),
    ("pinoy", {}, 24, "lined board, bottle caps"),
    ("tama", {}, 30, "one-colour board"),
)
NAMES = ("José Ñuñez", "Արամ Պետրոսյան", "Maria", "Ligaya", "Գոհար", "Bo")


def middle_game(variant: str, options: dict[str, str | bool | int], turns: int, seed: int) -> Scene:
    """The picture's scene after so many random turns, earlier if the game ends."""
    lots = random.Random(seed)
    rules = rules_for(variant, options)
    state = rules.start()
    for _ in range(turns):
        choices = rules.turns(state)
        following = rules.play(state, lots.choice(choices))
        if following.outcome:
            break
        state = following
    return scene_of(ShownPosition(rules, state), NAMES)


def naive_star(scene: Scene) -> bytes:
    """The star drawn the plain way: everything at four times the size, shrunk, saved as an RGB PNG."""
    size, scale = 900, 4
    layout = StarLayout(size * scale, scene.turned)
    image = Image.new("RGB", (size * scale, size * scale), (43, 35, 32))
    draw = ImageDraw.Draw(image)
    corners = [[(12, 0), (0, 12), (24, 12)], [(12, 16), (0, 4), (24, 4)]]
    for width, fill in ((76 * scale, (138, 95, 53)), (70 * scale, (227, 199, 155))):
        for triangle in corners:
            points = [layout.centre(place) for place in triangle]
            draw.polygon(points, fill=fill)
            draw.line([*points, points[0], points[1]], fill=fill, width=width, joint="curve")
    for x, y in STAR_PLACES:
        for step in ((2, 0), (1, 1), (-1, 1)):
            if (x + step[0], y + step[1]) in STAR_PLACES:
                ends = [layout.centre((x, y)), layout.centre((x + step[0], y + step[1]))]
                draw.line(ends, fill=(196, 162, 116), width=2 * scale)
    pegs = {mark.place: mark for mark in scene.pieces}
    for place in STAR_PLACES:
        x, y = layout.centre(place)
        _disc(draw, x, y, 14 * scale, (139, 107, 67))
        _disc(draw, x, y, 12 * scale, (176, 142, 98))
    font = ImageFont.truetype(str(FONTS / BOLD), 20 * scale)
    for place, mark in pegs.items():
        x, y = layout.centre(place)
        colour = COLOURS[scene.colours[mark.side]]
        _disc(draw, x, y + 2 * scale, 22 * scale, colour.rim)
        _disc(draw, x, y, 20 * scale, colour.face)
        if mark.label:
            draw.text((x, y), mark.label, font=font, fill=colour.ink, anchor="mm")
        else:
            _disc(draw, x, y, 8 * scale, colour.ink)
    for a, b in pairwise(scene.route):
        for width, fill in ((10 * scale, (255, 255, 255)), (6 * scale, (142, 20, 103))):
            draw.line([layout.centre(a), layout.centre(b)], fill=fill, width=width)
    for i, player in enumerate(scene.players):
        draw.text((20 * scale, (20 + 40 * i) * scale), player.name, font=font, fill=(246, 235, 217))
    for row in range(17):
        draw.text((880 * scale, (50 + 50 * row) * scale), chr(ord("a") + row), font=font, fill=(246, 235, 217))
    out = io.BytesIO()
    image.reduce(scale).save(out, "PNG")
    return out.getvalue()


def _disc(draw: ImageDraw.ImageDraw, x: int, y: int, radius: int, fill: tuple[int, int, int]) -> None:
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=fill)


def timed(make: Callable[[Scene], bytes], scenes: Sequence[Scene]) -> list[float]:
    """Milliseconds for each scene."""
    times = []
    for scene in scenes:
        started = time.perf_counter()
        make(scene)
        times.append(1000 * (time.perf_counter() - started))
    return times


def peer(cache: Path) -> subprocess.Popen[str]:
    """The peers' program, in an environment with their packages, made if it is not there."""
    python = environment(cache, *PACKAGES)
    return subprocess.Popen([python, "-c", PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def asked(program: subprocess.Popen[str]) -> tuple[list[float], float]:
    """One answer of the peers' program: milliseconds, mean bytes."""
    if program.stdin is None or program.stdout is None:
        raise RuntimeError("The peers' program has no pipes.")
    program.stdin.write("\n")
    program.stdin.flush()
    times, size = json.loads(program.stdout.readline())
    return times, size


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = Path(__file__).resolve().parent.parent / "build" / "peers"
    parser.add_argument("cache", type=Path, metavar="CACHE", nargs="?", default=default, help=f"default: {default}")
    parser.add_argument("--rounds", type=int, default=7)
    told = parser.parse_args()

    scenes = {
        name: [middle_game(variant, options, turns, seed) for seed in range(8)]
        for variant, options, turns, name in GAMES
    }
    # More of them, of every age, for the sizes alone.
    more = {
        name: [middle_game(variant, options, 8 + seed % 33, seed) for seed in range(8, 40)]
        for variant, options, _, name in GAMES
    }
    star = [middle_game("chinese-checkers", {"players": 6}, 90, seed) for seed in range(8)]
    scenes["star"] = star
    more["star"] = [middle_game("chinese-checkers", {"players": 6}, 40 + 3 * seed, seed) for seed in range(8, 40)]
    program = peer(told.cache)
    chess: list[float] = []
    naive: list[float] = []
    ours: dict[str, list[float]] = {name: [] for name in scenes}
    # A first round, not counted, makes the tiles and sprites.
    for counted in [False] + [True] * told.rounds:
        theirs, chess_bytes = asked(program)
        plain = timed(naive_star, star)
        drawn = {name: timed(picture.fresh, some) for name, some in scenes.items()}
        if counted:
            chess += theirs
            naive += plain
            for name, times in drawn.items():
                ours[name] += times
    program.communicate()

    print(f"{'picture':28} {'pixels':>6} {'ms':>7} {'99 %':>7} {'KB':>6} {'most':>6}")
    for name, some in scenes.items():
        sizes = [len(picture.fresh(scene)) / 1000 for scene in (*some, *more[name])]
        row(name, 900 if name == "star" else 768, ours[name], statistics.mean(sizes), max(sizes))
    row("chess.svg + cairosvg", 768, chess, chess_bytes / 1000, chess_bytes / 1000)
    sizes = [len(naive_star(scene)) / 1000 for scene in star]
    row("star at 4x, shrunk", 900, naive, statistics.mean(sizes), max(sizes))
    print()
    for name in scenes:
        against, wanted = (naive, 5) if name == "star" else (chess, 10)
        ratio = statistics.median(against) / statistics.median(ours[name])
        print(
            f"{name}: {ratio:.1f} times as fast as {'4x and shrinking' if name == 'star' else 'chess.svg'} ({wanted})"
        )
    return 0


def row(name: str, pixels: int, times: Sequence[float], size: float, most: float) -> None:
    """A line of the table."""
    late = sorted(times)[math.ceil(0.99 * len(times)) - 1]
    print(f"{name:28} {pixels:6} {statistics.median(times):7.2f} {late:7.2f} {size:6.1f} {most:6.1f}")


if __name__ == "__main__":
    sys.exit(main())
