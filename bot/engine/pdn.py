"""PDN 3.0: draughts games as other programs write and read them (pdn.fmjd.org).

The movetext is the line of moves that stands, so that any program can follow it. What PDN has no sign for is kept in
comments, as commands (PDN, "Embedded commands"), in the order in which it happened:

- ``{[%clk 167:59:01] [%at 1800000060000]}`` after a move: what the mover's clock showed, and when it was made (UTC in
  milliseconds);
- ``{[%aside soplar:c3@1800000060000 ...]}`` between moves: all entries of the record that are not moves that stand.
  ``soplar:c3`` is a huff; ``c3-d4 oblige`` a neglecting move and its being taken back; ``c3-d4 f6-e5 back:0:W`` moves
  taken back by White (back to entry 0, the start); ``resign:B``, ``timeout:B``, ``draw:W`` and ``abort:W`` are ends.

Moves are written with the numbers of the game's GameType where it has one, else with the names of the squares.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, cast

from bot.engine.errors import EngineError, MoveError
from bot.engine.registry import rules_for
from bot.engine.rules import Rules
from bot.engine.transcript import CannotFollow, Kind, Replay, Step, Transcript, TranscriptError, is_time
from bot.engine.variant_tables import DraughtsTables
from bot.engine.variants import OptionValue, Variant, load, names, show
from bot.support.time_units import HOUR, MINUTE, SECOND

# The key of the seat that has won, None of a drawn game.
_RESULTS = {"1-0": ("W",), "2-0": ("W",), "0-1": ("B",), "0-2": ("B",), "1/2-1/2": (None,), "1-1": (None,), "*": ()}
_WRITTEN = {"1-0": {"W": "1-0", "B": "0-1", None: "1/2-1/2"}, "2-0": {"W": "2-0", "B": "0-2", None: "1-1"}}
_PLAYERS = {"W": "White", "B": "Black"}
_SEVEN = ("Event", "Site", "Date", "Round", "White", "Black")
_WIDTH = 80


# Writing


def write(transcripts: Iterable[Transcript]) -> str:
    """A PDN file of draughts games. Raises ValueError for a game of another family."""
    return "\n".join(map(dumps, transcripts))


def dumps(transcript: Transcript) -> str:
    """One game, with a line break at its end."""
    rules = rules_for(transcript.variant_id, transcript.options)
    if rules.variant.family != "draughts":
        raise ValueError(f"PDN is for draughts; {rules.variant.name} has a JSON form only")
    numbered = ",N" in _game_type(rules.variant)
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in _tags(transcript, rules, numbered)]
    moves = " ".join(_movetext(transcript, rules, numbered))
    wrapped = textwrap.wrap(moves, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*lines, "", *wrapped, ""])


def _game_type(variant: Variant) -> str:
    """The game's type in PDN, "" where it has none."""
    tables = variant.tables
    # On the other squares the numbers would mean other ones.
    return tables.pdn.game_type if isinstance(tables, DraughtsTables) and not tables.board.mirror else ""


def _tags(transcript: Transcript, rules: Rules, numbered: bool) -> Iterator[tuple[str, str]]:
    tags = _turned(transcript.tags, rules)
    for name in _SEVEN:
        yield name, tags.get(name, "????.??.??" if name == "Date" else "?")
    yield "Result", _result(transcript, rules)
    if game_type := _game_type(rules.variant):
        yield "GameType", game_type
    yield "Variant", transcript.variant_id
    if chosen := rules.variant.chosen:
        yield "Options", " ".join(f"{name}={show(value)}" for name, value in chosen.items())
    if transcript.start is not None:
        start = rules.position(rules.start(transcript.start))
        yield "SetUp", "1"
        yield "FEN", rules.board.numbered(start) if numbered else start
    if transcript.clock != "none":
        yield "Clock", transcript.clock
    if transcript.began is not None:
        yield "Began", str(transcript.began)
    for seat, player in zip(rules.seats, transcript.players, strict=False):
        if player is not None:
            yield f"{_PLAYERS[seat.key]}Id", str(player)
    if transcript.over:
        yield "Termination", transcript.reason or "called off"
    written = {*_SEVEN, *_OWN_TAGS}
    yield from ((name, value) for name, value in tags.items() if name not in written)


