"""Bottle caps, the men and kings of Filipino dama: a man lies face down, its inside up, a king face up with a crown."""

from __future__ import annotations

import math

from PIL import Image

from render.colours import GOLD, RGB, Side, mix
from render.pieces import crown
from render.shapes import Point, Sketch

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


def _flutes(sketch: Sketch, x: float, y: float, near: float, far: float, thick: float, fill: RGB) -> None:
    """The folds between the teeth, from radius ``near`` to ``far``."""
    for i in range(TEETH):
        angle = 2 * math.pi * (i + 0.5) / TEETH
        dx, dy = math.sin(angle), -math.cos(angle)
        sketch.stroke([(x + dx * near, y + dy * near), (x + dx * far, y + dy * far)], thick, fill)


def face_down(cell: int, side: Side) -> Image.Image:
    """A man: the crimped edge stands towards the eye, the lining lies deep inside it."""
    u = cell / 80
    sketch = Sketch(cell, cell)
    x, y = 40 * u, 39.5 * u
    sketch.shadow(x, y + 3 * u, 33 * u, 2.2 * u, 0.36)
    sketch.polygon(_crimped(x, y, 30.6 * u, 4.4 * u), side.rim)
    sketch.polygon(_crimped(x, y, 29.0 * u, 4.2 * u), side.wall)
    _flutes(sketch, x, y, 25 * u, 30.2 * u, 1.5 * u, side.rim)
    # The inner wall: dark above, where it turns from the light, bright below.
    sketch.disc(x, y, 25.2 * u, side.rim)
    sketch.disc(x, y, 23.8 * u, mix(side.wall, side.rim, 0.45))
    sketch.disc(x, y + 1.3 * u, 22.6 * u, side.lit)
    sketch.disc(x, y + 0.6 * u, 21.6 * u, side.face)
    sketch.ring(x, y + 0.6 * u, 17.5 * u, 1.6 * u, side.groove)
    sketch.ring(x, y + 0.6 * u, 14.2 * u, 1.6 * u, side.groove)
    return sketch.done()


def face_up(cell: int, side: Side) -> Image.Image:
    """A king: the printed top, a crown on it, the crimped edge bent down and away."""
    u = cell / 80
    sketch = Sketch(cell, cell)
    x, y = 40 * u, 39.0 * u
    sketch.shadow(x, y + 3.6 * u, 33 * u, 2.2 * u, 0.36)
    sketch.polygon(_crimped(x, y + 0.8 * u, 31.2 * u, 4.6 * u), side.rim)
    sketch.polygon(_crimped(x, y + 0.2 * u, 29.8 * u, 4.2 * u), side.groove)
    _flutes(sketch, x, y, 28 * u, 31.4 * u, 1.8 * u, side.rim)
    sketch.disc(x, y, 29.2 * u, side.rim)
    sketch.disc(x, y, 27.8 * u, side.face)
    sketch.light(x, y, 27.8 * u, 0.9, side.lit)
    sketch.ring(x, y, 26.0 * u, 2.0 * u, GOLD)
    crown(sketch, x, y + 1.2 * u, u, 0.98)
    return sketch.done()
