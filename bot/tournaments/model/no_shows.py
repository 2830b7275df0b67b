"""The mark of those who did not come: it grows with each time, fades by itself, and goes with the next game played."""

from __future__ import annotations

from collections.abc import Iterable

from bot.support.time_units import DAY

# For the first, second, third, ... time in a row.
_DAYS = (1, 3, 7, 14, 30)


def marked_until(missed: Iterable[int], played: Iterable[int]) -> int | None:
    """Until when a player is marked; None: not at all. Times in UTC ms.

    ``missed``: when the player did not come to a game; ``played``: when games of the player were finished."""
    last_played = max(played, default=None)
    since = sorted(at for at in missed if last_played is None or at > last_played)
    if not since:
        return None
    return since[-1] + _DAYS[min(len(since), len(_DAYS)) - 1] * DAY
