"""What a puzzle is for whoever solves it, and how a solver stands."""

from __future__ import annotations

from dataclasses import dataclass

from bot.engine.rules import Rules, State
from bot.ratings.glicko2 import Rating


@dataclass(frozen=True, slots=True)
class PuzzleAttempt:
    """A puzzle as a person has it before it. ``position``: how it begins; ``solution``: the turns to be found and their
    answers; ``game_id``: the game that it comes from, if it is one of the bot's; ``state``: the position now, after
    the turns found so far and their answers; ``path``: those turns; ``status``: "open", "solved" or "failed"."""

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


@dataclass(frozen=True, slots=True)
class PuzzleSolver:
    """How a person stands: puzzles solved, in a row now and at best, and days in a row with one."""

    rating: Rating
    solved: int
    streak: int
    best_streak: int
    days: int


@dataclass(frozen=True, slots=True)
class PuzzleOfTheDay:
    """The puzzle of a day in a server's channel; ``message_id`` where it is posted. ``day``: None where the next one is
    not chosen yet, though it may be the same day."""

    channel_id: int
    day: int | None
    puzzle: int
    message_id: int | None


@dataclass(frozen=True, slots=True)
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
