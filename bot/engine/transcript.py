"""A game written down: its rules, its start and all that happened in it, to be kept, sent and read again.

The form for all games is one JSON object a game, so that a file of games has one on each line. It loses nothing:

``{"format": "damero-game/1", "variant": "pinoy", "rules": "...", "options": {...}, "start": null, "clock": "steady",
"began": 1800000000000, "players": [{"seat": "W", "id": "11"}, ...], "tags": {...},
"record": [{"kind": "turn", "seat": 0, "text": "c3-d4", "at": 1800000060000, "left": 604800000}, ...],
"result": {"winner": 0, "reason": "Black resigned"}}``

Times are UTC in milliseconds, ids are texts (JSON's numbers are too short for them), ``left`` is what the seat's clock
showed after the turn. ``rules`` is the text of the variant's file, where that is not the one that is shipped under the
variant's name. ``result`` is null of a game that is not over; of one that was called off ``reason`` is null too.
``going_on``, an object, stands beside it where the game is taken along to another store (bot.games.model.going_on).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import Any, Literal, cast, get_args

from bot.engine import outcomes, variants
from bot.engine.errors import EngineError, MoveError
from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from bot.engine.ruleset import MOST_BYTES, Ruleset
from bot.engine.variants import OptionValue
from bot.i18n import _
from bot.support.frozen import frozen

FORMAT = "damero-game/1"
LEAVE = "leave "
"""With a seat's number behind it: that the seat leaves, where a record is a list of texts (bot.computer)."""

Kind = Literal["turn", "takeback", "resign", "timeout", "draw", "abort"]


class TranscriptError(Exception):
    """A text that cannot be read: ``line`` and ``column`` count from 1 (0: none is known), ``why`` is a
    sentence's part."""

    def __init__(self, line: int, why: str, column: int = 0) -> None:
        super().__init__(f"line {line}{f', column {column}' if column else ''}: {why}")
        self.line, self.column = line, column
        self.why = why


class UnnamedGameError(TranscriptError):
    """Nothing says which game it is, or only that it is one that is not played here: whoever reads it can say so."""


class CannotFollow(Exception):  # noqa: N818 - said of a step of a record
    """A step that cannot follow the ones before it; the text is a sentence's part."""


@frozen
class Step:
    """One entry of a record: a turn in canonical notation, a takeback with the number of the entry after which the game
    stands again, or an end. ``at`` and ``left`` in milliseconds, None where nobody noted it."""

    kind: Kind
    seat: int
    text: str = ""
    at: int | None = None
    left: int | None = None


@frozen(kw_only=True)
class Transcript:
    """A whole game. ``winner`` None and ``reason`` given: drawn; ``over`` without a reason: called off. ``tags`` hold
    what PDN says besides (Event, Site, Date, Round, White, Black, ...). ``line``: where it begins in the file that it
    was read from. ``rules``: the text of its rules, None where they are those that are shipped. ``going_on``: what
    whoever keeps the game notes besides, as JSON, so that it can go on elsewhere; of a game that is over None."""

    variant_id: str
    options: Mapping[str, OptionValue]
    start: str | None
    steps: tuple[Step, ...]
    over: bool
    winner: int | None = None
    reason: str | None = None
    players: tuple[int | None, ...] = ()
    clock: str = "none"
    began: int | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    line: int = field(default=0, compare=False)
    rules: str | None = None
    going_on: Mapping[str, Any] | None = None

    @property
    def variant(self) -> str | Ruleset:
        """By which rules it is played: those of a shipped variant, or its own."""
        return self.variant_id if self.rules is None else Ruleset(self.variant_id, self.rules)


def is_time(at: int) -> bool:
    """Whether ``at`` is a time that a calendar knows, in milliseconds since 1970."""
    return 0 <= at < _YEAR_10000


_YEAR_10000 = 253_402_300_800_000


