"""What holds for every picture: its format, its size, the same bytes for the same scene from any thread."""

from __future__ import annotations

import io
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from PIL import Image, ImageChops

from bot.engine.registry import rules_for
from bot.presentation.board_scene import ShownPosition, scene_of
from render import Scene, colours, draughts_board, draw, panel, picture, star_board, themes
from render.cache import Cache
from render.canvas import png
from tests.support.render.sample_scenes import BARE, CAPTURE, LINED, STAR, TAMA, TWO_SETS, dark

NARROW = replace(BARE, columns=4, played=dark(4, 8), pieces=())
LOOKS = [CAPTURE, replace(CAPTURE, palette="red"), LINED, TAMA, STAR]


@pytest.mark.parametrize("scene", LOOKS)
def test_picture_is_an_opaque_palette_png(scene: Scene) -> None:
    """Every look gives a palette PNG without transparency: it looks alike on Discord's dark and light themes."""
    image = Image.open(io.BytesIO(draw(scene)))
    assert ("PNG", "P") == (image.format, image.mode)
    assert "transparency" not in image.info


@pytest.mark.parametrize(("scene", "width"), [(CAPTURE, 768), (LINED, 768), (TAMA, 768), (STAR, 900), (NARROW, 768)])
def test_picture_has_its_looks_own_size(scene: Scene, width: int) -> None:
    """Boards of squares are 768 pixels wide, the star 900, whatever the number of squares."""
    assert (width, width) == Image.open(io.BytesIO(draw(scene))).size


@pytest.mark.parametrize("size", [240, 361, 500, 1024, 2048])
@pytest.mark.parametrize("scene", [LINED, STAR])
def test_picture_has_the_size_asked_for(scene: Scene, size: int) -> None:
    """Any size between the least and the most is drawn, odd ones too."""
    assert (size, size) == Image.open(io.BytesIO(draw(replace(scene, size=size)))).size


@pytest.mark.parametrize(("scene", "most"), [(CAPTURE, 25_000), (TAMA, 25_000), (STAR, 60_000), (TWO_SETS, 60_000)])
def test_picture_is_small(scene: Scene, most: int) -> None:
    """A crowded middle game stays within 25 KB on squares and 60 KB on the star."""
    assert len(draw(scene)) <= most


@pytest.mark.parametrize(
    ("variant", "options"),
    [("pinoy", {}), ("pinoy", {"board": "chequered"}), ("spanish", {}), ("americanas", {}), ("tama", {})],
)
@pytest.mark.parametrize("many_kings", [False, True])
def test_every_middle_game_is_small(variant: str, options: dict[str, str | bool | int], many_kings: bool) -> None:
    """Random games, 8 to 40 turns old, with routes and ghosts, turned round or not, half of them with the squares'
    numbers: within 25 KB, also where two of five pieces are kings."""
    for seed in range(24):
        lots = random.Random(seed)
        scene = after(variant, options, lots.randint(8, 40), lots, turned=bool(seed % 2), numbers=seed % 4 < 2)
        if many_kings:
            kings = tuple(mark._replace(king=mark.king or lots.random() < 0.4) for mark in scene.pieces)
            scene = replace(scene, pieces=kings)
        assert len(picture.fresh(scene)) <= 25_000, seed


def after(
    variant: str, options: dict[str, str | bool | int], turns: int, lots: random.Random, *, turned: bool, numbers: bool
) -> Scene:
    """A game's picture after so many random turns, earlier if it ends."""
    rules = rules_for(variant, options)
    state = rules.start()
    for _ in range(turns):
        following = rules.play(state, lots.choice(rules.turns(state)))
        if following.outcome:
            break
        state = following
    names = ("Maximiliano Alejandro de los Santos", "Արամ Պետրոսյան")
    return scene_of(ShownPosition(rules, state), names, turned=turned, numbers=numbers)


@pytest.mark.parametrize("look", ["chequered", "lined", "plain"])
@pytest.mark.parametrize("palette", ["ivory", "red"])
def test_boards_of_squares_have_sixteen_inks(look: str, palette: str) -> None:
    """Four bits a pixel; the colours that fill areas and mark turns are exact."""
    theme = themes.THEMES[look, palette]
    kept = theme.inks
    assert 16 == len(set(kept))
    assert {theme.played, theme.other, theme.tint, theme.route, *(side.face for side in theme.sides)} <= {*kept}
    assert {colours.FRAME, colours.FRAME_EDGE, colours.DIM, colours.TURN, colours.CROSS, colours.GOLD} <= {*kept}
    png = draw(replace(CAPTURE, look=look, palette=palette))
    assert 4 == png[24]


