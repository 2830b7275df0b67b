"""Games written down: as transcripts, as records that a worker replays; and what files of games say. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from bot.engine.transcript import LEAVE, Step, Transcript, text_of
from bot.games.model.clock import NONE, ClockReading, control_of
from bot.games.model.computer_seats import GUEST, is_computer, level_of
from bot.games.model.game import Entry, Game


def clock_of(given: Transcript) -> str:
    """The clock that a game was played with, where it is one that is known here."""
    return NONE if control_of(given.clock) is None else given.clock


def began_of(given: Transcript, now: int) -> int:
    """When a game of a file began, in milliseconds: by its own time, its first move's, or its date; else ``now``."""
    if given.began is not None:
        return given.began
    timed = [step.at for step in given.steps if step.at is not None]
    if timed:
        return min(timed)
    try:
        day = datetime.strptime(given.tags.get("Date", ""), "%Y.%m.%d").replace(tzinfo=UTC)
    except ValueError:
        return now
    began = round(day.timestamp() * 1000)
    return began if 0 <= began <= now else now


def tags_of(given: Transcript) -> dict[str, str]:
    """What is kept of the tags of a game of a file: all but the names of those who are known by their ids."""
    known = {name for name, player in zip(_SIDES, given.players, strict=False) if player is not None}
    return {name: text for name, text in given.tags.items() if name not in known}


def is_timed(given: Transcript) -> bool:
    """Whether a file says when the turns of a game were made."""
    return any(step.at is not None for step in given.steps)


def without_moment(given: Transcript) -> Transcript:
    """A game of a file without when it began, and without what an export fills in where a file says nothing."""
    return replace(given, began=None, tags=_known_tags(given))


def _known_tags(given: Transcript) -> dict[str, str]:
    """What the tags tell, in one order."""
    return {name: text for name, text in sorted(tags_of(given).items()) if text.strip("?.- ")}


def shown_of(given: Transcript, times: Sequence[int], seats: int) -> Iterator[ClockReading | None]:
    """What the clocks showed after each entry, made at ``times`` (the first: when the game began). A file has what the
    mover's clock showed; what a turn has taken is reckoned by the calendar, vacations and all."""
    left: list[int | None] = [None] * seats
    spent = [0] * seats
    clocked = clock_of(given) != NONE or any(step.left is not None for step in given.steps)
    for step, before, at in zip(given.steps, times, times[1:], strict=False):
        if step.kind == "turn":
            left[step.seat] = step.left if step.left is not None else left[step.seat]
            spent[step.seat] += at - before
        yield ClockReading(tuple(left), tuple(spent)) if clocked else None


def is_same(given: Transcript, own: Transcript) -> bool:
    """Whether a game of a file is one that is kept here, be its players forgotten here since. Of one that goes on,
    there or here, the one may know more turns than the other."""
    players = zip(given.players or own.players, own.players, strict=False)
    return (
        (given.variant, given.options, given.start, given.began) == (own.variant, own.options, own.start, own.began)
        and (not (given.over and own.over) or _said(given) == _said(own))
        and all(theirs == ours or ours is None for theirs, ours in players)
        # Without times two games of one day may have the same moves.
        and (is_timed(own) or _known_tags(given) == _known_tags(own))
    )


def _said(game: Transcript) -> list[tuple[str, int, str, int | None]]:
    return [(step.kind, step.seat, step.text, step.at) for step in game.steps]


def record_of(game: Game) -> tuple[str, ...]:
    """The turns that stand, and who has left between them, as a worker replays them."""
    return tuple(entry.text if entry.kind == "turn" else f"{LEAVE}{entry.seat}" for entry in game.line)


def transcript_of(game: Game) -> Transcript:
    """A game that has begun as a transcript."""
    began = game.started_at or game.opened_at
    result = game.result
    ids = [_tag(player) for player in game.players]
    tags = {
        "Event": "Tournament game" if not game.casual else "Rated game" if game.rated else "Casual game",
        "Site": "Discord",
        "Date": datetime.fromtimestamp(began / 1000, UTC).strftime("%Y.%m.%d"),
        "Round": "-",
        "White": ids[0],
        "Black": ids[1] if len(ids) == 2 else "?",
    }
    timed = game.origin is None or game.origin.timed
    if not timed:
        # It was played elsewhere, and its file alone can say when.
        tags |= {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?"}
    return Transcript(
        variant_id=game.variant_id,
        rules=text_of(game.rules.variant.ruleset),
        options=game.options,
        start=game.start,
        steps=tuple(Step(e.kind, e.seat, e.text, e.at if timed else None, _left_after(e)) for e in game.entries),
        over=game.status in ("finished", "aborted"),
        winner=result.winner if result else None,
        reason=str(result.reason) if result else None,
        players=game.players,
        clock=NONE if game.control is None else game.control.id,
        began=began,
        tags={**tags, **(game.origin.tags if game.origin else {})},
    )


def _left_after(entry: Entry) -> int | None:
    return None if entry.shown is None or entry.kind != "turn" else entry.shown.left[entry.seat]


_SIDES = ("White", "Black")
"""The tags of the players' names, in the order of their seats."""
_LONGEST_NAME = 80


def name_in_file(game: Game, seat: int) -> str:
    """What the file that a game is from calls the player of a seat; nothing where it does not."""
    tags = {} if game.origin is None or seat >= len(_SIDES) else game.origin.tags
    name = tags.get(_SIDES[seat], "").strip() if tags else ""
    return "" if name == "?" else name[:_LONGEST_NAME]


def _tag(player: int | None) -> str:
    if player is None:
        return "?"
    if not is_computer(player):
        return str(player)
    return "Guest engine" if level_of(player) == GUEST else f"Damero level {level_of(player)}"