_OWN_TAGS = (
    *("Result", "GameType", "Variant", "Options", "SetUp", "FEN", "Clock", "Began", "WhiteId", "BlackId"),
    "Termination",
)


def _turned(tags: Mapping[str, str], rules: Rules) -> dict[str, str]:
    """A transcript's "White" is who begins, PDN's is White: what each is in the other."""
    swapped = {"White": tags.get("Black", "?"), "Black": tags.get("White", "?")}
    if "Ruling" in tags:
        swapped["Ruling"] = "-".join(reversed(tags["Ruling"].split("-")))
    return dict(tags) if rules.seats[0].key == "W" else {**tags, **swapped}


def _result(transcript: Transcript, rules: Rules) -> str:
    if not transcript.over or transcript.reason is None:
        return "*"
    tables = rules.variant.tables
    style = tables.pdn.results if isinstance(tables, DraughtsTables) else "1-0"
    return _WRITTEN[style][None if transcript.winner is None else rules.seats[transcript.winner].key]


def _movetext(transcript: Transcript, rules: Rules, numbered: bool) -> Iterator[str]:
    """The words of the movetext; a comment is several of them."""
    replay = Replay(rules, transcript.start)
    for step in transcript.steps:
        replay.add(step)
    standing = _shown(replay)
    number, mover, fresh = 1, rules.start(transcript.start).seat, True
    aside: list[str] = []
    for at, step in enumerate(replay.steps, start=1):
        if at not in standing:
            aside.append(_aside(step, rules))
            continue
        if aside:
            yield from _asides(aside)
            aside, fresh = [], True
        if step.seat == 0 or fresh:
            yield f"{number}{'.' if step.seat == 0 else '...'}"
        yield rules.board.numbered(step.text) if numbered else step.text
        notes = [f"[%clk {_clock(step.left)}]"] if step.left is not None else []
        notes += [f"[%at {step.at}]"] if step.at is not None else []
        if notes:
            yield from f"{{{' '.join(notes)}}}".split(" ")
        fresh = bool(notes)
        mover = 1 - step.seat
        number += mover == 0
    yield from _asides(aside)
    yield _result(transcript, rules)


def _asides(words: list[str]) -> list[str]:
    return f"{{[%aside {' '.join(words)}]}}".split(" ") if words else []


def _shown(replay: Replay) -> set[int]:
    """The numbers of the moves that stand: no huffs, and no moves that were obliged back."""
    shown: list[int] = []
    for number in replay.line:
        text = replay.steps[number - 1].text
        if text == "oblige":
            shown.pop()
        elif not text.startswith("soplar "):
            shown.append(number)
    return set(shown)


def _aside(step: Step, rules: Rules) -> str:
    key = rules.seats[step.seat].key
    if step.kind == "turn":
        word = step.text.replace(" ", ":")
    else:
        word = f"back:{step.text}:{key}" if step.kind == "takeback" else f"{step.kind}:{key}"
    when = "" if step.at is None else f"@{step.at}"
    return word + when + ("" if step.left is None else f"~{step.left}")


def _clock(left: int) -> str:
    left = max(0, left)
    return f"{left // HOUR}:{left // MINUTE % 60:02}:{left // SECOND % 60:02}"


def _quoted(value: str) -> str:
    return re.sub(r"[\x00-\x1f]", " ", value).replace("\\", "\\\\").replace('"', '\\"')


# Reading

