"""Clocks: how much time each player has, and when it ends. Pure: times are handed in, UTC in integer milliseconds.

One form holds every control: a bank to begin with, an increment for each move, and a cap. A clock of n days a move is a
bank of n days whose increment fills it up again. While nobody can be blamed the time stands still: such *stops* (the
vacation of the player to move, an outage of the bot) are intervals handed in beside the clock, so that nothing has to
be written into every game when one begins or ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, TypeVar

from bot.i18n import Phrase, nphrase, phrase
from bot.support.frozen import frozen
from bot.support.time_units import DAY, HOUR, MINUTE, SECOND

FIRST_MOVE: Final = 48 * HOUR
"""How long a player may take for the first move of a game by days; after that the game is called off."""

Stop = tuple[int, int | None]
"""From when until when time stands still; None: it still does. Stops may overlap."""


@frozen
class Control:
    """How time is given: ``bank`` at first, ``increment`` for each move, never more than ``cap`` (None: no cap).

    ``first`` is the time for a player's first move, which the bank does not pay. ``live``: for an evening; ``prompt``:
    for games that begin at once, one after the other."""

    id: str
    bank: int
    increment: int
    cap: int | None
    first: int
    live: bool = False
    prompt: bool = False

    @property
    def plain(self) -> bool:
        """So much for every move, whatever the last one took."""
        return self.increment == self.bank == self.cap

    @property
    def text(self) -> Phrase:
        """The control in words."""
        bank, increment = span(self.bank), span(self.increment)
        if self.plain:
            return phrase("{time} per move", time=bank)
        if self.cap is None:
            return phrase("{bank} to start, plus {increment} per move", bank=bank, increment=increment)
        return phrase(
            "{bank} to start, plus {increment} per move, up to {cap}",
            bank=bank,
            increment=increment,
            cap=span(self.cap),
        )


def _plain(days: int) -> Control:
    return Control(f"{days}d", days * DAY, days * DAY, days * DAY, FIRST_MOVE)


def _banked(name: str, bank: int, increment: int) -> Control:
    return Control(name, bank, increment, bank, FIRST_MOVE)


def _live(minutes: int, seconds: int) -> Control:
    bank = minutes * MINUTE
    return Control(f"{minutes}+{seconds}", bank, seconds * SECOND, None, bank, live=True)


NONE: Final = "none"
"""What a game without a clock has for a control."""

CONTROLS: Final[Mapping[str, Control]] = MappingProxyType(
    {
        control.id: control
        for control in (
            _banked("brisk", 3 * DAY, 12 * HOUR),
            _banked("steady", 7 * DAY, 1 * DAY),
            _banked("relaxed", 10 * DAY, 36 * HOUR),
            *map(_plain, (1, 2, 3, 5, 7, 10, 14)),
            *(_live(minutes, seconds) for minutes, seconds in ((5, 3), (10, 5), (20, 10))),
        )
    }
)


PROMPT: Final = "!"
"""Stands behind the name of a live clock for games that must begin at once, as in an arena."""

FIRST_AT_ONCE: Final = 2 * MINUTE
"""How long a player may take for the first move then."""


PATIENT: Final = "~"
"""Stands behind the name of a clock by days for games of a league, where the first move has as long as any other."""


def control_of(name: str) -> Control | None:
    """The control that a game has kept the name of; None without a clock."""
    control = CONTROLS.get(name.removesuffix(PROMPT).removesuffix(PATIENT))
    if control is not None and name.endswith(PROMPT):
        return replace(control, first=FIRST_AT_ONCE, prompt=True)
    if control is not None and name.endswith(PATIENT):
        return replace(control, first=max(control.first, control.bank))
    return control


@frozen
class ClockReading:
    """What the clocks show after an entry of a record, by seat (see Clock)."""

    left: tuple[int | None, ...]
    spent: tuple[int, ...]


@frozen
class Clock:
    """The clocks of one game at one moment. ``left`` by seat, None until that seat has made its first move; ``spent``
    by seat, what its moves have taken; ``seat`` is the one to move, and ``since`` when its time began to run."""

    control: Control
    left: tuple[int | None, ...]
    spent: tuple[int, ...]
    seat: int
    since: int

    @property
    def shown(self) -> ClockReading:
        return ClockReading(self.left, self.spent)

    @property
    def limit(self) -> int:
        """What the seat to move had when its time began to run. What a first move has taken before, as it was taken
        back or another has left meanwhile, stays used, but for a minute to move in."""
        left = self.left[self.seat]
        return left if left is not None else max(self.control.first - self.spent[self.seat], MINUTE)

    def used(self, at: int, stops: Iterable[Stop] = ()) -> int:
        """What the seat to move has used by ``at``."""
        return max(0, at - self.since) - stopped(stops, self.since, at)

    def remaining(self, at: int, stops: Iterable[Stop] = ()) -> int:
        """What the seat to move has left at ``at``; not above 0 when its time has run out."""
        return self.limit - self.used(at, stops)

    def due(self, stops: Iterable[Stop] = ()) -> int | None:
        """When the time of the seat to move runs out; None while it stands still for nobody knows how long."""
        return self.when(self.limit, stops)

    def when(self, used: int, stops: Iterable[Stop] = ()) -> int | None:
        """When the seat to move will have used so much of its time; None when time stands still for ever before."""
        end = self.since + used
        for start, until in _merged(stops):
            if max(start, self.since) >= end:
                break
            if until is None:
                return None
            end += max(0, until - max(start, self.since))
        return end

    def pressed(self, at: int, to: int, stops: Iterable[Stop] = ()) -> Clock:
        """After a move of the seat to move: it is paid for, rewarded with the increment, and ``to`` is to move. The
        first move is free, and opens the bank."""
        paid = self.passed(at, to, stops)
        left, control = paid.left[self.seat], self.control
        gained = control.bank if left is None else left + control.increment
        capped = gained if control.cap is None else min(gained, control.cap)
        return replace(paid, left=with_seat(paid.left, self.seat, capped))

    def passed(self, at: int, to: int, stops: Iterable[Stop] = ()) -> Clock:
        """The time used is paid for, without a move: somebody left, or the turn is handed on for another reason."""
        used = self.used(at, stops)
        left = self.left[self.seat]
        return replace(
            self,
            left=with_seat(self.left, self.seat, None if left is None else max(0, left - used)),
            spent=with_seat(self.spent, self.seat, self.spent[self.seat] + used),
            seat=to,
            since=max(at, self.since),
        )

    def without_move(self, seat: int, then: Clock) -> Clock:
        """The last move of ``seat``, before which the clocks stood as at ``then``, counts no more: what it took stays
        spent, what it gained is gone. As the other decides when that happens, an hour stays (a minute of a live clock),
        if there was as much."""
        left = before = then.left[seat]
        if before is not None:
            rest = min(before, MINUTE if self.control.live else HOUR)
            left = max(rest, before - (self.spent[seat] - then.spent[seat]))
        return replace(self, left=with_seat(self.left, seat, left))

    def taken_back(self, at: int, then: Clock, seat: int, to: int, stops: Iterable[Stop] = ()) -> Clock:
        """The game stands again as at ``then``, because ``seat`` took its turn back.

        The others have what they had then. ``seat`` has that less all that it has used since: neither its thinking nor
        an increment is given back. As taking back is not to lose the game, an hour stays (a minute of a live clock),
        if there was as much."""
        now = self.passed(at, self.seat, stops)
        before, after = then.left[seat], now.left[seat]
        left = before
        if before is not None and after is not None:
            rest = min(before, after, MINUTE if self.control.live else HOUR)
            left = max(rest, min(after, before - (now.spent[seat] - then.spent[seat])))
        return replace(
            then,
            left=with_seat(then.left, seat, left),
            spent=with_seat(then.spent, seat, now.spent[seat]),
            seat=to,
            since=at,
        )


T = TypeVar("T")


def with_seat(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    """What is held by seat, with another value for one of them."""
    return (*values[:seat], value, *values[seat + 1 :])


def begin(control: Control, seats: int, seat: int, at: int) -> Clock:
    """The clocks of a game of ``seats`` players that begins at ``at`` with ``seat`` to move."""
    return Clock(control, (None,) * seats, (0,) * seats, seat, at)


def stopped(stops: Iterable[Stop], start: int, end: int) -> int:
    """How much of the time from ``start`` to ``end`` is covered by stops; what two of them cover counts once."""
    covered = 0
    for begins, until in _merged(stops):
        covered += max(0, (end if until is None else min(until, end)) - max(begins, start))
    return covered


def _merged(stops: Iterable[Stop]) -> list[Stop]:
    """The same stops, in order and apart from each other."""
    merged: list[Stop] = []
    for start, until in sorted(stops, key=lambda stop: stop[0]):
        if until is not None and until <= start:
            continue
        if merged:
            first, last = merged[-1]
            if last is None:
                break
            if start <= last:
                merged[-1] = (first, None if until is None else max(last, until))
                continue
        merged.append((start, until))
    return merged


def span(length: int) -> Phrase:
    """A length of time in words, in its largest even unit: "7 days", "36 hours", "10 minutes"."""
    count = length // DAY
    if length and length % DAY == 0:
        return nphrase("{count} day", "{count} days", count, count=count)
    count = length // HOUR
    if length and length % HOUR == 0:
        return nphrase("{count} hour", "{count} hours", count, count=count)
    count = length // MINUTE
    if length and length % MINUTE == 0:
        return nphrase("{count} minute", "{count} minutes", count, count=count)
    count = length // SECOND
    if length % SECOND == 0:
        return nphrase("{count} second", "{count} seconds", count, count=count)
    return nphrase("{count} millisecond", "{count} milliseconds", length, count=length)
