"""Graphs: how good the positions of a game were, how far each of several players had come, and a rating over time."""

from __future__ import annotations

import math
from typing import NamedTuple

from render import glyphs, sheet, text
from render.charts.contents import Evaluation, Race, RatingCurve, Turning
from render.shapes import Point, Sketch
from render.sheet import BAND, BLUE, BRONZE, DIM, EDGE, GOLD, GREEN, GROUND, RED, RULE, SILVER, TEXT, Sheet

HIGH = 480
POINTS_MOST = 4000
LINES = (BLUE, GOLD, GREEN, TEXT, BRONZE, SILVER)
"""The colours of the players of a race, in turn order."""
_ROW = 30
_SCALE = 40
"""The pixels left of a graph in which the scale stands."""
_STEPS = (1, 2, 5, 10, 20, 25, 50, 100)
_TICKS = 12
"""How many turns are numbered at most."""


def evaluation_graph(graph: Evaluation) -> bytes:
    """The graph of a finished game as a PNG file, 768 x 480 pixels, at most 60 KB.

    A line above the middle: the first player stands better; below it: the second. The scale beside it is what the
    first player expects of 100 points. Turns are numbered; those that changed the game are marked with discs and, where
    there is room, with their labels. Raises ValueError without values or for a turning beyond them."""
    if not graph.values or all(value is None for value in graph.values):
        raise ValueError("A graph needs a value at least.")
    last = len(graph.values) - 1
    if any(not 0 <= turning.ply <= last for turning in graph.turnings):
        raise ValueError(f"Turnings lie between 0 and {last}.")
    page = Sheet(sheet.WIDTH, HIGH)
    top = page.headed(graph.title, graph.note) if graph.title else 12
    # As on the board the first player sits below; the light area is theirs, the dark one the second player's.
    for i, y in ((1, top + 18), (0, HIGH - 24)):
        _player(page, graph, i, y, bool(graph.axis) and i == 0)
    _evaluated(page, graph, _Area(EDGE + _SCALE, top + 42, page.width - 2 * EDGE - _SCALE, HIGH - top - 112))
    return page.png()


class _Area(NamedTuple):
    """The pixels of a graph on its sheet."""

    left: int
    top: int
    wide: int
    high: int


def _player(page: Sheet, graph: Evaluation, i: int, y: int, axis: bool) -> None:
    page.disc(EDGE + 10, y, 10, (TEXT, GROUND)[i], DIM)
    room = page.width - 2 * EDGE - 32
    if axis:
        room -= page.write(glyphs.writable(graph.axis), page.width - EDGE, y, 18, DIM, anchor="right", room=200) + 12
    note = glyphs.writable(graph.notes[i])
    name = glyphs.writable(graph.names[i], graph.sides[i])
    wide = page.write(name, EDGE + 32, y, 22, bold=True, room=max(120, room - text.width(note, 20) - 14))
    page.write(note, EDGE + 32 + wide + 14, y, 20, DIM)


def _evaluated(page: Sheet, graph: Evaluation, area: _Area) -> None:
    known = [(i, min(1.0, max(-1.0, value))) for i, value in enumerate(graph.values) if value is not None]
    last = max(1, len(graph.values) - 1)
    middle = area.high / 2

    def spot(ply: int, value: float) -> Point:
        return 6 + ply / last * (area.wide - 12), middle - value * (middle - 6)

    line = [spot(i, value) for i, value in known]
    line = [(0.0, line[0][1]), *line, (float(area.wide), line[-1][1])]
    sketch = Sketch(area.wide, area.high, 2)
    sketch.rectangle(0, 0, area.wide, area.high, BAND)
    # What lies between the line and the lower edge is the first player's, light as the pieces.
    sketch.polygon([*line, (float(area.wide), float(area.high)), (0.0, float(area.high))], DIM)
    for part in (0.25, 0.5, 0.75):
        y, thick = area.high * part, 1.5 if part == 0.5 else 0.5
        sketch.rectangle(0, y - thick, area.wide, y + thick, GOLD if part == 0.5 else RULE)
    ticks = numbered(last)
    for number in ticks:
        x, _ = spot(number, 0.0)
        sketch.rectangle(x - 0.5, area.high - 8, x + 0.5, area.high, RULE)
    sketch.stroke(line, 4, TEXT)
    page.stamp(sketch.done(), area.left, area.top)
    for value in (1.0, 0.5, 0.0, -0.5, -1.0):
        y = round(spot(0, value)[1])
        page.write(str(round(50 + 50 * value)), area.left - 8, area.top + y, 17, DIM, anchor="right")
    for number in ticks:
        x = round(spot(number, 0.0)[0])
        page.write(str(number), area.left + x, area.top + area.high + 13, 17, DIM, anchor="middle")
    heights = dict(known)
    discs: list[tuple[Turning, int, int]] = []
    for turning in graph.turnings:
        x, y = map(round, spot(turning.ply, _between(heights, turning.ply)))
        page.disc(area.left + x, area.top + y, 9, RED, sheet.INKS[-1])
        discs.append((turning, x, y))
    taken = [(x - 10, y - 10, x + 10, y + 10) for _, x, y in discs]
    # In the corner where the line begins there is room above it and below it.
    for words, y in zip(graph.better, (0, area.high), strict=True):
        if words:
            _label(page, glyphs.writable(words), area, 0, y, taken)
    for turning, x, y in discs:
        if turning.label:
            _label(page, glyphs.writable(turning.label), area, x, y, taken)


