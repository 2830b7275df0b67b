"""What a picture of the star shows, and where."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import pytest
from PIL import ImageChops

from render import STAR_PLACES, Mark, Place, Player, Scene, Target, colours, glyphs, star_board, star_sprites, text
from render.panel import PLATES
from render.star_board import StarLayout, triangle
from tests.support.render.pixels import Box, changed, within
from tests.support.render.sample_scenes import HOP, STAR, STAR_BARE, TWO_SETS, hole, home, picture

UPRIGHT = StarLayout(900, False)
TWO = replace(STAR_BARE, pieces=(*home(0), *home(3)))
LONE = replace(TWO, pieces=(*TWO.pieces, Mark(hole("i5"), 1)))


def tile(place: Place) -> Box:
    """The pixels that belong to a hole."""
    x, y = UPRIGHT.centre(place)
    return (x - 29, y - 25, x + 29, y + 25)


def test_holes_lie_on_whole_pixels() -> None:
    """Neighbours in a row are 58 pixels apart and rows 50, everywhere: one sprite fits every hole."""
    centres = {UPRIGHT.centre(place): place for place in STAR_PLACES}
    for x, y in STAR_PLACES:
        px, py = UPRIGHT.centre((x, y))
        for way, beside in (((2, 0), (58, 0)), ((1, 1), (29, -50)), ((-1, 1), (-29, -50))):
            if (x + way[0], y + way[1]) in STAR_PLACES:
                assert (x + way[0], y + way[1]) == centres[px + beside[0], py + beside[1]]


def test_row_a_is_at_the_bottom() -> None:
    """Row a is the lowest, hole 1 the leftmost; a turned star has row a at the top and hole 1 on the right."""
    turned = StarLayout(900, True)
    assert UPRIGHT.centre(hole("a1"))[1] > UPRIGHT.centre(hole("q1"))[1]
    assert UPRIGHT.centre(hole("e1"))[0] < UPRIGHT.centre(hole("e13"))[0]
    assert turned.centre(hole("a1")) == UPRIGHT.centre(hole("q1"))
    assert turned.centre(hole("e1")) == UPRIGHT.centre(hole("m13"))


def test_rows_are_lettered_from_the_bottom() -> None:
    """The letter left of the lowest row is a's, of the highest q's: they change places when the star is turned."""
    upright, turned = picture(TWO), picture(replace(TWO, turned=True))
    for name, other in (("a1", "q1"), ("e1", "m13")):
        x, y = UPRIGHT.centre(hole(name))
        there = StarLayout(900, True).centre(hole(name))
        first = upright.crop((x - 61 - 8, y - 9, x - 61 + 8, y + 9))
        away = 61 if other == "m13" else -61
        second = turned.crop((there[0] + away - 8, there[1] - 9, there[0] + away + 8, there[1] + 9))
        assert first.tobytes() == second.tobytes()
        assert 1 < len(first.getcolors() or [])


@pytest.mark.parametrize("side", range(6))
@pytest.mark.parametrize("name", ["i5", "g3", "k8"])
def test_peg_stands_in_its_hole(side: int, name: str) -> None:
    """A peg more changes the pixels of its own hole and no others."""
    used = replace(STAR_BARE, pieces=tuple(mark for each in range(6) for mark in home(each)))
    more = replace(used, pieces=(*used.pieces, Mark(hole(name), side)))
    assert within(changed(used, more), tile(hole(name)))


@pytest.mark.parametrize("label", ["", "k10"])
def test_marks_differ_by_shape(label: str) -> None:
    """Any two of the six marks differ without any colour, with a name on the peg and without."""
    grey = star_sprites.Colour("grey", (128, 128, 128), (60, 60, 60), (255, 255, 255), "")
    drawn = [
        star_sprites.peg(58, 50, 1.0, grey._replace(mark=colour.mark), label).convert("L")
        for colour in star_sprites.COLOURS
    ]
    for i, first in enumerate(drawn):
        for second in drawn[:i]:
            difference = ImageChops.difference(first, second).tobytes()
            assert sum(value > 40 for value in difference) >= (10 if label else 40)


def test_players_choose_their_colours() -> None:
    """``colours`` gives a peg set another colour and mark, in its triangle, on its pegs and beside its name."""
    scene = replace(TWO, players=(Player("Ana", "South", (0,)), Player("Bo", "North", (3,))))
    other = replace(scene, colours=(4, 1, 2, 3, 0, 5))
    assert star_sprites.COLOURS[0].face in _colours_in(scene, tile(hole("b1")))
    assert star_sprites.COLOURS[4].face in _colours_in(other, tile(hole("b1")))
    assert star_sprites.COLOURS[0].face not in _colours_in(other, (0, 0, 900, 900))
    assert star_sprites.COLOURS[4].face in _colours_in(other, (536, 826, 600, 880))


def _colours_in(scene: Scene, box: Box) -> set[object]:
    return {colour for _, colour in picture(scene).crop(box).getcolors(810_000) or []}


@pytest.mark.parametrize("side", range(6))
def test_triangles_in_play_are_tinted(side: int) -> None:
    """A set in play tints its own ten holes' triangle and nothing else of the board."""
    used = replace(STAR_BARE, players=(Player("", "", ()),), pieces=(Mark(hole("i5"), side),))
    image = picture(used)
    ground = star_board._tint(side)
    for place in STAR_PLACES - {hole("i5")}:
        x, y = UPRIGHT.centre(place)
        assert (image.getpixel((x, y - 19)) == ground) == (place in triangle(side)), place


