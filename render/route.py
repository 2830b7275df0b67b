"""The way of the last turn: a line with a white edge in single steps, each made once for its direction and size."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from PIL import Image

from render.colours import RGB, WHITE
from render.scene import Place
from render.shapes import Point, Sketch

LINE, EDGE = 7.4, 12.0
"""How wide the line is, and the line with its white edge, in eightieths of a square."""


def steps(route: Sequence[Place]) -> Iterator[tuple[Place, Place]]:
    """The single steps of a route whose legs run along rows, columns or diagonals of a square board."""
    for (ax, ay), (bx, by) in pairwise(route):
        long = max(abs(bx - ax), abs(by - ay))
        for i in range(long):
            yield (
                (ax + round((bx - ax) * i / long), ay + round((by - ay) * i / long)),
                (ax + round((bx - ax) * (i + 1) / long), ay + round((by - ay) * (i + 1) / long)),
            )


def leg(dx: int, dy: int, pad: int, reach: float = 1.0) -> tuple[Sketch, Point, Point]:
    """A sketch for a leg that goes so many pixels right and down, with ``pad`` around it; where on it the leg starts
    and, at ``reach`` of its length, ends."""
    x, y = pad + max(0.0, -dx), pad + max(0.0, -dy)
    return Sketch(abs(dx) + 2 * pad, abs(dy) + 2 * pad), (x, y), (x + dx * reach, y + dy * reach)


def segment(sketch: Sketch, a: Point, b: Point, u: float, fill: RGB) -> Image.Image:
    """A piece of line from ``a`` to ``b``; its ends are square and reach a little further, the line more than its edge,
    so that the next piece joins without a seam."""
    long = math.hypot(b[0] - a[0], b[1] - a[1])
    dx, dy = (b[0] - a[0]) / long, (b[1] - a[1]) / long
    for thick, ink, more in ((EDGE, WHITE, 0.5), (LINE, fill, 2.0)):
        sketch.bar((a[0] - more * dx, a[1] - more * dy), (b[0] + more * dx, b[1] + more * dy), thick * u, ink)
    return sketch.done()


def arrow(sketch: Sketch, a: Point, b: Point, u: float, fill: RGB) -> Image.Image:
    """The last piece of line, from ``a`` to an arrow whose point is at ``b``."""
    long = math.hypot(b[0] - a[0], b[1] - a[1])
    dx, dy = (b[0] - a[0]) / long, (b[1] - a[1]) / long
    back = 19 * u
    neck = (b[0] - dx * back * 0.8, b[1] - dy * back * 0.8)
    sketch.bar((a[0] - 0.5 * dx, a[1] - 0.5 * dy), neck, EDGE * u, WHITE)
    _head(sketch, b, (dx, dy), back, 12 * u, (EDGE - LINE) * u, WHITE)
    sketch.bar((a[0] - 2 * dx, a[1] - 2 * dy), neck, LINE * u, fill)
    _head(sketch, b, (dx, dy), back, 12 * u, 0, fill)
    return sketch.done()


def head(sketch: Sketch, b: Point, way: Point, u: float, fill: RGB) -> Image.Image:
    """A small arrow's head alone, its point at ``b``, in the direction ``way`` (of length one)."""
    _head(sketch, b, way, 14 * u, 11 * u, (EDGE - LINE) * u, WHITE)
    _head(sketch, b, way, 14 * u, 11 * u, 0, fill)
    return sketch.done()


def _head(sketch: Sketch, b: Point, way: Point, back: float, wide: float, edge: float, fill: RGB) -> None:
    (dx, dy), foot = way, (b[0] - way[0] * back, b[1] - way[1] * back)
    corners = [b, (foot[0] - dy * wide, foot[1] + dx * wide), (foot[0] + dy * wide, foot[1] - dx * wide)]
    sketch.polygon(corners, fill)
    if edge:
        sketch.stroke(corners, edge, fill, closed=True)


def knot(u: float, fill: RGB, radius: float) -> Image.Image:
    """A round stop on the way, ``radius`` in eightieths of a square without its white edge."""
    side = 2 * math.ceil((radius + 3) * u) + 2
    sketch = Sketch(side, side)
    sketch.disc(side / 2, side / 2, (radius + 2.3) * u, WHITE)
    sketch.disc(side / 2, side / 2, radius * u, fill)
    return sketch.done()
