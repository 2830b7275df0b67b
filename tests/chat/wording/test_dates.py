"""Times as people type them."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest
from babel import Locale
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.wording.dates import moment_of
from bot.games.model.errors import Refused
from bot.i18n import ENGLISH, LANGUAGES, _, clock, day, speaking

# A Saturday, 13:00 in Madrid.
NOW = int(datetime(2026, 11, 21, 12, 0, tzinfo=UTC).timestamp() * 1000)


def at(text: str, zone: str = "Europe/Madrid", now: int = NOW) -> str:
    """What ``text`` means, in UTC."""
    return f"{datetime.fromtimestamp(moment_of(text, now, zone) / 1000, UTC):%Y-%m-%d %H:%M}"


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("20:00", "2026-11-21 19:00"),
        ("at 20.00", "2026-11-21 19:00"),
        ("9:30", "2026-11-22 08:30"),
        ("13:00", "2026-11-22 12:00"),
        ("today 20:00", "2026-11-21 19:00"),
        ("Tomorrow at 20:00", "2026-11-22 19:00"),
        ("sat 20:00", "2026-11-21 19:00"),
        ("Saturday 12:00", "2026-11-28 11:00"),
        ("mon 00:05", "2026-11-22 23:05"),
        ("2026-12-24 20h15", "2026-12-24 19:15"),
        ("2027-07-01 20:00", "2027-07-01 18:00"),
        ("in 2h", "2026-11-21 14:00"),
        ("2h 30m", "2026-11-21 14:30"),
        ("in 90 minutes", "2026-11-21 13:30"),
        ("in 1 week, 1 day", "2026-11-29 12:00"),
        ("next tuesday 8pm", "2026-11-24 19:00"),
        ("next saturday 20:00", "2026-11-28 19:00"),
        ("8 pm tomorrow", "2026-11-22 19:00"),
        ("tomorrow at 12:30 a.m.", "2026-11-21 23:30"),
        ("8 in the evening", "2026-11-21 19:00"),
        ("12 noon", "2026-11-22 11:00"),
        ("Thursday, December 24, 20:00", "2026-12-24 19:00"),
        ("24th of December 2027 at 8:15 PM", "2027-12-24 19:15"),
        ("21 nov 12:00", "2027-11-21 11:00"),
        ("29 feb 12:00", "2028-02-29 11:00"),
        ("12/24 20:00", "2026-12-24 19:00"),
        ("24/12 20:00", "2026-12-24 19:00"),
        ("tomorrow 20h", "2026-11-22 19:00"),
        ("2 hours from now", "2026-11-21 14:00"),
        ("in a week and an hour", "2026-11-28 13:00"),
        ("until sat 20:00", "2026-11-21 19:00"),
        ("2026-12-24T20:00", "2026-12-24 19:00"),
        ("1798142400", "2026-12-24 20:00"),
        ("<t:1798142400:R>", "2026-12-24 20:00"),
    ],
)
def test_times_as_people_write_them(text: str, means: str) -> None:
    """In the person's own zone, from now on, or as a stamp."""
    assert means == at(text)


def test_a_unix_time_too_far_away() -> None:
    """It is one, and not unreadable."""
    with pytest.raises(Refused, match="As a Unix time, in seconds, `99999999999999` is too far away"):
        moment_of("99999999999999", 0, "UTC")


