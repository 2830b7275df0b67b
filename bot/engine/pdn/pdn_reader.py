"""PDN 3.0: draughts games as other programs write and read them (pdn.fmjd.org).

The movetext is the line of moves that stands, so that any program can follow it. What PDN has no sign for is kept in
comments, as commands (PDN, "Embedded commands"), in the order in which it happened:

- ``{[%clk 167:59:01] [%at 1800000060000]}`` after a move: what the mover's clock showed, and when it was made (UTC in
  milliseconds);
- ``{[%aside soplar:c3@1800000060000 ...]}`` between moves: all entries of the record that are not moves that stand.
  ``soplar:c3`` is a huff, as is ``soplar c3`` where a move stands; ``c3-d4 oblige`` a neglecting move and its being
  taken back; ``c3-d4 f6-e5 back:0:W`` moves taken back by White (back to entry 0, the start); ``resign:B``,
  ``timeout:B``, ``draw:W`` and ``abort:W`` are ends.

Players agree on results that the rules do not bear out: they play on where a game is drawn here by itself, or one of
them resigns such a position. The result is then what the file says, the line goes up to where the rules end it (where
they differ about the result, to the move before), and the rest stands in the tag ``PlayedOn``. So does what comes after
an unknown move and after a position that is set up in the middle of a game.

Where a director has ruled otherwise, ``Result`` is what counts, as other programs know no other, and ``PlayedResult``
what the moves bear out; read again, the latter is the result of the game, and the former its tag ``Ruling``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from types import MappingProxyType
from typing import Final, NamedTuple, cast

from bot.engine.errors import AmbiguousMove, MoveError, NotAMove
from bot.engine.pdn.pdn_games import rules_of
from bot.engine.pdn.pdn_grammar import BOTH_LOST, OWN_TAGS, RawGame, Token, games
from bot.engine.pdn.pdn_squares import SQUARE, game_type_of, shown_squares, squares_of, turned
from bot.engine.transcript import CannotFollow, Kind, Replay, Step, Transcript, TranscriptError, is_time, text_of
from bot.engine.turns import Turn
from bot.i18n import _
from bot.support.time_units import HOUR, MINUTE, SECOND

# Whose the game is, 0 who begins; None is a draw.
_RESULTS = {"1-0": 0, "2-0": 0, "0-1": 1, "0-2": 1, "1/2-1/2": None, "1-1": None, "0-0": BOTH_LOST}
_COMMAND = r"\[%(\w++)\s*+([^\[\]]*+)\]"
_SHOWN = r"(?P<side>[wWbB]?)(?P<hours>\d{1,6}):(?P<minutes>\d\d):(?P<seconds>\d\d)"
_ASIDE = r"(?P<text>[^@~]+)(?:@(?P<at>[0-9]{1,18}))?(?:~(?P<left>[0-9]{1,18}))?"
_CYRILLIC = rb"[\xa8\xb8\xc0-\xff]{4}"
_RULES = r'\[Rules\s+"([0-9a-f]{64})"'
_LONE = re.compile(SQUARE, re.IGNORECASE)
_NONE: Final[Mapping[str, str]] = MappingProxyType({})
_LONGEST_FEN = 2_000
_MOST_READINGS = 16


def loads(text: str, variant: str = "", texts: Mapping[str, str] = _NONE) -> Iterator[Transcript]:
    """The games of a PDN file; variations are passed over. ``variant``: of which game those are that do not say so;
    ``texts``: the rules of servers' own games, by their hash, and under "" of those whose hash is not among them.
    Raises TranscriptError with the line and what is wrong."""
    for game in read(text, variant, texts):
        if isinstance(game, TranscriptError):
            raise game
        yield game


def decoded(content: bytes) -> str:
    """A file's text: UTF-8, else what Windows and the old programs write (PDN 3.0, "Encoding")."""
    try:
        return content.decode("utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig")
    except UnicodeDecodeError:
        # Four accented letters in a row are no word of the West: they are Cyrillic.
        return content.decode("cp1251" if re.search(_CYRILLIC, content) else "cp1252", errors="replace")


def rules_named(text: str) -> frozenset[str]:
    """The hashes of the rules that the games of a file were played by, where these are no shipped ones."""
    return frozenset(re.findall(_RULES, text))


