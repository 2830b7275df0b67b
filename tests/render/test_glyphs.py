"""The shipped fonts have the signs of every language that is spoken."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date, time
from fractions import Fraction

import pytest

from bot.chat.wording.amounts import amount
from bot.cli.catalogues import gathered
from bot.engine import variants
from bot.i18n import LANGUAGES, _, clock, day, decimal, ngettext, percent, pgettext, speaking
from render.glyphs import BOLD, REGULAR, coverage, writable
from tests.support.engine.shipped import EVERY


def texts() -> Iterator[str]:
    """All that is said in the language spoken now: the catalogue, names of games, months and numbers."""
    yield from LANGUAGES.values()
    for message in gathered():
        if isinstance(message.id, str):
            yield pgettext(message.context, message.id) if message.context else _(message.id)
        else:
            one, many = message.id
            yield from (ngettext(one, many, count) for count in (1, 2, 5))
    yield from (_(variants.load(name).tables.name) for name in EVERY)
    yield from (day(date(2026, month, 20)) for month in range(1, 13))
    yield from (clock(time(hour)) for hour in range(24))
    yield from (decimal(1234567.125), percent(0.53), amount(Fraction(7, 2)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_weights_have_every_letter(language: str) -> None:
    """Letters, digits and punctuation of all texts and names; pictures of things are for messages alone."""
    with speaking(language):
        signs = {sign for text in texts() for sign in unicodedata.normalize("NFC", text)} - {"\n"}
    written = {sign for sign in signs if unicodedata.category(sign)[0] in "LNPZ" or sign in "+<>=~|"}
    assert [] == sorted(sign for sign in written if {ord(sign)} - (coverage(REGULAR) & coverage(BOLD)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_stays_what_it_is_on_a_picture(language: str) -> None:
    """Nothing of names of games, sides, days and numbers is left out when it is drawn."""
    with speaking(language):
        told = [_(variants.load(name).tables.name) for name in EVERY]
        told += [pgettext("side", side) for side in ("White", "Black", "Red", "South", "North")]
        told += [day(date(2026, month, 20)) for month in range(1, 13)]
        told += [decimal(2.5), percent(0.5), _("bye"), re.sub(r"\{\w+\}", "7", _("Turns 1 to {count}"))]
    assert told == [writable(text, "?") for text in told]