def numbered(last: int) -> range:
    """The turns whose numbers are written, of so many: at even distances, the first one or the first step first."""
    step = next((step for step in _STEPS if last / step <= _TICKS), _STEPS[-1])
    return range(step, last + 1, step)


def _between(heights: dict[int, float], ply: int) -> float:
    """The height at a ply: its own, or that on the way between its neighbours."""
    if ply in heights:
        return heights[ply]
    before = max((i for i in heights if i < ply), default=None)
    after = min((i for i in heights if i > ply), default=None)
    if before is None or after is None:
        return heights[before if after is None else after]  # type: ignore[index]  # one of them is there
    return heights[before] + (heights[after] - heights[before]) * (ply - before) / (after - before)


def _label(page: Sheet, words: str, area: _Area, x: int, y: int, taken: list[tuple[int, int, int, int]]) -> None:
    """A plate beside its disc, left out where it would cover an earlier one or another disc."""
    wide, high = text.width(words, 19, True) + 14, 28
    along = min(max(0, x - wide // 2), area.wide - wide)
    over, under = y - 14 - high, y + 14
    spots = ((along, over), (along, under), (x + 14, y - 14), (x - 14 - wide, y - 14), (along, under + high))
    for left, top in spots:
        box = (left, top, left + wide, top + high)
        inside = left >= 0 and top >= 0 and left + wide <= area.wide and top + high <= area.high
        if inside and not any(
            box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3] for other in taken
        ):
            taken.append(box)
            corner = (area.left + left, area.top + top)
            page.box(*corner, corner[0] + wide, corner[1] + high, sheet.INKS[-1])
            page.write(words, corner[0] + 7, corner[1] + high // 2, 19, bold=True)
            return


def race_graph(race: Race) -> bytes:
    """The graph as a PNG file, 768 x 480 pixels: a line for each player, from the lower edge to the upper one, where
    all is done. Raises ValueError without values, for more than six players or for a turning beyond the values."""
    players, last = len(race.names), len(race.values) - 1
    if last < 0 or not 1 <= players <= len(LINES) or any(len(each) != players for each in race.values):
        raise ValueError("A graph needs a value of each of up to six players.")
    if any(not 0 <= turning.ply <= last or not 0 <= seat < players for turning, seat in race.turnings):
        raise ValueError(f"Turnings are of players and lie between 0 and {last}.")
    page = Sheet(sheet.WIDTH, HIGH)
    top = page.headed(race.title, "")
    for seat in range(players):
        _racer(page, race, seat, top + 12)
    top += 12 + _ROW * -(-players // 2)
    left, right, bottom = EDGE, page.width - EDGE, HIGH - 36
    wide, high = right - left, bottom - top

    def spot(ply: int, value: float) -> Point:
        return 8 + ply / max(1, last) * (wide - 16), high - 8 - min(1.0, max(0.0, value)) * (high - 16)

    sketch = Sketch(wide, high, 2)
    sketch.rectangle(0, 0, wide, high, BAND)
    for part in (0.0, 0.25, 0.5, 0.75, 1.0):
        _, y = spot(0, part)
        sketch.rectangle(0, y - 1, wide, y + 1, RULE)
    for seat in range(players):
        line = [spot(ply, each[seat]) for ply, each in enumerate(race.values)]
        sketch.stroke(line if len(line) > 1 else [*line, (wide - 8.0, line[0][1])], 4, LINES[seat])
    page.stamp(sketch.done(), left, top)
    for turning, seat in race.turnings:
        x, y = spot(turning.ply, race.values[turning.ply][seat])
        page.disc(left + round(x), top + round(y), 9, RED, GROUND)
    page.write(glyphs.writable(race.axis), right, HIGH - 18, 18, DIM, anchor="right", room=300)
    return page.png()


def _racer(page: Sheet, race: Race, seat: int, top: int) -> None:
    room = (page.width - 2 * EDGE) // 2
    x, y = EDGE + room * (seat % 2), top + _ROW * (seat // 2)
    page.disc(x + 10, y, 10, LINES[seat], GROUND)
    note = glyphs.writable(race.notes[seat])
    kept = text.width(note, 18) + 20 if note else 12
    name = glyphs.writable(race.names[seat], race.sides[seat])
    wide = page.write(name, x + 30, y, 20, bold=True, room=max(80, room - 30 - kept))
    page.write(note, x + 30 + wide + 10, y, 18, DIM)


def rating_graph(curve: RatingCurve) -> bytes:
    """A rating over time with twice its deviation as a band, a PNG file of 768 x 480 pixels, at most 60 KB. Raises
    ValueError without points."""
    points = curve.points if len(curve.points) <= POINTS_MOST else curve.points[:: len(curve.points) // POINTS_MOST]
    if not points:
        raise ValueError("A graph needs a point at least.")
    points = points if points[-1] == curve.points[-1] else (*points, curve.points[-1])
    page = Sheet(sheet.WIDTH, HIGH)
    top = page.headed(curve.title, curve.note)
    area = _Area(EDGE + 62, top + 8, page.width - 2 * EDGE - 62, HIGH - top - 56)
    lows = [point.value - min(2 * point.deviation, 350) for point in points]
    highs = [point.value + min(2 * point.deviation, 350) for point in points]
    low, high, marks = _scale(min(lows), max(highs))
    begin, end = points[0].at, points[-1].at
    right = area.wide - (text.width(glyphs.writable(curve.now), 24, True) + 20 if curve.now else 10)

    def spot(at: float, value: float) -> Point:
        along = (at - begin) / (end - begin) if end > begin else 1.0
        return 8 + along * (right - 8), (high - value) / (high - low) * area.high

    sketch = Sketch(area.wide, area.high, 2)
    sketch.rectangle(0, 0, area.wide, area.high, GROUND)
    line = [spot(point.at, point.value) for point in points]
    if len(points) > 1 and any(point.deviation for point in points):
        over = [spot(point.at, value) for point, value in zip(points, highs, strict=True)]
        under = [spot(point.at, value) for point, value in zip(points, lows, strict=True)]
        sketch.polygon([*over, *reversed(under)], RULE)
    for mark in marks:
        y = (high - mark) / (high - low) * area.high
        sketch.rectangle(0, y - 0.5, area.wide, y + 0.5, sheet.INKS[3])
    sketch.stroke(line, 4, BLUE)
    page.stamp(sketch.done(), area.left, area.top)
    for mark in marks:
        y = round((high - mark) / (high - low) * area.high)
        page.write(str(mark), area.left - 12, area.top + y, 20, DIM, anchor="right")
    x, y = (round(part) for part in line[-1])
    page.disc(area.left + x, area.top + y, 8, GREEN, GROUND)
    page.write(glyphs.writable(curve.now), area.left + x + 16, area.top + y, 24, bold=True)
    page.write(glyphs.writable(curve.first), area.left, HIGH - 24, 20, DIM, room=area.wide // 2)
    page.write(glyphs.writable(curve.last), page.width - EDGE, HIGH - 24, 20, DIM, anchor="right", room=area.wide // 2)
    return page.png()


def _scale(least: float, most: float) -> tuple[int, int, range]:
    """The lower and the upper edge of a graph, and the values of its lines, three to seven of them."""
    span = max(60.0, most - least)
    step = next(step for step in (20, 25, 50, 100, 200, 250, 500, 1000, 2000) if span / step <= 6 or step == 2000)
    pad = (span - (most - least)) / 2 + span * 0.04
    low, high = math.floor(least - pad), math.ceil(most + pad)
    return low, high, range(-(-low // step) * step, high + 1, step)
