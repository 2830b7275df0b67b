"""Anti-aliased shapes: a sketch is drawn at several times its size and shrunk once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from PIL import Image, ImageChops, ImageDraw

from render.colours import RGB

SCALE = 4
# Steps from nothing to full cover at a shape's edge: more make no difference to the eye, but a larger file.
STEPS = 6
_STEPPED = [round(round(value / 255 * STEPS) * 255 / STEPS) for value in range(256)]
Point = tuple[float, float]


def circle_points(cx: float, cy: float, radius: float, count: int) -> list[Point]:
    """``count`` points on a circle, clockwise, the first at the top."""
    angles = (2 * math.pi * i / count for i in range(count))
    return [(cx + radius * math.sin(angle), cy - radius * math.cos(angle)) for angle in angles]


class Sketch:
    """A transparent picture of ``width`` x ``height`` pixels; coordinates are pixels from its upper left corner."""

    def __init__(self, width: int, height: int, scale: int = SCALE) -> None:
        self.width, self.height, self.scale = width, height, scale
        self.image = Image.new("RGBA", (width * scale, height * scale), (0, 0, 0, 0))
        self._draw = ImageDraw.Draw(self.image)

    def _box(self, cx: float, cy: float, r: float) -> tuple[float, float, float, float]:
        s = self.scale
        return ((cx - r) * s, (cy - r) * s, (cx + r) * s - 1, (cy + r) * s - 1)

    def _points(self, points: Iterable[Point]) -> list[Point]:
        return [(x * self.scale - 0.5, y * self.scale - 0.5) for x, y in points]

    def disc(self, cx: float, cy: float, radius: float, fill: RGB) -> None:
        """A filled circle."""
        self._draw.ellipse(self._box(cx, cy, radius), fill=(*fill, 255))

    def ring(self, cx: float, cy: float, radius: float, thick: float, fill: RGB) -> None:
        """A circle line ``thick`` wide, its outer edge at ``radius``."""
        width = max(1, round(thick * self.scale))
        self._draw.ellipse(self._box(cx, cy, radius), outline=(*fill, 255), width=width)

    def polygon(self, points: Sequence[Point], fill: RGB) -> None:
        """A filled polygon."""
        self._draw.polygon(self._points(points), fill=(*fill, 255))

    def rectangle(self, left: float, top: float, right: float, bottom: float, fill: RGB) -> None:
        """A filled rectangle."""
        s = self.scale
        box = (left * s, top * s, max(left * s, right * s - 1), max(top * s, bottom * s - 1))
        self._draw.rectangle(box, fill=(*fill, 255))

    def pill(self, left: float, top: float, right: float, bottom: float, radius: float, fill: RGB) -> None:
        """A filled rectangle with round corners."""
        s = self.scale
        box = (left * s, top * s, right * s - 1, bottom * s - 1)
        self._draw.rounded_rectangle(box, radius=radius * s, fill=(*fill, 255))

    def stroke(self, points: Sequence[Point], thick: float, fill: RGB, closed: bool = False) -> None:
        """A line through the points with round ends and joints."""
        path = [*points, points[0]] if closed else list(points)
        for a, b in pairwise(path):
            if a != b:
                self.bar(a, b, thick, fill)
        for x, y in path:
            self.disc(x, y, thick / 2, fill)

    def bar(self, a: Point, b: Point, thick: float, fill: RGB) -> None:
        """A straight line from ``a`` to ``b`` with square ends."""
        long = math.hypot(b[0] - a[0], b[1] - a[1])
        dx, dy = (b[0] - a[0]) / long * thick / 2, (b[1] - a[1]) / long * thick / 2
        corners = [(a[0] - dy, a[1] + dx), (b[0] - dy, b[1] + dx), (b[0] + dy, b[1] - dx), (a[0] + dy, a[1] - dx)]
        self.polygon(corners, fill)

    def crescent(self, cx: float, cy: float, radius: float, thick: float, fill: RGB) -> None:
        """A disc but for a crescent at its top, which stays as it is."""
        layer = Image.new("RGBA", self.image.size, (*fill, 0))
        layer.putalpha(ImageChops.multiply(self._mask(cx, cy, radius), self._mask(cx, cy + thick, radius)))
        self.image.alpha_composite(layer)

    def _mask(self, cx: float, cy: float, radius: float) -> Image.Image:
        """The coverage of a disc."""
        mask = Image.new("L", self.image.size, 0)
        ImageDraw.Draw(mask).ellipse(self._box(cx, cy, radius), fill=255)
        return mask

    def done(self) -> Image.Image:
        """The sketch at its own size, "RGBA"."""
        small = self.image.reduce(self.scale)
        small.putalpha(small.getchannel("A").point(_STEPPED))
        return small


def faded(sprite: Image.Image, share: float) -> Image.Image:
    """A sprite with ``share`` of its opacity left."""
    pale = sprite.copy()
    pale.putalpha(sprite.getchannel("A").point(lambda value: round(value * share)))
    return pale
