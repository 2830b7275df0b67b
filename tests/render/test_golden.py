"""Pictures stay as they were approved. ``DAMERO_GOLDEN=1 pytest tests/render/test_golden.py`` approves new ones."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from render import Mark, Place, Player, Scene, Target, draw
from tests.support.render.sample_scenes import (
    BARE,
    CAPTURE,
    LINED,
    PLAYERS,
    STAR,
    TAMA,
    TWO_SETS,
    dark,
    decoded,
    marks,
    square,
)
from tests.support.render.sample_sheets import SHEETS

APPROVE = bool(os.environ.get("DAMERO_GOLDEN"))
GOLDEN = Path(__file__).parent / "golden"
# Other builds of FreeType and zlib move single pixels at the edges of letters; a thing that is missing, moved or of
# another colour changes whole blocks.
BLOCK, MOST = 12, 20


def _numbered(columns: int) -> tuple[tuple[Place, int], ...]:
    ordered = sorted(dark(columns, columns), key=lambda place: (place[1], place[0]))
    return tuple((place, number) for number, place in enumerate(ordered, start=1))


_NUMBERS, _TWELVE = _numbered(8), _numbered(12)
_LONG = (
    Player("Maximiliano Alejandro de los Santos y Villanueva", "White", (0,), True, 11, 3, "three kings: 7 of 12"),
    Player("محمد", "Black", (1,), men=20),
)
_LOOP = tuple(map(square, ("c3", "e5", "g3", "e1", "c3")))

SCENES: dict[str, Scene] = {
    "chequered": CAPTURE,
    "chequered-turned": replace(CAPTURE, turned=True),
    "chequered-red": replace(CAPTURE, palette="red"),
    "chequered-numbers": replace(BARE, numbers=_NUMBERS, targets=(Target((3, 3)), Target((4, 4))), players=PLAYERS),
    "chequered-mirror": replace(BARE, played=dark(8, 8, 1), pieces=marks("b1 h3 Kd5", 1) + marks("a8 Kg8", 0)),
    "chequered-loop": replace(
        CAPTURE, pieces=marks("Kc3", 0) + marks("h8", 1), ghosts=marks("d4 f4 f2 d2", 1), route=_LOOP
    ),
    "chequered-labels": replace(BARE, pieces=(Mark((0, 0), 0, label="1"), Mark((2, 2), 1, label="12"))),
    "lined": LINED,
    "lined-red-numbers": replace(LINED, palette="red", numbers=_NUMBERS, turned=True),
    "plain": TAMA,
    "ten": replace(BARE, columns=10, rows=10, played=dark(10, 10), pieces=marks("j10 Ka1", 1), players=_LONG),
    "twelve-numbers": replace(
        BARE, columns=12, rows=12, played=dark(12, 12), pieces=marks("l12 Kb2", 1), numbers=_TWELVE
    ),
    "narrow": replace(BARE, columns=4, rows=8, played=dark(4, 8), pieces=marks("a1", 0) + marks("b8", 1)),
    "small": replace(LINED, size=360),
    "star": STAR,
    "star-turned": replace(STAR, turned=True),
    "star-two": TWO_SETS,
    "star-small": replace(STAR, size=400),
}


def unlike(a: Image.Image, b: Image.Image) -> int:
    """The greatest mean difference (0 to 255) of any block of BLOCK pixels square, in any channel."""
    if a.size != b.size:
        return 255
    return max(value for band in ImageChops.difference(a, b).reduce(BLOCK).split() for value in band.tobytes())


@pytest.mark.parametrize("name", [*SCENES, *SHEETS])
def test_picture_is_as_approved(name: str, tmp_path: Path) -> None:
    """Each sample scene and sheet looks as its approved picture does."""
    path, data = GOLDEN / f"{name}.png", draw(SCENES[name]) if name in SCENES else SHEETS[name]()
    if APPROVE:
        path.write_bytes(data)
    approved, now = decoded(path.read_bytes()), decoded(data)
    difference = unlike(approved, now)
    if difference > MOST:
        beside = Image.new("RGB", (approved.width + now.width, max(approved.height, now.height)))
        beside.paste(approved, (0, 0))
        beside.paste(now, (approved.width, 0))
        beside.save(tmp_path / f"{name}.png")
    assert difference <= MOST, f"approved and new side by side: {tmp_path / f'{name}.png'}"


def test_no_approved_picture_is_left_over() -> None:
    """Every file among the approved pictures belongs to a scene or a sheet."""
    if APPROVE:
        for stray in GOLDEN.glob("*.png"):
            if stray.stem not in SCENES | SHEETS:
                stray.unlink()
        pytest.skip("approving")
    assert {path.stem for path in GOLDEN.glob("*.png")} == set(SCENES) | set(SHEETS)


@pytest.mark.parametrize(
    "other",
    [
        replace(CAPTURE, pieces=CAPTURE.pieces[1:]),
        replace(CAPTURE, pieces=(CAPTURE.pieces[0]._replace(king=True), *CAPTURE.pieces[1:])),
        replace(CAPTURE, ghosts=CAPTURE.ghosts[1:]),
        replace(CAPTURE, targets=(Target((3, 5)),)),
        replace(CAPTURE, route=CAPTURE.route[1:]),
        replace(CAPTURE, caption="Move 13"),
        replace(CAPTURE, players=(PLAYERS[0]._replace(men=2), PLAYERS[1])),
        replace(CAPTURE, numbers=_NUMBERS),
    ],
    ids=["man", "king", "ghost", "target", "route", "caption", "taken", "numbers"],
)
def test_comparison_notices_a_small_change(other: Scene) -> None:
    """One thing more or less in the scene is beyond what the comparison forgives."""
    assert unlike(decoded(draw(CAPTURE)), decoded(draw(other))) > MOST
