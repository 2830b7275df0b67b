"""Pegs of the star, their six colours and marks, holes and targets, for holes ``58 * u`` pixels apart."""

from __future__ import annotations

from typing import NamedTuple

from PIL import Image, ImageChops

from render import glyphs, text
from render.colours import FRAME, RGB, TARGET, WHITE, contrast, mix, rgb
from render.shapes import Sketch, circle_points

DARK = rgb("#15120F")
PEG_RADIUS = 22.4
LIFT = 1.2
"""How far above the middle of its hole a peg's face lies."""
CORE_RADIUS = 17.5
"""The inner face of a peg, which the route of the last turn does not cover."""


class Colour(NamedTuple):
    """A colour of the star and its mark; ``ink`` is what is drawn on it."""

    name: str
    face: RGB
    rim: RGB
    ink: RGB
    mark: str


# Least CIEDE2000 distance between any two: 27.9 with full colour vision, 16.1 or more with any of the three kinds of
# colour blindness; in greys they fall together, hence the marks.
COLOURS = (
    Colour("vermilion", rgb("#D54A18"), rgb("#6E1F05"), WHITE, "disc"),
    Colour("yellow", rgb("#FAE246"), rgb("#7D6A08"), DARK, "triangle"),
    Colour("blue", rgb("#125CA8"), rgb("#072B54"), WHITE, "square"),
    Colour("white", rgb("#ECECEC"), rgb("#6A6A6A"), DARK, "ring"),
    Colour("black", rgb("#222228"), rgb("#000000"), WHITE, "cross"),
    Colour("green", rgb("#60C496"), rgb("#1C6A47"), DARK, "diamond"),
)


def on_frame(colour: Colour) -> Colour:
    """The colour with a rim that stands out on the dark frame."""
    return colour._replace(rim=rgb("#77777F")) if contrast(colour.face, FRAME) < 2.0 else colour


def mark(sketch: Sketch, kind: str, x: float, y: float, r: float, fill: RGB, ground: RGB) -> None:
    """One of the six marks, about as large as a disc of radius ``r``."""
    if kind == "disc":
        sketch.disc(x, y, r * 0.92, fill)
    elif kind == "ring":
        sketch.disc(x, y, r * 1.02, fill)
        sketch.disc(x, y, r * 0.55, ground)
    elif kind == "triangle":
        sketch.polygon(circle_points(x, y + r * 0.2, r * 1.28, 3), fill)
    elif kind == "square":
        k = r * 0.88
        sketch.rectangle(x - k, y - k, x + k, y + k, fill)
    elif kind == "diamond":
        sketch.polygon(circle_points(x, y, r * 1.25, 4), fill)
    else:
        k = r * 0.82
        for a, b in (((-k, -k), (k, k)), ((-k, k), (k, -k))):
            sketch.stroke([(x + a[0], y + a[1]), (x + b[0], y + b[1])], r * 0.52, fill)


def peg(width: int, height: int, u: float, colour: Colour, label: str = "") -> Image.Image:
    """A peg in the middle of a sprite, with its mark, or a smaller mark above its label."""
    sketch = Sketch(width, height)
    x, y, r = width / 2, height / 2 - LIFT * u, PEG_RADIUS * u
    sketch.disc(x, y + 2.6 * u, r, colour.rim)
    sketch.disc(x, y, r, colour.rim)
    sketch.disc(x, y, r - 1.8 * u, mix(colour.face, WHITE, 0.4))
    sketch.crescent(x, y, r - 1.8 * u, 1.8 * u, colour.face)
    above, size = (12.6, 4.6) if label else (0.0, 8.6)
    mark(sketch, colour.mark, x, y - above * u, size * u, colour.ink, colour.face)
    return _labelled(sketch.done(), x, y, u, colour.ink, label)


def core(drawn: Image.Image, u: float, label: str = "") -> Image.Image:
    """The inner face alone of a drawn peg or target, with all of its name, to be put back over a line across it."""
    mask = Sketch(drawn.width, drawn.height)
    x, y = drawn.width / 2, drawn.height / 2
    mask.disc(x, y - LIFT * u, CORE_RADIUS * u, WHITE)
    if label:
        half = text.width(glyphs.place_name(label), label_size(label, u), True) / 2 + u
        mask.pill(x - half, y - 8 * u, x + half, y + 16 * u, 5 * u, WHITE)
    inner = drawn.copy()
    inner.putalpha(ImageChops.multiply(mask.done().getchannel("A"), drawn.getchannel("A")))
    return inner


def _labelled(
    sprite: Image.Image, x: float, y: float, u: float, ink: RGB, label: str, lower: float = 4.6
) -> Image.Image:
    if label:
        size = label_size(label, u)
        coverage, middle = text.mask(glyphs.place_name(label), size, True)
        over = Image.new("RGBA", sprite.size, (*ink, 0))
        shape = Image.new("L", sprite.size, 0)
        shape.paste(coverage, (round(x - coverage.width / 2), round(y + lower * u - middle)))
        over.putalpha(shape)
        sprite.alpha_composite(over)
    return sprite


def label_size(label: str, u: float) -> int:
    """The size of bold letters in which a hole's name is as wide as the hole and the gap to the next allow."""
    size = max(7, round(26 * u))
    while size > 7 and text.width(glyphs.place_name(label), size, True) > 52 * u:
        size -= 1
    return size


def hole(u: float, side: int, edge: RGB, ground: RGB) -> Image.Image:
    """An empty hole; its edge tells whose triangle it lies in."""
    sketch = Sketch(side, side)
    c = side / 2
    sketch.disc(c, c, 14.5 * u, edge)
    sketch.disc(c, c, 12.2 * u, ground)
    return sketch.done()


def target(width: int, height: int, u: float, label: str) -> Image.Image:
    """A hole where the moving peg may go: ringed green, with its name."""
    sketch = Sketch(width, height)
    x, y = width / 2, height / 2
    sketch.disc(x, y, 23.4 * u, WHITE)
    sketch.disc(x, y, 22.2 * u, TARGET)
    sketch.disc(x, y, 18.4 * u, mix(WHITE, TARGET, 0.2))
    if not label:
        sketch.disc(x, y, 9 * u, TARGET)
    return _labelled(sketch.done(), x, y, u * 0.9, DARK, label, lower=0)


def halo(u: float, fill: RGB) -> Image.Image:
    """The ring about the peg that moved last."""
    side = 2 * round(30 * u)
    sketch = Sketch(side, side)
    c = side / 2
    sketch.ring(c, c, 27.6 * u, 6.2 * u, WHITE)
    sketch.ring(c, c, 26.4 * u, 3.8 * u, fill)
    return sketch.done()


def ring(u: float, fill: RGB) -> Image.Image:
    """A thin ring about a target where the last turn came by."""
    side = 2 * round(30 * u)
    sketch = Sketch(side, side)
    sketch.ring(side / 2, side / 2, 25.6 * u, 3 * u, fill)
    return sketch.done()
