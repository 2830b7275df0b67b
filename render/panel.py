"""Where a board of squares lies in its picture, and what stands around it and the star: players, turn, taken pieces."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from functools import lru_cache, partial
from typing import NamedTuple

from PIL import Image

from render import colours, glyphs, text
from render.cache import Cache
from render.canvas import Inks
from render.scene import Mark, Place, Player, Scene
from render.shapes import Sketch

Piece = Callable[[Mark, int], Image.Image]
# A name takes some 8 KB, a game that is played four of them.
KEPT_BYTES = 4 * 1024 * 1024
WIDTH = 768
NAME_SIZE, NOTE_SIZE = 25, 20


Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels, the last two not included."""


class Part(NamedTuple):
    """A piece of a picture, and where its upper left pixel lies."""

    image: Image.Image
    corner: tuple[int, int]


_parts: Cache[Hashable, Part] = Cache(KEPT_BYTES, lambda part: part.image.width * part.image.height)


class Layout:
    """Where things lie in the picture: pixels from a board's measures. The picture is square."""

    def __init__(self, size: int, columns: int, rows: int, turned: bool) -> None:
        self.size, self.columns, self.rows, self.turned = size, columns, rows, turned
        self.unit = size / WIDTH
        room = 640 * self.unit
        self.cell = int(room / max(columns, rows))
        self.wide, self.high = columns * self.cell, rows * self.cell
        self.left = round(52 * self.unit + (room - self.wide) / 2)
        self.top = round(46 * self.unit + (room - self.high) / 2)

    def corner(self, place: Place) -> tuple[int, int]:
        """The upper left pixel of a place's square."""
        x, y = place
        if self.turned:
            x, y = self.columns - 1 - x, self.rows - 1 - y
        return self.left + x * self.cell, self.top + (self.rows - 1 - y) * self.cell

    def centre(self, place: Place) -> tuple[int, int]:
        """The pixel in the middle of a place's square."""
        left, top = self.corner(place)
        return left + self.cell // 2, top + self.cell // 2


@lru_cache(maxsize=64)
def pill(width: int, height: int, unit: float) -> Image.Image:
    """The plate behind the name of the side to move."""
    ends = _ends(height, unit)
    end = ends.width // 2
    plate = ends.crop((end, 0, end + 1, height)).resize((width, height))
    plate.paste(ends.crop((0, 0, end, height)), (0, 0))
    plate.paste(ends.crop((end, 0, ends.width, height)), (width - end, 0))
    return plate


@lru_cache(maxsize=16)
def _ends(height: int, unit: float) -> Image.Image:
    """A plate that has but its two ends."""
    width = 2 * math.ceil(11 * unit)
    sketch = Sketch(width, height, 4)
    sketch.pill(0, 0, width, height, 10 * unit, colours.TURN)
    line = 1.6 * unit
    sketch.pill(line, line, width - line, height - line, 8.6 * unit, colours.PILL)
    return sketch.done()


@lru_cache(maxsize=16)
def marker(unit: float) -> Image.Image:
    """The triangle that points at the name of the side to move."""
    side = max(6, round(22 * unit))
    sketch = Sketch(side, side)
    k = side / 22
    corners = [(4 * k, 11 * k), (18 * k, 3.5 * k), (18 * k, 18.5 * k)]
    sketch.stroke(corners, 2 * k, colours.TURN, closed=True)
    sketch.polygon(corners, colours.TURN)
    return sketch.done()


