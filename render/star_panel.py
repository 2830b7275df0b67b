"""Who plays at the star: a plate beside each player's triangle, with pegs, name and a note."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image

from render import colours, text
from render.canvas import Inks
from render.labels import stamp_text
from render.panel import marker, pill
from render.scene import Player, Scene

NAME_SIZE, NOTE_SIZE = 25, 20
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
            words = text.fitted(text.writable(scene.caption, ""), size, self.px(330))
            stamp_text(self.inks, canvas, words, size, colours.DIM, self.px(22), self.px(36))

    def _plate(self, canvas: Image.Image, player: Player, place: tuple[int, int, int]) -> None:
        left, middle, room = (self.px(value) for value in place)
        icons = [self.icon(side) for side in player.sides]
        size, small = max(8, self.px(NAME_SIZE)), max(7, self.px(NOTE_SIZE))
        gap = self.px(8)
        step = self.px(50 if len(icons) == 1 else 31)
        inner = gap + self.px(50) + step * (len(icons) - 1) + gap
        sign = marker(self.unit) if player.to_move else None
        tail = sign.width + 2 * gap if sign else gap
        note = text.writable(player.note, "") if player.note else ""
        name = text.writable(player.name, player.fallback)
        name, size = text.snug(name, size, room - inner - tail, player.to_move)
        note = text.fitted(note, small, room - inner - tail) if note else ""
        wide = max(text.width(name, size, player.to_move), text.width(note, small) if note else 0)
        if sign:
            plate = pill(inner + wide + tail, self.px(68 if note else 54), self.unit)
            self.inks.stamp(canvas, plate, left, middle - plate.height // 2)
        for i, peg in reversed(list(enumerate(icons))):
            self.inks.stamp(canvas, peg, left + gap // 2 + i * step, middle - peg.height // 2)
        x = left + inner
        upper = middle - self.px(14) if note else middle
        ink = colours.TEXT if player.to_move else colours.DIM
        stamp_text(self.inks, canvas, name, size, ink, x, upper, bold=player.to_move)
        if note:
            stamp_text(self.inks, canvas, note, small, colours.DIM, x, middle + self.px(15))
        if sign:
            self.inks.stamp(canvas, sign, x + wide + gap, middle - sign.height // 2)
