"""The page of the wider family says what the files say."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.support.engine import family_page


@pytest.mark.parametrize(
    ("title", "made"),
    [
        ("The games", family_page.games),
        ("Axis by axis", family_page.axes),
        ("House rules", family_page.options),
    ],
)
def test_the_tables_are_true(title: str, made: Callable[[], Iterator[list[str]]]) -> None:
    """Each game has its row, with the values of its file."""
    assert list(made()) == family_page.rows(title)


def test_every_game_has_its_draws_and_counts() -> None:
    """No game without a word on how it is drawn, nor without counts to hold it to."""
    draws = family_page.section("Draws")
    assert [name for name in family_page.WIDER if f"`{name}`" not in draws] == []
    assert set(family_page.WIDER) == set(family_page.counts()) == set(family_page.deep_counts())