class Replay:
    """Steps played one after the other. ``line`` are the numbers of the turns that stand, ``start`` the position string
    from which they go, None for the game's own set-up."""

    def __init__(self, rules: Rules, start: str | None) -> None:
        """Raises BadPosition."""
        self.rules = rules
        self.steps: list[Step] = []
        self.state: State = rules.start(start)
        self.start = None if start is None else rules.position(self.state)
        self.line: list[int] = []
        self.over = False
        self.winner: int | None = None
        self.reason: str | None = None
        self._states = [self.state]
        self._lines: list[list[int]] = [[]]

    def add(self, step: Step) -> None:
        """Play one step; a turn may be in any notation that the rules read. Raises CannotFollow or MoveError."""
        if self.over:
            raise CannotFollow(_("the game is over"))
        if step.at is not None and not is_time(step.at):
            raise CannotFollow(_("this is no time (milliseconds since 1970)"))
        if not 0 <= step.seat < len(self.rules.seats):
            raise CannotFollow(_("there is no seat {seat}").format(seat=step.seat))
        text, number = step.text, len(self.steps) + 1
        line = self.line
        match step.kind:
            case "turn":
                if step.seat != self.state.seat:
                    raise CannotFollow(_("{side} is to move").format(side=self.rules.seats[self.state.seat].name))
                turn = self.rules.read(self.state, text)
                text, self.state, line = turn.text, self.rules.play(self.state, turn), [*line, number]
            case "takeback":
                back = int(text) if text.isascii() and text.isdigit() and len(text) < 9 else -1
                if back != 0 and back not in line:
                    template = _("there is no turn {number} to go back to")
                    raise CannotFollow(template.format(number=repr(text[:12])))
                self.state, line = self._states[back], self._lines[back]
            case "resign" | "timeout":
                left = outcomes.resigned if step.kind == "resign" else outcomes.out_of_time
                self.state = self.rules.leave(self.state, step.seat, left(self.rules.seats[step.seat].name))
            case "draw":
                self.state = self.rules.agree(self.state)
            case "abort":
                self.over = True
        if not self.over and (outcome := self.state.outcome) is not None:
            self.over, self.winner, self.reason = True, outcome.winner, str(outcome.reason)
        self.line = line
        self.steps.append(replace(step, text=text))
        self._states.append(self.state)
        self._lines.append(line)


