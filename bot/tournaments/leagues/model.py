"""A league as a value: who is in it, its seasons, and what its events add up to. Pure.

A season is a round robin for each division, all games at once. When it is over its best rise and its last fall, and who
is in the league is enrolled in the next one by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, Final, TypeAlias

from bot.support.frozen import frozen
from bot.support.time_units import DAY

LEAST_SIZE, MOST_SIZE = 3, 12
LONGEST: Final = 365
MOST_MEMBERS: Final = 48


@frozen
class LeaguePlan:
    """What is fixed when a league is created: the divisions, how many days a season lasts at most, and how many days
    lie between two seasons."""

    size: int = 8
    up: int = 2
    down: int = 2
    days: int = 60
    pause: int = 3

    def to_json(self) -> dict[str, Any]:
        """The plan as plain values."""
        return asdict(self)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> LeaguePlan:
        """The plan of plain values."""
        return cls(**values)


@frozen
class Joined:
    """A person is in the league from the next season on."""

    person: int


@frozen
class Quit:
    """A person is in no further season; the present one is played to its end. ``idle``: as they made no move in it."""

    person: int
    idle: bool = False


@frozen
class SeasonBegan:
    """The divisions of a season, the highest first, each by its starting numbers, with its tournament; until when it
    lasts at most."""

    number: int
    divisions: tuple[tuple[int, ...], ...]
    tournaments: tuple[int, ...]
    until: int


@frozen
class SeasonEnded:
    """A season is over: each division's players in the order of its final standings, and their places, which equals
    share (older events tell none)."""

    number: int
    finals: tuple[tuple[int, ...], ...]
    places: tuple[tuple[int, ...], ...] = ()


@frozen
class TooFew:
    """The season after ``number`` could not begin, as too few are in the league."""

    number: int


@frozen
class Closed:
    """There are no further seasons."""


LeagueAction: TypeAlias = Joined | Quit | SeasonBegan | SeasonEnded | TooFew | Closed


@frozen
class Season:
    """A season; ``finals`` and ``places`` are empty while it is played. ``ended_at``: 0 while it is."""

    number: int
    divisions: tuple[tuple[int, ...], ...]
    tournaments: tuple[int, ...]
    began_at: int
    until: int
    finals: tuple[tuple[int, ...], ...] = ()
    ended_at: int = 0
    places: tuple[tuple[int, ...], ...] = ()
    idle: tuple[int, ...] = ()
    """Who made no move in it, and is therefore in no further one."""

    @property
    def people(self) -> frozenset[int]:
        """Who plays in it."""
        return frozenset(person for division in self.divisions for person in division)

    @property
    def standings(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """Each division's places and who has them, the first place first."""
        places = self.places or tuple(tuple(range(1, len(people) + 1)) for people in self.finals)
        return tuple(tuple(zip(*both, strict=True)) for both in zip(places, self.finals, strict=True))


@frozen
class League:
    """``members`` in the order in which they came. ``waits``: there were too few for the next season."""

    plan: LeaguePlan
    members: tuple[int, ...] = ()
    seasons: tuple[Season, ...] = ()
    closed: bool = False
    waits: bool = False

    @property
    def season(self) -> Season | None:
        """The last season, over or not."""
        return self.seasons[-1] if self.seasons else None

    @property
    def status(self) -> str:
        """Whether it is "open", "running" or "over"."""
        if self.closed and not self.is_playing:
            return "over"
        return "running" if self.seasons else "open"

    def has(self, person: int) -> bool:
        """Whether somebody plays in it, or is to."""
        return person in self.members or (self.season is not None and person in self.season.people)

    @property
    def is_playing(self) -> bool:
        return self.season is not None and not self.season.ended_at

    @property
    def next_at(self) -> int | None:
        """When the next season begins by itself; None: not by itself."""
        season = self.season
        if season is None or not season.ended_at or self.closed or self.waits:
            return None
        return season.ended_at + self.plan.pause * DAY

    @property
    def due(self) -> int | None:
        """When its season ends by its date, or the next one begins by itself; None: neither."""
        return self.season.until if self.season is not None and not self.season.ended_at else self.next_at

    @property
    def newcomers(self) -> tuple[int, ...]:
        """Members who have not played in the last season."""
        there = self.season.people if self.season else ()
        return tuple(person for person in self.members if person not in there)

    @property
    def leaving(self) -> tuple[int, ...]:
        """Who has played in the last season and plays in no further one; nobody whom the bot was to forget."""
        return (
            tuple(sorted(person for person in self.season.people if person > 0 and person not in self.members))
            if self.season
            else ()
        )

    def next_divisions(self, finals: Sequence[Sequence[int]] = ()) -> tuple[tuple[int, ...], ...]:
        """The divisions of the next season; of the first one with members in the order in which they have come.
        ``finals``: each division's players in their order, if the last season ended with these standings."""
        season = self.season
        if season is None:
            return next_season((), self.plan, newcomers=self.members)
        finals = finals or season.finals
        leaving = {person for division in finals for person in division} - set(self.members)
        return next_season(finals, self.plan, leaving=leaving, newcomers=self.newcomers)

    def holder(self, people: Sequence[int]) -> int:
        """Whose place in the league it is that ``people`` have played for one after the other: that of the first who is
        a member, as whoever lets others play goes on in the league, and of a substitute only who has no other."""
        first, last = people[0], people[-1]
        # Who has a place of their own in this season keeps that one alone.
        taken = (self.season.people if self.season else frozenset()) - {first}
        neither = first if last in self.members else last
        return next((one for one in people if one in self.members and one not in taken), neither)