def test_same_bytes_from_many_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawn anew in many threads at once, caches cold, each scene gives the bytes that one thread gives."""
    scenes = [replace(scene, size=size) for scene in LOOKS for size in (300, 420)]
    expected = [picture.fresh(scene) for scene in scenes]
    for module in (draughts_board, star_board):
        monkeypatch.setattr(module, "_boards", Cache(24))
        module.inks.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        drawn = list(pool.map(picture.fresh, scenes * 4))
    assert drawn == expected * 4


@pytest.mark.parametrize("size", [240, 361, 500, 768, 1024, 2048])
@pytest.mark.parametrize("turned", [False, True])
def test_kept_names_and_trays(size: int, turned: bool) -> None:
    """A board whose players' names and taken pieces were drawn before is the same to the pixel: tall letters, notes,
    long names, captions, trays of one column and of two."""
    players = CAPTURE.players
    for name, men, note in (("Åǻg|jÇ", 1, ""), ("Ǻ" * 60, 9, "3/10"), ("Ժանyp", 8, "out"), ("Ö", 12, "")):
        first = players[0]._replace(name=name, men=men, kings=1, note=note)
        scene = replace(CAPTURE, players=(first, players[1]), size=size, turned=turned, caption="Ágy 3" * (men % 2))
        assert picture.fresh(scene) == picture.fresh(scene)


def test_names_are_kept_by_what_they_look_like(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was kept of one board is not pasted where the turn, the names, the pieces or the theme are others."""
    scenes = [
        replace(scene, players=(one._replace(to_move=move, men=men), other), turned=turned, size=300)
        for scene in (CAPTURE, replace(CAPTURE, palette="red"), LINED)
        for one, other in (CAPTURE.players, CAPTURE.players[::-1])
        for move in (False, True)
        for men in (0, 2)
        for turned in (False, True)
    ]
    kept = [picture.fresh(scene) for scene in scenes for _ in range(2)][1::2]
    monkeypatch.setattr(panel, "_parts", Cache(1))
    assert kept == [picture.fresh(scene) for scene in scenes]


@pytest.mark.parametrize("shape", [(8, 1), (14, 1), (26, 2), (8, 2), (12, 3)])
def test_trays_of_flat_boards(shape: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """On boards so flat that the two trays overlap nothing of one that is kept is pasted over the other."""
    flat = replace(BARE, columns=shape[0], rows=shape[1], played=dark(*shape), pieces=())
    one, other = CAPTURE.players
    scenes = [
        replace(flat, players=(one._replace(men=first), other._replace(men=second)))
        for first, second in ((5, 0), (0, 7), (5, 7), (12, 0), (12, 7))
    ]
    kept = [picture.fresh(scene) for scene in scenes]
    monkeypatch.setattr(panel, "_parts", Cache(1))
    assert kept == [picture.fresh(scene) for scene in scenes]


@pytest.mark.parametrize("scene", [LINED, STAR])
@pytest.mark.parametrize("size", [301, 400])
def test_what_lies_beyond_the_right_edge(scene: Scene, size: int) -> None:
    """What is stamped across a picture's right edge is cut off there, and shifts no row."""
    board = draughts_board if scene is LINED else star_board
    scene = replace(scene, size=size)
    # What was drawn before may be kept, and its board not.
    picture.fresh(scene)
    kept = next(each for each in reversed(board._boards._values.values()) if each.layout.size == size)
    canvas = kept.draw(scene)
    before = Image.open(io.BytesIO(png(canvas.copy(), size))).convert("RGB")
    kept.inks.stamp(canvas, Image.new("RGBA", (40, 40), (255, 255, 255, 255)), size - 20, 50)
    after = Image.open(io.BytesIO(png(canvas, size))).convert("RGB")
    assert (size - 20, 50, size, 90) == ImageChops.difference(before, after).getbbox()


def test_finished_pictures_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A scene that was drawn is not drawn again; another is."""
    drawn: list[Scene] = []
    original = picture.fresh

    def noting(scene: Scene) -> bytes:
        drawn.append(scene)
        return original(scene)

    monkeypatch.setattr(picture, "fresh", noting)
    scene = replace(BARE, size=241)
    assert draw(scene) == draw(replace(scene))
    assert [scene] == drawn
    draw(replace(scene, turned=True))
    assert 2 == len(drawn)


def test_kept_pictures_are_bounded() -> None:
    """However many pictures are drawn, what is kept stays within its bytes."""
    for i in range(60):
        draw(replace(CAPTURE, caption=f"Move {i}"))
    assert 0 < picture._finished.held <= picture.KEPT_BYTES
