"""Draughts pieces, turned discs or bottle caps, and the small things that stand on a board: crosses and dots.

Men and kings differ by shape: a king is two men high and wears a crown. Of bottle caps, the pieces of Filipino dama, a
man lies face down, its inside up, a king face up with a crown. Everything is drawn for a square of ``cell`` pixels, in
parts of one of 80.
"""

from __future__ import annotations

import math
from functools import lru_cache

from PIL import Image

from render import glyphs, text
from render.colours import CROSS, GOLD, GOLD_DARK, RGB, TARGET, WHITE
from render.shapes import Point, Sketch
from render.themes import PieceStyle, Side

PLAIN = 40
"""Up to this many pixels a piece is drawn with fewer grooves."""
RADIUS = 31.5
"""The radius of a piece in eightieths of a square."""
TEETH = 21
"""A crown cork has twenty-one teeth."""


@lru_cache(maxsize=512)
def piece(style: PieceStyle, cell: int, side: Side, king: bool) -> Image.Image:
    """A man or a king as a sprite; not to be changed."""
    if style == "discs":
        return disc(cell, side, king)
    return face_up(cell, side) if king else face_down(cell, side)


def disc(cell: int, side: Side, king: bool) -> Image.Image:
    """A man, or a king: a stack of two with a crown."""
    u = cell / 80
    sketch = Sketch(cell, cell)
    x, r = 40 * u, RADIUS * u
    foot, step = (45 if king else 43.5) * u, 5.5 * u
    levels = 2 if king else 1
    for level in range(levels):
        _wall(sketch, x, foot - level * step, foot - (level + 1) * step, r, u, side)
    face = foot - levels * step
    sketch.disc(x, face, r, side.rim)
    sketch.disc(x, face, r - 1.7 * u, side.lit)
    sketch.crescent(x, face, r - 1.7 * u, 2.2 * u, side.face)
    if king:
        sketch.ring(x, face, r - 4.5 * u, 1.5 * u, side.groove)
        crown(sketch, x, face + 0.5 * u, u)
    else:
        for radius in (23.5, 12.5) if cell > PLAIN else (18,):
            sketch.ring(x, face, radius * u, 1.8 * u, side.groove)
    return sketch.done()


def _wall(sketch: Sketch, x: float, low: float, high: float, r: float, u: float, side: Side) -> None:
    sketch.disc(x, low, r, side.rim)
    sketch.rectangle(x - r, high, x + r, low, side.rim)
    inner = r - 1.7 * u
    sketch.disc(x, low, inner, side.wall)
    sketch.rectangle(x - inner, high, x + inner, low, side.wall)


def crown(sketch: Sketch, x: float, y: float, u: float, size: float = 1.0) -> None:
    """A crown of three points about (x, y), gold with a dark outline; 38 parts wide at ``size`` 1."""
    k = u * size
    spikes = [(-15, 11), (-18, -7), (-8.5, 0.5), (0, -12), (8.5, 0.5), (18, -7), (15, 11)]
    outline = [(x + px * k, y + py * k) for px, py in spikes]
    balls = [(x + px * k, y + py * k) for px, py in ((-18, -8.5), (0, -13.5), (18, -8.5))]
    sketch.stroke(outline, 4.6 * k, GOLD_DARK, closed=True)
    for bx, by in balls:
        sketch.disc(bx, by, 5.2 * k, GOLD_DARK)
    sketch.polygon(outline, GOLD)
    for bx, by in balls:
        sketch.disc(bx, by, 3.2 * k, GOLD)
    sketch.rectangle(x - 14.6 * k, y + 5.2 * k, x + 14.6 * k, y + 7.2 * k, GOLD_DARK)


def _crimped(x: float, y: float, radius: float, depth: float) -> list[Point]:
    """The outline of a crimped edge: its teeth stand ``depth`` beyond ``radius``."""
    points = []
    for i in range(TEETH * 16):
        angle = 2 * math.pi * i / (TEETH * 16)
        wave = math.cos(TEETH * angle)
        # Round teeth, narrow gaps: the wave's upper half is drawn out.
        r = radius + depth * (1 - ((1 - wave) / 2) ** 1.6)
        points.append((x + r * math.sin(angle), y - r * math.cos(angle)))
    return points


