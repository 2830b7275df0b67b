"""Games that come from a file: what they say of clocks, and whether they are here already. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.engine.transcript import Transcript
from bot.games.model.clock import NONE, ClockReading, control_of


def clock_of(told: Transcript) -> str:
    """The clock that a game was played with, where it is one that is known here."""
    return NONE if control_of(told.clock) is None else told.clock


def shown_of(told: Transcript, times: Sequence[int], seats: int) -> Iterator[ClockReading | None]:
    """What the clocks showed after each entry, made at ``times`` (the first: when the game began). A file has what the
    mover's clock showed; what a turn has taken is reckoned by the calendar, vacations and all."""
    left: list[int | None] = [None] * seats
    spent = [0] * seats
    for step, before, at in zip(told.steps, times, times[1:], strict=False):
        if step.kind == "turn":
            left[step.seat] = step.left if step.left is not None else left[step.seat]
            spent[step.seat] += at - before
        yield None if clock_of(told) == NONE else ClockReading(tuple(left), tuple(spent))


def is_same(told: Transcript, here: Transcript) -> bool:
    """Whether a game of a file is one that is kept here, be its players forgotten here since."""
    players = zip(told.players or here.players, here.players, strict=False)
    return (
        (told.variant_id, told.options, told.start, told.began, told.over)
        == (here.variant_id, here.options, here.start, here.began, here.over)
        and [(step.kind, step.seat, step.text, step.at) for step in told.steps]
        == [(step.kind, step.seat, step.text, step.at) for step in here.steps]
        and all(theirs == ours or ours is None for theirs, ours in players)
    )
