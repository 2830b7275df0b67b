"""Sheets: pictures of text, boxes and lines, such as tables and graphs, in the colours of the boards' frames.

They are drawn in RGB and brought into sixteen inks once, at the end.
"""

from __future__ import annotations

from PIL import Image, ImageDraw

from render import colours, glyphs, text
from render.canvas import Inks, png
from render.colours import RGB, rgb
from render.shapes import Sketch

WIDTH = 768
"""Of most sheets, in pixels. At 360 pixels text of size 22 is as legible as the boards' notes."""
EDGE = 24
"""Free space at the left and right."""

GROUND, BAND, RULE = colours.FRAME, rgb("#372D28"), rgb("#52463E")
TEXT, DIM = colours.TEXT, colours.DIM
GREEN, RED, GOLD, BLUE = colours.TURN, rgb("#F08A7A"), colours.GOLD, rgb("#7FB5F0")
SILVER, BRONZE = rgb("#C9CDD2"), rgb("#CE9058")
WON, LOST = rgb("#2F4F3C"), rgb("#5E322C")
# The rest softens the edges of letters.
INKS = (GROUND, BAND, RULE, rgb("#7A6D62"), rgb("#A0937F"), DIM, TEXT, colours.FRAME_EDGE)
_INKS = Inks((*INKS, GREEN, RED, GOLD, BLUE, SILVER, BRONZE, WON, LOST))


class Sheet:
    """An empty sheet of ``width`` x ``height`` pixels."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.image = Image.new("RGB", (width, height), GROUND)
        self._draw = ImageDraw.Draw(self.image)

    def box(self, left: int, top: int, right: int, bottom: int, fill: RGB) -> None:
        """A filled rectangle; ``right`` and ``bottom`` are the first pixels beyond it."""
        if right > left and bottom > top:
            self._draw.rectangle((left, top, right - 1, bottom - 1), fill)

    def frame(self, left: int, top: int, right: int, bottom: int, ink: RGB, thick: int = 2) -> None:
        """The edge of a rectangle, inside it."""
        self._draw.rectangle((left, top, right - 1, bottom - 1), outline=ink, width=thick)

    def write(
        self,
        words: str,
        x: int,
        y: int,
        size: int,
        ink: RGB = TEXT,
        *,
        bold: bool = False,
        anchor: text.Anchor = "left",
        room: int = 0,
    ) -> int:
        """A line of text, the middle of its capitals at height ``y``, cut to ``room`` pixels (0: not cut); its width.

        What the font cannot write must have been replaced (see ``glyphs.writable``)."""
        if room:
            words, size = text.snug(words, size, room, bold)
        if not words:
            return 0
        return text.paste(self.image, words, size, ink, x, y, bold, anchor)

    def stamp(self, sprite: Image.Image, left: int, top: int) -> None:
        """A sprite ("RGBA"), its upper left corner there."""
        self.image.paste(sprite, (left, top), sprite)

    def disc(self, x: int, y: int, radius: float, fill: RGB, edge: RGB | None = None) -> None:
        """A filled circle about (x, y), with an edge of two pixels."""
        side = 2 * round(radius) + 4
        sketch = Sketch(side, side)
        if edge is not None:
            sketch.disc(side / 2, side / 2, radius, edge)
            radius -= 2
        sketch.disc(side / 2, side / 2, radius, fill)
        self.stamp(sketch.done(), x - side // 2, y - side // 2)

    def headed(self, title: str, note: str, less: int = 0) -> int:
        """Title and note at the top, cut to the width, the title to ``less`` pixels less; the height that they take."""
        room = self.width - 2 * EDGE
        self.write(glyphs.writable(title), EDGE, 34, 30, bold=True, room=room - less)
        if not note:
            return 64
        self.write(glyphs.writable(note), EDGE, 70, 21, DIM, room=room)
        return 98

    def png(self) -> bytes:
        """The sheet as a PNG file."""
        return png(_INKS.convert(self.image))
