"""Graphs of games, of two and of several players, and of ratings."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from render import sheet
from render.charts.contents import Evaluation, Race, RatingCurve, RatingPoint, Turning
from render.charts.graphs import LINES, evaluation_graph, numbered, race_graph, rating_graph
from tests.support.render.sample_scenes import decoded

EVEN = Evaluation(
    (0.0,) * 21,
    ("José Ñuñez", "王小明"),
    ("White", "Black"),
    ("87 %", "62 %"),
    title="Game 12",
    axis="Turns",
)
RACE = Race(
    ((0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (0.5, 0.25, 0.0), (0.5, 0.25, 1.0)),
    ("José Ñuñez", "王小明", ""),
    ("South", "Northwest", "Northeast"),
    ("South, 87 %", "Northwest, 62 %", "Northeast"),
    title="Game 12",
    axis="Turns",
)


def changed(a: bytes, b: bytes) -> tuple[int, int, int, int] | None:
    """The pixels in which two pictures differ."""
    return ImageChops.difference(decoded(a), decoded(b)).getbbox()


def light(image: Image.Image) -> int:
    """How many pixels are the first player's."""
    return sum(count for count, colour in image.getcolors(1 << 20) or [] if colour == sheet.DIM)


def test_first_players_area_grows_with_the_advantage() -> None:
    """Who moves first has the light area: half of the graph when even, nearly all of it when winning."""
    shares = [light(decoded(evaluation_graph(EVEN._replace(values=(v,) * 21)))) for v in (-1.0, -0.5, 0.0, 0.5, 1.0)]
    assert shares == sorted(shares)
    assert shares[-1] > 1.8 * shares[2] > 20 * shares[0]


def test_turnings_are_marked_where_they_were() -> None:
    """A disc stands at the turn's place along the graph, its label beside it."""
    bare = evaluation_graph(EVEN)
    box = changed(bare, evaluation_graph(EVEN._replace(turnings=(Turning(10),))))
    assert box is not None
    assert 404 - 12 <= box[0] < box[2] <= 404 + 12
    labelled = changed(bare, evaluation_graph(EVEN._replace(turnings=(Turning(10, "c3-d4?"),))))
    assert labelled is not None
    assert labelled[2] - labelled[0] > 60


def test_what_high_and_low_mean_is_written_into_the_corners() -> None:
    """The words for a high line stand above, those for a low one below, each on a plate of its own."""
    bare = evaluation_graph(EVEN)
    for better, above in ((("White is better", ""), True), (("", "Black is better"), False)):
        box = changed(bare, evaluation_graph(EVEN._replace(better=better)))
        assert box is not None
        assert box[0] < 80
        assert (box[3] < 260) is above


@pytest.mark.parametrize(("last", "first", "count"), [(1, 1, 1), (12, 1, 12), (13, 2, 6), (47, 5, 9), (400, 50, 8)])
def test_turns_are_numbered_at_even_distances(last: int, first: int, count: int) -> None:
    """A dozen numbers at most, however long the game was."""
    numbers = numbered(last)
    assert (first, count) == (numbers[0], len(numbers))
    assert numbers[-1] <= last


def test_scale_and_numbers_stand_beside_the_graph() -> None:
    """What is written left of the graph and under it is the same for every game of that length, and is there."""
    high, low = (decoded(evaluation_graph(EVEN._replace(values=(v,) * 21))) for v in (0.9, -0.9))
    for box in ((0, 100, 63, 430), (64, 412, 740, 434)):
        assert high.crop(box).tobytes() == low.crop(box).tobytes()
        assert len(high.crop(box).getcolors(1 << 20) or []) > 1


def test_unknown_values_are_bridged() -> None:
    """Where nothing is known the line goes straight on from neighbour to neighbour."""
    known = EVEN._replace(values=tuple(i / 20 for i in range(21)))
    holes = known._replace(values=tuple(None if 0 < i < 20 and i % 3 else i / 20 for i in range(21)))
    box = changed(evaluation_graph(known), evaluation_graph(holes))
    assert box is None or (box[2] - box[0]) * (box[3] - box[1]) < 768 * 480
    a, b = (light(decoded(evaluation_graph(each))) for each in (known, holes))
    assert abs(a - b) < 400


