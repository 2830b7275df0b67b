"""Text in pictures: what the shipped font can write, and text as masks, as sprites, and stamped on a canvas."""

from __future__ import annotations

import struct
import unicodedata
from bisect import bisect_right
from functools import lru_cache
from pathlib import Path
from threading import RLock
from typing import Literal

from PIL import Image, ImageFont

from render.canvas import Inks, tinted
from render.colours import RGB

Anchor = Literal["left", "middle", "right"]

FONTS = Path(__file__).parent / "fonts"
REGULAR = "DejaVuSans.ttf"
BOLD = "DejaVuSans-Bold.ttf"
ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
NAME_MOST = 64
# Steps from no ink to full ink at the edges of letters: more make no difference to the eye, but a larger file.
LEVELS = 4
_LEVELLED = bytes(round(value / 255 * LEVELS) * 255 // LEVELS for value in range(256))

# FreeType faces are not safe to use from two threads at once; everything that touches one holds this lock.
_LOCK = RLock()


@lru_cache(maxsize=64)
def _font(file: str, size: int) -> ImageFont.FreeTypeFont:
    # The basic layout is the same in every build of Pillow; what needs shaping is not written at all (see writable).
    return ImageFont.truetype(str(FONTS / file), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=2)
def coverage(file: str) -> frozenset[int]:
    """The code points that a font file has glyphs for, read from its character map of full Unicode (cmap format 12)."""
    data = (FONTS / file).read_bytes()
    tables = {}
    for i in range(struct.unpack_from(">H", data, 4)[0]):
        tag, _, offset, _ = struct.unpack_from(">4sIII", data, 12 + 16 * i)
        tables[tag] = offset
    cmap = tables[b"cmap"]
    points: set[int] = set()
    for i in range(struct.unpack_from(">H", data, cmap + 2)[0]):
        at = cmap + struct.unpack_from(">HHI", data, cmap + 4 + 8 * i)[2]
        if struct.unpack_from(">H", data, at)[0] == 12:
            for group in range(struct.unpack_from(">I", data, at + 12)[0]):
                first, last, _ = struct.unpack_from(">III", data, at + 16 + 12 * group)
                points.update(range(first, last + 1))
    return frozenset(points)


def _drawn(char: str) -> bool:
    """Whether both weights have the character, and one glyph after another to the right is how to write it."""
    if unicodedata.category(char) in ("Mn", "Mc", "Me", "Cc", "Cf", "Co", "Cs", "Cn"):
        return False
    if unicodedata.bidirectional(char) in ("R", "AL", "AN"):
        return False
    return ord(char) in coverage(REGULAR) and ord(char) in coverage(BOLD)


def _dropped(char: str) -> bool:
    """Whether a character may be left out and the name is still that name: emoji, controls, accents stacked on top."""
    return unicodedata.category(char) in ("So", "Sk", "Sm", "Cc", "Cf", "Co", "Me") or (
        "\u0300" <= char <= "\u036f" or "\ufe00" <= char <= "\ufe0f" or "\U0001f3fb" <= char <= "\U0001f3ff"
    )


def place_name(name: str) -> str:
    """The name of a place so that its letters are not taken for digits: l is written as a loop."""
    return name.replace("l", "\N{SCRIPT SMALL L}")


@lru_cache(maxsize=1024)
def writable(name: str, fallback: str = "") -> str:
    """``name`` as the font can write it, else ``fallback``; never a glyph that the font lacks.

    Letters in fancy Unicode forms become plain ones and emoji are left out; a name with a letter that the font lacks,
    or in a script that needs shaping or runs to the left, is not written at all.
    """
    for form in ("NFC", "NFKC"):
        text = unicodedata.normalize(form, name[:NAME_MOST])
        words = "".join(char for char in text if _drawn(char) or not _dropped(char))
        words = " ".join(words.split())
        if words and all(_drawn(char) for char in words) and any(char.isalnum() for char in words):
            return words
    if name == fallback:
        return "".join(char if _drawn(char) else "?" for char in fallback)
    return writable(fallback, fallback)


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