def _edge(cell: int, side: Side) -> tuple[Sketch, float, float, float]:
    """The crimped metal, with a dark outline that is thicker below; its middle, and one of 80 parts of the square."""
    u = cell / 80
    x, y = 40 * u, 39.5 * u
    sketch = Sketch(cell, cell)
    sketch.polygon(_crimped(x, y + 0.7 * u, 31.6 * u, 3.8 * u), side.rim)
    sketch.polygon(_crimped(x, y, 29.6 * u, 3.6 * u), side.metal)
    return sketch, x, y, u


def face_down(cell: int, side: Side) -> Image.Image:
    """A man: the crimped edge stands towards the eye, the lining lies deep inside it."""
    sketch, x, y, u = _edge(cell, side)
    # The inner wall, dark above, where it turns from the light.
    sketch.disc(x, y, 26.0 * u, side.rim)
    sketch.disc(x, y + 1.2 * u, 23.4 * u, side.face)
    if cell > PLAIN:
        sketch.ring(x, y + 1.2 * u, 16.5 * u, 2.0 * u, side.groove)
    return sketch.done()


def face_up(cell: int, side: Side) -> Image.Image:
    """A king: the printed top, a crown on it, the crimped edge bent down and away."""
    sketch, x, y, u = _edge(cell, side)
    for radius, ink in ((29.2, side.rim), (27.4, GOLD), (24.8, side.face)):
        sketch.disc(x, y - 0.6 * u, radius * u, ink)
    crown(sketch, x, y + 1.0 * u, u, 0.98)
    return sketch.done()


def cross(cell: int, size: float = 1.0) -> Image.Image:
    """The red cross with a white edge on a piece that was taken."""
    u = cell / 80 * size
    side = max(8, math.ceil(44 * u))
    sketch = Sketch(side, side)
    c, arm = side / 2, 14.5 * u
    for thick, fill in ((11.5 * u, WHITE), (6.6 * u, CROSS)):
        for dx, dy in ((1, 1), (1, -1)):
            sketch.stroke([(c - arm * dx, c - arm * dy), (c + arm * dx, c + arm * dy)], thick, fill)
    return sketch.done()


def dot(cell: int) -> Image.Image:
    """The green dot with a white edge on a place where a piece may go."""
    u = cell / 80
    sketch = Sketch(cell, cell)
    sketch.disc(cell / 2, cell / 2, 15.5 * u, WHITE)
    sketch.disc(cell / 2, cell / 2, 12.8 * u, TARGET)
    return sketch.done()


def ring(cell: int) -> Image.Image:
    """The green ring with a white edge about the piece that is chosen."""
    u = cell / 80
    sketch = Sketch(cell, cell)
    sketch.ring(cell / 2, cell / 2, 39 * u, 9 * u, WHITE)
    sketch.ring(cell / 2, cell / 2, 37.5 * u, 6 * u, TARGET)
    return sketch.done()


def plate(cell: int, name: str, ink: RGB, fill: RGB) -> Image.Image:
    """The name of a place on a plate of ``fill`` with an edge of ``ink``, in letters as large as the square allows."""
    u = cell / 80
    words = glyphs.place_name(name)
    size = max(10, round(32 * u))
    while size > 10 and text.width(words, size, True) > 66 * u:
        size -= 1
    letters, middle = text.mask(words, size, True)
    width, high = min(cell, max(letters.width + round(11 * u), round(44 * u))), round(37 * u)
    sketch = Sketch(width, high)
    sketch.pill(0, 0, width, high, 9 * u, ink)
    sketch.pill(2 * u, 2 * u, width - 2 * u, high - 2 * u, 7.5 * u, fill)
    drawn = sketch.done()
    drawn.paste(Image.new("RGB", letters.size, ink), ((width - letters.width) // 2, high // 2 - middle), letters)
    return drawn