def test_whole_route_is_drawn() -> None:
    """Start, every stop and every hop of the last turn are drawn, and the peg that moved has a ring."""
    image = picture(STAR)
    for place in HOP[:-1]:
        assert star_board.ROUTE == image.getpixel(UPRIGHT.centre(place))
    for (ax, ay), (bx, by) in pairwise(HOP):
        (px, py), (qx, qy) = UPRIGHT.centre((ax, ay)), UPRIGHT.centre((bx, by))
        assert star_board.ROUTE == image.getpixel((round(px + (qx - px) * 0.25), round(py + (qy - py) * 0.25)))
    x, y = UPRIGHT.centre(HOP[-1])
    assert star_board.ROUTE == image.getpixel((x - 25, y))


def test_route_does_not_hide_the_marks_that_it_crosses() -> None:
    """The face of a peg that was hopped over, mark and name, looks as it does without the route."""
    with_route, without = picture(STAR), picture(replace(STAR, route=()))
    for name in ("f5", "g6", "h6", "i5"):
        x, y = UPRIGHT.centre(hole(name))
        face = (x - 10, y - 11, x + 11, y + 10)
        assert not ImageChops.difference(with_route.crop(face), without.crop(face)).getbbox(), name


@pytest.mark.parametrize("way", [(2, 0), (-2, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)])
@pytest.mark.parametrize("hops", [1, 2])
def test_steps_and_hops_run_in_all_six_directions(way: Place, hops: int) -> None:
    """A single step and a hop are drawn in each direction, from the start towards the end."""
    start = hole("i5")
    end = (start[0] + way[0] * hops, start[1] + way[1] * hops)
    moved = replace(TWO, pieces=(*TWO.pieces, Mark(end, 0)), route=(start, end))
    image = picture(moved)
    assert star_board.ROUTE == image.getpixel(UPRIGHT.centre(start))
    (ax, ay), (bx, by) = UPRIGHT.centre(start), UPRIGHT.centre(end)
    reach = 22 / (58 * hops)
    assert star_board.ROUTE == image.getpixel((round(ax + (bx - ax) * reach), round(ay + (by - ay) * reach)))


def test_targets_are_ringed_green() -> None:
    """A hole to go to has a green ring and its name, and changes nothing else."""
    target = replace(LONE, targets=(Target(hole("g4"), "g4"),))
    assert within(changed(LONE, target), tile(hole("g4")))
    x, y = UPRIGHT.centre(hole("g4"))
    assert colours.TARGET == picture(target).getpixel((x - 20, y))
    unnamed = replace(LONE, targets=(Target(hole("g4")),))
    assert within(changed(unnamed, target), (x - 16, y - 14, x + 16, y + 14))


@pytest.mark.parametrize("label", ["a1", "m9", "e13", "m13", "k10", "l10"])
def test_names_of_holes_fit_and_are_legible(label: str) -> None:
    """A hole's name leaves a gap to the next one's, and is 6 pixels high at least when the picture is 360 wide (7 if it
    is short)."""
    size = star_sprites.label_size(label, 1.0)
    assert text.width(glyphs.place_name(label), size, True) <= star_board.ACROSS - 6
    coverage, _ = text.mask("0", size, True)
    top, bottom = (coverage.point(lambda value: 255 * (value > 100)).getbbox() or (0, 0, 0, 0))[1::2]
    assert (bottom - top) * 360 / 900 >= (7 if len(label) == 2 else 6)


@pytest.mark.parametrize("seat", range(6))
def test_plates_stand_beside_their_triangles(seat: int) -> None:
    """A player's name and note stand on the plate of the player's triangle, opposite when the star is turned."""
    ghost = replace(STAR_BARE, pieces=tuple(mark for side in range(6) for mark in home(side)))
    named = replace(ghost, players=(Player("Maximiliano Alejandro", "W", (seat,), to_move=True, note="3/10 home"),))
    left, middle, wide = PLATES[seat]
    assert within(changed(ghost, named), (left, middle - 36, left + wide, middle + 36))
    left, middle, wide = PLATES[(seat + 3) % 6]
    around = (left, middle - 36, left + wide, middle + 36)
    assert within(changed(replace(ghost, turned=True), replace(named, turned=True)), around)


