"""Times as people type them."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.chat.wording.dates import moment_of
from bot.games.model.errors import Refused

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
        ("1798142400", "2026-12-24 20:00"),
        ("<t:1798142400:R>", "2026-12-24 20:00"),
    ],
)
def test_times_as_people_write_them(text: str, means: str) -> None:
    """In the person's own zone, from now on, or as a stamp."""
    assert means == at(text)


def test_the_zone_is_the_person_s() -> None:
    """The same words mean another moment elsewhere."""
    assert "2026-11-21 20:00" == at("20:00", "UTC")
    assert "2026-11-21 11:00" == at("20:00", "Asia/Tokyo", now=NOW - 2 * 3_600_000)


@pytest.mark.parametrize(
    "text", ["", "soon", "25:00", "20:61", "2026-02-30 20:00", "in", "in 2", "20", "su 20:00", "in 2 parsecs", "²0:00"]
)
def test_what_is_no_time(text: str) -> None:
    """The refusal shows how a time is written."""
    with pytest.raises(Refused, match="as a time"):
        at(text)


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
