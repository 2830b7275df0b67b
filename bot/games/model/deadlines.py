"""When a game's time runs out, and when the player to move is to be told before that. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal

from bot.games.model.clock import Clock, ClockReading, Stop
from bot.games.model.game import EntryKind, Game
from bot.support.time_units import HOUR, MINUTE

Stage = Literal["half", "most", "last", "end"]
"""What happens to the player to move, in this order: reminders when half and when four fifths of the time are used and
when two hours are left, then the end."""

STAGES: Final[tuple[Stage, ...]] = ("half", "most", "last", "end")

LAST: Final = 2 * HOUR

HEARTBEAT: Final = 10 * MINUTE
"""How often the bot leaves a sign of life, in milliseconds."""

OUTAGE: Final = MINUTE
"""Milliseconds that the bot must have been away for anybody's time to stop: less is a restart."""


def moments(clock: Clock, stops: Sequence[Stop]) -> list[tuple[int, Stage]]:
    """When each stage of the present turn is reached, in order; "end" is the deadline. Live clocks have the end alone.
    Empty while time stands still for ever."""
    limit = clock.limit
    used: dict[Stage, int] = {"end": limit}
    if not clock.control.live:
        used |= {"half": limit // 2, "most": limit * 4 // 5, "last": limit - LAST}
    reached = [(clock.when(used[stage], stops), stage) for stage in STAGES if stage == "end" or used.get(stage, 0) > 0]
    return sorted((at, stage) for at, stage in reached if at is not None)


def next_moment(clock: Clock, stops: Sequence[Stop], after: int) -> tuple[int, Stage] | None:
    """The first stage of the present turn that is reached later than ``after``; the end, however late it is."""
    for at, stage in moments(clock, stops):
        if at > after or stage == "end":
            return at, stage
    return None


def stage_began(clock: Clock, stops: Sequence[Stop], stage: Stage) -> int:
    """Since when the player to move has had the news that a stage tells anew: the stage before it, else the turn."""
    began = clock.since
    for at, other in moments(clock, stops):
        if other == stage:
            break
        began = at
    return began


def shown_after(
    game: Game, clock: Clock, kind: EntryKind, seat: int, text: str, at: int, stops: Sequence[Stop]
) -> ClockReading:
    """What the clocks of ``game`` show after an entry made at ``at``, while ``clock`` is how they stand."""
    if kind == "turn":
        return clock.pressed(at, clock.seat, stops).shown
    if kind == "takeback" and (then := game.clock_after(int(text))) is not None:
        return clock.taken_back(at, then, seat, clock.seat, stops).shown
    return clock.passed(at, clock.seat, stops).shown


def unseen(boards: Iterable[tuple[int, int | None]]) -> list[Stop]:
    """The stops that boards which came late have made: ``boards`` are when each was made and when it was posted (None:
    not yet). The first minute is everybody's own, so that nothing hangs on how fast Discord is."""
    return [(made + OUTAGE, posted) for made, posted in boards if posted is None or posted - made > OUTAGE]


def overlapping(outages: Iterable[Stop], since: int) -> list[Stop]:
    """Of stops, those that reach into the time from ``since``."""
    return [stop for stop in outages if stop[1] is None or stop[1] > since]