def test_name_that_cannot_be_written_becomes_the_side() -> None:
    """A name beyond the font gives way to the side's."""
    assert evaluation_graph(EVEN) == evaluation_graph(EVEN._replace(names=("José Ñuñez", "Black")))


@pytest.mark.parametrize(
    "graph", [EVEN._replace(values=()), EVEN._replace(values=(None,)), EVEN._replace(turnings=(Turning(21),))]
)
def test_graph_of_nothing_is_refused(graph: Evaluation) -> None:
    """No values, or a turning that was not, raise ValueError."""
    with pytest.raises(ValueError, match=r"Turnings|value"):
        evaluation_graph(graph)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.one_of(st.none(), st.floats(-5, 5)), min_size=1, max_size=300))
def test_any_game_has_its_graph(values: list[float | None]) -> None:
    """Whatever the values are, the graph is 768 x 480 and small."""
    if all(value is None for value in values):
        return
    last = len(values) - 1
    turnings = tuple(Turning(ply, "d4xf6") for ply in range(0, last + 1, 7))
    png = evaluation_graph(EVEN._replace(values=tuple(values), turnings=turnings))
    assert (768, 480) == decoded(png).size
    assert len(png) <= 60_000


POINTS = tuple(RatingPoint(day * 86_400_000.0, 1500 + 10 * day, 200 - 5 * day) for day in range(30))


def test_rating_rises_to_the_right() -> None:
    """The line of a rating that rises is higher at the right end than at the left."""
    image = decoded(rating_graph(RatingCurve(POINTS, "Maria", "Dama live")))
    heights = []
    for x in (120, 600):
        column = [y for y in range(110, 430) if image.getpixel((x, y)) == sheet.BLUE]
        assert column
        heights.append(min(column))
    assert heights[1] < heights[0] - 40


def test_deviation_shows_as_a_band() -> None:
    """With deviations there is a band about the line, without them none."""
    sure = tuple(point._replace(deviation=0.0) for point in POINTS)
    band = []
    for points in (POINTS, sure):
        found = {c: n for n, c in decoded(rating_graph(RatingCurve(points, "Maria"))).getcolors(1 << 20) or []}
        band.append(found.get(sheet.RULE, 0))
    assert band[0] > 20 * band[1] + 1000


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10**12), st.floats(400, 4000), st.floats(0, 500)), min_size=1, max_size=200))
def test_any_rating_has_its_graph(values: list[tuple[int, float, float]]) -> None:
    """One game or hundreds, at one moment or over years: a picture of 768 x 480, small."""
    points = tuple(RatingPoint(at, value, deviation) for at, value, deviation in sorted(values))
    png = rating_graph(RatingCurve(points, "W" * 64, "n", "3 Jan 2026", "21 Nov 2026", "1643?"))
    assert (768, 480) == decoded(png).size
    assert len(png) <= 60_000


def test_rating_without_games_is_refused() -> None:
    """A graph needs a game."""
    with pytest.raises(ValueError, match="point"):
        rating_graph(RatingCurve((), "Maria"))


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
    marked = decoded(race_graph(RACE._replace(turnings=((Turning(3), 2),))))
    spots = [(x, y) for x in range(768) for y in range(480) if marked.getpixel((x, y)) == sheet.RED]
    middle = sum(y for _, y in spots) / len(spots)
    assert abs(middle - heights(2, RACE)[0]) < 12
    assert min(x for x, _ in spots) > 700


@pytest.mark.parametrize(
    "race",
    [
        RACE._replace(values=()),
        RACE._replace(values=((0.0, 0.0),)),
        RACE._replace(turnings=((Turning(4), 0),)),
        RACE._replace(turnings=((Turning(1), 3),)),
    ],
)
def test_races_that_cannot_be_drawn(race: Race) -> None:
    """No positions, a value too few, a turning beyond the game or of nobody."""
    with pytest.raises(ValueError, match=r"graph needs|Turnings"):
        race_graph(race)