def dumps(transcript: Transcript) -> str:
    """The game as one line of JSON, without a line break."""
    rules = rules_for(transcript.variant, transcript.options)
    players = transcript.players or (None,) * len(rules.seats)
    result = {"winner": transcript.winner, "reason": transcript.reason} if transcript.over else None
    record: list[dict[str, str | int]] = []
    for step in transcript.steps:
        values = {"kind": step.kind, "seat": step.seat, "text": step.text, "at": step.at, "left": step.left}
        record.append({key: value for key, value in values.items() if value is not None and value != ""})
    return json.dumps(
        {
            "format": FORMAT,
            "variant": transcript.variant_id,
            **({} if transcript.rules is None else {"rules": transcript.rules}),
            "options": dict(transcript.options),
            "start": transcript.start,
            "clock": transcript.clock,
            "began": transcript.began,
            "players": [
                {"seat": seat.key, "id": None if player is None else str(player)}
                for seat, player in zip(rules.seats, players, strict=True)
            ],
            "tags": dict(transcript.tags),
            "record": record,
            "result": result,
            **({} if transcript.going_on is None else {"going_on": transcript.going_on}),
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def text_of(ruleset: Ruleset) -> str | None:
    """What a transcript says of its rules: their text, None where they are those that are shipped."""
    return None if variants.is_shipped(ruleset) else ruleset.text


def loads(text: str) -> Iterator[Transcript]:
    """The games of a text with one JSON object a line; empty lines are skipped. Raises TranscriptError."""
    for game in read(text):
        if isinstance(game, TranscriptError):
            raise game
        yield game


def read(text: str) -> Iterator[Transcript | TranscriptError]:
    """As ``loads``, but a line that is wrong holds up no other: what is wrong with it stands in its place."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield replace(_transcript(json.loads(line)), line=number)
        except json.JSONDecodeError as error:
            yield TranscriptError(number, f"this is not JSON: {error.msg}", error.colno)
        except ValueError as error:
            yield TranscriptError(number, f"this is not JSON: {error}")
        except RecursionError:
            yield TranscriptError(number, "this is nested too deeply")
        except (_Wrong, EngineError) as error:
            yield TranscriptError(number, str(error))


class _Wrong(Exception):  # noqa: N818
    """What is wrong in one object."""


def _transcript(data: Any) -> Transcript:
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise _Wrong(f'this is not a game: a game begins with {{"format": "{FORMAT}"}}')
    variant = _get(data, "variant", str)
    options = _get(data, "options", dict, {})
    if not all(isinstance(value, str | bool | int) for value in options.values()):
        raise _Wrong("options: their values are texts, numbers, true or false")
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise _Wrong("a text holds half of a character (a surrogate)") from error
    text = _get(data, "rules", str, None)
    if text is not None and len(text.encode()) > MOST_BYTES:
        raise _Wrong(f"rules: a text of {MOST_BYTES:,} bytes at most")
    rules = rules_for(variant if text is None else Ruleset(variant, text), options)
    start = _get(data, "start", str, None)
    replay = Replay(rules, start)
    for number, entry in enumerate(_get(data, "record", list), start=1):
        try:
            replay.add(_step(entry))
        except (_Wrong, CannotFollow, MoveError) as error:
            raise _Wrong(f"record, entry {number}: {error}") from error
    result = _get(data, "result", dict, None)
    if (result is not None) != replay.over:
        raise _Wrong(f"result: the record says that the game is {'over' if replay.over else 'not over'}")
    if result is not None and result.get("winner") != replay.winner:
        raise _Wrong(f"result: the record says that the winner is {replay.winner!r}, not {result.get('winner')!r}")
    players = tuple(map(_player, _get(data, "players", list, [])))
    if len(players) not in (0, len(rules.seats)):
        raise _Wrong(f"players: this game has {len(rules.seats)}, not {len(players)}")
    tags = _get(data, "tags", dict, {})
    began: int | None = _get(data, "began", int, None)
    if began is not None and not is_time(began):
        raise _Wrong("began: this is no time (milliseconds since 1970)")
    return Transcript(
        variant_id=variant,
        options=rules.variant.options,
        start=replay.start,
        steps=tuple(replay.steps),
        over=replay.over,
        winner=replay.winner,
        reason=replay.reason,
        players=players or (None,) * len(rules.seats),
        clock=_get(data, "clock", str, "none"),
        began=began,
        tags={str(name): str(value) for name, value in tags.items()},
        rules=text_of(rules.variant.ruleset),
        going_on=_get(data, "going_on", dict, None),
    )


_NEEDED = object()
_NAMES = {str: "a text", int: "a whole number", dict: "an object", list: "a list"}


def _get(data: Mapping[str, Any], key: str, kind: type, default: Any = _NEEDED) -> Any:
    """``found[key]``, which is a ``kind``; without it ``default``, if there is one."""
    value = data.get(key)
    if value is None and default is not _NEEDED:
        return default
    if not isinstance(value, kind) or isinstance(value, bool):
        raise _Wrong(f"{key}: {_NAMES[kind]} is needed here")
    if isinstance(value, int) and abs(value) >= 1 << 63:
        raise _Wrong(f"{key}: this number is too large")
    return value


def _step(entry: Any) -> Step:
    if not isinstance(entry, dict):
        raise _Wrong("an object is needed here")
    kind = entry.get("kind")
    if kind not in get_args(Kind):
        raise _Wrong(f"kind: one of {', '.join(get_args(Kind))}, not {kind!r}")
    return Step(
        cast(Kind, kind),
        _get(entry, "seat", int),
        _get(entry, "text", str, ""),
        _get(entry, "at", int, None),
        _get(entry, "left", int, None),
    )


def _player(data: Any) -> int | None:
    if not isinstance(data, dict):
        raise _Wrong("players: an object is needed for each seat")
    number = _get(data, "id", str, None)
    if number is None:
        return None
    # A computer's is below zero.
    digits = number.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20 and int(digits) < 1 << 63):
        raise _Wrong(f"players: {number[:40]!r} is not an id")
    return int(number)


def write(transcripts: Iterable[Transcript]) -> str:
    """A file of games, one on each line."""
    return "".join(f"{dumps(transcript)}\n" for transcript in transcripts)
