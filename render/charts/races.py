"""The graph of a game of several players: how far each had come, turn by turn."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from render import sheet, text
from render.charts.graphs import Turning
from render.shapes import Point, Sketch
from render.sheet import BRONZE, DIM, EDGE, GOLD, GREEN, GROUND, RED, RULE, SILVER, TEXT, Sheet

HIGH = 480
LINES = (sheet.BLUE, GOLD, GREEN, TEXT, BRONZE, SILVER)
"""The colours of the players, in turn order."""
_ROW = 30


@dataclass(frozen=True, slots=True)
class Race:
    """How a finished game of several went.

    ``values``: for each position, the start first, how far each player had come, from 0 (nowhere) to 1 (home).
    ``names``: the players', in turn order; ``sides``: what they are called where a name cannot be written; ``notes``: a
    short text after each name. ``turnings``: marked on the line of the player who is named beside each, by number.
    ``title``, ``axis``: the line above and the word under the graph."""

    values: tuple[tuple[float, ...], ...]
    names: tuple[str, ...]
    sides: tuple[str, ...]
    notes: tuple[str, ...]
    turnings: tuple[tuple[Turning, int], ...] = ()
    title: str = ""
    axis: str = ""


def race_graph(race: Race) -> bytes:
    """The graph as a PNG file, 768 x 480 pixels: a line for each player, from the lower edge to the upper one, where
    all is done. Raises ValueError without values, for more than six players or for a turning beyond the values."""
    players, last = len(race.names), len(race.values) - 1
    if last < 0 or not 1 <= players <= len(LINES) or any(len(each) != players for each in race.values):
        raise ValueError("A graph needs a value of each of up to six players.")
    if any(not 0 <= turning.ply <= last or not 0 <= seat < players for turning, seat in race.turnings):
        raise ValueError(f"Turnings are of players and lie between 0 and {last}.")
    made = Sheet(sheet.WIDTH, HIGH)
    top = made.headed(race.title, "")
    for seat in range(players):
        _player(made, race, seat, top + 12)
    top += 12 + _ROW * -(-players // 2)
    left, right, bottom = EDGE, made.width - EDGE, HIGH - 36
    wide, high = right - left, bottom - top

    def spot(ply: int, value: float) -> Point:
        return 8 + ply / max(1, last) * (wide - 16), high - 8 - min(1.0, max(0.0, value)) * (high - 16)

    sketch = Sketch(wide, high, 2)
    sketch.rectangle(0, 0, wide, high, sheet.BAND)
    for part in (0.0, 0.25, 0.5, 0.75, 1.0):
        _, y = spot(0, part)
        sketch.rectangle(0, y - 1, wide, y + 1, RULE)
    for seat in range(players):
        line = [spot(ply, each[seat]) for ply, each in enumerate(race.values)]
        for a, b in pairwise(line if len(line) > 1 else [*line, (wide - 8.0, line[0][1])]):
            sketch.stroke([a, b], 4, LINES[seat])
    made.stamp(sketch.done(), left, top)
    for turning, seat in race.turnings:
        x, y = spot(turning.ply, race.values[turning.ply][seat])
        made.disc(left + round(x), top + round(y), 9, RED, GROUND)
    if race.axis:
        made.write(text.writable(race.axis, ""), right, HIGH - 18, 18, DIM, anchor="right", room=300)
    return made.png()


def _player(made: Sheet, race: Race, seat: int, top: int) -> None:
    room = (made.width - 2 * EDGE) // 2
    x, y = EDGE + room * (seat % 2), top + _ROW * (seat // 2)
    made.disc(x + 10, y, 10, LINES[seat], GROUND)
    note = text.writable(race.notes[seat], "")
    kept = text.width(note, 18) + 20 if note else 12
    name = text.writable(race.names[seat], race.sides[seat])
    wide = made.write(name, x + 30, y, 20, bold=True, room=max(80, room - 30 - kept))
    if note:
        made.write(note, x + 30 + wide + 10, y, 18, DIM)
