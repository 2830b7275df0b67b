"""What is kept of a person, in a form that people can read."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from bot.support.time_units import DAY, MINUTE, SECOND

# Between 2001 and 2286. Everything smaller is a count or a length of time, and an id of Discord is larger.
_TIMES: Final = range(10**12, 10**13)
_MINUTES: Final = range(DAY // MINUTE)


def readable(value: Any) -> Any:
    """A value for JSON with its times, UTC in milliseconds, as ISO 8601 to the second, and quiet hours, given in
    minutes after midnight, as "22:00-07:00"."""
    if isinstance(value, dict):
        return {key: _hours(item) if key == "quiet" else readable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [readable(item) for item in value]
    if isinstance(value, int) and value in _TIMES:
        return datetime.fromtimestamp(value // SECOND, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return value


def _hours(value: Any) -> Any:
    if isinstance(value, list | tuple) and len(value) == 2 and all(minute in _MINUTES for minute in value):
        return "-".join(f"{minute // 60:02}:{minute % 60:02}" for minute in value)
    return readable(value)
