"""A team match of two servers as a value: line-ups by boards, and what its events add up to. Pure.

It is played as one tournament of a single round: the home team's players have the odd numbers, the guests' the even
ones, board by board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from typing import Any, Final, TypeAlias

from bot.support.frozen import frozen
from bot.tournaments.model.events import RoundPaired

MOST_BOARDS: Final = 20


@frozen
class Accepted:
    """A manager of the guests' server has accepted, in the channel where its team plays."""

    person: int


@frozen
class LinedUp:
    """A team's players by board; said again, it is changed."""

    home: bool
    people: tuple[int, ...]


@frozen
class Began:
    """Both teams are lined up; the games are those of a tournament."""

    tournament: int


@frozen
class Finished:
    """All games are over, or a result was corrected after that. Board points as fractions ("5/2")."""

    home: str
    away: str


@frozen
class CancelAsked:
    """A side asks the other to cancel the match, which has begun."""

    home: bool


@frozen
class CancelDropped:
    """The match goes on: a side does not agree to cancel it, or takes back that it has asked."""

    home: bool


@frozen
class CalledOff:
    """The match does not take place, or ends at once where the other side has asked for that; which side has said so,
    where that is known."""

    home: bool | None = None


MatchAction: TypeAlias = Accepted | LinedUp | Began | Finished | CancelAsked | CancelDropped | CalledOff


@frozen
class CancelRequest:
    """A side has asked the other to cancel the match. ``dropped``: which side has said that it goes on."""

    home: bool
    dropped: bool | None = None


@frozen
class MatchPlan:
    """What is fixed when a match is proposed: how many play on each side; ``server``: who alone may accept."""

    boards: int
    server: int | None = None

    def to_json(self) -> dict[str, Any]:
        """The plan as plain values."""
        return asdict(self)

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> MatchPlan:
        """The plan of plain values."""
        return cls(**values)


@frozen
class TeamMatch:
    """``captain``: who has accepted for the guests (0: nobody yet). ``score``: board points of both, at the end."""

    plan: MatchPlan
    captain: int = 0
    home: tuple[int, ...] = ()
    away: tuple[int, ...] = ()
    tournament: int = 0
    score: tuple[Fraction, Fraction] | None = None
    called_off: bool = False
    by_home: bool | None = None
    """Which side has called it off, where that is known."""
    corrected: bool = False
    """Whether results were corrected after its end."""
    requests: tuple[CancelRequest, ...] = ()
    """What has been asked since it began, the last at the end."""

    @property
    def is_over(self) -> bool:
        return self.called_off or self.score is not None

    @property
    def status(self) -> str:
        """Whether it is "open", "running" or "over"."""
        return "over" if self.is_over else "running" if self.tournament else "open"

    @property
    def asking(self) -> bool | None:
        """Which side waits for the other's word on cancelling the match; None: neither."""
        open_ = not self.is_over and bool(self.requests) and self.requests[-1].dropped is None
        return self.requests[-1].home if open_ else None

    @property
    def due(self) -> int | None:
        """It does nothing by itself: its games' ends lead on."""
        return None

    def has(self, person: int) -> bool:
        """Whether somebody plays in it, or has accepted it."""
        return person in (self.captain, *self.home, *self.away)

    @property
    def lined_up(self) -> tuple[bool, bool]:
        """Whether each team has its lineup, the home team first: none where somebody in it was forgotten by wish."""
        home, away = (bool(people) and all(person > 0 for person in people) for people in (self.home, self.away))
        return home, away

    @property
    def people(self) -> tuple[int, ...]:
        """All players by starting number."""
        return tuple(person for pair in zip(self.home, self.away, strict=True) for person in pair)


def after(match: TeamMatch, action: MatchAction) -> TeamMatch:
    """The match after one more event. One that makes no sense changes nothing."""
    if match.called_off:
        return match
    match action:
        case Finished(home=home, away=away) if match.tournament:
            return replace(match, score=(Fraction(home), Fraction(away)), corrected=match.score is not None)
        case _ if match.is_over:
            return match
        case Accepted(person=person) if not match.captain:
            return replace(match, captain=person)
        case LinedUp(home=home, people=people) if len(people) == match.plan.boards:
            return replace(match, home=people) if home else replace(match, away=people)
        case Began(tournament=tournament) if match.home and match.away:
            return replace(match, tournament=tournament)
        case CancelAsked(home=home) if match.tournament and match.asking is None:
            return replace(match, requests=(*match.requests, CancelRequest(home)))
        case CancelDropped(home=home) if match.asking is not None:
            return replace(match, requests=(*match.requests[:-1], replace(match.requests[-1], dropped=home)))
        case CalledOff(home=home) if not match.tournament or match.asking is not None:
            return replace(match, called_off=True, by_home=home)
        case _:
            return match


def pairing(count: int) -> RoundPaired:
    """The one round: colours change from board to board, the home team has white on the first."""
    pairs = ((2 * board - 1, 2 * board) for board in range(1, count + 1))
    games = tuple((home, away) if board % 2 else (away, home) for board, (home, away) in enumerate(pairs, start=1))
    return RoundPaired(1, games, by_hand=True)


def is_away(number: int) -> bool:
    """Whether a starting number is the guests'."""
    return number % 2 == 0


def score(points: Mapping[int, Fraction]) -> tuple[Fraction, Fraction]:
    """Board points of both teams, from the points of each starting number."""
    home = sum((value for number, value in points.items() if not is_away(number)), Fraction(0))
    away = sum((value for number, value in points.items() if is_away(number)), Fraction(0))
    return home, away


def match_points(score: Sequence[Fraction]) -> tuple[int, int]:
    """2-1-0."""
    ahead = (score[0] > score[1]) - (score[0] < score[1])
    return 1 + ahead, 1 - ahead
