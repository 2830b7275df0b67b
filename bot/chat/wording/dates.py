"""Moments as people type them, and as Discord shows them to each reader. Nothing here reads the clock."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

from bot.calendar_words import NoSuchDayError, clock_of, day_of, is_filling, span_of
from bot.engine.errors import echoed
from bot.games.model.errors import Refused
from bot.i18n import _, clock, ngettext
from bot.support.time_units import HOUR, SECOND

_LONGEST = 100
_STAMP = r"<t:([0-9]{9,11})(?::[a-zA-Z])?>|([0-9]{9,11})"


def moment(at: int, style: str = "R") -> str:
    """A moment (UTC ms) as Discord shows it in each reader's own time: "in 3 days"; with style "f" date and time."""
    return f"<t:{at // SECOND}:{style}>"


def until(due: int | None) -> str:
    """The deadline of whoever is to move, as a sentence; nothing without one."""
    if due is None:
        return ""
    return _("Move by {moment} ({from_now}).").format(moment=moment(due, "f"), from_now=moment(due))


def moment_of(text: str, now: int, zone: str, *, whole_days: bool = False) -> int:
    """The moment (UTC ms) that ``text`` means, said at ``now`` by somebody whose time zone is ``zone``. With
    ``whole_days`` a day without an hour is the end of that day.

    ``in 2h 30m``, ``in a week``; ``20:00`` (the next time that it is), ``tomorrow 8 pm``, ``sat 20:00``,
    ``24 dec 20:00``, ``2026-12-24 20:00``, all in the person's own time and as the language spoken now writes it, or
    English; a Unix time, or one as Discord writes it (``<t:1798142400>``). Raises Refused."""
    stamp = re.fullmatch(_STAMP, text.strip())
    if stamp is not None:
        return int(stamp[1] or stamp[2]) * SECOND
    if re.fullmatch("[0-9]{12,}", text.strip()) and len(text) <= _LONGEST:
        raise Refused(_("As a Unix time, in seconds, `{text}` is too far away.").format(text=_shown(text)))
    if len(text) > _LONGEST:
        raise _unreadable(text, whole_days)
    try:
        return _moment_of(text, now, zone, whole_days)
    except NoSuchDayError:
        raise Refused(_("There is no such day as `{text}`. Choose another one.").format(text=_shown(text))) from None


def _moment_of(text: str, now: int, zone: str, whole_days: bool) -> int:
    span = span_of(text)
    if span is not None:
        return now + span
    today = datetime.fromtimestamp(now / SECOND, ZoneInfo(zone)).date()
    found = clock_of(text)
    if found is None:
        on = None if is_filling(text) else day_of(text, today)
        if on is not None and whole_days:
            # Where clocks go forward at midnight, an hour later.
            return int(datetime.combine(on + timedelta(days=1), time(), ZoneInfo(zone)).timestamp() * SECOND)
        if on is not None:
            template = _("At what time? Write the hour as well, such as `{example}`.")
            raise Refused(template.format(example=f"{_shown(text)} 20:00"))
        raise _unreadable(text, whole_days)
    minutes, named = found
    for passed in (False, True):
        on = day_of(named, today, passed)
        if on is None:
            raise _unreadable(text, whole_days)
        at = _utc(datetime.combine(on, time(*divmod(minutes, 60))), zone)
        if at > now:
            break
    return at


def days_and_hours(length: int) -> tuple[str, str]:
    """A length of time, in milliseconds, in whole hours: "3 days" and "5 hours"."""
    days, hours = divmod(length // HOUR, 24)
    in_days = ngettext("{count} day", "{count} days", days).format(count=days)
    return in_days, ngettext("{count} hour", "{count} hours", hours).format(count=hours)


def minutes(length: int) -> str:
    """A length of time, in milliseconds, as a clock shows it: "4:05"."""
    whole, seconds = divmod(length // SECOND, 60)
    return f"{whole}:{seconds:02}"


def _utc(local: datetime, zone: str) -> int:
    """A local time in UTC. Raises Refused for an hour that is left out when clocks are put forward."""
    at = local.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    if at.astimezone(ZoneInfo(zone)).replace(tzinfo=None) != local:
        text = _("There is no {time} on that day in your time zone, because clocks go forward. Choose another time.")
        raise Refused(text.format(time=clock(local.time())))
    return int(at.timestamp() * SECOND)


def _unreadable(text: str, whole_days: bool) -> Refused:
    if whole_days:
        template = _(
            "I cannot read `{text}` as a day or a time. Write `24 dec`, `fri 20:00` or `2026-12-24` in your "
            "time zone (set it with `/me settings`), or `in 5 days`."
        )
        return Refused(template.format(text=_shown(text)))
    template = _(
        "I cannot read `{text}` as a time. Write `20:00`, `sat 20:00` or `2026-12-24 20:00` in "
        "your time zone (set it with `/me settings`), `in 2h`, or a Unix time."
    )
    return Refused(template.format(text=_shown(text)))


def _shown(text: str) -> str:
    return echoed(text)
