"""Bottle caps, the men and kings of Filipino dama: a man lies face down, its inside up, a king face up with a crown."""

from __future__ import annotations

import math

from PIL import Image

from render.colours import GOLD
from render.pieces import PLAIN, crown
from render.shapes import Point, Sketch
from render.themes import Side

TEETH = 21
"""A crown cork has twenty-one teeth."""


def _crimped(x: float, y: float, radius: float, depth: float, turn: float = 0.0) -> list[Point]:
    """The outline of a crimped edge: its teeth stand ``depth`` beyond ``radius``."""
    points = []
    for i in range(TEETH * 16):
        angle = 2 * math.pi * i / (TEETH * 16)
        wave = math.cos(TEETH * angle + turn)
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
