"""Text as sprites, and stamped on a canvas."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from PIL import Image

from render import text
from render.canvas import Inks
from render.colours import RGB

Anchor = Literal["left", "middle", "right"]


@lru_cache(maxsize=512)
def written(words: str, size: int, ink: RGB, bold: bool = False) -> Image.Image:
    """``words`` as a sprite; not to be changed."""
    coverage, _ = text.mask(words, size, bold)
    sprite = Image.new("RGBA", coverage.size, (*ink, 0))
    sprite.putalpha(coverage)
    return sprite


def _placed(
    words: str, size: int, ink: RGB, x: int, y: int, bold: bool, anchor: Anchor
) -> tuple[Image.Image, tuple[int, int]]:
    sprite = written(words, size, ink, bold)
    _, middle = text.mask(words, size, bold)
    return sprite, (x - {"left": 0, "middle": sprite.width // 2, "right": sprite.width}[anchor], y - middle)


def stamp_text(
    inks: Inks,
    canvas: Image.Image,
    words: str,
    size: int,
    ink: RGB,
    x: int,
    y: int,
    bold: bool = False,
    anchor: Anchor = "left",
) -> int:
    """Write ``words``, the middle of the capitals at height ``y``; the width of the text in pixels."""
    sprite, corner = _placed(words, size, ink, x, y, bold, anchor)
    inks.stamp(canvas, sprite, *corner)
    return sprite.width


def paste_text(
    picture: Image.Image, words: str, size: int, ink: RGB, x: int, y: int, bold: bool, anchor: Anchor = "middle"
) -> int:
    """The same on a picture in RGB."""
    sprite, corner = _placed(words, size, ink, x, y, bold, anchor)
    picture.paste(sprite, corner, sprite)
    return sprite.width