def next_season(
    finished: Sequence[Sequence[int]], plan: LeaguePlan, *, leaving: Collection[int] = (), newcomers: Sequence[int] = ()
) -> tuple[tuple[int, ...], ...]:
    """The divisions of the next season, the highest first, each in the order in which its players are seeded.

    ``finished``: each division's players in the order of its final standings. All go on by themselves, but who is
    leaving. A place that becomes free saves the best of those who would go down; newcomers begin at the bottom."""
    staying = [[player for player in division if player not in leaving] for division in finished]
    last = len(staying) - 1
    rising = [players[: plan.up] if level else [] for level, players in enumerate(staying)]
    falling = [
        players[max(len(rising[level]), len(players) - plan.down) :] if level < last else []
        for level, players in enumerate(staying)
    ]
    order: list[int] = []
    for level, players in enumerate(staying):
        order += players[len(rising[level]) : len(players) - len(falling[level])]
        # At the border those who rise stand first: an exchange of equally many changes both divisions.
        order += [*(rising[level + 1] if level < last else []), *falling[level]]
    known = set(order)
    order += [player for player in newcomers if player not in known]
    return _cut(order, plan.size)


def _cut(order: Sequence[int], size: int) -> tuple[tuple[int, ...], ...]:
    """Divisions of the size; a last one of less than half of it is joined to the one above."""
    divisions = [tuple(order[begin : begin + size]) for begin in range(0, len(order), size)]
    if len(divisions) > 1 and 2 * len(divisions[-1]) < size:
        divisions[-2:] = [divisions[-2] + divisions[-1]]
    return tuple(divisions)


def after(league: League, action: LeagueAction, at: int) -> League:
    """The league after one more event, at that time (UTC ms). One that makes no sense changes nothing."""
    season = league.season
    match action:
        # Below 1 are those who were forgotten by wish.
        case Joined(person=person) if person > 0 and person not in league.members:
            return replace(league, members=(*league.members, person), waits=league.waits and not league.members)
        case Quit(person=person, idle=idle):
            seasons = league.seasons
            if idle and season is not None:
                seasons = (*seasons[:-1], replace(season, idle=(*season.idle, person)))
            return replace(league, members=tuple(one for one in league.members if one != person), seasons=seasons)
        case SeasonBegan() as began if not league.is_playing:
            new = Season(began.number, began.divisions, began.tournaments, at, began.until)
            return replace(league, seasons=(*league.seasons, new), waits=False)
        case SeasonEnded(finals=finals, places=places) if season is not None and league.is_playing:
            ended = replace(season, finals=finals, places=places, ended_at=at)
            return replace(league, seasons=(*league.seasons[:-1], ended))
        case TooFew():
            return replace(league, waits=True)
        case Closed():
            return replace(league, closed=True)
        case _:
            return league


@frozen
class SeasonMoves:
    """Who changes division between two seasons: persons with the numbers of their divisions, from 1."""

    up: tuple[tuple[int, int], ...]
    down: tuple[tuple[int, int], ...]


def moves(before: tuple[tuple[int, ...], ...], after: tuple[tuple[int, ...], ...]) -> SeasonMoves:
    """Who has risen and who has fallen, each with the division that is now theirs."""
    was = {person: level for level, division in enumerate(before, start=1) for person in division}
    now = [(person, level) for level, division in enumerate(after, start=1) for person in division if person in was]
    return SeasonMoves(
        tuple((person, level) for person, level in now if level < was[person]),
        tuple((person, level) for person, level in now if level > was[person]),
    )
