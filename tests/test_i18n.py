"""Texts in the reader's language."""

from __future__ import annotations

import json
import pickle

import pytest

from bot.i18n import (
    Phrase,
    _,
    day,
    kept,
    known,
    listed_and,
    listed_or,
    ngettext,
    nphrase,
    phrase,
    pphrase,
    revived,
    said,
    sentence,
    speaking,
    spoken,
)


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
    [
        ("es-ES", "es"),
        ("es_419", "es"),
        ("EN-gb", "en"),
        ("fil-PH", "fil"),
        ("tl", "fil"),
        ("tl-PH", "fil"),
        ("pt-BR", None),
        ("", None),
        (None, None),
    ],
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


def test_a_phrase_is_english_as_a_string_and_the_readers_language_in_words() -> None:
    """What is stored and compared is English; what is said, also within other texts, is the reader's."""
    reason = phrase("{side} resigned", side=pphrase("side", "Black"))

    assert "Black resigned" == reason
    assert "Drawn: Black resigned." == f"Drawn: {reason}."
    with speaking("es"):
        assert "Black resigned" == str(reason)
        assert ["abandono de Negras"] * 2 == [said(reason), f"{reason}"]
        assert "tablas de común acuerdo" == said("draw by agreement")
        assert "" == said("")


def test_phrases_choose_their_form_and_list_their_parts() -> None:
    """A number chooses the form in each language; several parts are listed with commas."""
    span = [nphrase("{count} day", "{count} days", count, count=count) for count in (1, 2)]
    assert ["1 day", "2 days"] == span
    counts = phrase("pegs home: {counts}", counts=(pphrase("side", "South"), pphrase("side", "North")))
    assert "pegs home: South, North" == counts
    with speaking("es"):
        assert ["1 día", "2 días"] == [said(one) for one in span]
        assert "fichas en la meta: Sur, Norte" == said(counts)
        assert ["", "a", "a y b", "a, b y c"] == [listed_and(list("abc")[:count]) for count in range(4)]
        assert "a, b o c" == listed_or(["a", "b", "c"])


def test_phrases_outlive_the_process() -> None:
    """JSON and other processes take them along; what is no phrase stays what it is."""
    reason = phrase("{side} resigned", side=pphrase("side", "White"))
    days = nphrase("{count} day", "{count} days", 3, count=3)
    counts = phrase("pegs home: {counts}", counts=(reason, days))
    payload = {"sentence": counts, "tell": [1, 2], "by": None, "plain": "text", "in": {"it": reason}}

    back = revived(json.loads(json.dumps(kept(payload))))

    assert payload == back
    for made in (back["sentence"], pickle.loads(pickle.dumps(counts))):
        assert isinstance(made, Phrase)
        with speaking("es"):
            assert "fichas en la meta: abandono de Blancas, 3 días" == said(made)


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ("the game is over", "The game is over."),
        ("c3 is empty", "c3 is empty."),
        ("house.toml: board: 3 is not allowed", "house.toml: board: 3 is not allowed."),
        ("no. 3 is over", "No. 3 is over."),
        ("wait...", "Wait..."),
    ],
)
def test_a_part_becomes_a_sentence(part: str, whole: str) -> None:
    """It begins with a capital letter, unless that begins the name of a square or of a file."""
    assert whole == sentence(part)
