"""Scenes refuse what cannot be shown."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from render import STAR_PLACES, Mark, Player, Scene, Target, star_place
from render.star_board import triangle
from tests.support.render.sample_scenes import CAPTURE, STAR, TAMA


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (
            lambda: replace(CAPTURE, look="round"),
            "There is no look 'round'; there are: chequered, lined, plain, star.",
        ),
        (lambda: replace(CAPTURE, palette="pink"), "There is no palette 'pink'; there are: ivory, red."),
        (lambda: replace(CAPTURE, size=20), "The size 20 is not between 240 and 2048 pixels."),
        (lambda: replace(CAPTURE, columns=40), "A board has 1 to 26 columns and rows, not 40 x 8."),
        (lambda: replace(CAPTURE, columns=6), "is not on a board of 6 x 8."),
        (lambda: replace(CAPTURE, pieces=(Mark((0, 0), 2),)), "There is no side 2; this look has 0 to 1."),
        (lambda: replace(CAPTURE, players=(Player("A", "A", (5,)),)), "There is no side 5; this look has 0 to 1."),
        (lambda: replace(CAPTURE, pieces=(Mark((0, 1), 0),)), "The place (0, 1) is not in play on this board."),
        (lambda: replace(CAPTURE, ghosts=(Mark((1, 0), 0),)), "The place (1, 0) is not in play on this board."),
        (lambda: replace(CAPTURE, route=((0, 0), (9, 9))), "The place (9, 9) is not in play on this board."),
        (lambda: replace(CAPTURE, targets=(Target((1, 0)),)), "The place (1, 0) is not in play on this board."),
        (lambda: replace(CAPTURE, numbers=(((1, 0), 1),)), "The place (1, 0) is not in play on this board."),
        (lambda: replace(STAR, pieces=(Mark((0, 0), 0),)), "The place (0, 0) is not in play on this board."),
        (lambda: replace(STAR, pieces=(Mark((12, 0), 6),)), "There is no side 6; this look has 0 to 5."),
        (lambda: replace(STAR, colours=(0, 1, 2, 3, 4, 4)), "The six peg sets need the six colours 0 to 5, each once."),
    ],
)
def test_scene_refuses(spoil: Callable[[], Scene], sentence: str) -> None:
    """What does not exist is refused with a sentence that names it."""
    with pytest.raises(ValueError, match=re.escape(sentence) + "$"):
        spoil()


def test_scenes_are_values() -> None:
    """Equal scenes are one key; a scene that differs in anything is another."""
    assert replace(CAPTURE) == CAPTURE
    assert len({CAPTURE, replace(CAPTURE), replace(CAPTURE, turned=True), TAMA}) == 3


def test_star_has_121_holes_in_seventeen_rows() -> None:
    """The holes' places follow the rows: a1 at the bottom, q1 at the top, i1 to i9 across the waist."""
    assert len(STAR_PLACES) == 121
    assert [star_place(0, 0), star_place(16, 0)] == [(12, 0), (12, 16)]
    assert [star_place(8, hole) for hole in range(9)] == [(4 + 2 * hole, 8) for hole in range(9)]
    assert [star_place(4, 0), star_place(4, 12)] == [(0, 4), (24, 4)]


def test_triangles_are_where_the_sets_start() -> None:
    """Six triangles of ten holes, none shared: S at the bottom, then clockwise SW NW N NE SE."""
    triangles = [triangle(side) for side in range(6)]
    assert [10] * 6 == [len(places) for places in triangles]
    assert len(frozenset().union(*triangles)) == 60
    middles = [(sum(x for x, _ in places) / 10 - 12, sum(y for _, y in places) / 10 - 8) for places in triangles]
    ways = [((x > 0.1) - (x < -0.1), (y > 0) - (y < 0)) for x, y in middles]
    assert ways == [(0, -1), (-1, -1), (-1, 1), (0, 1), (1, 1), (1, -1)]