class Panel:
    """The frame's contents for one board. What a player's name and tray look like is kept: few of them change with a
    turn, and each is many small pictures."""

    def __init__(self, layout: Layout, inks: Inks, piece: Piece) -> None:
        self.layout, self.inks, self.piece = layout, inks, piece
        self.u = layout.unit
        # By this its parts are kept, as long as others are not used more: the panel itself, and its board, are not.
        self._sign = object()

    def draw(self, canvas: Image.Image, scene: Scene) -> None:
        """Names above and below the board, trays on its right, the caption in the lower right corner."""
        room = self.layout.size - self.px(52) - self.px(16)
        used = self._caption(canvas, scene.caption) if scene.caption else 0
        for seat, player in enumerate(scene.players[:2]):
            below = (seat == 0) != scene.turned
            beside = room - (used if below else 0)
            named, took = player._replace(men=0, kings=0), (player.sides, player.men, player.kings)
            self._kept(canvas, (named, below, beside), partial(self._name, canvas, player, below, beside))
            self._kept(canvas, (took, below), partial(self._tray, canvas, player, below))

    def _kept(self, canvas: Image.Image, key: Hashable, draw: Callable[[], Box | None]) -> None:
        """What ``draw`` draws on a plain ground, and within the box that it returns: it depends on ``key`` alone."""
        part = _parts.get((self._sign, key))
        if part is not None:
            canvas.paste(part.image, part.corner)
        elif (box := draw()) is not None:
            _parts.put((self._sign, key), Part(canvas.crop(box), box[:2]))

    def px(self, parts: float) -> int:
        """Parts of 768 in pixels."""
        return round(parts * self.u)

    def _caption(self, canvas: Image.Image, caption: str) -> int:
        size = max(9, self.px(NOTE_SIZE))
        words = text.fitted(glyphs.writable(caption), size, self.layout.size // 2)
        x, y = self.layout.size - self.px(16), self._middle(True)
        return text.stamp(self.inks, canvas, words, size, colours.DIM, x, y, anchor="right") + self.px(16)

    def _middle(self, below: bool) -> int:
        return self.px(745) if below else self.px(22)

    def _name(self, canvas: Image.Image, player: Player, below: bool, room: int) -> Box:
        y = self._middle(below)
        size, small = max(9, self.px(NAME_SIZE)), max(8, self.px(NOTE_SIZE))
        icon, left = self.px(32), self.px(52)
        turn = player.to_move
        note = glyphs.writable(player.note)
        fixed = icon + self.px(12) + (self.px(34) if turn else 0)
        if note:
            note, small = text.snug(note, small, (room - fixed) * 6 // 10)
            fixed += text.width(note, small) + self.px(14)
        name, size = text.snug(glyphs.writable(player.name, player.fallback), size, room - fixed, turn)
        long = text.width(name, size, turn)
        if turn:
            plate = pill(fixed + long + self.px(14), self.px(40), self.u)
            self.inks.stamp(canvas, plate, left - self.px(6), y - plate.height // 2)
        if player.sides:
            disc = self.piece(Mark((0, 0), player.sides[0]), icon)
            self.inks.stamp(canvas, disc, left, y - icon // 2)
        x = left + icon + self.px(8)
        text.stamp(self.inks, canvas, name, size, colours.TEXT if turn else colours.DIM, x, y, bold=turn)
        x += long + self.px(14)
        if note:
            text.stamp(self.inks, canvas, note, small, colours.DIM, x, y)
            x += text.width(note, small) + self.px(14)
        if turn:
            sign = marker(self.u)
            self.inks.stamp(canvas, sign, x, y - sign.height // 2)
        half = self.px(21)
        return left - self.px(6), max(0, y - half), left - self.px(6) + fixed + long + self.px(28), y + half

    def _tray(self, canvas: Image.Image, player: Player, below: bool) -> Box | None:
        """The pieces that a player has taken, kings first, and how many they are; from the player's end inwards."""
        taken = player.kings + player.men
        if not taken or not player.sides:
            return None
        side = 1 - player.sides[0]
        layout, cell = self.layout, self.px(32)
        columns = 1 if taken <= 8 else 2
        rows = -(-taken // columns)
        # Half the board's height, less the number.
        room = self.px(320 * layout.rows / max(layout.rows, layout.columns) - 46) - cell
        step = min(self.px(33), room // max(1, rows - 1))
        middle = layout.size - self.px(38)
        start = layout.top + layout.high - cell if below else layout.top
        way = -1 if below else 1
        for i in reversed(range(taken)) if below else range(taken):
            row, column = i % rows, i // rows
            x = middle - cell * columns // 2 + column * cell
            disc = self.piece(Mark((0, 0), side, king=i < player.kings), cell)
            self.inks.stamp(canvas, disc, x, start + way * row * step)
        size = max(9, self.px(22))
        y = start + cell // 2 + way * ((rows - 1) * step + cell // 2 + self.px(18))
        text.stamp(self.inks, canvas, str(taken), size, colours.TEXT, middle, y, bold=True, anchor="middle")
        if room < 0:
            # The two trays overlap: what one looks like depends on the other.
            return None
        ends = sorted((start, start + way * (rows - 1) * step, y - cell // 2))
        return middle - cell, ends[0], middle + cell, ends[-1] + cell


# Left edge, middle and width of the plate beside each triangle (S SW NW N NE SE), in parts of 900.
PLATES = ((536, 853, 352), (16, 744, 270), (16, 156, 270), (536, 47, 352), (614, 156, 274), (614, 744, 274))


class StarPanel:
    """The plates of one picture."""

    def __init__(self, size: int, unit: float, inks: Inks, icon: Callable[[int], Image.Image]) -> None:
        self.size, self.unit, self.inks, self.icon = size, unit, inks, icon

    def px(self, parts: float) -> int:
        """Parts of 900 in pixels."""
        return round(parts * self.unit)

    def draw(self, canvas: Image.Image, scene: Scene) -> None:
        """A plate for each player who has pegs, and the caption in the upper left corner."""
        for player in scene.players:
            if player.sides:
                # Sets are named clockwise; a player of three sits behind the middle one, of two behind the first.
                seat = player.sides[(len(player.sides) - 1) // 2]
                self._plate(canvas, player, PLATES[(seat + 3) % 6 if scene.turned else seat])
        if scene.caption:
            size = max(8, self.px(NOTE_SIZE))
            words = text.fitted(glyphs.writable(scene.caption), size, self.px(330))
            text.stamp(self.inks, canvas, words, size, colours.DIM, self.px(22), self.px(36))

    def _plate(self, canvas: Image.Image, player: Player, place: tuple[int, int, int]) -> None:
        left, middle, room = (self.px(value) for value in place)
        icons = [self.icon(side) for side in player.sides]
        size, small = max(8, self.px(NAME_SIZE)), max(7, self.px(NOTE_SIZE))
        gap = self.px(8)
        step = self.px(50 if len(icons) == 1 else 31)
        inner = gap + self.px(50) + step * (len(icons) - 1) + gap
        sign = marker(self.unit) if player.to_move else None
        tail = sign.width + 2 * gap if sign else gap
        room -= inner + tail
        beside, note, small = self._notes(player, size, small, room)
        name = glyphs.writable(player.name, player.fallback)
        name, size = text.snug(name, size, room - text.width(beside, size, player.to_move), player.to_move)
        struck = text.width(name, size) if player.out else 0
        name += beside
        wide = max(text.width(name, size, player.to_move), text.width(note, small))
        if sign:
            plate = pill(inner + wide + tail, self.px(68 if note else 54), self.unit)
            self.inks.stamp(canvas, plate, left, middle - plate.height // 2)
        for i, peg in reversed(list(enumerate(icons))):
            self.inks.stamp(canvas, peg, left + gap // 2 + i * step, middle - peg.height // 2)
        x = left + inner
        upper = middle - self.px(14) if note else middle
        ink = colours.TEXT if player.to_move else colours.DIM
        text.stamp(self.inks, canvas, name, size, ink, x, upper, bold=player.to_move)
        if struck:
            line = Sketch(struck, self.px(3) or 1)
            line.rectangle(0, 0, struck, line.height, ink)
            self.inks.stamp(canvas, line.done(), x, upper)
        if note:
            text.stamp(self.inks, canvas, note, small, colours.DIM, x, middle + self.px(15))
        if sign:
            self.inks.stamp(canvas, sign, x + wide + gap, middle - sign.height // 2)

    @staticmethod
    def _notes(player: Player, large: int, size: int, room: int) -> tuple[str, str, int]:
        """What stands beside the name, which is written as ``large``, what below it, and the size of that: the player's
        note, and the side, by which texts call the player, where the name is not the side's already. Rather than the
        name, the side is cut."""
        note, side = glyphs.writable(player.note), glyphs.writable(player.fallback)
        name = glyphs.writable(player.name, player.fallback)
        if name == side:
            return "", text.fitted(note, size, room), size
        dot = " \N{MIDDLE DOT} "
        both = dot.join(part for part in (side, note) if part)
        in_one, smaller = text.snug(both, size, room)
        if in_one == both:
            return "", both, smaller
        beside = dot + note if note else ""
        if not beside or text.width(name + beside, large, player.to_move) <= room:
            return (beside, *text.snug(side, size, room))
        smaller = round(size * 0.8)
        return "", text.fitted(side, smaller, room - text.width(beside, smaller)) + beside, smaller
