"""Moments as people type them, and as Discord shows them to each reader. Nothing here reads the clock."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.games.model.errors import Refused
from bot.i18n import _
from bot.support.time_units import DAY, HOUR, MINUTE, SECOND

_UNITS: Final = {"m": MINUTE, "min": MINUTE, "h": HOUR, "d": DAY, "w": 7 * DAY}
_IN = re.compile(r"(?:in )?((?:[0-9]{1,5} ?(?:minutes?|min|m|hours?|h|days?|d|weeks?|w)[ ,]*)+)")
_PART = re.compile(r"([0-9]+) ?([a-z]+)")
_STAMP = re.compile(r"<t:([0-9]{9,11})(?::[a-z])?>|([0-9]{9,11})")
_AT = re.compile(r"(?:(\S+) )?(?:at )?([0-9]{1,2})[:.h]([0-9]{2})")
_DATE = re.compile(r"(2[0-9]{3})-([0-9]{1,2})-([0-9]{1,2})t?")
_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def moment(at: int, style: str = "R") -> str:
    """A moment (UTC ms) as Discord shows it in each reader's own time: "in 3 days"; with style "f" date and time."""
    return f"<t:{at // SECOND}:{style}>"


def until(due: int | None) -> str:
    """The deadline of whoever is to move, as a sentence; nothing without one."""
    if due is None:
        return ""
    return _("Move by {moment} ({from_now}).").format(moment=moment(due, "f"), from_now=moment(due))


def moment_of(text: str, now: int, zone: str) -> int:
    """The moment (UTC ms) that ``text`` means, said at ``now`` by somebody whose time zone is ``zone``.

    ``in 2h 30m``; ``20:00`` (the next time that it is), ``tomorrow 20:00``, ``sat 20:00``, ``2026-12-24 20:00``, all in
    the person's own time; a Unix time, or one as Discord writes it (``<t:1798142400>``). Raises Refused."""
    typed = " ".join(text.casefold().split()).removeprefix("at ")
    stamp = _STAMP.fullmatch(typed)
    if stamp is not None:
        return int(stamp[1] or stamp[2]) * SECOND
    span = _IN.fullmatch(typed)
    if span is not None:
        return now + sum(int(count) * _unit(unit) for count, unit in _PART.findall(span[1]))
    match = _AT.fullmatch(typed)
    if match is None or int(match[2]) > 23 or int(match[3]) > 59:
        raise _unreadable(text)
    local = datetime.fromtimestamp(now / SECOND, ZoneInfo(zone))
    clock = time(int(match[2]), int(match[3]))
    on = _day(match[1], local.date())
    if on is None:
        raise _unreadable(text)
    at = _utc(datetime.combine(on, clock), zone)
    named = match[1] or ""
    if at <= now and not _DATE.fullmatch(named) and named not in ("today", "tomorrow"):
        # A time of day, or a weekday, means the next one.
        at = _utc(datetime.combine(on + timedelta(days=7 if named else 1), clock), zone)
    return at


def _day(named: str | None, today: date) -> date | None:
    if named is None or named == "today":
        return today
    if named == "tomorrow":
        return today + timedelta(days=1)
    written = _DATE.fullmatch(named)
    if written is not None:
        try:
            return date(int(written[1]), int(written[2]), int(written[3]))
        except ValueError:
            return None
    fitting = [number for number, day in enumerate(_DAYS) if len(named) >= 3 and day.startswith(named)]
    return today + timedelta(days=(fitting[0] - today.weekday()) % 7) if fitting else None


def _utc(local: datetime, zone: str) -> int:
    """A local time in UTC. Raises Refused for an hour that is left out when clocks are put forward."""
    at = local.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    if at.astimezone(ZoneInfo(zone)).replace(tzinfo=None) != local:
        text = _("There is no {time} on that day in your time zone, because clocks go forward. Choose another time.")
        raise Refused(text.format(time=f"{local:%H:%M}"))
    return int(at.timestamp() * SECOND)


def _unit(name: str) -> int:
    return _UNITS["min" if name.startswith("min") else name[0]]


def _unreadable(text: str) -> Refused:
    template = _(
        "I cannot read `{text}` as a time. Write `20:00`, `sat 20:00` or `2026-12-24 20:00` in "
        "your time zone (set it with `/me settings`), `in 2h`, or a Unix time."
    )
    return Refused(template.format(text=text.replace("`", "'")[:40]))