def test_plates_stand_clear_of_the_star() -> None:
    """No plate covers a hole or a row's letter."""
    for left, middle, wide in PLATES:
        for place in STAR_PLACES:
            x, y = UPRIGHT.centre(place)
            for reach in (-61, 0, 61):
                assert not (left - 9 < x + reach < left + wide + 9 and middle - 43 < y < middle + 43), place
        assert left >= 0
        assert left + wide <= 900
        assert 34 <= middle <= 866


def test_player_of_three_sets_has_one_plate_with_three_pegs() -> None:
    """A player of several sets is named once, beside the middle one, with a peg of each."""
    left, middle, wide = PLATES[0]
    plate = _colours_in(TWO_SETS, (left, middle - 36, left + wide, middle + 36))
    assert all(star_sprites.COLOURS[TWO_SETS.colours[side]].face in plate for side in (5, 0, 1))
    for seat in (1, 5):
        left, middle, wide = PLATES[seat]
        nameless = replace(TWO_SETS, players=())
        box = (left, middle - 30, left + wide, middle + 30)
        assert not ImageChops.difference(picture(TWO_SETS).crop(box), picture(nameless).crop(box)).getbbox()


def test_side_to_move_has_marker_and_bold_name() -> None:
    """Whose turn it is shows on the plate: outlined, with a triangle and a bold name."""
    idle = replace(STAR, players=tuple(player._replace(to_move=False) for player in STAR.players))
    left, middle, wide = PLATES[3]
    box = (left, middle - 36, left + wide, middle + 36)
    assert within(changed(idle, STAR), box)
    turn = {colour: count for count, colour in picture(STAR).crop(box).getcolors(90_000) or []}
    assert turn[colours.TURN] > 400


def test_route_leaves_every_name_whole() -> None:
    """The names of pegs hopped over, of targets where the turn came by, and of the ringed peg's neighbours are drawn
    as they are without the route, from their first letter to the last."""
    places = [hole(name) for name in ("m9", "m11", "k11", "k9")]
    over = [hole(name) for name in ("m10", "l10", "k10")]
    beside = [place for name in ("k8", "j8", "j9", "l9") if (place := hole(name)) not in over]
    labelled = replace(
        TWO,
        pieces=(*TWO.pieces, Mark(places[-1], 3), *(Mark(place, 0, label="m10") for place in over)),
        targets=tuple(Target(place, "m10") for place in (*places[:-1], *beside)),
    )
    with_route, without = picture(replace(labelled, route=tuple(places))), picture(labelled)
    half = text.width("m10", star_sprites.label_size("m10", 1.0), True) // 2
    for place in (*over, *places[:-1], *beside):
        ink = star_sprites.COLOURS[0].ink if place in over else star_sprites.DARK
        x, y = UPRIGHT.centre(place)
        written = [at for at in product(range(x - half, x + half), range(y - 5, y + 14)) if without.getpixel(at) == ink]
        assert 100 < len(written), place
        assert {ink} == {with_route.getpixel(at) for at in written}, place


def test_plate_says_which_side_a_player_has() -> None:
    """Texts say "South" and "North": so does the plate, beside the count, also where the player's name is shown; a side
    of a long name stands alone, and the count beside the player's."""
    left, middle, wide = PLATES[0]
    south = replace(TWO, players=(Player("Ana", "South", (0,), note="3/10"),))
    north = replace(TWO, players=(Player("Ana", "North", (0,), note="3/10"),))
    assert within(changed(south, north), (left, middle, left + wide, middle + 36))
    long = replace(TWO, players=(Player("Ana", "A side of a name that is beyond", (0,), note="10/10"),))
    assert within(changed(TWO, long), (left, middle - 36, left + wide, middle + 36))
    assert within(
        changed(long, replace(long, players=(long.players[0]._replace(note="10/19"),))),
        (left + 90, middle - 36, left + wide, middle),
    )


def test_the_name_of_who_is_out_is_struck_through() -> None:
    """A line across the name, and nothing else, where its side is."""
    left, middle, wide = PLATES[0]
    plays = replace(TWO, players=(Player("Ana", "South", (0,), note="out"),))
    out = changed(plays, replace(plays, players=(plays.players[0]._replace(out=True),)))
    assert within(out, (left + 50, middle - 20, left + wide, middle))


@pytest.mark.parametrize("side", ["Northwest", "Hilagang-kanluran"])
def test_the_name_of_who_is_to_move_is_not_cut_for_the_sides(side: str) -> None:
    """A player of two sets who is to move has the narrowest room: each letter of a short name is seen even there."""
    player = Player("alice", side, (2, 3), note="0/20", to_move=True)
    whole = replace(TWO, players=(player,))
    assert changed(whole, replace(whole, players=(player._replace(name="alica"),)))
    assert changed(whole, replace(whole, players=(player._replace(note="0/21"),)))
