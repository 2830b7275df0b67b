"""Text as sprites, and stamped on a canvas."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from PIL import Image

from render import text
from render.canvas import Inks
from render.colours import RGB


@lru_cache(maxsize=512)
def written(words: str, size: int, ink: RGB, bold: bool = False) -> Image.Image:
    """``words`` as a sprite; not to be changed."""
    coverage, _ = text.mask(words, size, bold)
    sprite = Image.new("RGBA", coverage.size, (*ink, 0))
    sprite.putalpha(coverage)
    return sprite


def stamp_text(
    inks: Inks,
    canvas: Image.Image,
    words: str,
    size: int,
    ink: RGB,
    x: int,
    y: int,
    bold: bool = False,
    anchor: Literal["left", "middle", "right"] = "left",
) -> int:
    """Write ``words``, the middle of the capitals at height ``y``; the width of the text in pixels."""
    sprite = written(words, size, ink, bold)
    _, middle = text.mask(words, size, bold)
    left = {"left": x, "middle": x - sprite.width // 2, "right": x - sprite.width}[anchor]
    inks.stamp(canvas, sprite, left, y - middle)
    return sprite.width
