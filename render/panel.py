"""What stands around a board of squares: who plays, whose turn it is, what has been taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PIL import Image

from render import colours, text
from render.cache import Cache
from render.canvas import Inks
from render.labels import stamp_text
from render.scene import Mark, Player, Scene
from render.shapes import Sketch

Piece = Callable[[Mark, int], Image.Image]
NAME_SIZE, NOTE_SIZE = 25, 20


class Placed(Protocol):
    """The measures of a board that the panel needs."""

    size: int
    unit: float
    left: int
    top: int
    wide: int
    high: int
    turned: bool


_pills: Cache[tuple[int, int, float], Image.Image] = Cache(64)
_markers: Cache[float, Image.Image] = Cache(16)


def pill(width: int, height: int, unit: float) -> Image.Image:
    """The plate behind the name of the side to move."""

    def make() -> Image.Image:
        sketch = Sketch(width, height, 4)
        sketch.pill(0, 0, width, height, 10 * unit, colours.TURN)
        line = 1.6 * unit
        sketch.pill(line, line, width - line, height - line, 8.6 * unit, colours.PILL)
        return sketch.done()

    return _pills.make((width, height, unit), make)


def marker(unit: float) -> Image.Image:
    """The triangle that points at the name of the side to move."""

    def make() -> Image.Image:
        side = max(6, round(22 * unit))
        sketch = Sketch(side, side)
        k = side / 22
        sketch.stroke([(4 * k, 11 * k), (18 * k, 3.5 * k), (18 * k, 18.5 * k)], 2 * k, colours.TURN, closed=True)
        sketch.polygon([(4 * k, 11 * k), (18 * k, 3.5 * k), (18 * k, 18.5 * k)], colours.TURN)
        return sketch.done()

    return _markers.make(unit, make)


class Panel:
    """The frame's contents for one board."""

    def __init__(self, layout: Placed, inks: Inks, piece: Piece) -> None:
        self.layout, self.inks, self.piece = layout, inks, piece
        self.u = layout.unit

    def draw(self, canvas: Image.Image, scene: Scene) -> None:
        """Names above and below the board, trays on its right, the caption in the lower right corner."""
        room = self.layout.size - self.px(52) - self.px(16)
        used = self._caption(canvas, scene.caption) if scene.caption else 0
        for seat, player in enumerate(scene.players[:2]):
            below = (seat == 0) != scene.turned
            self._name(canvas, player, below, room - (used if below else 0))
            self._tray(canvas, player, below)

    def px(self, parts: float) -> int:
        """Parts of 768 in pixels."""
        return round(parts * self.u)

    def _caption(self, canvas: Image.Image, caption: str) -> int:
        size = max(9, self.px(NOTE_SIZE))
        words = text.fitted(text.writable(caption, ""), size, self.layout.size // 2)
        x, y = self.layout.size - self.px(16), self._middle(True)
        return stamp_text(self.inks, canvas, words, size, colours.DIM, x, y, anchor="right") + self.px(16)

    def _middle(self, below: bool) -> int:
        return self.px(745) if below else self.px(22)

    def _name(self, canvas: Image.Image, player: Player, below: bool, room: int) -> None:
        y = self._middle(below)
        size, small = max(9, self.px(NAME_SIZE)), max(8, self.px(NOTE_SIZE))
        icon = self.px(32)
        left = self.px(52)
        turn = player.to_move
        note = text.writable(player.note, "") if player.note else ""
        fixed = icon + self.px(12) + (self.px(34) if turn else 0)
        if note:
            note, small = text.snug(note, small, (room - fixed) * 6 // 10)
            fixed += text.width(note, small) + self.px(14)
        name, size = text.snug(text.writable(player.name, player.fallback), size, room - fixed, turn)
        long = text.width(name, size, turn)
        if turn:
            plate = pill(fixed + long + self.px(14), self.px(40), self.u)
            self.inks.stamp(canvas, plate, left - self.px(6), y - plate.height // 2)
        if player.sides:
            disc = self.piece(Mark((0, 0), player.sides[0]), icon)
            self.inks.stamp(canvas, disc, left, y - icon // 2)
        x = left + icon + self.px(8)
        stamp_text(self.inks, canvas, name, size, colours.TEXT if turn else colours.DIM, x, y, bold=turn)
        x += long + self.px(14)
        if note:
            stamp_text(self.inks, canvas, note, small, colours.DIM, x, y)
            x += text.width(note, small) + self.px(14)
        if turn:
            sign = marker(self.u)
            self.inks.stamp(canvas, sign, x, y - sign.height // 2)

    def _tray(self, canvas: Image.Image, player: Player, below: bool) -> None:
        """The pieces that a player has taken, kings first, and how many they are; from the player's end inwards."""
        taken = player.kings + player.men
        if not taken or not player.sides:
            return
        side = 1 - player.sides[0]
        layout, cell = self.layout, self.px(32)
        columns = 1 if taken <= 8 else 2
        rows = -(-taken // columns)
        room = self.px(320 - 46) - cell
        step = min(self.px(33), room // max(1, rows - 1))
        middle = layout.size - self.px(38)
        start = layout.top + layout.high - cell if below else layout.top
        way = -1 if below else 1
        order = range(taken)
        for i in order if not below else reversed(order):
            row, column = i % rows, i // rows
            x = middle - cell * columns // 2 + column * cell
            disc = self.piece(Mark((0, 0), side, king=i < player.kings), cell)
            self.inks.stamp(canvas, disc, x, start + way * row * step)
        size = max(9, self.px(22))
        y = start + cell // 2 + way * ((rows - 1) * step + cell // 2 + self.px(18))
        stamp_text(self.inks, canvas, str(taken), size, colours.TEXT, middle, y, bold=True, anchor="middle")