def read(text: str, variant: str = "", texts: Mapping[str, str] = _NONE) -> Iterator[Transcript | TranscriptError]:
    """As ``loads``, but a game that is wrong holds up no other: what is wrong with it stands in its place."""
    for raw in games(text):
        if isinstance(raw, TranscriptError):
            yield raw
            continue
        try:
            yield _transcript(raw, variant, texts)
        except TranscriptError as error:
            # Some programs write one numbering into the tag, or none, and use another, the usual one.
            try:
                yield _transcript(raw, variant, texts, usual=True)
            except TranscriptError:
                yield error


def _transcript(raw: RawGame, variant: str, texts: Mapping[str, str], *, usual: bool = False) -> Transcript:
    """One game. Where a capture in short may be several, that is meant with which the rest of the game makes sense; the
    last move of a game, after which nothing tells, is kept as it stands. Raises TranscriptError."""
    readings: list[Sequence[int]] = [()]
    found: list[Transcript] = []
    furthest, unclear = TranscriptError(0, ""), None
    for picks in readings:
        reader = _GameReader(raw, variant, texts, picks, usual=usual)
        try:
            found.append(reader.transcript())
        except TranscriptError as error:
            furthest = max(furthest, error, key=lambda one: (one.line, one.column))
        taken = [*picks, *(0 for __ in reader.forks[len(picks) :])]
        for at in range(len(picks), len(taken)):
            unclear = reader.forks[0].why
            readings += [[*taken[:at], other] for other in range(1, reader.forks[at].ways)]
        if unclear and (len(found) > 1 or len(readings) > _MOST_READINGS):
            if len(reader.forks) == 1 and reader.forks[0].token is raw.last_move:
                return _GameReader(raw, variant, texts, (), usual=usual, until=raw.last_move).transcript()
            raise unclear
    if not found:
        raise furthest
    return found[0]


class _Fork(NamedTuple):
    """A move that may be several."""

    ways: int
    token: Token
    why: TranscriptError


