"""When a game's time runs out, and when the player to move is to be told before that. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal

from bot.games.model.clock import Clock, ClockReading, Stop
from bot.games.model.game import EntryKind, Game
from bot.support.time_units import HOUR, MINUTE

Stage = Literal["half", "most", "last", "quiet", "end"]
"""What happens to the player to move: reminders when half and when four fifths of the time are used, when two hours are
left, and before quiet hours in which the last of these would fall with the end; then the end."""

_OF_TIME: Final[tuple[Stage, ...]] = ("half", "most", "last", "end")

LAST: Final = 2 * HOUR

EVENING: Final = 30 * MINUTE
"""How long before quiet hours somebody is told that their time ends in them: long enough for a move."""

HEARTBEAT: Final = MINUTE // 2
"""How often the bot leaves a sign of life, in milliseconds: by so much at most nobody's time runs too little after a
crash. Shorter than an outage, lest one that is none counts."""

OUTAGE: Final = MINUTE
"""Milliseconds that the bot must have been away for anybody's time to stop: less is a restart."""


Moments = Sequence[tuple[int, Stage]]
"""When each stage of the present turn is reached, in order; "end" is the deadline."""


def granted(game: Game, clock: Clock) -> int:
    """What the player to move, whose clock stands as ``clock``, had when this move became theirs: an earlier try that
    was taken back, a huff, or until another left may have used some of it."""
    standing = (entry.number for entry in reversed(game.line) if entry.kind == "turn")
    if game.state.last is not None and game.state.last.kind == "huff":
        next(standing)
    given = game.clock_after(next(standing, 0))
    assert given is not None
    return max(given.limit, clock.limit)


def moments(
    clock: Clock, granted: int, stops: Sequence[Stop], quiet: Callable[[int], tuple[int, int] | None] = lambda at: None
) -> Moments:
    """The moments of the present turn, for which so much was ``granted``. Live clocks have the end alone. Empty while
    time stands still for ever. ``quiet``: the quiet hours of the player to move in which a moment lies, if any."""
    limit = clock.limit
    used: dict[Stage, int] = {"end": limit}
    if not clock.control.live:
        before = granted - limit
        used |= {"half": granted // 2 - before, "most": granted * 4 // 5 - before, "last": limit - LAST}
    reached = [
        (clock.when(used[stage], stops), stage) for stage in _OF_TIME if stage == "end" or used.get(stage, 0) > 0
    ]
    found = sorted((at, stage) for at, stage in reached if at is not None)
    if len(found) > 1 and found[-1][1] == "end" and (hours := quiet(found[-2][0])) is not None:
        begins, ends = hours
        if found[-1][0] < ends + LAST and begins - EVENING > clock.since:
            found = sorted([*found, (begins - EVENING, "quiet")])
    return found


def next_moment(found: Moments, after: int) -> tuple[int, Stage] | None:
    """The first moment of a turn later than ``after``; the end, however late it is."""
    return next(((at, stage) for at, stage in found if at > after or stage == "end"), None)


def stage_began(clock: Clock, found: Moments, stage: Stage) -> int:
    """Since when the player to move has had the news that a stage tells anew: the stage before it, else the turn."""
    began = clock.since
    for at, other in found:
        if other == stage:
            break
        began = at
    return began


def shown_after(
    game: Game, clock: Clock, kind: EntryKind, seat: int, text: str, at: int, stops: Sequence[Stop]
) -> ClockReading:
    """What the clocks of ``game`` show after an entry made at ``at``, while ``clock`` is how they stand. A huff is no
    move: it is paid for, and the move after it rewarded. Who obliges hands the move over, as by one of their own."""
    remedies = game.rules.remedies(game.state) if kind == "turn" else ()
    remedy = next((each.kind for each in remedies if each.text == text), "")
    if kind == "turn" and remedy != "huff":
        after = clock.pressed(at, clock.seat, stops)
        return (_obliged(game, after) if remedy == "oblige" else after).shown
    if kind == "takeback" and (then := game.clock_after(int(text))) is not None:
        return clock.taken_back(at, then, seat, clock.seat, stops).shown
    return clock.passed(at, clock.seat, stops).shown


def _obliged(game: Game, clock: Clock) -> Clock:
    """The neglecting move is taken back: its player has what was left when it was made, and nothing for making it."""
    neglect = game.line[-1]
    then = game.clock_after(neglect.number - 1)
    assert then is not None
    return clock.without_move(neglect.seat, then)


def unseen(boards: Iterable[tuple[int, int | None]]) -> list[Stop]:
    """The stops that boards which came late have made: ``boards`` are when each was made and when it was posted (None:
    not yet). The first minute is everybody's own, so that nothing hangs on how fast Discord is."""
    return [(made + OUTAGE, posted) for made, posted in boards if posted is None or posted - made > OUTAGE]


def overlapping(outages: Iterable[Stop], since: int) -> list[Stop]:
    """Of stops, those that reach into the time from ``since``."""
    return [stop for stop in outages if stop[1] is None or stop[1] > since]
