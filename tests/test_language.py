"""Texts in the reader's language."""

from __future__ import annotations

import pytest

from bot.language import _, day, known, ngettext, speaking, spoken


def test_english_is_spoken_until_somebody_says_otherwise() -> None:
    """Without a reader's language texts stay as they are written, and after one they are so again."""
    assert _("Español") == "Español"
    with speaking("es-419"):
        assert spoken() == "es"
        with speaking("xx"):
            assert spoken() == "en"
        assert spoken() == "es"
    assert spoken() == "en"


@pytest.mark.parametrize(
    ("locale", "language"),
    [("es-ES", "es"), ("es_419", "es"), ("EN-gb", "en"), ("pt-BR", None), ("", None), (None, None)],
)
def test_locales_of_discord_are_forms_of_languages(locale: str | None, language: str | None) -> None:
    """Every form of a language that is spoken here counts as it; no other does."""
    assert known(locale) == language


def test_numbers_choose_their_form() -> None:
    """One and many have forms of their own."""
    assert [ngettext("{n} piece", "{n} pieces", n).format(n=n) for n in (1, 2)] == ["1 piece", "2 pieces"]


def test_days_are_written_as_the_language_writes_them() -> None:
    """A moment's day, in UTC, by the names of months that are spoken."""
    assert "Nov 21, 2026" == day(1_795_219_200_000)
    with speaking("es"):
        assert "21 nov 2026" == day(1_795_219_200_000)
