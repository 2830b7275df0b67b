"""The star of 121 holes: its layout, the empty board, pegs, targets and the way of the last turn."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import Literal, NamedTuple

from PIL import Image, ImageDraw

from render import colours, glyphs, route, star_sprites, text
from render.cache import Cache
from render.canvas import Inks, laid, png, ramp, with_margin
from render.colours import RGB, mix, rgb
from render.panel import StarPanel
from render.scene import STAR_PLACES, STAR_ROWS, Mark, Place, Scene, Target, star_place
from render.themes import WOOD

WIDTH = 900
COLOURS = 80
ACROSS, DOWN = 58, 50
"""Pixels between neighbouring holes of a row and between rows, at the full width."""

WOOD_EDGE = rgb("#8A5F35")
LINE = rgb("#C4A274")
PIT = rgb("#B08E62")
PIT_EDGE = rgb("#8B6B43")
ROUTE = rgb("#8E1467")

# The corners of each triangle: its tip and the ends of its row of four, as (row, hole).
TRIANGLES: tuple[tuple[tuple[int, int], ...], ...] = (
    ((0, 0), (3, 0), (3, 3)),
    ((4, 0), (4, 3), (7, 0)),
    ((12, 0), (12, 3), (9, 0)),
    ((16, 0), (13, 0), (13, 3)),
    ((12, 12), (12, 9), (9, 9)),
    ((4, 12), (4, 9), (7, 9)),
)


def _inside(corners: Sequence[Place], place: Place) -> bool:
    """Whether a place lies in a triangle or on its edge."""
    (x, y), sides = place, []
    for (ax, ay), (bx, by) in pairwise((*corners, corners[0])):
        sides.append((bx - ax) * (y - ay) - (by - ay) * (x - ax))
    return all(side >= 0 for side in sides) or all(side <= 0 for side in sides)


def triangle(side: int) -> frozenset[Place]:
    """The ten places in which peg set ``side`` starts."""
    corners = [star_place(*corner) for corner in TRIANGLES[side]]
    return frozenset(place for place in STAR_PLACES if _inside(corners, place))


class StarGround(NamedTuple):
    """What an empty star depends on: ``used`` are the peg sets in play."""

    used: frozenset[int]
    colours: tuple[int, ...]
    turned: bool
    size: int


class StarLayout:
    """Where things lie, in pixels. Distances between holes are whole numbers, so that one sprite fits every hole."""

    def __init__(self, size: int, turned: bool) -> None:
        self.size, self.turned = size, turned
        self.unit = size / WIDTH
        self.half = round(ACROSS / 2 * self.unit)
        self.down = round(DOWN * self.unit)
        self.tile = 2 * self.half, self.down
        """The width and the height of the ground around a hole."""

    def centre(self, place: Place) -> tuple[int, int]:
        """The pixel in the middle of a hole."""
        x, y = (24 - place[0], 16 - place[1]) if self.turned else place
        return self.size // 2 + (x - 12) * self.half, self.size // 2 + (8 - y) * self.down


_boards: Cache[StarGround, StarBoard] = Cache(10)


def _tint(colour: int) -> RGB:
    return mix(WOOD, star_sprites.COLOURS[colour].face, 0.42)


@lru_cache(maxsize=1)
def inks() -> Inks:
    """The palette of the star, made once from everything that it shows."""
    sets = star_sprites.COLOURS
    exact = [colours.FRAME, colours.PILL, colours.TEXT, colours.DIM, colours.TURN, colours.WHITE, colours.TARGET]
    exact += [WOOD, WOOD_EDGE, LINE, PIT, PIT_EDGE, ROUTE, star_sprites.DARK]
    exact += [colour.face for colour in sets] + [colour.rim for colour in sets] + [_tint(i) for i in range(6)]
    samples = [ramp(WOOD, colour, 4) for colour in (WOOD_EDGE, LINE, PIT_EDGE, ROUTE, colours.WHITE)]
    samples += [ramp(colours.FRAME, WOOD_EDGE, 3), ramp(PIT, PIT_EDGE, 3), ramp(LINE, PIT_EDGE, 3)]
    for i, colour in enumerate(sets):
        samples += [ramp(WOOD, _tint(i), 2), ramp(_tint(i), colour.rim, 3), ramp(PIT, colour.face, 3)]
        samples += [laid(ground, star_sprites.peg(58, 50, 1.0, colour)) for ground in (WOOD, _tint(i), colours.FRAME)]
        samples.append(laid(colours.FRAME, star_sprites.peg(58, 50, 1.0, star_sprites.on_frame(colour))))
        samples.append(laid(WOOD, star_sprites.peg(58, 50, 1.0, colour, "e10")))
        samples += [ramp(colour.face, ROUTE, 3), ramp(colour.face, colours.WHITE, 4)]
    samples.append(laid(WOOD, star_sprites.target(58, 50, 1.0, "e10")))
    for ground in (colours.FRAME, colours.PILL):
        samples += [ramp(ground, ink, 4) for ink in (colours.TEXT, colours.DIM, colours.TURN)]
    return Inks(exact, samples, COLOURS)


class StarBoard:
    """An empty star of one size, and the tiles that have been made for it."""

    def __init__(self, ground: StarGround) -> None:
        self.ground = ground
        self.layout = StarLayout(ground.size, ground.turned)
        self.unit = self.layout.unit
        self.inks = inks()
        self._tiles: Cache[tuple[object, ...], Image.Image] = Cache(1600)
        self._small: Cache[object, Image.Image] = Cache(300)
        self.empty = with_margin(self.inks.convert(self._painted()))

    # -- the empty board

    def _painted(self) -> Image.Image:
        size = self.layout.size
        picture = Image.new("RGB", (size, size), colours.FRAME)
        star = [
            [star_place(*corner) for corner in corners]
            for corners in (((0, 0), (12, 0), (12, 12)), ((16, 0), (4, 0), (4, 12)))
        ]
        self._hulls(picture, star, 38, WOOD_EDGE)
        self._hulls(picture, star, 35, WOOD)
        for side in sorted(self.ground.used):
            corners = [star_place(*corner) for corner in TRIANGLES[side]]
            self._hulls(picture, [corners], 25, _tint(self.ground.colours[side]))
        self._lines(picture)
        owner = {place: side for side in self.ground.used for place in triangle(side)}
        for place in STAR_PLACES:
            edge = star_sprites.COLOURS[self.ground.colours[owner[place]]].rim if place in owner else PIT_EDGE
            side = 2 * round(16 * self.unit)
            drawn = self._small.make(("hole", edge), partial(star_sprites.hole, self.unit, side, edge, PIT))
            x, y = self.layout.centre(place)
            picture.paste(drawn, (x - side // 2, y - side // 2), drawn)
        self._names(picture)
        return picture

    def _cover(self, picture: Image.Image, fill: RGB, paint: Callable[[ImageDraw.ImageDraw, int], None]) -> None:
        """Paint on a coverage at four times the size, and ``fill`` through it."""
        scale = 4
        mask = Image.new("L", (picture.width * scale, picture.height * scale), 0)
        paint(ImageDraw.Draw(mask), scale)
        mask = mask.reduce(scale)
        picture.paste(Image.new("RGB", picture.size, fill), (0, 0), mask)

    def _hulls(self, picture: Image.Image, shapes: Sequence[Sequence[Place]], margin: float, fill: RGB) -> None:
        """Shapes with the given corners, a margin around them, round at the corners."""

        def paint(draw: ImageDraw.ImageDraw, scale: int) -> None:
            r = margin * self.unit * scale
            for corners in shapes:
                points = [tuple(value * scale for value in self.layout.centre(place)) for place in corners]
                draw.polygon(points, fill=255)
                for a, b in pairwise((*points, points[0])):
                    draw.line((*a, *b), fill=255, width=round(2 * r))
                for x, y in points:
                    draw.ellipse((x - r, y - r, x + r, y + r), fill=255)

        self._cover(picture, fill, paint)

    def _lines(self, picture: Image.Image) -> None:
        def paint(draw: ImageDraw.ImageDraw, scale: int) -> None:
            thick = max(1, round(2.2 * self.unit * scale))
            for x, y in STAR_PLACES:
                for dx, dy in ((2, 0), (1, 1), (-1, 1)):
                    if (x + dx, y + dy) in STAR_PLACES:
                        a, b = self.layout.centre((x, y)), self.layout.centre((x + dx, y + dy))
                        draw.line([value * scale for value in (*a, *b)], fill=255, width=thick)

        self._cover(picture, LINE, paint)

    def _names(self, picture: Image.Image) -> None:
        """The letter of each row at both its ends."""
        size = max(8, round(22 * self.unit))
        for row, holes in enumerate(STAR_ROWS):
            ends = sorted(self.layout.centre(star_place(row, hole)) for hole in (0, holes - 1))
            away = round(61 * self.unit)
            for x, y in ((ends[0][0] - away, ends[0][1]), (ends[1][0] + away, ends[1][1])):
                text.paste(picture, glyphs.place_name(chr(ord("a") + row)), size, colours.TEXT, x, y, True)

    # -- what stands on it

    def draw(self, scene: Scene) -> Image.Image:
        """The scene on this star, in palette mode, with the margin of ``png``."""
        canvas = self.empty.copy()
        standing = {mark.place: mark for mark in scene.pieces}
        targets = {target.place: target for target in scene.targets}
        for place, mark in standing.items():
            if place not in targets:
                self._put(canvas, place, ("peg", mark.side, mark.label), partial(self._peg, mark))
        for place, target in targets.items():
            make = partial(star_sprites.target, *self.layout.tile, self.unit, target.label)
            self._put(canvas, place, ("target", target.label), make)
        self._route(canvas, scene.route, standing, targets)
        if scene.chosen is not None:
            halo = partial(star_sprites.halo, self.unit, colours.TARGET)
            self._centred(canvas, self._small.make("ring", halo), scene.chosen)
        StarPanel(self.layout.size, self.unit, self.inks, self._icon).draw(canvas, scene)
        return canvas

    def _put(
        self, canvas: Image.Image, place: Place, kind: tuple[object, ...], make: Callable[[], Image.Image]
    ) -> None:
        """A peg or target: one tile of the ground around a hole, made once."""
        wide, high = self.layout.tile
        x, y = self.layout.centre(place)
        left, top = x - wide // 2, y - high // 2

        def tile() -> Image.Image:
            return self.inks.over(self.empty.crop((left, top, left + wide, top + high)), make())

        canvas.paste(self._tiles.make((place, *kind), tile), (left, top))

    def _colour(self, side: int) -> star_sprites.Colour:
        return star_sprites.COLOURS[self.ground.colours[side]]

    def _peg(self, mark: Mark) -> Image.Image:
        make = partial(star_sprites.peg, *self.layout.tile, self.unit, self._colour(mark.side), mark.label)
        return self._small.make(("peg", mark.side, mark.label), make)

    def _icon(self, side: int) -> Image.Image:
        colour = star_sprites.on_frame(self._colour(side))
        return self._small.make(("icon", side), partial(star_sprites.peg, *self.layout.tile, self.unit, colour))

    def _route(
        self,
        canvas: Image.Image,
        places: tuple[Place, ...],
        standing: dict[Place, Mark],
        targets: dict[Place, Target],
    ) -> None:
        if len(places) < 2:
            return
        end = places[-1]
        self._centred(canvas, self._small.make("halo", partial(star_sprites.halo, self.unit, ROUTE)), end)
        legs = list(pairwise(places))
        for i, (a, b) in enumerate(legs):
            self._leg(canvas, a, b, "last" if i == len(legs) - 1 else "leg")
        self._centred(canvas, self._small.make("start", lambda: route.knot(self.unit, ROUTE, 8.5)), places[0])
        for stop in places[1:-1]:
            self._centred(canvas, self._small.make("stop", lambda: route.knot(self.unit, ROUTE, 6.5)), stop)
        self._leg(canvas, *legs[-1], "head")
        for (ax, ay), (bx, by) in legs:
            mark = standing.get(((ax + bx) // 2, (ay + by) // 2))
            if mark:
                # The face of a peg that was hopped over goes back on top of the line.
                make = partial(star_sprites.core, self._peg(mark), self.unit, mark.label)
                self._centred(canvas, self._small.make(("core", mark.side, mark.label), make), mark.place)
        for place in places[:-1]:
            if target := targets.get(place):
                # Where the last turn came by, others may go now: that name is needed more than the line.
                ring = partial(star_sprites.ring, self.unit, ROUTE)
                self._centred(canvas, self._small.make("passed", ring), place)
                drawn = star_sprites.target(*self.layout.tile, self.unit, target.label)
                make = partial(star_sprites.core, drawn, self.unit, target.label)
                self._centred(canvas, self._small.make(("face", target.label), make), place)

    def _leg(self, canvas: Image.Image, a: Place, b: Place, part: Literal["leg", "last", "head"]) -> None:
        """The line of one step or hop; of the last one it ends before the peg, and the arrow's head comes by itself."""
        (ax, ay), (bx, by) = self.layout.centre(a), self.layout.centre(b)
        leg = self._small.make((part, bx - ax, by - ay), partial(self._leg_sprite, bx - ax, by - ay, part))
        self.inks.stamp_centred(canvas, leg, (ax + bx) // 2, (ay + by) // 2)

    def _leg_sprite(self, dx: int, dy: int, part: Literal["leg", "last", "head"]) -> Image.Image:
        long, unit = math.hypot(dx, dy), 0.8 * self.unit
        reach = 1.0 if part == "leg" else 1 - (26.5 if part == "head" else 36) * self.unit / long
        sketch, a, b = route.leg(dx, dy, round(20 * self.unit), reach)
        if part == "head":
            return route.head(sketch, b, (dx / long, dy / long), unit, ROUTE)
        return route.segment(sketch, a, b, unit, ROUTE)

    def _centred(self, canvas: Image.Image, small: Image.Image, place: Place) -> None:
        self.inks.stamp_centred(canvas, small, *self.layout.centre(place))


def draw(scene: Scene) -> bytes:
    """A star scene as a PNG file."""
    used = frozenset(side for player in scene.players for side in player.sides) | {mark.side for mark in scene.pieces}
    ground = StarGround(used, scene.colours, scene.turned, scene.size or WIDTH)
    board = _boards.make(ground, lambda: StarBoard(ground))
    return png(board.draw(scene), board.layout.size)
