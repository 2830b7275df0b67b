"""Text in pictures: as masks, as sprites, and stamped on a canvas."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from threading import RLock
from typing import Literal

from PIL import Image, ImageFont

from render.canvas import Inks, tinted
from render.colours import RGB
from render.glyphs import BOLD, FONTS, REGULAR

Anchor = Literal["left", "middle", "right"]

ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
# Steps from no ink to full ink at the edges of letters: more make no difference to the eye, but a larger file.
LEVELS = 4
_LEVELLED = bytes(round(value / 255 * LEVELS) * 255 // LEVELS for value in range(256))

# FreeType faces are not safe to use from two threads at once; everything that touches one holds this lock.
_LOCK = RLock()


@lru_cache(maxsize=64)
def _font(file: str, size: int) -> ImageFont.FreeTypeFont:
    # The basic layout is the same in every build of Pillow; what needs shaping is not written at all (see writable).
    return ImageFont.truetype(str(FONTS / file), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def width(text: str, size: int, bold: bool = False) -> int:
    """The width of ``text`` in pixels."""
    with _LOCK:
        return round(_font(BOLD if bold else REGULAR, size).getlength(text))


def fitted(text: str, size: int, room: int, bold: bool = False) -> str:
    """``text``, its end replaced by an ellipsis where it is wider than ``room`` pixels."""
    if width(text, size, bold) <= room:
        return text

    def cut(length: int) -> str:
        return text[:length].rstrip() + ELLIPSIS

    # How many letters fit: with each the text grows wider.
    return cut(bisect_right(range(1, len(text)), room, key=lambda length: width(cut(length), size, bold)))


def snug(text: str, size: int, room: int, bold: bool = False) -> tuple[str, int]:
    """``text`` and a size for it, down to four fifths of ``size``, to fit ``room`` pixels; cut if it must be."""
    least = round(size * 0.8)
    while size > least and width(text, size, bold) > room:
        size -= 1
    return fitted(text, size, room, bold), size


@lru_cache(maxsize=64)
def _lines(file: str, size: int) -> tuple[int, int]:
    """How high a line of text is, in pixels, and how far below its top the middle of the capital letters."""
    font = _font(file, size)
    cap = font.getbbox("H")
    return sum(font.getmetrics()), round((cap[1] + cap[3]) / 2)


@lru_cache(maxsize=512)
def mask(text: str, size: int, bold: bool = False) -> tuple[Image.Image, int]:
    """The coverage ("L") of ``text``, cropped to its own width and to the font's ascent and descent, with the distance
    from its top to the middle of the capital letters, so that lines of text sit level whatever letters they have."""
    file = BOLD if bold else REGULAR
    with _LOCK:
        high, middle = _lines(file, size)
        drawn, (left, top) = _font(file, size).getmask2(text, mode="L")
    image = Image.new("L", (max(1, drawn.size[0] + max(0, left)), high), 0)
    if drawn.size[0] and drawn.size[1]:
        glyphs = Image.frombytes("L", drawn.size, bytes(drawn).translate(_LEVELLED))
        image.paste(glyphs, (max(0, left), top))
    return image, middle


@lru_cache(maxsize=512)
def written(words: str, size: int, ink: RGB, bold: bool = False) -> Image.Image:
    """``words`` as a sprite; not to be changed."""
    return tinted(mask(words, size, bold)[0], ink)


def _corner(letters: Image.Image, middle: int, x: int, y: int, anchor: Anchor) -> tuple[int, int]:
    return x - {"left": 0, "middle": letters.width // 2, "right": letters.width}[anchor], y - middle


def stamp(
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
    letters, middle = mask(words, size, bold)
    inks.write(canvas, letters, ink, *_corner(letters, middle, x, y, anchor))
    return letters.width


def paste(
    picture: Image.Image, words: str, size: int, ink: RGB, x: int, y: int, bold: bool, anchor: Anchor = "middle"
) -> int:
    """The same on a picture in RGB."""
    sprite = written(words, size, ink, bold)
    picture.paste(sprite, _corner(sprite, mask(words, size, bold)[1], x, y, anchor), sprite)
    return sprite.width
