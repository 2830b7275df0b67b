"""What a puzzle is for whoever solves it, and how a solver stands."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from bot.engine.rules import Rules, State
from bot.ratings.glicko2 import Rating
from bot.support.frozen import frozen
from bot.support.time_units import HOUR


@frozen
class PuzzleAttempt:
    """A puzzle as its solver sees it now. ``position``: how it begins; ``solution``: the turns to be found and their
    answers; ``game_id``: the game that it comes from, if it is one of the bot's; ``state``: the position now, after
    the turns found so far and their answers; ``path``: those turns; ``status``: "open", "solved" or "failed";
    ``themes``: see bot.computer.puzzle_themes."""

    number: int
    variant_id: str
    position: str
    solution: tuple[str, ...]
    rating: float
    game_id: int | None
    rules: Rules
    state: State
    path: tuple[str, ...]
    status: str
    themes: tuple[str, ...]

    @property
    def step(self) -> int:
        """How many turns have been found."""
        return (len(self.path) + 1) // 2

    @property
    def left(self) -> int:
        """How many turns are still to be found."""
        return (len(self.solution) + 1) // 2 - self.step

    @property
    def rest(self) -> tuple[str, ...]:
        """The solution from here on."""
        return self.solution[len(self.path) :]


@frozen
class PuzzleSolver:
    """How a person stands: puzzles solved, in a row now and at best, and days in a row with one."""

    rating: Rating
    solved: int
    streak: int
    best_streak: int
    days: int


@frozen
class PuzzleOfTheDay:
    """The puzzle of a day in a server's channel; ``message_id`` where it is posted. ``day``: None where the next one is
    not chosen yet, though it may be the same day."""

    channel_id: int
    day: int | None
    puzzle: int
    message_id: int | None


@frozen
class DailyHour:
    """The hour of the day, in a time zone, at which a server's puzzle of the day falls due."""

    hour: int
    zone: str

    @classmethod
    def of(cls, payload: Mapping[str, Any], at: int) -> DailyHour:
        """What a timer that falls due ``at`` (UTC, milliseconds) carries; old ones carry nothing, and go by UTC."""
        return cls(payload.get("hour", at // HOUR % 24), payload.get("zone", "UTC"))

    def to_json(self) -> dict[str, Any]:
        return {"hour": self.hour, "zone": self.zone}

    def after(self, now: int) -> int:
        """When it is that hour next (UTC, milliseconds): in summer time and out of it."""
        local = datetime.fromtimestamp(now / 1000, ZoneInfo(self.zone))
        at = local.replace(hour=self.hour, minute=0, second=0, microsecond=0)
        if at <= local:
            at += timedelta(days=1)
        return int(at.astimezone(UTC).timestamp() * 1000)


@frozen
class DailyPlan:
    """A server's puzzle of the day: where it is posted, of which game (None: of any), and when."""

    channel_id: int
    variant_id: str | None
    when: DailyHour


def day_in(zone: str, now: int) -> int:
    """The day that it is in a time zone, counted from 1970-01-01."""
    return (datetime.fromtimestamp(now / 1000, ZoneInfo(zone)).date() - date(1970, 1, 1)).days


@frozen
class AnswerResult:
    """What became of an answer. ``right``: it was the turn looked for; ``played`` is empty where it came too late to be
    one; ``answer``: what the other side replied, if the puzzle goes on; the solver ``before`` and ``after`` where the
    puzzle is over and this was the first try."""

    task: PuzzleAttempt
    right: bool
    played: str
    answer: str | None = None
    before: PuzzleSolver | None = None
    after: PuzzleSolver | None = None
