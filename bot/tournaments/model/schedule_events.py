"""How a tournament runs by itself, and who may enter: the events that say so, besides those of ``events``.

All times are UTC in milliseconds, spans as people give them: in minutes and days.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Scheduled:
    """What happens when; said again, it is changed.

    ``start``: when it begins (0: by hand). ``check_in``: so many minutes before that one must say to be there (0: not
    at all). ``pause``: minutes from the end of a round to the next (None: by hand). ``days``: the last date of a round
    is so many days after its pairing (0: no date). ``carry``: games that are not over then go on, and count as drawn
    for pairing alone; else the director decides them first. ``at_once``: all games of all rounds begin together."""

    start: int = 0
    check_in: int = 0
    pause: int | None = None
    days: int = 0
    carry: bool = False
    at_once: bool = False

    @property
    def by_itself(self) -> bool:
        """Whether rounds follow each other without the director."""
        return self.pause is not None or self.days > 0


@dataclass(frozen=True, slots=True)
class Limited:
    """Who may enter from now on: ratings from and to (0: any), so many rated games at least, one of these roles of the
    server. ``least``: with fewer players it does not begin by itself."""

    rating_from: int = 0
    rating_to: int = 0
    games: int = 0
    roles: tuple[int, ...] = ()
    least: int = 0


@dataclass(frozen=True, slots=True)
class Seeded:
    """Who has entered shall have this starting number, whatever the order is else; 0: as everybody."""

    person: int
    place: int


@dataclass(frozen=True, slots=True)
class CheckInOpened:
    """From now on people can say that they are there; who does not until the start is left out."""


@dataclass(frozen=True, slots=True)
class DateTold:
    """The directors are told of games that are not over: the round's last date is near, or has ``come``."""

    round: int
    come: bool


@dataclass(frozen=True, slots=True)
class Halted:
    """The round after ``round`` could not be begun by itself: a director must."""

    round: int
    why: str


@dataclass(frozen=True, slots=True)
class Cancelled:
    """It does not take place. ``there``, ``needed``: players that there were and had to be; 0: a director's word."""

    there: int = 0
    needed: int = 0


Term: TypeAlias = Scheduled | Limited | Seeded | CheckInOpened | DateTold | Halted | Cancelled
