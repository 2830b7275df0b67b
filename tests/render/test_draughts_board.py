"""What a picture of squares shows, and where."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from PIL import ImageChops

from render import Mark, Place, Player, Scene, Target, colours, pieces, text, themes
from render.panel import Layout
from tests.support.render.pixels import Box, changed, within
from tests.support.render.sample_scenes import ALL, BARE, CAPTURE, LINED, PLAYERS, TAMA, dark, marks, picture, square

BROWN, PLANK = themes.THEMES["chequered", "ivory"], themes.THEMES["plain", "ivory"]
NOWHERE: Box = (0, 0, 0, 0)
UPRIGHT, TURNED = Layout(768, 8, 8, False), Layout(768, 8, 8, True)


def cell(layout: Layout, place: Place) -> Box:
    """The pixels of a square."""
    left, top = layout.corner(place)
    return (left, top, left + layout.cell, top + layout.cell)


def edge_pixels(row: bytes) -> int:
    """How many pixels are neither clear nor solid."""
    return sum(16 < value < 240 for value in row)


@pytest.mark.parametrize("scene", [BARE, replace(BARE, look="lined"), replace(BARE, palette="red")])
@pytest.mark.parametrize("piece", [Mark((3, 3), 0), Mark((4, 4), 1, True)])
def test_piece_stands_on_its_square(scene: Scene, piece: Mark) -> None:
    """A piece more changes its own square and nothing else."""
    assert within(changed(scene, replace(scene, pieces=(*scene.pieces, piece))), cell(UPRIGHT, piece.place))


def test_turned_board_is_seen_from_the_other_side() -> None:
    """On a turned board a1 is at the upper right, each piece on the square opposite, and row 1 at the top."""
    piece = replace(BARE, pieces=(*BARE.pieces, Mark(square("c3"), 0)), turned=True)
    assert within(changed(replace(BARE, turned=True), piece), cell(UPRIGHT, square("f6")))
    assert UPRIGHT.corner(square("a1")) == TURNED.corner(square("h8"))
    upright, turned = picture(BARE), picture(replace(BARE, turned=True))
    margin = (0, UPRIGHT.top, UPRIGHT.left - 8, UPRIGHT.top + 80)
    assert ImageChops.difference(upright.crop(margin), turned.crop(margin)).getbbox()


def test_turned_names_change_places() -> None:
    """The bottom name is the first player's, on a turned board the second's."""
    upright, turned = picture(CAPTURE), picture(replace(CAPTURE, turned=True))
    exchanged = picture(replace(CAPTURE, players=CAPTURE.players[::-1]))
    bottom, top = (0, 722, 640, 768), (0, 0, 640, 40)
    for box in (bottom, top):
        assert not ImageChops.difference(turned.crop(box), exchanged.crop(box)).getbbox()
        assert ImageChops.difference(turned.crop(box), upright.crop(box)).getbbox()


@pytest.mark.parametrize("side", themes.SIDES.values(), ids=themes.SIDES)
def test_kings_differ_by_shape(side: themes.Side) -> None:
    """Without any colour a king still differs from a man: two men high, or a cap face up; and it wears a crown."""
    man, king = pieces.disc(80, side, False), pieces.disc(80, side, True)
    (_, top, _, bottom), (_, king_top, _, king_bottom) = man.getbbox() or NOWHERE, king.getbbox() or NOWHERE
    assert (king_bottom - king_top) - (bottom - top) >= 5
    for plain, crowned in ((man, king), (pieces.face_down(80, side), pieces.face_up(80, side))):
        inked = [
            sum(count for count, colour in image.getcolors(6400) or [] if colour == (*colours.GOLD, 255))
            for image in (plain.crop((24, 16, 56, 60)), crowned.crop((24, 16, 56, 60)))
        ]
        assert 0 == inked[0]
        assert inked[1] > 150


@pytest.mark.parametrize("scene", [BARE, LINED, TAMA])
def test_kings_wear_their_crown_on_every_board(scene: Scene) -> None:
    """In each look the gold of a crown is on the king's square and on no man's."""
    image = picture(replace(scene, pieces=(Mark((2, 2), 0), Mark((4, 4), 1, True)), ghosts=(), route=()))
    for place, crowned in (((2, 2), False), ((4, 4), True)):
        found = {colour for _, colour in image.crop(cell(UPRIGHT, place)).getcolors(6400) or []}
        assert (colours.GOLD in found) == crowned


def test_bottle_caps_are_crimped() -> None:
    """The edge of a cap goes in and out twenty-one times."""
    far = [math.hypot(x, y) for x, y in pieces._crimped(0, 0, 30, 4)]
    assert 21 == sum(
        before < here >= after for before, here, after in zip(far[-1:] + far, far, far[1:] + far, strict=False)
    )
    ragged = pieces.face_down(80, themes.SIDES["ivory"]).getchannel("A").crop((0, 0, 80, 20)).tobytes()
    smooth = pieces.disc(80, themes.SIDES["ivory"], False).getchannel("A").crop((0, 0, 80, 20)).tobytes()
    assert edge_pixels(ragged) > 1.3 * edge_pixels(smooth)


def test_crown_is_not_hidden_by_the_route() -> None:
    """The arrow ends at the rim: the face of the king that moved looks as it does without the route."""
    with_route, without = picture(CAPTURE), picture(replace(CAPTURE, route=(), ghosts=()))
    x, y = UPRIGHT.centre(square("g7"))
    face = (x - 17, y - 22, x + 17, y + 12)
    assert not ImageChops.difference(with_route.crop(face), without.crop(face)).getbbox()


def test_crown_is_not_hidden_by_a_route_that_returns() -> None:
    """A capture that ends where it began leaves the king's face free."""
    pieces_ = marks("Kc3", 0) + marks("h8", 1)
    loop = replace(CAPTURE, pieces=pieces_, ghosts=(), route=tuple(map(square, ("c3", "e5", "g3", "e1", "c3"))))
    x, y = UPRIGHT.centre(square("c3"))
    face = (x - 17, y - 22, x + 17, y + 12)
    alone = picture(replace(loop, route=()))
    assert not ImageChops.difference(picture(loop).crop(face), alone.crop(face)).getbbox()


