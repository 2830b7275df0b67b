"""Colours, how far apart they are, and those that every board has."""

from __future__ import annotations

RGB = tuple[int, int, int]


def rgb(text: str) -> RGB:
    """``#RRGGBB`` as three numbers."""
    return (int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16))


def mix(a: RGB, b: RGB, share: float) -> RGB:
    """``a`` with ``share`` (0 to 1) of it replaced by ``b``."""
    return (
        round(a[0] + (b[0] - a[0]) * share),
        round(a[1] + (b[1] - a[1]) * share),
        round(a[2] + (b[2] - a[2]) * share),
    )


def luminance(colour: RGB) -> float:
    """Relative luminance, 0 to 1 (WCAG 2.2)."""
    parts = [value / 255 for value in colour]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: RGB, b: RGB) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


FRAME = rgb("#2B2320")
FRAME_EDGE = rgb("#171210")
PILL = rgb("#453932")
TEXT = rgb("#F6EBD9")
DIM = rgb("#C3B5A2")
TURN = rgb("#7BDCA0")
WHITE = rgb("#FFFFFF")
CROSS = rgb("#C01818")
TARGET = rgb("#0E6B3F")
GOLD = rgb("#F5B321")
GOLD_DARK = rgb("#3A2303")
