"""Boards of squares: their layout, the empty board, pieces on it, the last turn."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache, partial
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFilter

from render import colours, pieces, route, text
from render.cache import Cache
from render.canvas import Inks, png, with_margin
from render.colours import RGB
from render.panel import WIDTH, Layout, Panel
from render.scene import Mark, Place, Scene
from render.shapes import Sketch, faded
from render.themes import THEMES, Theme

GHOST = 0.42
FRAME_CONTRAST = 2.0
# Squares of fewer pixels, in a picture of the usual width, have their numbers on top of all else.
DENSE = 72


class Ground(NamedTuple):
    """What an empty board depends on."""

    theme: Theme
    columns: int
    rows: int
    played: frozenset[Place]
    turned: bool
    numbers: tuple[tuple[Place, int], ...]
    names: bool
    size: int


def sprite(theme: Theme, cell: int, mark: Mark, on_frame: bool = False) -> Image.Image:
    """A piece in the theme's style, "RGBA", ``cell`` pixels square; ``on_frame``: dark ones with a rim that shows."""
    side = theme.sides[mark.side]
    if on_frame and colours.contrast(side.face, colours.FRAME) < FRAME_CONTRAST:
        dark, rim = colours.FRAME_EDGE, side.metal if theme.piece_style == "caps" else colours.DIM
        side = side._replace(face=dark, lit=dark, wall=dark, rim=rim)
    return pieces.piece(theme.piece_style, cell, side, mark.king)


@lru_cache(maxsize=8)
def inks(theme: Theme) -> Inks:
    """The palette of a theme, made once."""
    return Inks(theme.inks)