IN_LANGUAGES = {
    "es": [
        ("mañana 20:00", "2026-11-22 19:00"),
        ("manana a las 20:00", "2026-11-22 19:00"),
        ("pasado mañana a las 8 de la noche", "2026-11-23 19:00"),
        ("mañana a las 10 de la mañana", "2026-11-22 09:00"),
        ("hoy, 8 p. m.", "2026-11-21 19:00"),
        ("martes 18:30", "2026-11-24 17:30"),
        ("el próximo martes a las 18.30", "2026-11-24 17:30"),
        ("miercoles 18:30 hs", "2026-11-25 17:30"),
        ("Mié 18:30", "2026-11-25 17:30"),
        ("mar 18:30", "2026-11-24 17:30"),
        ("jueves 24 de diciembre de 2026, 20:00", "2026-12-24 19:00"),
        ("24 dic 20:00", "2026-12-24 19:00"),
        ("3/4 20:00", "2027-04-03 18:00"),
        ("24/12/2026 20:00", "2026-12-24 19:00"),
        ("24-12-26 20h15", "2026-12-24 19:15"),
        ("dentro de 2 horas y 30 minutos", "2026-11-21 14:30"),
        ("en 1 semana", "2026-11-28 12:00"),
        ("dentro de una semana", "2026-11-28 12:00"),
        ("hasta dentro de una semana", "2026-11-28 12:00"),
        ("hasta el martes a las 18:30", "2026-11-24 17:30"),
        ("2 d 3 h", "2026-11-23 15:00"),
    ],
    "fil": [
        ("bukas 8 pm", "2026-11-22 19:00"),
        ("bukas ng gabi, alas-8", "2026-11-22 19:00"),
        ("bukas ng 8:30 ng umaga", "2026-11-22 07:30"),
        ("ngayong gabi 8 pm", "2026-11-21 19:00"),
        ("mamaya alas 8 ng gabi", "2026-11-21 19:00"),
        ("Biyernes 8:00 PM", "2026-11-27 19:00"),
        ("sa susunod na Sabado 8 pm", "2026-11-28 19:00"),
        ("sa Linggo, 15:00", "2026-11-22 14:00"),
        ("Miy 20:00", "2026-11-25 19:00"),
        ("ika-24 ng Disyembre, 8 pm", "2026-12-24 19:00"),
        ("Disyembre 24, 2026 8:00 PM", "2026-12-24 19:00"),
        ("12/24 20:00", "2026-12-24 19:00"),
        ("sa loob ng 2 oras", "2026-11-21 14:00"),
        ("2 linggo", "2026-12-05 12:00"),
        ("isang linggo", "2026-11-28 12:00"),
        ("hanggang sa Linggo, 15:00", "2026-11-22 14:00"),
        ("3 na araw at 2 oras", "2026-11-24 14:00"),
    ],
    "hy": [
        ("վաղը 20:00", "2026-11-22 19:00"),
        ("վաղը ժամը 20\u058900-ին", "2026-11-22 19:00"),
        ("Վաղը երեկոյան 8-ին", "2026-11-22 19:00"),
        ("վաղը երեկոյան ժամը 8-ին", "2026-11-22 19:00"),
        ("այսօր 20.00", "2026-11-21 19:00"),
        ("ուրբաթ 19:30", "2026-11-27 18:30"),
        ("ուրբաթ օրը 19:30", "2026-11-27 18:30"),
        ("երկ 20:00", "2026-11-23 19:00"),
        ("հաջորդ շաբաթ օրը 20:00", "2026-11-28 19:00"),
        ("դեկտեմբերի 24-ին, ժամը 20:00", "2026-12-24 19:00"),
        ("2026 թ. դեկտեմբերի 24, 20:00", "2026-12-24 19:00"),
        ("24 դեկտեմբեր 20:00", "2026-12-24 19:00"),
        ("24.12 20.00", "2026-12-24 19:00"),
        ("24.12.2026 20:00", "2026-12-24 19:00"),
        ("2 ժամից", "2026-11-21 14:00"),
        ("2 ժամ և 30 րոպե հետո", "2026-11-21 14:30"),
        ("2 շաբաթից", "2026-12-05 12:00"),
        ("մեկ շաբաթից", "2026-11-28 12:00"),
        ("մինչև ուրբաթ 19:30", "2026-11-27 18:30"),
    ],
}