_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
    | \[\s*(?P<tag>\w+)\s+"(?P<value>(?:\\.|[^"\\\n]++)*+)"\s*\]
    | \{(?P<comment>[^}]*)\}
    | (?P<line>;[^\n]*)
    | (?P<nag>\$[0-9]+)
    | (?P<bracket>[()])
    | (?P<number>[0-9]+\.+)
    | (?P<word>[^\s(){};$\[]+)
    """,
    re.VERBOSE,
)
_COMMAND = re.compile(r"\[%(\w++)\s*+([^\[\]]*+)\]")
_LONGEST_FEN = 2_000
_ASIDE = re.compile(r"(?P<text>[^@~]+)(?:@(?P<at>[0-9]{1,18}))?(?:~(?P<left>[0-9]{1,18}))?")


class _Token(NamedTuple):
    """A piece of a PDN file: a tag with its ``value``, a comment, a bracket or a word."""

    kind: str
    text: str
    line: int
    value: str = ""


def loads(text: str) -> Iterator[Transcript]:
    """The games of a PDN file; variations are passed over. Raises TranscriptError with the line and what is wrong."""
    tags: dict[str, tuple[str, int]] = {}
    moves: list[_Token] = []
    depth, last = 0, 1
    for token in _tokens(text.removeprefix("\ufeff")):
        last = token.line
        if token.kind == "tag":
            if moves:
                yield _game(tags, moves, last)
                tags, moves = {}, []
            if depth:
                raise TranscriptError(token.line, "a variation is not closed")
            tags[token.text] = (token.value, token.line)
        elif token.kind == "bracket":
            depth += 1 if token.text == "(" else -1
            if depth < 0:
                raise TranscriptError(token.line, "this ) closes nothing")
        elif not depth:
            moves.append(token)
            if token.kind == "word" and token.text in _RESULTS:
                yield _game(tags, moves, last)
                tags, moves = {}, []
    if depth:
        raise TranscriptError(last, "a variation is not closed")
    if tags or moves:
        yield _game(tags, moves, last)


def _tokens(text: str) -> Iterator[_Token]:
    at, line = 0, 1
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            what = {"[": 'a tag is written [Name "value"]', "{": "a comment is not closed"}.get(text[at], "")
            raise TranscriptError(line, what or f"this cannot be read: {text[at : at + 20]!r}")
        kind = cast(str, match.lastgroup)
        if kind in ("tag", "value"):
            value = re.sub(r"\\(.)", r"\1", match["value"])
            yield _Token("tag", match["tag"], line, value)
        elif kind not in ("space", "line", "nag", "number"):
            yield _Token(kind, match[kind], line)
        line += match[0].count("\n")
        at = match.end()


def _game(tags: Mapping[str, tuple[str, int]], moves: list[_Token], end: int) -> Transcript:
    first = min((line for _, line in tags.values()), default=moves[0].line if moves else end)
    rules = _rules(tags, first)
    replay = _started(tags, rules)
    for token in moves:
        if token.kind == "comment":
            _commented(token, replay)
        elif token.text in _RESULTS:
            _ended(token, replay, tags.get("Result"))
        else:
            _add(replay, Step("turn", replay.state.seat, token.text.rstrip("!?*")), token.line)
    value = {name: text for name, (text, _) in tags.items()}
    return Transcript(
        variant_id=rules.variant.id,
        options=rules.variant.options,
        start=replay.start,
        steps=tuple(replay.steps),
        over=replay.over,
        winner=replay.winner,
        reason=replay.reason,
        players=tuple(_id(tags, f"{_PLAYERS[seat.key]}Id") for seat in rules.seats),
        clock=value.get("Clock", "none"),
        began=_id(tags, "Began"),
        tags=_turned({name: text for name, text in value.items() if name not in _OWN_TAGS}, rules),
        line=first,
    )


def _rules(tags: Mapping[str, tuple[str, int]], first: int) -> Rules:
    game_type, type_line = tags.get("GameType", ("", first))
    variant, line = tags.get("Variant", ("", first))
    if not variant:
        number = game_type.partition(",")[0].strip()
        known = _of_game_types()
        if number not in known:
            what = f"the game type {number} is not played here" if number else "no tag says which game this is"
            raise TranscriptError(type_line, f'{what}; write [Variant "..."]')
        variant, line = known[number], type_line
    options: dict[str, OptionValue] = {}
    text, options_line = tags.get("Options", ("", line))
    for word in text.split():
        name, equals, value = word.partition("=")
        if not equals:
            raise TranscriptError(options_line, f"an option is written name=value, not {word!r}")
        options[name] = value
    with _reported_at(line):
        load(variant)
    with _reported_at(options_line):
        rules = rules_for(variant, options)
    if rules.variant.family != "draughts":
        raise TranscriptError(line, f"{rules.variant.name} is not written in PDN")
    return rules


@lru_cache(maxsize=1)
def _of_game_types() -> dict[str, str]:
    """The variants that are shipped by the numbers of their game types, the first where there are several."""
    types = {name: _game_type(load(name)).partition(",")[0] for name in reversed(names())}
    return {number: name for name, number in types.items() if number}


def _started(tags: Mapping[str, tuple[str, int]], rules: Rules) -> Replay:
    fen, line = tags.get("FEN", ("", 1))
    if len(fen) > _LONGEST_FEN:
        raise TranscriptError(line, "this position is too long")
    with _reported_at(line):
        return Replay(rules, fen or None)


@contextmanager
def _reported_at(line: int) -> Iterator[None]:
    try:
        yield
    except EngineError as error:
        raise TranscriptError(line, error.message) from error


def _commented(token: _Token, replay: Replay) -> None:
    for name, value in _COMMAND.findall(token.text):
        if name == "aside":
            for word in value.split():
                _add(replay, _aside_step(word, replay, token.line), token.line)
        elif not replay.steps:
            continue
        elif name == "clk" and (match := re.fullmatch(r"(\d{1,6}):(\d\d):(\d\d)", value.strip())):
            hours, minutes, seconds = map(int, match.groups())
            replay.steps[-1] = replace(replay.steps[-1], left=hours * HOUR + minutes * MINUTE + seconds * SECOND)
        elif name == "at" and re.fullmatch(r"\d{1,18}", value.strip()) and is_time(int(value)):
            replay.steps[-1] = replace(replay.steps[-1], at=int(value))


def _aside_step(word: str, replay: Replay, line: int) -> Step:
    match = _ASIDE.fullmatch(word)
    if match is None:
        raise TranscriptError(line, f"this is nothing that can happen in a game: {word[:40]!r}")
    at, left = (None if match[name] is None else int(match[name]) for name in ("at", "left"))
    kind, *rest = match["text"].split(":")
    keys = {seat.key: index for index, seat in enumerate(replay.rules.seats)}
    if kind == "back" and len(rest) == 2 and rest[1] in keys:
        return Step("takeback", keys[rest[1]], rest[0], at, left)
    if kind in ("resign", "timeout", "draw", "abort") and len(rest) == 1 and rest[0] in keys:
        return Step(cast(Kind, kind), keys[rest[0]], "", at, left)
    return Step("turn", replay.state.seat, " ".join([kind, *rest]), at, left)


def _ended(token: _Token, replay: Replay, tag: tuple[str, int] | None) -> None:
    """Hold the result against the moves; where they do not end the game, the players did."""
    result, keys = _RESULTS[token.text], [seat.key for seat in replay.rules.seats]
    if tag is not None and tag[0] in _RESULTS and _RESULTS[tag[0]] != result:
        raise TranscriptError(tag[1], f"the tag says {tag[0]}, the game ends with {token.text} (line {token.line})")
    if not result:
        return
    if not replay.over:
        step = Step("draw", 0) if result[0] is None else Step("resign", 1 - keys.index(result[0]))
        _add(replay, step, token.line)
    elif replay.reason is None or result[0] != (None if replay.winner is None else keys[replay.winner]):
        raise TranscriptError(token.line, f"the game ends with {token.text}, but by its moves: {replay.reason}")


def _add(replay: Replay, step: Step, line: int) -> None:
    try:
        replay.add(step)
    except (CannotFollow, MoveError) as error:
        what = f"{step.text!r}: " if step.text else ""
        raise TranscriptError(line, f"entry {len(replay.steps) + 1}, {what}{error}") from error


def _id(tags: Mapping[str, tuple[str, int]], name: str) -> int | None:
    text, line = tags.get(name, ("", 0))
    if not text:
        return None
    if not re.fullmatch(r"-?[0-9]{1,19}", text):
        raise TranscriptError(line, f"{name} is a number, not {text[:40]!r}")
    if int(text) >= 1 << 63 or (name == "Began" and not is_time(int(text))):
        raise TranscriptError(line, f"{name}: {text} is too large")
    return int(text)
