"""Colours that can be told apart, as computed numbers."""

from __future__ import annotations

from itertools import combinations

import pytest

from render import colours, star_sprites, themes
from render.colours import contrast, luminance
from tests.support.render.colour_vision import EYES, apart, ciede2000

THEMES = list(themes.THEMES.values())


def test_contrast_is_that_of_wcag() -> None:
    """Black on white is 21, grey #767676 on white is the well-known 4.54."""
    assert (1.0, 0.0) == (luminance((255, 255, 255)), luminance((0, 0, 0)))
    assert contrast((255, 255, 255), (0, 0, 0)) == pytest.approx(21)
    assert contrast((0x76, 0x76, 0x76), (255, 255, 255)) == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_difference_is_ciede2000(
    first: tuple[float, float, float], second: tuple[float, float, float], expected: float
) -> None:
    """The test's own measure gives the published values of Sharma, Wu and Dalal."""
    assert ciede2000(first, second) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("eye", EYES)
def test_six_colours_are_apart_for_every_eye(eye: str) -> None:
    """Any two peg colours of the star differ by 15 at least, with full colour vision and with each colour blindness."""
    faces = [colour.face for colour in star_sprites.COLOURS]
    assert min(apart(a, b, eye) for a, b in combinations(faces, 2)) >= 15


def test_six_marks_are_six() -> None:
    """No two colours of the star share a mark."""
    assert len({colour.mark for colour in star_sprites.COLOURS}) == 6


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("eye", EYES)
def test_two_sides_are_apart_for_every_eye(theme: themes.Theme, eye: str) -> None:
    """The two sides' men, and each side's man and its ground, are told apart by every eye."""
    first, second = theme.sides
    assert apart(first.face, second.face, eye) >= 30
    for side in theme.sides:
        assert max(apart(side.face, theme.played, eye), apart(side.rim, theme.played, eye)) >= 15


@pytest.mark.parametrize("theme", THEMES)
def test_sides_differ_in_light_too(theme: themes.Theme) -> None:
    """The two sides keep 3:1 without any colour."""
    first, second = theme.sides
    assert contrast(first.face, second.face) >= 3


def test_text_on_the_frame_is_readable() -> None:
    """Names of squares and players have 7:1 or more on the frame and on the plate."""
    for ground in (colours.FRAME, colours.PILL):
        assert min(contrast(ink, ground) for ink in (colours.TEXT, colours.TURN)) >= 6.5
        assert contrast(colours.DIM, ground) >= 4.5
    assert contrast(colours.TEXT, colours.FRAME) >= 7


@pytest.mark.parametrize("colour", star_sprites.COLOURS)
def test_names_on_pegs_are_readable(colour: star_sprites.Colour) -> None:
    """What is written on a peg has the 3:1 of large bold text at the least."""
    assert contrast(colour.ink, colour.face) >= 4


@pytest.mark.parametrize("theme", THEMES)
def test_marks_on_the_board_stand_out(theme: themes.Theme) -> None:
    """Route, cross and target differ by 4:1 from their white edges, labels by 4.5:1 from their piece, numbers by 4."""
    for ink in (theme.route, colours.CROSS, colours.TARGET):
        assert contrast(ink, colours.WHITE) >= 4
    for side in theme.sides:
        assert contrast(side.text, side.face) >= 4.5
    assert contrast(theme.number, theme.played) >= 3.5


def test_frame_shows_on_both_of_discords_themes() -> None:
    """The frame is opaque and dark: 10:1 on the light theme, and its own line around the board on the dark one."""
    assert contrast(colours.FRAME, (255, 255, 255)) >= 10
    assert contrast(themes.WOOD, colours.FRAME) >= 7
