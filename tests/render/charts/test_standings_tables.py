"""Tables and brackets as pictures: sizes, pages, what is cut and what never is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ImageChops

from render import sheet
from render.charts.brackets import bracket_picture
from render.charts.contents import PAGE, Bracket, Cell, CrossLine, Line, Match, Slot, Table, paged
from render.charts.standings_tables import cross_pages, table_pages
from tests.support.render.sample_scenes import decoded
from tests.support.render.sample_sheets import bracket, everybody, match, swiss, table


@pytest.mark.parametrize("count", [0, 1, 9, 16, 24, 25, 64, 100])
def test_every_field_has_pages(count: int) -> None:
    """Any number of players: pages of 24 lines at most, 768 wide, 60 KB at most."""
    pages = table_pages(table(count))
    assert max(1, -(-count // PAGE)) == len(pages)
    for page in pages:
        assert len(page) <= 60_000
        assert 768 == decoded(page).width


def test_only_the_pages_asked_for_are_drawn() -> None:
    """The first pages are the same whether the others are drawn or not."""
    assert table_pages(table(64), 2) == table_pages(table(64))[:2]
    assert cross_pages(swiss(64, 3), 1) == cross_pages(swiss(64, 3))[:1]


@given(st.integers(0, 500))
def test_pages_are_even_and_lose_nobody(count: int) -> None:
    """All lines are there, in order, and no page is longer than another by more than what must be."""
    pages = paged(list(range(count)))
    assert list(range(count)) == [line for page in pages for line in page]
    assert max(map(len, pages)) <= PAGE
    assert len(pages) == max(1, -(-count // PAGE))


def test_names_and_points_are_legible_on_a_phone() -> None:
    """At 360 pixels the capitals of names and the figures of points are 7 pixels high at least."""
    made = decoded(table_pages(Table("", "", "", ("",), (Line(4, "HHH", ("111",)),)))[0]).convert("L")
    for column in ((60, 64 + 34, 300, 64 + 34 + 44), (600, 64 + 34, 760, 64 + 34 + 44)):
        box = made.crop(column).point(lambda value: 255 * (value > 140)).getbbox()
        assert box is not None
        assert (box[3] - box[1]) * 360 / 768 >= 7


def test_names_never_reach_the_values() -> None:
    """A long name changes nothing where the points stand."""
    short, long = (
        Table("Cup", "", "Player", ("Pts", "BH"), (Line(1, name, ("7½", "12")),)) for name in ("Bo", "W" * 64)
    )
    a, b = (decoded(table_pages(each)[0]) for each in (short, long))
    box = ImageChops.difference(a, b).getbbox()
    assert box is not None
    assert box[2] < 768 - sheet.EDGE - 90


def test_values_without_room_are_left_out() -> None:
    """With very many values the first, by which lines are ranked, stays, and names keep their room."""
    line = Line(1, "Maria Clara Villanueva", ("7½", *("123½",) * 30))
    wide = Table("Cup", "", "Player", ("Pts", *("BH-C1",) * 30), (line,))
    narrow = wide._replace(headings=("Pts",), lines=(line._replace(values=("7½",)),))
    left = (60, 98, 60 + 200, 140)
    a, b = (decoded(table_pages(each)[0]).crop(left) for each in (wide, narrow))
    assert not ImageChops.difference(a, b).getbbox()


@pytest.mark.parametrize(("column", "ink"), [(1, sheet.GREEN), (-1, sheet.RED)])
def test_change_of_place_shows_its_way(column: int, ink: tuple[int, int, int]) -> None:
    """Who has gained places has a green arrow, who has lost some a red one."""
    made = decoded(table_pages(Table("Cup", "", "Player", ("Pts",), (Line(4, "Bo", ("1",), change=column),)))[0])
    assert ink in {colour for _, colour in made.getcolors(1 << 20) or []}


def test_medals_are_gold_silver_and_bronze() -> None:
    """The first three places have each its metal, the others none."""
    for medal, ink in ((1, sheet.GOLD), (2, sheet.SILVER), (3, sheet.BRONZE), (0, None)):
        lines = (Line(medal or 4, "Bo", ("1",), medal=medal),)
        found = {
            c for n, c in decoded(table_pages(Table("", "", "P", ("",), lines))[0]).getcolors(1 << 20) or [] if n > 90
        }
        assert {sheet.GOLD, sheet.SILVER, sheet.BRONZE} & found == ({ink} if ink else set())


@pytest.mark.parametrize(
    "made", [swiss(1, 1), swiss(9, 5), swiss(64, 11), everybody(2), everybody(16), everybody(12, "½ 1"), everybody(30)]
)
def test_cross_tables_are_small(made: object) -> None:
    """Swiss and round robins of every size: 60 KB a page at most, as wide as they must be."""
    for page in cross_pages(made):  # type: ignore[arg-type]
        assert len(page) <= 60_000
        assert decoded(page).width >= 768


def test_results_have_grounds_of_their_own() -> None:
    """Won, drawn and lost differ by their ground, not by the figure alone; nobody meets themself."""
    kinds = (
        ("1", "won", sheet.WON),
        ("½", "drawn", sheet.RULE),
        ("0", "lost", sheet.LOST),
        ("", "self", sheet.INKS[-1]),
    )
    for result, kind, ground in kinds:
        line = CrossLine(1, "Bo", "1", (Cell(result, kind),))  # type: ignore[arg-type]
        made = decoded(cross_pages(everybody(1)._replace(lines=(line,)))[0])
        assert ground == made.getpixel((made.width - sheet.EDGE - 5, made.height - 20))


@pytest.mark.parametrize(("first", "columns"), [(1, 1), (2, 2), (4, 3), (8, 4), (8, 2)])
@pytest.mark.parametrize("third", [False, True])
def test_brackets_of_every_size(first: int, columns: int, third: bool) -> None:
    """One to sixteen places: small, 768 pixels wide, with four columns 980."""
    page = bracket_picture(bracket(first, columns, third=third, champion="Ana"))
    assert len(page) <= 60_000
    assert (768 if columns < 4 else 980) == decoded(page).width


def test_the_champion_is_who_has_won_the_final() -> None:
    """Of two finalists with one name that the font lacks, the one who won stands for it below, too."""

    def cup(*wins: bool) -> Bracket:
        slots = [Slot("\u674e\u660e", f"No {n}", won=won) for n, won in enumerate(wins, start=1)]
        return Bracket("Cup", "", ("1",), ((Match("W1-1", (slots[0], slots[1])),),), champion="\u674e\u660e")

    first, second = (decoded(bracket_picture(cup(*wins))) for wins in ((True, False), (False, True)))
    champion = (0, first.height - 60, first.width, first.height)
    assert first.crop(champion).tobytes() != second.crop(champion).tobytes()


@settings(max_examples=20, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_any_name_stays_in_its_match(one: str, other: str) -> None:
    """Whatever players are called, nothing is drawn beyond their match."""
    empty = Bracket(
        "Cup", "", ("1", "2"), ((match("W1-1", 1), match("W1-2", 1)), (Match("W2-1", (Slot(""), Slot(""))),))
    )
    last = Match("W2-1", (Slot(one, "No 1", "1"), Slot(other, "No 2", "½")))
    box = ImageChops.difference(
        decoded(bracket_picture(empty)), decoded(bracket_picture(empty._replace(columns=(empty.columns[0], (last,)))))
    ).getbbox()
    assert box is not None
    left = sheet.EDGE + 330 + 30
    assert left <= box[0]
    assert box[2] <= left + 330


@pytest.mark.parametrize("columns", [(), ((),), ((match("a", 0),) * 4, (match("b", 0),) * 3), ((match("a", 0),),) * 5])
def test_columns_that_do_not_fit_are_refused(columns: tuple[tuple[Match, ...], ...]) -> None:
    """No columns, too many, or a column that does not follow raise ValueError."""
    with pytest.raises(ValueError, match="column"):
        bracket_picture(Bracket("Cup", "", ("",) * len(columns), columns))