class Board:
    """An empty board of one theme and size, and the tiles that have been made for it."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.theme = ground.theme
        self.layout = Layout(ground.size, ground.columns, ground.rows, ground.turned)
        self.inks = inks(ground.theme)
        self.unit = self.layout.cell / 80
        self._tiles: Cache[tuple[object, ...], Image.Image] = Cache(800)
        self._small: Cache[object, Image.Image] = Cache(128)
        self.empty = with_margin(self.inks.convert(self._painted()))
        self._panel = Panel(self.layout, self.inks, lambda mark, cell: sprite(self.theme, cell, mark, True))

    # -- the empty board

    def _painted(self) -> Image.Image:
        layout, theme, cell = self.layout, self.theme, self.layout.cell
        picture = Image.new("RGB", (layout.size, layout.size), colours.FRAME)
        draw = ImageDraw.Draw(picture)
        edge = max(2, round(4 * layout.unit))
        right, bottom = layout.left + layout.wide, layout.top + layout.high
        draw.rectangle((layout.left - edge, layout.top - edge, right + edge - 1, bottom + edge - 1), colours.FRAME_EDGE)
        draw.rectangle((layout.left, layout.top, right - 1, bottom - 1), theme.other)
        if theme.ground == "squares":
            for place in self.ground.played:
                left, top = layout.corner(place)
                draw.rectangle((left, top, left + cell - 1, top + cell - 1), theme.played)
        elif theme.ground == "grid":
            self._grid(draw)
        else:
            self._matrix(picture)
        if self.ground.names:
            self._names(picture)
        for place, number in () if self._dense else self.ground.numbers:
            self._number(picture, place, str(number))
        return picture

    @property
    def _dense(self) -> bool:
        """Whether squares are so small that a number in the ground is too, half hidden by a piece."""
        return self.theme.ground == "squares" and self.layout.cell < DENSE * self.layout.unit

    def _number(self, picture: Image.Image, place: Place, number: str) -> None:
        """A square's number in its upper left corner; beside its point where lines run through the corners."""
        size = max(7, round((17 if self.theme.ground == "points" else 15) * self.unit))
        drawn = text.written(number, size, self.theme.number, bold=True)
        _, middle = text.mask(number, size, True)
        left, top = self.layout.corner(place)
        gap = round(2 * self.unit)
        if self.theme.ground == "points":
            right = left + self.layout.cell
            ends = right + drawn.width + gap > self.layout.left + self.layout.wide
            spot = (left - gap - drawn.width if ends else right + gap, top + self.layout.cell // 2 - middle)
        else:
            spot = (left + gap, top + round(8 * self.unit) - middle)
        picture.paste(drawn, spot, drawn)

    def _grid(self, draw: ImageDraw.ImageDraw) -> None:
        layout, cell = self.layout, self.layout.cell
        thick = max(1, round(2 * self.unit))
        for i in range(layout.columns + 1):
            x = layout.left + min(max(i * cell - thick // 2, 0), layout.wide - thick)
            draw.rectangle((x, layout.top, x + thick - 1, layout.top + layout.high - 1), self.theme.line)
        for i in range(layout.rows + 1):
            y = layout.top + min(max(i * cell - thick // 2, 0), layout.high - thick)
            draw.rectangle((layout.left, y, layout.left + layout.wide - 1, y + thick - 1), self.theme.line)

    def _matrix(self, picture: Image.Image) -> None:
        """Points joined along the diagonals."""
        layout, cell, scale = self.layout, self.layout.cell, 4
        mask = Image.new("L", (layout.wide * scale, layout.high * scale), 0)
        draw = ImageDraw.Draw(mask)
        centres = {}
        for place in self.ground.played:
            left, top = layout.corner(place)
            centres[place] = ((left - layout.left + cell / 2) * scale, (top - layout.top + cell / 2) * scale)
        for (x, y), centre in centres.items():
            for step in (-1, 1):
                other = centres.get((x + step, y + 1))
                if other:
                    draw.line((*centre, *other), fill=255, width=max(scale, round(3.0 * self.unit * scale)))
        r = 6.5 * self.unit * scale
        for cx, cy in centres.values():
            draw.ellipse((cx - r, cy - r, cx + r, cy + r), fill=255)
        mask = mask.reduce(scale)
        picture.paste(Image.new("RGB", mask.size, self.theme.line), (layout.left, layout.top), mask)

    def _names(self, picture: Image.Image) -> None:
        """Letters under the columns, numbers left of the rows."""
        layout = self.layout
        size = max(9, round(min(26 * layout.unit, 0.46 * layout.cell + 2 * layout.unit)))
        for x in range(layout.columns):
            place_x, _ = layout.centre((x, 0))
            middle = layout.top + layout.high + round(22 * layout.unit)
            text.paste(picture, chr(ord("a") + x), size, colours.TEXT, place_x, middle, True)
        for y in range(layout.rows):
            _, place_y = layout.centre((0, y))
            text.paste(picture, str(y + 1), size, colours.TEXT, layout.left - round(27 * layout.unit), place_y, True)

    # -- what stands on it

    def draw(self, scene: Scene) -> Image.Image:
        """The scene on this board, in palette mode, with the margin of ``png``."""
        canvas = self.empty.copy()
        tinted = frozenset(scene.route[:1] + scene.route[-1:])
        standing = {mark.place: mark for mark in scene.pieces}
        for place in tinted - standing.keys():
            self._put(canvas, place, None, True, 1.0)
        for ghost in scene.ghosts:
            if ghost.place not in standing:
                self._put(canvas, ghost.place, ghost, ghost.place in tinted, GHOST)
        for place, mark in standing.items():
            self._put(canvas, place, mark, place in tinted, 1.0)
        self._route(canvas, scene.route, standing)
        for ghost in scene.ghosts:
            self._cross(canvas, ghost.place, ghost.place in standing)
        if scene.chosen is not None:
            self._centred(canvas, self._small.make("ring", lambda: pieces.ring(self.layout.cell)), scene.chosen)
        for target in scene.targets:
            if target.label:
                self._centred(canvas, self._plate(target.label, colours.TEXT, colours.TARGET), target.place)
            else:
                self._centred(canvas, self._small.make("dot", lambda: pieces.dot(self.layout.cell)), target.place)
        aimed = {target.place for target in scene.targets}
        for mark in scene.pieces:
            if mark.label and mark.place not in aimed:
                # Low on the piece, so that a king's crown stays in sight.
                x, y = self.layout.centre(mark.place)
                plate = self._plate(mark.label, colours.FRAME_EDGE, colours.TEXT)
                self.inks.stamp_centred(canvas, plate, x, y + round(21 * self.unit))
        # Where a piece bears its name, its square's number would say it twice.
        plated = {mark.place for mark in scene.pieces if mark.label} | {each.place for each in scene.targets}
        for place, number in self.ground.numbers if self._dense else ():
            if place in plated:
                continue
            left, top = self.layout.corner(place)
            plate = self._small.make(("number", number), partial(self._outlined, str(number)))
            self.inks.stamp(canvas, plate, left, top)
        self._panel.draw(canvas, scene)
        return canvas

    def _put(self, canvas: Image.Image, place: Place, mark: Mark | None, tinted: bool, share: float) -> None:
        """A square with its piece: one tile, made once."""
        corner = self.layout.corner(place)
        kind = (mark.side, mark.king, share) if mark else None

        def make() -> Image.Image:
            cell = self.layout.cell
            tile = self.empty.crop((*corner, corner[0] + cell, corner[1] + cell))
            if tinted:
                tile = self._tinted(tile, place)
            if mark is None:
                return tile
            piece = sprite(self.theme, cell, mark)
            return self.inks.over(tile, piece if share == 1.0 else faded(piece, share))

        canvas.paste(self._tiles.make((place, kind, tinted), make), corner)

    def _tinted(self, tile: Image.Image, place: Place) -> Image.Image:
        """The tile with its ground in the colour of the last turn, lines and numbers as they are."""
        plain, tint = self.theme.plain, self.theme.tint
        colours_of = tile.convert("RGB")
        table: list[int] = []
        for channel in range(3):
            ground, wanted = plain[channel], tint[channel]
            table += [min(255, round(value * wanted / max(1, ground))) for value in range(256)]
        painted = colours_of.point(table)
        if self.theme.ground == "points":
            round_tint = Sketch(tile.width, tile.height)
            round_tint.disc(tile.width / 2, tile.height / 2, 38 * self.unit, tint)
            painted = Image.composite(painted, colours_of, round_tint.done().getchannel("A"))
        return self.inks.convert(painted)

    def _route(self, canvas: Image.Image, places: tuple[Place, ...], standing: Mapping[Place, Mark]) -> None:
        legs = list(route.steps(places))
        if not legs:
            return
        unit, fill = self.unit, self.theme.route
        for i, (a, b) in enumerate(legs):
            last = i == len(legs) - 1
            mark = standing.get(places[-1])
            if last and mark and places[-1] in places[:-1]:
                # The way crosses the place where it ends: the piece stands on top of it.
                leg = sprite(self.theme, self.layout.cell, mark)
                self.inks.stamp(canvas, leg, *self.layout.corner(places[-1]))
            (ax, ay), (bx, by) = self.layout.centre(a), self.layout.centre(b)
            dx, dy = bx - ax, by - ay
            leg = self._small.make(("step", dx, dy, last), partial(self._step, dx, dy, last))
            self.inks.stamp_centred(canvas, leg, (ax + bx) // 2, (ay + by) // 2)
        if places[0] != places[-1]:
            self._centred(canvas, self._small.make("start", lambda: route.knot(unit, fill, 5.0)), places[0])
        for stop in (stop for stop in places[1:-1] if stop != places[-1]):
            self._centred(canvas, self._small.make("stop", lambda: route.knot(unit, fill, 7.0)), stop)

    def _step(self, dx: int, dy: int, last: bool) -> Image.Image:
        pad = round(20 * self.unit)
        if not last:
            return route.segment(*route.leg(dx, dy, pad), self.unit, self.theme.route)
        long = math.hypot(dx, dy)
        reach = (long - (pieces.RADIUS + 2.5) * self.unit) / long
        return route.arrow(*route.leg(dx, dy, pad, reach), self.unit, self.theme.route)

    def _cross(self, canvas: Image.Image, place: Place, taken_again: bool) -> None:
        """The cross of a piece that was taken; small and aside where another piece stands now."""
        cell = self.layout.cell
        if taken_again:
            small = self._small.make("small cross", lambda: pieces.cross(cell, 0.5))
            left, top = self.layout.corner(place)
            self.inks.stamp(canvas, small, left + cell - small.width, top)
        else:
            self._centred(canvas, self._small.make("cross", lambda: pieces.cross(cell)), place)

    def _plate(self, name: str, ink: RGB, fill: RGB) -> Image.Image:
        """The name of a place on a plate, as large as a square allows."""
        return self._small.make(("plate", name, fill), lambda: pieces.plate(self.layout.cell, name, ink, fill))

    def _outlined(self, number: str) -> Image.Image:
        """A square's number for the top of all else: large, light, with a dark edge."""
        size = max(9, round(0.38 * self.layout.cell))
        edge = max(1, round(0.03 * self.layout.cell))
        letters, middle = text.mask(number, size, True)
        top = middle - round(0.4 * size)
        letters = letters.crop((-edge, top - edge, letters.width + edge, top + round(0.8 * size) + edge))
        dark = letters.filter(ImageFilter.MaxFilter(2 * edge + 1))
        plate = Image.merge("RGBA", (*(Image.new("L", letters.size, value) for value in colours.FRAME_EDGE), dark))
        plate.paste(Image.new("RGBA", letters.size, colours.TEXT), (0, 0), letters)
        return plate

    def _centred(self, canvas: Image.Image, small: Image.Image, place: Place) -> None:
        self.inks.stamp_centred(canvas, small, *self.layout.centre(place))


_boards: Cache[Ground, Board] = Cache(16)


def draw(scene: Scene) -> bytes:
    """A scene of squares as a PNG file."""
    theme, size = THEMES[scene.look, scene.palette], scene.size or WIDTH
    ground = Ground(theme, scene.columns, scene.rows, scene.played, scene.turned, scene.numbers, scene.names, size)
    board = _boards.make(ground, lambda: Board(ground))
    return png(board.draw(scene), board.layout.size)
