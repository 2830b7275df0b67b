"""The graph of a game of several players."""

from __future__ import annotations

from dataclasses import replace

import pytest

from render import sheet
from render.charts.graphs import Turning
from render.charts.races import LINES, Race, race_graph
from tests.support.render.sample_scenes import decoded

RACE = Race(
    ((0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (0.5, 0.25, 0.0), (0.5, 0.25, 1.0)),
    ("José Ñuñez", "王小明", ""),
    ("South", "Northwest", "Northeast"),
    ("South, 87 %", "Northwest, 62 %", "Northeast"),
    title="Game 12",
    axis="Turns",
)


def heights(seat: int, race: Race) -> tuple[int, int]:
    """The highest and the lowest row of the graph in which a player's colour is, the legend left out."""
    image = decoded(race_graph(race))
    rows = [y for y in range(130, image.height) if any(image.getpixel((x, y)) == LINES[seat] for x in range(768))]
    return rows[0], rows[-1]


def test_who_comes_further_has_the_higher_line() -> None:
    """All begin at the lower edge; who is home is at the upper one."""
    tops, bottoms = zip(*(heights(seat, RACE) for seat in range(3)), strict=True)
    assert tops[2] < tops[0] < tops[1]
    assert max(bottoms) - min(bottoms) < 10


def test_turnings_are_marked_on_the_line_of_who_made_them() -> None:
    """A disc at the turn's place, at the height of that player's line."""
    marked = decoded(race_graph(replace(RACE, turnings=((Turning(3), 2),))))
    spots = [(x, y) for x in range(768) for y in range(480) if marked.getpixel((x, y)) == sheet.RED]
    middle = sum(y for _, y in spots) / len(spots)
    assert abs(middle - heights(2, RACE)[0]) < 12
    assert min(x for x, _ in spots) > 700


@pytest.mark.parametrize(
    "race",
    [
        replace(RACE, values=()),
        replace(RACE, values=((0.0, 0.0),)),
        replace(RACE, turnings=((Turning(4), 0),)),
        replace(RACE, turnings=((Turning(1), 3),)),
    ],
)
def test_what_cannot_be_drawn(race: Race) -> None:
    """No positions, a value too few, a turning beyond the game or of nobody."""
    with pytest.raises(ValueError, match=r"graph needs|Turnings"):
        race_graph(race)