@pytest.fixture(params=[language for language in LANGUAGES if language != ENGLISH])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each of the languages but English is spoken."""
    with speaking(request.param):
        yield request.param


def test_times_as_each_language_writes_them(language: str) -> None:
    """Its own names of days, months, parts of the day and spans, with or without accents; and English all the same."""
    for text, means in [*IN_LANGUAGES[language], ("tomorrow 8 pm", "2026-11-22 19:00"), ("sat 20:00", at("sat 20:00"))]:
        assert (text, means) == (text, at(text))


def test_all_days_and_months_are_known_by_all_their_names(language: str) -> None:
    """Each name that CLDR has for a day or a month means that one."""
    locale = Locale.parse(language)
    for context, width in product(("format", "stand-alone"), ("wide", "abbreviated")):
        for number, name in locale.days[context][width].items():
            assert (name, number) == (name, datetime.fromisoformat(at(f"{name} 12:00")).weekday())
        for number, name in locale.months[context].get(width, {}).items():
            assert (name, number) == (name, datetime.fromisoformat(at(f"2 {name} 12:00")).month)


def test_what_is_written_is_read(language: str) -> None:
    """A day and an hour as the bot writes them in a language mean the same when they are typed again."""
    for away in range(0, 400, 7):
        on = datetime(2026, 11, 22, 20, 5) + timedelta(days=away)
        assert f"{on:%Y-%m-%d} 20:05" == at(f"{day(on.date())} {clock(on.time())}", "UTC")


def test_a_day_alone_is_asked_for_its_hour(language: str) -> None:
    """No hour is guessed; the answer shows what to type."""
    for name in Locale.parse(language).days["format"]["wide"].values():
        with pytest.raises(Refused, match=rf"`{name} 20:00`"):
            at(name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_of_what_to_type_are_understood(language: str) -> None:
    """What a refusal, and the description of an option, show as times is read in the language that they are in."""
    with speaking(language):
        with pytest.raises(Refused) as refused:
            at("soon")
        shown = [text for text in re.findall("`([^`]*)`", str(refused.value)) if text not in ("soon", "/me settings")]
        option = _("When it starts: 20:00, sat 20:00, 2026-12-24 20:00, in 2h")
        described = re.split("[:\u055d] ", option, maxsplit=1)[1].split(", ")
        assert ["2026-11-21 19:00"] * 2 == [at(shown[0]), at(described[0])]
        for examples in (shown, described):
            assert ["2026-11-21 19:00", "2026-12-24 19:00", "2026-11-21 14:00"] == [at(text) for text in examples[1:]]


def test_the_zone_is_the_person_s() -> None:
    """The same words mean another moment elsewhere."""
    assert "2026-11-21 20:00" == at("20:00", "UTC")
    assert "2026-11-21 11:00" == at("20:00", "Asia/Tokyo", now=NOW - 2 * 3_600_000)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "25:00",
        "20:61",
        "in",
        "in 2",
        "20",
        "su 20:00",
        "in 2 parsecs",
        "²0:00",
        "3/4 20:00",
        "13 am",
        "8 20:00",
    ],
)
def test_what_is_no_time(text: str) -> None:
    """The refusal shows how a time is written."""
    with pytest.raises(Refused, match="as a time"):
        at(text)


@pytest.mark.parametrize("text", ["2026-02-30 20:00", "31 nov 20:00", "november 31", "30-2", "29 feb 2027 8 pm"])
@pytest.mark.parametrize("whole_days", [False, True])
def test_a_day_that_is_not_in_the_calendar(text: str, whole_days: bool) -> None:
    """The refusal says so."""
    with pytest.raises(Refused, match=f"There is no such day as `{text}`"):
        moment_of(text, NOW, "UTC", whole_days=whole_days)


def test_little_words_alone_are_no_day() -> None:
    """Until when, they do not say."""
    for text in ("until", "till the", "at", ""):
        with pytest.raises(Refused, match="as a day or a time"):
            moment_of(text, NOW, "UTC", whole_days=True)


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("fri", "2026-11-28 00:00"),
        ("until friday", "2026-11-28 00:00"),
        ("till the 24th of december", "2026-12-25 00:00"),
        ("24th december", "2026-12-25 00:00"),
        ("until tomorrow", "2026-11-23 00:00"),
        ("in a day", "2026-11-22 12:00"),
        ("until in a week", "2026-11-28 12:00"),
        ("until 2 weeks", "2026-12-05 12:00"),
    ],
)
def test_days_without_an_hour(text: str, means: str) -> None:
    """Where whole days are meant, a day is meant to its end."""
    assert means == f"{datetime.fromtimestamp(moment_of(text, NOW, 'UTC', whole_days=True) / 1000, UTC):%Y-%m-%d %H:%M}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_of_days_are_understood(language: str) -> None:
    """What a refusal shows as days, and times, is read in the language that it is in."""
    with speaking(language):
        with pytest.raises(Refused) as refused:
            moment_of("soon", NOW, "UTC", whole_days=True)
        shown = [text for text in re.findall("`([^`]*)`", str(refused.value)) if text not in ("soon", "/me settings")]
        moments = [datetime.fromtimestamp(moment_of(text, NOW, "UTC", whole_days=True) / 1000, UTC) for text in shown]
    assert ["12-25 00", "11-27 20", "12-25 00", "11-26 12"] == [f"{each:%m-%d %H}" for each in moments]


def test_hours_that_are_left_out() -> None:
    """An hour that clocks skip is refused; of one that comes twice it is the first."""
    with pytest.raises(Refused, match="on that day in your time zone, because clocks go forward"):
        at("2027-03-28 02:30")
    assert "2027-10-31 00:30" == at("2027-10-31 02:30")


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Nothing that is typed breaks it."""
    with contextlib.suppress(Refused):
        assert isinstance(moment_of(text, NOW, "Europe/Madrid"), int)