class _GameReader:
    """Follows the words of one game. ``rest`` is what comes where they cannot be followed any more, ``forks`` are the
    moves that may be several."""

    def __init__(
        self,
        raw: RawGame,
        variant: str,
        texts: Mapping[str, str],
        picks: Sequence[int],
        *,
        usual: bool,
        until: Token | None = None,
    ) -> None:
        """``picks``: which of several moves is meant, at each fork; after that the first. ``usual``: squares are
        numbered as the game's own GameType has it, whatever the file says. ``until``: the move that is not followed any
        more. Raises TranscriptError for the tags."""
        self.raw, self.picks, self.until = raw, picks, until
        self.forks: list[_Fork] = []
        self.value = {name: token.value for name, token in raw.tags.items()}
        self.rules = rules_of(raw, variant, texts)
        if usual or self.value.get("GameType"):
            self.squares = squares_of(self.rules, None if usual else game_type_of(self.value["GameType"]))
        else:
            self.squares = shown_squares(self.rules)
        self.rest: list[str] = []
        self.terminator: Token | None = None
        fen = raw.tags.get("FEN")
        self.replay = self._started(fen, fen.value) if fen and fen.value else Replay(self.rules, None)

    def transcript(self) -> Transcript:
        """The game. Raises TranscriptError."""
        self._check_result()
        for token in self.raw.words:
            self._take(token)
        forfeit = self._end()
        tags = {name: text for name, text in self.value.items() if name not in OWN_TAGS}
        ids = {name: _id(self.value.get(name, "")) for name in ("WhiteId", "BlackId")}
        tags |= {name: self.value[name] for name, number in ids.items() if number is None and name in self.value}
        if any(text != "..." for text in self.rest):
            tags["PlayedOn"] = " ".join([*self.rest, *filter(None, [tags.get("PlayedOn")])])
        if forfeit:
            tags["Forfeit"] = BOTH_LOST
        if ruling := self._ruling():
            tags["Ruling"] = ruling
        replay = self.replay
        return Transcript(
            variant_id=self.rules.variant.id,
            options=self.rules.variant.options,
            rules=text_of(self.rules.variant.ruleset),
            start=replay.start,
            steps=tuple(replay.steps),
            over=replay.over,
            winner=replay.winner,
            reason=replay.reason,
            players=tuple(ids["WhiteId" if seat.key == "W" else "BlackId"] for seat in self.rules.seats),
            clock=self.value.get("Clock", "none"),
            began=self._began(),
            tags=turned(tags, self.rules),
            line=self.raw.line,
        )

    # Tags

    def _started(self, where: Token, fen: str) -> Replay:
        """A FEN that does not say who is to move means the side that can make the first move there is."""
        if len(fen) > _LONGEST_FEN:
            raise self.raw.wrong(where, _("this position is too long"))
        first = next((word.text for word in self.raw.words if word.kind in ("move", "word")), "")
        with self.raw.reporting(where):
            may_be = [Replay(self.rules, position) for position in self.squares.start(fen, self.rules.seats)]
        set_up = self.rules.position(self.rules.start())
        may_be = [Replay(self.rules, None) if replay.start == set_up else replay for replay in may_be]
        for replay in may_be[:-1]:
            with suppress(MoveError):
                self.rules.read(replay.state, self.squares.move(first))
                return replay
        return may_be[-1] if first else may_be[0]

    def _began(self) -> int | None:
        token = self.raw.tags.get("Began")
        if token is None or not token.value:
            return None
        if not token.value.isascii() or not token.value.isdigit():
            template = _("Began is a number, not {value}")
            raise self.raw.wrong(token, template.format(value=repr(token.value[:40])))
        if len(token.value) > 18 or not is_time(int(token.value)):
            raise self.raw.wrong(token, _("Began: {value} is too large").format(value=token.value[:40]))
        return int(token.value)

    # Movetext

    def _take(self, token: Token) -> None:
        kind = token.kind
        if kind == "comment":
            if not self.rest:
                self._commented(token)
        elif kind == "result":
            self.terminator = token
        elif kind == "setup" and not self.rest and not self.replay.steps:
            self.replay = self._started(token, token.text)
        elif kind == "ellipsis" and not self.rest and self.replay.state.seat:
            # 1. ... 7-12 is the second player's move.
            pass
        elif self.rest or token is self.until or kind in ("setup", "ellipsis", "unknown") or self._drawn:
            self.rest.append(f'/FEN "{token.text}"/' if kind == "setup" else token.text)
        else:
            self._move(token)

    def _move(self, token: Token) -> None:
        seat = self.replay.state.seat
        with self._told(token, token.text):
            if _LONE.fullmatch(token.text):
                # Typed it may be short for a move; in a file nobody is there to see how it was understood.
                raise NotAMove(_("a move says from which square it goes, and to which"))
            text = self.squares.move(re.sub("[,:]", " ", token.text) if token.kind == "order" else token.text)
            try:
                self.replay.add(Step("turn", seat, text))
            except AmbiguousMove as error:
                self.replay.add(Step("turn", seat, self._picked(token, error).text))
            except MoveError:
                # A cross slips in where nothing is captured.
                try:
                    self.replay.add(Step("turn", seat, text.replace("x", "-")))
                    return
                except MoveError:
                    pass
                raise

    def _picked(self, token: Token, error: AmbiguousMove) -> Turn:
        at = len(self.forks)
        self.forks.append(_Fork(len(error.candidates), token, token.wrong(self._entry(token.text, error))))
        return error.candidates[self.picks[at] if at < len(self.picks) else 0]

    @property
    def _drawn(self) -> bool:
        """Whether the rules have drawn the game, without the players' doing."""
        outcome, steps = self.replay.state.outcome, self.replay.steps
        return outcome is not None and outcome.winner is None and (not steps or steps[-1].kind == "turn")

    def _add(self, token: Token, step: Step) -> None:
        with self._told(token, step.text):
            self.replay.add(step)

    @contextmanager
    def _told(self, token: Token, text: str) -> Iterator[None]:
        try:
            yield
        except (CannotFollow, MoveError) as error:
            raise token.wrong(self._entry(text, error)) from error

    def _entry(self, text: str, error: Exception) -> str:
        number = len(self.replay.steps) + 1
        if not text:
            return _("entry {number}, {why}").format(number=number, why=error)
        return _("entry {number}, {text}: {why}").format(number=number, text=repr(text), why=error)

    def _commented(self, token: Token) -> None:
        for name, value in re.findall(_COMMAND, token.text):
            if name == "aside":
                for word in value.split():
                    self._add(token, self._aside(word, token))
            elif self.replay.steps:
                step = self.replay.steps[-1]
                if name in ("clk", "clock") and (left := self._shown(value, step.seat)) is not None:
                    step = replace(step, left=left)
                elif name == "at" and re.fullmatch(r"[0-9]{1,18}", value.strip()) and is_time(int(value)):
                    step = replace(step, at=int(value))
                self.replay.steps[-1] = step

    def _shown(self, text: str, seat: int) -> int | None:
        """What the clock of a seat shows; one may stand for both, with the colours' letters before."""
        for match in re.finditer(_SHOWN, text):
            if match["side"].upper() in ("", self.rules.seats[seat].key):
                hours, minutes, seconds = int(match["hours"]), int(match["minutes"]), int(match["seconds"])
                return hours * HOUR + minutes * MINUTE + seconds * SECOND
        return None

    def _aside(self, word: str, token: Token) -> Step:
        match = re.fullmatch(_ASIDE, word)
        if match is None:
            template = _("this is nothing that can happen in a game: {text}")
            raise token.wrong(template.format(text=repr(word[:40])))
        at, left = (None if match[name] is None else int(match[name]) for name in ("at", "left"))
        kind, *rest = match["text"].split(":")
        keys = {seat.key: index for index, seat in enumerate(self.rules.seats)}
        if kind == "back" and len(rest) == 2 and rest[1] in keys:
            return Step("takeback", keys[rest[1]], rest[0], at, left)
        if kind in ("resign", "timeout", "draw", "abort") and len(rest) == 1 and rest[0] in keys:
            return Step(cast(Kind, kind), keys[rest[0]], "", at, left)
        return Step("turn", self.replay.state.seat, " ".join([kind, *rest]), at, left)

    # The end

    def _check_result(self) -> None:
        """Some events count points that tell no winner (4-6). Raises TranscriptError."""
        tag = self.raw.tags.get("Result")
        if tag is None or tag.value.strip() in (*_RESULTS, "*") or not re.search("[0-9]", tag.value):
            return
        if not any(word.kind == "result" and word.text in _RESULTS for word in self.raw.words):
            template = _("the result {result} names no winner and no draw; known are {known}")
            raise tag.wrong(template.format(result=repr(tag.value.strip()[:40]), known=", ".join(_RESULTS)))

    def _end(self) -> bool:
        """Hold the result against the moves; where they do not end the game, the players did. Whether the file says
        that both have lost. Raises TranscriptError."""
        tag, end = self.raw.tags.get("PlayedResult") or self.raw.tags.get("Result"), self.terminator
        told = [(tag, tag.value.strip())] if tag else []
        told += [(end, end.text)] if end else []
        told = [(token, text) for token, text in told if text in _RESULTS]
        if not told:
            return False
        (first, tagged), (last, ended) = told[0], told[-1]
        result = _RESULTS[ended]
        if _RESULTS[tagged] != result:
            template = _("the tag says {result}, the game ends with {other} (line {line})")
            raise first.wrong(template.format(result=tagged, other=ended, line=last.line))
        winner = result if isinstance(result, int) else None
        if (self._drawn and winner is not None) or result == BOTH_LOST:
            self._cut()
        elif self.replay.over and (self.replay.reason is None or self.replay.winner != winner):
            template = _("the game ends with {result}, but by its moves: {reason}")
            raise last.wrong(template.format(result=ended, reason=self.replay.reason))
        if not self.replay.over:
            self._add(last, self._last_step(result, winner))
        return result == BOTH_LOST

    def _ruling(self) -> str:
        """The result that counts, where it is another than the moves bear out; "" where the file says nothing of it."""
        if "PlayedResult" not in self.value:
            return self.value.get("Ruling", "")
        counts = _RESULTS.get(self.value.get("Result", "").strip(), "")
        return {0: "1-0", 1: "0-1", None: "1/2-1/2", BOTH_LOST: "0-0"}.get(counts, "")

    def _last_step(self, result: str | int | None, winner: int | None) -> Step:
        if winner is None:
            return Step("abort" if result == BOTH_LOST else "draw", 0)
        on_time = self.value.get("Termination", "").casefold() == "time forfeit"
        return Step("timeout" if on_time else "resign", 1 - winner)

    def _cut(self) -> None:
        """Take back the move with which the rules, and not the players, have drawn the game."""
        if not self._drawn or not self.replay.steps:
            return
        *steps, last = self.replay.steps
        self.rest.insert(0, self.squares.position(last.text))
        self.replay = Replay(self.rules, self.replay.start)
        for step in steps:
            self.replay.add(step)


def _id(text: str) -> int | None:
    """A person's number; None for what another program calls one."""
    number = int(text) if re.fullmatch(r"-?[0-9]{1,19}", text) else 0
    return number if number and abs(number) < 1 << 63 else None
