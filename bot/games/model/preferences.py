"""What people and the managers of servers have chosen. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, field, replace
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache
from typing import Any, Final, Literal, TypeVar
from zoneinfo import ZoneInfo, available_timezones

from bot.calendar_words import minute_of
from bot.games.model.clock import CONTROLS, NONE
from bot.games.model.errors import Refused
from bot.i18n import _, known
from bot.support.frozen import frozen

REMINDERS: Final = ("half", "most", "last", "digest", "turn")
"""What may be muted: the three reminders of a turn, the daily digest, and the ping of a new board."""

Side = Literal["own", "first"]
Notation = Literal["squares", "numbers"]


@frozen
class Preferences:
    """One person's settings. ``zone`` is an IANA time zone; ``quiet`` from when until when, in minutes of the day
    there, nobody is to be pinged (None: never quiet); ``side``: boards are turned to the "own" side or always to the
    "first" player's; ``language`` None is what Discord says; ``words``: what pictures show is written out as well."""

    language: str | None = None
    zone: str = "UTC"
    quiet: tuple[int, int] | None = None
    muted: frozenset[str] = field(default_factory=frozenset)
    side: Side = "own"
    notation: Notation = "squares"
    words: bool = False

    @staticmethod
    def of(stored: Mapping[str, Any]) -> Preferences:
        """What is stored, as a value; what is not known any more is left out."""
        quiet = stored.get("quiet")
        return Preferences(
            language=known(stored.get("language")),
            zone=stored["zone"] if stored.get("zone") in zones() else "UTC",
            quiet=(int(quiet[0]), int(quiet[1])) if quiet else None,
            muted=frozenset(stored.get("muted", ())) & frozenset(REMINDERS),
            side="first" if stored.get("side") == "first" else "own",
            notation="numbers" if stored.get("notation") == "numbers" else "squares",
            words=bool(stored.get("words")),
        )

    def to_json(self) -> dict[str, Any]:
        """What is stored: all that is not as usual."""
        values = _unusual(self, Preferences())
        return values | {"muted": sorted(self.muted)} if self.muted else values

    def quiet_hours(self, at: int) -> tuple[int, int] | None:
        """From when until when the quiet hours last in which ``at`` lies (UTC, milliseconds); None outside of them."""
        if self.quiet is None or self.quiet[0] == self.quiet[1]:
            return None
        zone = ZoneInfo(self.zone)
        local = datetime.fromtimestamp(at / 1000, zone)
        start, end = self.quiet
        minute = local.hour * 60 + local.minute
        inside = start <= minute < end if start < end else minute >= start or minute < end
        if not inside:
            return None
        first = local.date() - timedelta(days=int(minute < start))
        last = local.date() + timedelta(days=int(minute >= end))
        # In the hour that comes twice when summer time ends, they begin in the first and end in the second one.
        begins = datetime.combine(first, time(start // 60, start % 60), zone)
        ends = datetime.combine(last, time(end // 60, end % 60, fold=local.fold), zone)
        return int(begins.astimezone(UTC).timestamp() * 1000), int(ends.astimezone(UTC).timestamp() * 1000)

    def quiet_until(self, now: int) -> int | None:
        """When the quiet hours end in which ``now`` lies (UTC, milliseconds); None outside of them."""
        hours = self.quiet_hours(now)
        return None if hours is None else hours[1]

    def with_quiet(self, text: str) -> Preferences:
        """The same with quiet hours as people write them ("22:00-07:30", "10 pm to 7:30 am", or "off"), in the language
        spoken now. Raises Refused."""
        if text.strip().casefold() in ("off", "none", "-", "no", _("none").casefold()):
            return replace(self, quiet=None)
        between = _("{start} to {end}").partition("{start}")[2].partition("{end}")[0]
        parts = [_minute(part) for part in re.split("|".join(map(re.escape, (between, " to ", "-", "\u2013"))), text)]
        if len(parts) != 2 or parts[0] is None or parts[1] is None or parts[0] == parts[1]:
            raise Refused(_("Write quiet hours like `22:00-07:30`, in your own time, or `off`."))
        return replace(self, quiet=(parts[0], parts[1]))

    def with_zone(self, text: str) -> Preferences:
        """The same with a time zone, in any case of letters. Raises Refused."""
        wanted = text.strip().replace(" ", "_").casefold()
        zone = next((name for name in zones() if name.casefold() == wanted), None)
        if zone is None:
            template = _("There is no time zone `{name}`. Write one like `Europe/Madrid`.")
            raise Refused(template.format(name=text.strip()[:40]))
        return replace(self, zone=zone)


@frozen
class ServerPreferences:
    """What the managers of a server have chosen: the channels for games (none: all), the clock of a game whose opener
    says nothing, how many open challenges one person may have there (None: as the bot's operator says), the language
    of what is posted there (None: what Discord has for the server), and ``words`` as in Preferences."""

    channels: tuple[int, ...] = ()
    clock: str = NONE
    max_open_challenges: int | None = None
    language: str | None = None
    words: bool = False

    @staticmethod
    def of(stored: Mapping[str, Any]) -> ServerPreferences:
        """What is stored, as a value."""
        clock = stored.get("clock", NONE)
        return ServerPreferences(
            channels=tuple(stored.get("channels", ())),
            clock=clock if clock in CONTROLS else NONE,
            max_open_challenges=stored.get("max_open"),
            language=known(stored.get("language")),
            words=bool(stored.get("words")),
        )

    def to_json(self) -> dict[str, Any]:
        """What is stored: all that is not as usual."""
        values = _unusual(self, ServerPreferences())
        return {"max_open" if name == "max_open_challenges" else name: value for name, value in values.items()}


T = TypeVar("T", Preferences, ServerPreferences)


def _unusual(chosen: T, usual: T) -> dict[str, Any]:
    return {name: value for name, value in asdict(chosen).items() if value != getattr(usual, name)}


@lru_cache(maxsize=1)
def zones() -> tuple[str, ...]:
    """The time zones that are known here, by name."""
    return tuple(sorted(available_timezones() | {"UTC"}))


def _minute(text: str) -> int | None:
    """The minute of the day that a text such as "22:00", "10 pm" or "7" names."""
    hours = text.strip().removesuffix(":00")
    if hours.isascii() and hours.isdecimal() and len(hours) <= 2 and int(hours) <= 24:
        return int(hours) % 24 * 60
    return minute_of(text)
