"""What the shipped font can write."""

from __future__ import annotations

import struct
import unicodedata
from functools import lru_cache
from pathlib import Path

FONTS = Path(__file__).parent / "fonts"
REGULAR = "DejaVuSans.ttf"
BOLD = "DejaVuSans-Bold.ttf"
NAME_MOST = 64


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
