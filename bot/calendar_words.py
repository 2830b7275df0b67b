"""Hours, days and spans of time as the languages write them: names from Unicode's CLDR (Babel), and from
``data/locales/calendar.toml`` what people type besides. Nothing here reads the clock.

English is understood in every language, and accents and capitals make no difference."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import date, timedelta
from functools import lru_cache
from importlib.resources import files
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Literal

from bot.i18n import ENGLISH, spoken
from bot.support.frozen import frozen
from bot.support.time_units import DAY, HOUR, MINUTE

if TYPE_CHECKING:
    from babel import Locale

_Unit = Literal["minute", "hour", "day", "week"]
_UNITS: Final[Mapping[_Unit, int]] = {"minute": MINUTE, "hour": HOUR, "day": DAY, "week": 7 * DAY}
_ISO = r"(2[0-9]{3})-([0-9]{1,2})-([0-9]{1,2})t?"
_NUMERIC = r"([0-9]{1,2})([/.-])([0-9]{1,2})(?:\2(2[0-9]{3}|[0-9]{2}))?"
_CLOCKS: Final = (
    re.compile(r"(?<![0-9])([0-9]{1,2})[:h]([0-9]{2})(?![0-9])"),
    re.compile(r"(?<![0-9.])([0-9]{1,2})\.([0-9]{2})(?![0-9.])(?!.*(?<![0-9.])[0-9]{1,2}\.[0-9]{2}(?![0-9.]))"),
    re.compile(r"(?<![0-9])([0-9]{1,2}) ?(?=\0)()"),
    re.compile(r"(?<=\0)[ ,]*([0-9]{1,2})(?![0-9])()"),
    re.compile(r"(?<![0-9])([0-9]{1,2}) ?h\b()"),
)
_FORMS: Final[tuple[tuple[Literal["long", "short", "narrow"], bool], ...]] = (
    ("long", True),
    ("long", False),
    ("short", False),
    ("narrow", False),
)
_SHORTEST: Final = 3  # Letters of a name of a day or a month.
_START: Final = r"(?<![^\W\d_])"
_END: Final = r"(?![^\W\d_])"


class NoSuchDayError(ValueError):
    """A date that is not in the calendar, such as the 31st of November."""


@frozen
class CalendarWords:
    """What a language calls things, each folded (see ``folded``), with English after its own. ``weekdays`` from Monday
    and ``months`` from January, each with all its names; ``periods``: parts of the day, by the hours that they have;
    ``units`` in milliseconds."""

    weekdays: tuple[Mapping[str, int], ...]
    months: tuple[Mapping[str, int], ...]
    days: Mapping[str, int]
    periods: Mapping[str, frozenset[int]]
    units: Mapping[str, int]
    skip: frozenset[str]
    next: frozenset[str]
    day_first: bool
    until: re.Pattern[str]
    period: re.Pattern[str]
    glued: re.Pattern[str]
    span: re.Pattern[str]
    part: re.Pattern[str]


def folded(text: str) -> str:
    """``text`` without capitals, accents, dots after letters, and superfluous spaces; an Armenian full stop between
    digits is a colon."""
    spread = unicodedata.normalize("NFD", text.casefold())
    plain = "".join(char for char in spread if not unicodedata.combining(char))
    plain = re.sub(r"(?<=[0-9])\u0589(?=[0-9])", ":", plain)
    return " ".join(re.sub(r"(?<=[^\W\d_])[.\u2024\u0589]", "", plain).split())


def _meant(text: str) -> str:
    """``text``, folded, without the word that something lasts until then."""
    return calendar_words(spoken()).until.sub("", folded(text), 1)


def span_of(text: str) -> int | None:
    """Milliseconds of a span such as "in 2h 30m" or "dentro de 2 horas"; None where ``text`` is none."""
    words, typed = calendar_words(spoken()), _meant(text)
    if words.span.fullmatch(typed) is None:
        return None
    parts = words.part.findall(typed)
    return sum((int(count) if count.isdecimal() else 1) * words.units[unit] for count, unit in parts)


def clock_of(text: str) -> tuple[int, str] | None:
    """The minute of the day that stands in ``text`` ("20:00", "8 pm", "8 de la noche"), and the rest, folded. None
    where there is none."""
    words = calendar_words(spoken())
    typed = words.glued.sub("", _meant(text))
    period = words.period.search(typed)
    if period is not None:
        typed = f"{typed[: period.start()]}\0{typed[period.end() :]}"
    clock = next(filter(None, (pattern.search(typed) for pattern in _CLOCKS)), None)
    if clock is None or int(clock[2] or 0) > 59:
        return None
    hour = int(clock[1])
    if period is not None:
        meant = _hour_in(hour, words.periods[period[1].replace(" ", "")])
        if meant is None:
            return None
        hour = meant
    rest = f"{typed[: clock.start()]} {typed[clock.end() :]}".replace("\0", " ")
    return (hour * 60 + int(clock[2] or 0), " ".join(rest.split())) if hour < 24 else None


def minute_of(text: str) -> int | None:
    """The minute of the day that ``text`` is, and nothing else; None where it is none."""
    found = clock_of(text)
    return found[0] if found is not None and is_filling(found[1]) else None


def is_filling(text: str) -> bool:
    """Whether ``text`` is nothing but little words that stand beside days and hours."""
    return not set(_meant(text).split()) - calendar_words(spoken()).skip


def day_of(text: str, today: date, passed: bool = False) -> date | None:
    """The day that ``text`` means on ``today``; None where it is no day. An empty text is today, a weekday or a date
    without its year the next one, from today on, or from tomorrow on if what is meant has ``passed`` today. A date in
    numbers is read with the day first where the language writes it so; elsewhere only if it can be read in one way.
    Raises NoSuchDayError for a date that no year, or not the year that is named, has."""
    words = calendar_words(spoken())
    typed = words.glued.sub("", _meant(text))
    if typed in words.days:
        return today + timedelta(days=words.days[typed])
    written = re.fullmatch(_ISO, typed)
    if written is not None:
        return _date(int(written[1]), int(written[2]), int(written[3]))
    later = any(re.search(rf"\b{re.escape(word)}\b", typed) for word in words.next)
    left = [token for token in re.split(r"[ ,]+", typed) if token and token not in words.skip]
    if later:
        parts = {part for word in words.next for part in word.split()}
        left = [token for token in left if token not in parts]
    if not left:
        return None if later else today + timedelta(days=passed)
    if " ".join(left) in words.days:
        return today + timedelta(days=words.days[" ".join(left)])
    if len(left) == 1:
        weekday = _named(left[0], words.weekdays)
        if weekday is not None:
            away = (weekday - today.weekday()) % 7
            return today + timedelta(days=away or 7 * (later or passed))
        numeric = re.fullmatch(_NUMERIC, left[0])
        return None if numeric is None else _in_numbers(numeric, words.day_first, today + timedelta(days=passed))
    months = [month for token in left if (month := _named(token, words.months)) is not None]
    # A weekday beside a date is nothing new; in Spanish one has the short name of a month.
    left = [token for token in left if _named(token, words.months) is not None or _named(token, words.weekdays) is None]
    numbers = [token for token in left if token.isdecimal() and len(token) in (1, 2, 4)]
    if len(months) != 1 or len(numbers) not in (1, 2) or len(left) != 1 + len(numbers):
        return None
    years = [int(number) for number in numbers if len(number) == 4]
    days = [int(number) for number in numbers if len(number) < 4]
    if len(days) != 1:
        return None
    return _coming(years[0] if years else None, months[0] + 1, days[0], today + timedelta(days=passed))


def _in_numbers(written: re.Match[str], day_first: bool, since: date) -> date | None:
    first, second = int(written[1]), int(written[3])
    day, month = (first, second) if day_first or first > 12 else (second, first)
    if not day_first and day <= 12 and first != second:
        return None
    year = None if written[4] is None else int(written[4][-2:]) + 2000
    return _coming(year, month, day, since)


def _coming(year: int | None, month: int, day: int, since: date) -> date:
    if year is not None:
        return _date(year, month, day)
    # The 29th of February may be years away.
    for later in range(since.year, since.year + 9):
        with suppress(NoSuchDayError):
            if (one := _date(later, month, day)) >= since:
                return one
    raise NoSuchDayError


def _date(year: int, month: int, day: int) -> date:
    try:
        return date(year, month, day)
    except ValueError as error:
        raise NoSuchDayError from error


def _named(token: str, languages: Iterable[Mapping[str, int]]) -> int | None:
    """Which of the named things ``token`` is the name of, or the beginning of one name alone."""
    for names in languages:
        if token in names:
            return names[token]
        begun = {number for name, number in names.items() if name.startswith(token)}
        if len(token) >= _SHORTEST and len(begun) == 1:
            return begun.pop()
    return None


def _hour_in(hour: int, hours: frozenset[int]) -> int | None:
    """The hour of 24 that ``hour`` means in a part of the day with these ``hours``."""
    if hour > 12:
        return hour if hour in hours else None
    early = hour % 12
    for meant in (early, early + 12):
        if meant in hours:
            return meant
    # "5 de la mañana" is before CLDR's morning; no evening has a twelfth hour that is noon.
    return None if hour == 12 else early if min(hours) < 12 else early + 12


@lru_cache(maxsize=16)
def calendar_words(language: str) -> CalendarWords:
    """The words of a language for which ``data/locales/calendar.toml`` has a table; of another, English."""
    tables = tomllib.loads(files("data").joinpath("locales", "calendar.toml").read_text("utf-8"))
    known = [name for name in dict.fromkeys((language, ENGLISH)) if name in tables]
    from babel import Locale

    locales = [Locale.parse(name) for name in known]
    typed = [tables[name] for name in known]
    periods: dict[str, frozenset[int]] = {}
    units: dict[str, int] = {}
    before, after = [], []
    for locale, table in zip(locales, typed, strict=True):
        for name, hours in _periods(locale):
            periods[name] = periods.get(name, frozenset()) | hours
        for unit, worth in _UNITS.items():
            for lead, name in _unit_names(locale, unit):
                units.setdefault(name, worth)
                before.append(lead)
            units |= {folded(name): worth for name in table["units"].get(unit, ())}
        before += table["in"]
        after += table["after"]
    names, joins, glued, skip, one = (
        _any(each) for each in (units, *(_all(typed, key) for key in ("and", "glued", "skip", "one")))
    )
    part = rf"(?:[0-9]{{1,5}} ?|(?:{one}) )(?:{names}){_END}"
    return CalendarWords(
        weekdays=tuple(_names(locale.days) for locale in locales),
        months=tuple(_names({key: _from_zero(value) for key, value in locale.months.items()}) for locale in locales),
        days={folded(name): away for table in reversed(typed) for name, away in table["days"].items()},
        periods={name.replace(" ", ""): hours for name, hours in periods.items()},
        units=units,
        skip=frozenset(map(folded, _all(typed, "skip"))),
        next=frozenset(map(folded, _all(typed, "next"))),
        day_first=locales[0].date_formats["short"].pattern.lower().startswith("d"),
        until=re.compile(rf"^(?:{_any(_all(typed, 'until'))}) "),
        # With the little words between it and an hour behind it.
        period=re.compile(rf"{_START}({_any(periods, ' ?')}){_END}(?:[ ,]+(?:{skip}){_END})*"),
        glued=re.compile(rf"(?<=[0-9])-?(?:{glued}){_END}|{_START}(?:{glued})-?(?=[0-9])"),
        span=re.compile(
            rf"(?:(?:{_any(filter(None, before))}) )?"
            rf"(?:{part}(?:[ ,]| (?:{joins}) )*)+(?:{_any(after)})?"
        ),
        part=re.compile(rf"([0-9]+|{_START}(?:{one})(?= )) ?({names}){_END}"),
    )


def _all(tables: Iterable[Mapping[str, Any]], key: str) -> Iterator[str]:
    return chain.from_iterable(table[key] for table in tables)


def _names(widths: Mapping[str, Any]) -> dict[str, int]:
    return {
        folded(name): number
        for context in widths.values()
        for width in ("wide", "abbreviated")
        for number, name in context.get(width, {}).items()
    }


def _from_zero(context: Mapping[str, Mapping[int, str]]) -> dict[str, dict[int, str]]:
    return {width: {number - 1: name for number, name in names.items()} for width, names in context.items()}


def _periods(locale: Locale) -> Iterator[tuple[str, frozenset[int]]]:
    """Parts of the day as they stand beside an hour, with the hours that they have."""
    rules: dict[str, list[dict[str, int]]] = {
        "am": [{"from": 0, "before": 43200}],
        "pm": [{"from": 43200, "before": 86400}],
    }
    rules |= locale.day_period_rules.get(None, {})
    for width in ("wide", "abbreviated"):
        for key, name in locale.day_periods["format"][width].items():
            yield folded(name), frozenset(chain.from_iterable(map(_hours, rules[key])))


def _hours(rule: Mapping[str, int]) -> range:
    begins = rule["at"] if "at" in rule else rule["from"]
    return range(begins // 3600, rule.get("before", begins + 3600) // 3600)


def _unit_names(locale: Locale, unit: _Unit) -> Iterator[tuple[str, str]]:
    """A unit's names, as they stand behind a number, each with what stands before that where a span lies ahead."""
    from babel.dates import format_timedelta

    for width, ahead in _FORMS:
        for count in (1, 2, 4, 5):  # All plurals.
            span = timedelta(milliseconds=count * _UNITS[unit])
            form = format_timedelta(span, unit, threshold=1000, add_direction=ahead, format=width, locale=locale)
            lead, _number, name = form.partition(str(count))
            yield folded(lead), folded(name)


def _any(words: Iterable[str], space: str = " ") -> str:
    """A pattern of any of ``words``, folded, the longest first; nothing matches where there are none."""
    each = sorted({folded(word) for word in words}, key=lambda word: (-len(word), word))
    return "|".join(re.escape(word).replace(r"\ ", space) for word in each) or "(?!)"