@pytest.mark.parametrize("scene", [CAPTURE, LINED])
def test_whole_route_is_drawn(scene: Scene) -> None:
    """Every stop of a capture has a knot in the route's colour, and the line runs between them."""
    image = picture(scene)
    fill = themes.THEMES[scene.look, scene.palette].route
    (ax, ay), (bx, by) = UPRIGHT.centre(square("c3")), UPRIGHT.centre(square("e5"))
    for share in (0, 0.2, 0.25, 0.75, 0.8, 1):
        assert fill == image.getpixel((round(ax + (bx - ax) * share), round(ay + (by - ay) * share)))
    assert within(changed(replace(scene, route=scene.route[:2]), scene), (355, 100, 620, 380))


@pytest.mark.parametrize("way", [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)])
def test_route_runs_in_all_eight_directions(way: Place) -> None:
    """The line leads from the start square's middle towards the end, in any direction."""
    end = (3 + 3 * way[0], 3 + 3 * way[1])
    image = picture(replace(TAMA, pieces=(Mark(end, 0),), route=((3, 3), end)))
    (ax, ay), (bx, by) = UPRIGHT.centre((3, 3)), UPRIGHT.centre(end)
    on_line = [image.getpixel((ax + (bx - ax) * i // 6, ay + (by - ay) * i // 6)) for i in range(5)]
    assert [PLANK.route] * 5 == on_line


def test_last_turns_squares_are_tinted() -> None:
    """Start and end of the last turn have a ground of their own."""
    image = picture(CAPTURE)
    for place in (square("c3"), square("g7")):
        left, top = UPRIGHT.corner(place)
        assert BROWN.tint == image.getpixel((left + 3, top + 3))
    left, top = UPRIGHT.corner(square("e5"))
    assert BROWN.played == image.getpixel((left + 3, top + 3))


@pytest.mark.parametrize("scene", [CAPTURE, LINED])
def test_captured_pieces_are_faded_and_crossed(scene: Scene) -> None:
    """A captured piece is neither gone nor as strong as a standing one, and bears a red cross."""
    ghost = picture(replace(scene, route=()))
    x, y = UPRIGHT.centre(square("d4"))
    assert colours.CROSS == ghost.getpixel((x, y))
    gone = picture(replace(scene, route=(), ghosts=()))
    standing = picture(replace(scene, route=(), ghosts=(), pieces=(*scene.pieces, Mark(square("d4"), 1))))
    light = [sum(image.crop((x - 20, y, x - 19, y + 1)).tobytes()) for image in (standing, ghost, gone)]
    assert light[0] + 60 < light[1] < light[2] - 60


def test_piece_on_a_captured_ones_square_is_whole() -> None:
    """Where a piece ends on the square of one that it captured, it is drawn whole, with the cross small and aside."""
    scene = replace(BARE, pieces=marks("Kd4", 0), ghosts=marks("d4", 1))
    assert within(changed(replace(scene, ghosts=()), scene), (UPRIGHT.corner((3, 3))[0] + 54, 0, 372, 394))


def test_targets_are_green_dots() -> None:
    """A place to go has a green dot in its middle, its square else as it was."""
    scene = replace(BARE, targets=(Target(square("d4")),))
    assert colours.TARGET == picture(scene).getpixel(UPRIGHT.centre(square("d4")))
    assert within(changed(BARE, scene), cell(UPRIGHT, square("d4")))


def test_only_played_squares_are_dark() -> None:
    """The places in play are the dark squares, whichever corner they start from."""
    for odd in (0, 1):
        image = picture(replace(BARE, played=dark(8, 8, odd), pieces=()))
        for place in ALL:
            ground = BROWN.played if (place[0] + place[1]) % 2 == odd else BROWN.other
            assert ground == image.getpixel(UPRIGHT.centre(place))


def test_points_are_joined_along_diagonals_only() -> None:
    """The lined board has no squares: a line from point to point, none along rows and columns."""
    image = picture(replace(BARE, look="lined", pieces=()))
    line, ground = PLANK.line, PLANK.other
    x, y = UPRIGHT.centre(square("c3"))
    for dx, dy in ((1, 1), (-1, 1), (1, -1), (-1, -1)):
        assert line == image.getpixel((x + 25 * dx, y + 25 * dy))
    for dx, dy in ((40, 0), (-40, 0), (0, 40), (0, -40)):
        assert ground == image.getpixel((x + dx, y + dy))


def test_one_colour_board_has_one_colour() -> None:
    """All 64 squares of the plain board have the same ground, with lines between them."""
    image = picture(replace(TAMA, pieces=(), route=()))
    assert 1 == len({image.getpixel(UPRIGHT.centre(place)) for place in ALL})
    left, top = UPRIGHT.corner(square("d4"))
    assert PLANK.line == image.getpixel((left, top + 40))


def test_side_to_move_has_marker_and_bold_name() -> None:
    """Whose turn it is shows in shape: a triangle, and a name that is wider because it is bold."""
    idle = replace(BARE, players=tuple(player._replace(to_move=False, note="") for player in PLAYERS))
    first = replace(idle, players=(idle.players[0]._replace(to_move=True), idle.players[1]))
    box = changed(idle, first)
    assert within(box, (40, 720, 640, 768))
    assert text.width("José Ñuñez", 25, True) > text.width("José Ñuñez", 25)
    named = picture(first).crop((220, 730, 320, 760))
    assert {colour: count for count, colour in named.getcolors(3000) or []}[colours.TURN] > 100


def test_taken_pieces_lie_in_the_takers_tray() -> None:
    """What a player has taken lies on the right, on the player's own half."""
    none = replace(BARE, players=tuple(player._replace(men=0, kings=0) for player in PLAYERS))
    below = replace(none, players=(none.players[0]._replace(men=3), none.players[1]))
    above = replace(none, players=(none.players[0], none.players[1]._replace(men=12, kings=1)))
    assert within(changed(none, below), (696, 366, 768, 692))
    assert within(changed(none, above), (696, 40, 768, 366))
    # Black ones have the darkest ink for a face here: on the frame their own would not show.
    white, black = themes.SIDES["ivory"].face, colours.FRAME_EDGE
    for scene, lies, spot in ((below, black, (714, 660, 746, 688)), (above, white, (704, 82, 736, 114))):
        found = {colour for _, colour in picture(scene).crop(spot).getcolors(1024) or []}
        assert {lies} == found & {white, black}


@pytest.mark.parametrize("taken", [1, 8, 9, 12, 16, 20, 30])
def test_tray_holds_every_piece_of_every_game(taken: int) -> None:
    """Up to thirty taken pieces stay on the taker's half of the frame."""
    none = replace(BARE, players=tuple(player._replace(men=0, kings=0) for player in PLAYERS))
    full = replace(none, players=(none.players[0]._replace(men=taken), none.players[1]))
    assert within(changed(none, full), (696, 366, 768, 692))


def test_unwritable_name_becomes_the_sides() -> None:
    """A name that the font cannot write looks exactly like the side's name."""
    odd, plain = (replace(BARE, players=(Player(name, "White", (0,)),)) for name in ("王小明", "White"))
    assert picture(odd).tobytes() == picture(plain).tobytes()


@pytest.mark.parametrize("name", ["W" * 64, "Ա" * 64, "i" * 64, "Ana"])
@pytest.mark.parametrize("turn", [True, False])
def test_long_names_stay_in_their_bar(name: str, turn: bool) -> None:
    """A name of any length keeps clear of the board and of the caption."""
    scene = replace(BARE, caption="Move 12")
    player = Player(name, "White", (0,), turn, note="three kings against one: 7 of 12")
    named = replace(scene, players=(player,))
    caption_starts = 768 - 16 - text.width("Move 12", 20)
    assert within(changed(scene, named), (40, 722, caption_starts - 4, 768))


def test_names_of_squares_are_legible_when_shrunk() -> None:
    """At 360 pixels a capital or figure of the squares' names is 8 pixels high at least, on 8x8, and 7 on 10x10."""
    for columns, least in ((8, 8.0), (10, 7.0)):
        scene = replace(BARE, columns=columns, rows=columns, played=dark(columns, columns), pieces=())
        image = picture(scene)
        layout = Layout(768, columns, columns, False)
        left, top = layout.corner((0, columns - 1))
        strip = image.crop((0, top + 8, left - 6, top + layout.cell - 8)).convert("L").point(lambda v: 255 * (v > 128))
        box = strip.getbbox()
        assert box is not None
        assert (box[3] - box[1]) * 360 / 768 >= least


def test_rows_beyond_nine_are_named() -> None:
    """Row 10 of a larger board has a name of two figures, inside the frame."""
    scene = replace(BARE, columns=12, rows=12, played=dark(12, 12), pieces=())
    layout = Layout(768, 12, 12, False)
    widths = []
    for row in (8, 9):
        left, top = layout.corner((0, row))
        strip = picture(scene).crop((0, top + 6, left - 6, top + layout.cell - 6)).convert("L")
        box = strip.point(lambda v: 255 * (v > 128)).getbbox()
        assert box is not None
        assert box[0] > 0
        widths.append(box[2] - box[0])
    assert widths[1] > 1.6 * widths[0]


def test_labels_are_written_on_pieces() -> None:
    """A label changes the face of its piece only."""
    plain = replace(BARE, pieces=(Mark((3, 3), 0), Mark((4, 4), 1)))
    labelled = replace(plain, pieces=(Mark((3, 3), 0, label="12"), Mark((4, 4), 1)))
    assert within(changed(plain, labelled), cell(UPRIGHT, (3, 3)))


@pytest.mark.parametrize("look", ["chequered", "lined"])
def test_numbers_keep_clear_of_pieces(look: str) -> None:
    """A square's number is as readable with a man on the square as without."""
    scene = replace(BARE, look=look, pieces=(), numbers=((square("d4"), 28), (square("h8"), 32)))
    bare = replace(scene, numbers=())
    for place, side in ((square("d4"), 0), (square("h8"), 1)):
        man = (Mark(place, side),)
        number = ImageChops.difference(picture(bare), picture(scene))
        under = ImageChops.difference(picture(replace(bare, pieces=man)), picture(replace(scene, pieces=man)))
        left, top = UPRIGHT.corner(place)
        around = (left - 40, top - 1, left + 120, top + 81)
        seen = [sum(v > 60 for v in image.crop(around).convert("L").tobytes()) for image in (number, under)]
        assert seen[0] > 20
        assert seen[1] >= 0.95 * seen[0]


@pytest.mark.parametrize("columns", [10, 12, 14])
@pytest.mark.parametrize("man", [(), (0,), (1,)])
def test_numbers_of_large_boards_are_large(columns: int, man: tuple[int, ...]) -> None:
    """Where squares are small a number lies on top of the piece: 14 pixels high at the least, of which 7 are left on a
    telephone, in both a light and a dark colour, whatever is under it."""
    place = (1, columns - 1)
    bare = replace(BARE, columns=columns, rows=columns, played=dark(columns, columns), targets=())
    bare = replace(bare, pieces=tuple(Mark(place, side) for side in man))
    with_number = replace(bare, numbers=((place, 88),))

    box = changed(bare, with_number)
    assert box is not None
    assert within(box, cell(Layout(768, columns, columns, False), place))
    assert box[3] - box[1] >= 14
    shades = picture(with_number).crop(box).convert("L").tobytes()
    assert sum(shade > 220 for shade in shades) > 50
    assert sum(shade < 40 for shade in shades) > 50


@pytest.mark.parametrize(("columns", "rows", "men"), [(8, 8, 12), (10, 8, 8), (10, 8, 15), (12, 12, 30), (16, 4, 8)])
def test_what_both_have_taken_lies_apart(columns: int, rows: int, men: int) -> None:
    """The trays of both players and their numbers have room beside a board of any shape: one changes nothing where the
    other is."""
    bare = replace(BARE, columns=columns, rows=rows, played=dark(columns, rows), pieces=(), targets=())
    first, second = Player("", "White", (0,)), Player("", "Black", (1,))
    upper = changed(replace(bare, players=(first, second)), replace(bare, players=(first, second._replace(men=men))))
    lower = changed(replace(bare, players=(first, second)), replace(bare, players=(first._replace(men=men), second)))
    assert upper is not None
    assert lower is not None
    assert upper[3] <= lower[1]
