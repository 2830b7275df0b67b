"""Reading tournament report files: TRF16 and TRF26, with the extensions that pairing programs share.

Columns count characters from 1 (bytes, where only that makes sense of a file). Lines may end in CR, LF or CRLF.
What is read: 001, 012, 092, 142, 152, 162, 192, 240, 260
and XXR, XXC, XXP, XXZ, XXS, BBW, BBD, BBL, BBZ, BBF, BBU; every other line is kept as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from fractions import Fraction
from itertools import combinations
from typing import Final

from bot.support.frozen import frozen
from bot.tournaments.errors import TrfError
from bot.tournaments.files.trf_text import columns_of_bytes, lines_of, text_of
from bot.tournaments.pairing.record import (
    BYES,
    DRAWN,
    PLAYED,
    WON,
    Colour,
    Mark,
    Player,
    Points,
    Record,
    RoundEntry,
    ordered,
)

_ROUNDS_BEGIN, _ROUND_WIDTH = 91, 10
_POINTS_26 = {"W": "win", "D": "draw", "L": "loss", "A": "absent", "P": "pairing_bye"}
_POINTS_BB = {"BBW": "win", "BBD": "draw", "BBL": "loss", "BBZ": "absent", "BBF": "forfeit_loss", "BBU": "pairing_bye"}
_POINTS_XXS = {
    "W": "win",
    "D": "draw",
    "L": "loss",
    "ZPB": "absent",
    "HPB": "half_bye",
    "FPB": "full_bye",
    "PAB": "pairing_bye",
    "FW": "forfeit_win",
    "FL": "forfeit_loss",
}
_BYES_240 = {"F": Mark.FULL_BYE, "H": Mark.HALF_BYE, "Z": Mark.ZERO_BYE}


@frozen
class Person:
    """The columns of a player's line that no rule reads."""

    sex: str = ""
    title: str = ""
    federation: str = ""
    identity: str = ""
    born: str = ""
    rank: int = 0


@frozen
class Forbidding:
    """Players who shall not meet each other from round ``first`` to round ``last`` (0: to the end)."""

    numbers: tuple[int, ...]
    first: int = 1
    last: int = 0

    def in_force(self, round_number: int) -> bool:
        return self.first <= round_number and (not self.last or round_number <= self.last)


@frozen
class Report:
    """A file's contents. ``other``: the lines that are only kept; ``warnings``: what looks wrong but can be read;
    ``accelerated``: line and column of the first line that asks for acceleration."""

    record: Record
    name: str = ""
    kind: str = ""
    encoded_kind: str = ""
    people: Mapping[int, Person] = field(default_factory=dict)
    forbidding: tuple[Forbidding, ...] = ()
    absent: frozenset[int] = frozenset()
    other: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    accelerated: tuple[int, int] | None = None

    @property
    def round_robin(self) -> bool | None:
        """Whether the file says that all play all; None: it does not say."""
        kind = f"{self.kind} {self.encoded_kind}".lower().replace("-", " ").replace("_", " ")
        if re.search(r"round ?robin|berger|all play all|\brr\b|scheveningen", kind):
            return True
        return False if re.search(r"swiss|dutch|burstein|dubov|lim\b", kind) else None


def read(data: bytes | str) -> Report:
    """A report file's contents. Raises TrfError with the line and column of what cannot be read."""
    text = text_of(data)
    try:
        return _Reader(text).report()
    except TrfError as refusal:
        if (counted := columns_of_bytes(text)) == text:
            raise
        try:
            return _Reader(counted).report()
        except TrfError as other:
            # The reading that came further names what is wrong.
            raise (other if other.line > refusal.line else refusal) from None


_MOST: Final = 9999
"""The greatest number of a file, in whose columns a number has four digits. No tournament has as many rounds."""


class _Reader:
    """One file being read; made, used once and dropped."""

    def __init__(self, text: str) -> None:
        self.lines = lines_of(text)
        self.players: dict[int, Player] = {}
        self.people: dict[int, Person] = {}
        self.at: dict[int, int] = {}
        self.declared: dict[int, tuple[Fraction, int]] = {}
        self.values: dict[str, Fraction] = {}
        self.rounds, self.rounds_at = 0, 0
        self.initial: Colour | None = None
        self.byes: list[tuple[int, int, int, int, Mark]] = []
        self.forbidding: list[tuple[int, int, Forbidding]] = []
        self.absent: list[tuple[int, int, int]] = []
        self.headers = {"012": "", "092": "", "192": ""}
        self.other: list[str] = []
        self.warnings: list[str] = []
        self.accelerated: tuple[int, int] | None = None

    def report(self) -> Report:
        for line_number, line in enumerate(self.lines, start=1):
            if line.strip():
                self._line(line_number, line)
        if not self.players:
            raise TrfError(len(self.lines), 1, "the file has no players (no line begins with 001)")
        self._check_answers()
        self._add_byes()
        record = Record(
            players=ordered(self.players.values()),
            rounds=self.rounds,
            points=Points(**self.values),
            initial_colour=self.initial,
        )
        if self.rounds and record.rounds_paired > self.rounds:
            raise TrfError(self.rounds_at, 5, f"{record.rounds_paired} rounds are noted, but {self.rounds} planned")
        for at, column, rule in self.forbidding:
            self._known(at, column, rule.numbers)
        for at, column, number in self.absent:
            self._known(at, column, (number,))
        self._compare_points(record)
        forbidding = tuple(rule for _, _, rule in self.forbidding)
        pairs = (
            frozenset(pair)
            for rule in forbidding
            if rule.in_force(record.rounds_paired + 1)
            for pair in combinations(rule.numbers, 2)
        )
        return Report(
            record=replace(record, forbidden=frozenset(pairs)),
            name=self.headers["012"],
            kind=self.headers["092"],
            encoded_kind=self.headers["192"],
            people=self.people,
            forbidding=forbidding,
            absent=frozenset(number for _, _, number in self.absent),
            other=tuple(self.other),
            warnings=tuple(self.warnings),
            accelerated=self.accelerated,
        )

    def _line(self, number: int, line: str) -> None:
        code = line[:3]
        if code == "001":
            self._player(number, line)
        elif code in self.headers:
            self.headers[code] = line[4:].strip()
        elif code in ("142", "XXR"):
            ((column, text),) = self._words(number, line, 1, 1)
            self.rounds, self.rounds_at = self._integer(number, column, text, "the number of rounds"), number
        elif code == "152":
            ((column, text),) = self._words(number, line, 1, 1)
            if text.upper() not in ("W", "B"):
                raise TrfError(number, column, f"the initial colour is W or B, not {text!r}")
            self.initial = Colour(text.lower())
        elif code == "XXC":
            self._configuration(number, line)
        elif code == "162":
            self._points_26(number, line)
        elif code in _POINTS_BB:
            ((column, text),) = self._words(number, line, 1, 1)
            self.values[_POINTS_BB[code]] = self._points(number, column, text)
        elif code == "XXS" and "=" in line:
            for column, text in self._words(number, line, 1):
                name, _, value = text.partition("=")
                if name.upper() not in _POINTS_XXS:
                    raise TrfError(number, column, f"points for {name!r} are not known")
                self.values[_POINTS_XXS[name.upper()]] = self._points(number, column, value)
        elif code == "240":
            self._byes_240(number, line)
        elif code == "260":
            words = self._words(number, line, 4)
            first, last = (self._integer(number, column, text, "a round", 0) for column, text in words[:2])
            people = tuple(self._integer(number, column, text, "a starting number") for column, text in words[2:])
            self.forbidding.append((number, words[2][0], Forbidding(people, first, last)))
        elif code == "XXP":
            words = self._words(number, line, 2)
            people = tuple(self._integer(number, column, text, "a starting number") for column, text in words)
            self.forbidding.append((number, words[0][0], Forbidding(people)))
        elif code == "XXZ":
            for column, text in self._words(number, line, 1):
                self.absent.append((number, column, self._integer(number, column, text, "a starting number")))
        else:
            if code in ("250", "XXA") or (code == "XXS" and line[3:].strip()):
                self.accelerated = self.accelerated or (number, 1)
            self.other.append(line)

    def _player(self, number: int, line: str) -> None:
        start = self._integer(number, 5, line[4:8], "the starting number")
        if start in self.players:
            raise TrfError(number, 5, f"starting number {start} stands on line {self.at[start]} already")
        rating = self._integer(number, 49, line[48:52], "the rating", 0) if line[48:52].strip() else 0
        if points := line[80:84].strip():
            self.declared[start] = self._points(number, 81, points), number
        rank = line[85:89].strip()
        self.people[start] = Person(
            sex=line[9:10].strip(),
            title=line[10:13].strip(),
            federation=line[53:56].strip(),
            identity=line[57:68].strip(),
            born=line[69:79].strip(),
            rank=self._integer(number, 86, rank, "the rank", 0) if rank else 0,
        )
        entries = list(self._entries(number, line, start))
        while entries and entries[-1] is None:
            entries.pop()
        self.players[start] = Player(start, line[14:47].strip(), rating, tuple(entries))
        self.at[start] = number

    def _entries(self, number: int, line: str, start: int) -> Iterator[RoundEntry | None]:
        padded = line.rstrip()
        for begin in range(_ROUNDS_BEGIN, len(padded), _ROUND_WIDTH):
            cell = padded[begin : begin + 8].ljust(8)
            for place in (begin - 2, begin - 1, begin + 4, begin + 6):
                if padded[place : place + 1].strip():
                    raise TrfError(number, place + 1, f"{padded[place]!r} stands where a space belongs between results")
            yield self._entry(number, begin + 1, cell, start)
        beyond = padded[89:_ROUNDS_BEGIN]
        if len(padded) <= _ROUNDS_BEGIN and beyond.strip():
            raise TrfError(number, 90, f"{beyond.strip()!r} stands where a space belongs before the results")

    def _entry(self, line: int, column: int, cell: str, start: int) -> RoundEntry | None:
        if not cell.strip():
            return None
        colour_sign, sign = cell[5].lower(), cell[7].upper()
        opponent = self._integer(line, column, cell[:4], "the opponent", 0) if cell[:4].strip() else 0
        if opponent == start:
            raise TrfError(line, column, f"{start} is written as the opponent of itself")
        if colour_sign not in "wb- ":
            raise TrfError(line, column + 5, f"the colour is w, b or -, not {cell[5]!r}")
        colour = Colour(colour_sign) if colour_sign in "wb" else None
        if not opponent:
            if colour is not None:
                raise TrfError(line, column + 5, "a colour is given, but no opponent")
            unplayed = {"=": Mark.HALF_BYE, " ": Mark.ZERO_BYE, "+": Mark.FORFEIT_WIN, "-": Mark.FORFEIT_LOSS}
            mark = unplayed.get(sign) or (Mark(sign) if sign in tuple(BYES) else None)
            if mark is None:
                raise TrfError(line, column + 7, f"{cell[7]!r} without an opponent is none of the results F U H Z + -")
            return RoundEntry(None, None, mark)
        if sign == " ":
            return RoundEntry(opponent, colour, Mark.PENDING)
        if sign in tuple(BYES):
            raise TrfError(line, column + 7, f"{sign} is a bye, but an opponent is given")
        if sign not in tuple(Mark):
            raise TrfError(line, column + 7, f"{cell[7]!r} is none of the results 1 = 0 W D L + - F U H Z")
        mark = Mark(sign)
        if mark in PLAYED and colour is None:
            raise TrfError(line, column + 5, "a game was played, but no colour is given")
        return RoundEntry(opponent, colour, mark)

    def _check_answers(self) -> None:
        for start, player in self.players.items():
            for round_number, entry in enumerate(player.rounds, start=1):
                if entry is None or entry.opponent is None:
                    continue
                line, column = self.at[start], _ROUNDS_BEGIN + 1 + _ROUND_WIDTH * (round_number - 1)
                if entry.opponent not in self.players:
                    raise TrfError(line, column, f"there is no player {entry.opponent}")
                other = self.players[entry.opponent].entry(round_number)
                where = f"the line of {entry.opponent} (line {self.at[entry.opponent]})"
                if other is None or other.opponent != start:
                    raise TrfError(line, column, f"round {round_number} is not noted so on {where}")
                if entry.colour is not None and entry.colour is other.colour:
                    raise TrfError(line, column + 5, f"round {round_number}: the same colour stands on {where}")
                pending = Mark.PENDING in (entry.mark, other.mark) and entry.mark is not other.mark
                both_won = entry.mark in (*WON, Mark.FORFEIT_WIN) and other.mark in (*WON, Mark.FORFEIT_WIN)
                if entry.played != other.played or both_won or pending:
                    raise TrfError(line, column + 7, f"round {round_number}: the result contradicts {where}")
                if entry.mark in DRAWN and other.mark not in DRAWN:
                    # A director may score so: the one lost the half that the other kept, or was given a whole.
                    self.warnings.append(
                        f"line {line}, column {column + 7}: round {round_number} is a draw here, but not on {where}"
                    )

    def _add_byes(self) -> None:
        for line, column, start, round_number, mark in self.byes:
            self._known(line, column, (start,))
            player = self.players[start]
            if player.entry(round_number) is None:
                rounds = [*player.rounds, *[None] * (round_number - len(player.rounds))]
                rounds[round_number - 1] = RoundEntry(None, None, mark)
                self.players[start] = replace(player, rounds=tuple(rounds))

    def _byes_240(self, number: int, line: str) -> None:
        words = self._words(number, line, 3)
        (kind_column, kind), (round_column, round_text) = words[:2]
        if kind.upper() not in _BYES_240:
            raise TrfError(number, kind_column, f"the kind of bye is F, H or Z, not {kind!r}")
        round_number = self._integer(number, round_column, round_text, "the round")
        for column, text in words[2:]:
            start = self._integer(number, column, text, "a starting number")
            self.byes.append((number, column, start, round_number, _BYES_240[kind.upper()]))

    def _configuration(self, number: int, line: str) -> None:
        for column, text in self._words(number, line, 0):
            if text in ("white1", "black1"):
                self.initial = Colour.WHITE if text == "white1" else Colour.BLACK
            else:
                self.warnings.append(f"line {number}, column {column}: XXC {text} is not heeded")

    def _points_26(self, number: int, line: str) -> None:
        values = list(re.finditer(r"([A-Za-z]+)\s*=?\s*([\d.,]+)", line[3:]))
        rest = re.sub(r"([A-Za-z]+)\s*=?\s*([\d.,]+)", lambda m: " " * len(m[0]), line[3:])
        if rest.strip() or not values:
            column = 4 + len(rest) - len(rest.lstrip())
            raise TrfError(number, column, "points are written as a letter and a number, such as W 1.0")
        for match in values:
            name = match[1].upper()
            if name not in _POINTS_26:
                raise TrfError(number, 4 + match.start(1), f"points for {match[1]!r} are not known (W D L A P are)")
            self.values[_POINTS_26[name]] = self._points(number, 4 + match.start(2), match[2])

    def _compare_points(self, record: Record) -> None:
        for start, (points, line) in self.declared.items():
            score = record.score(start)
            ahead = record.points.of(record.players[start].entry(record.rounds_paired + 1))
            if points not in (score, score + ahead) and self.accelerated is None:
                self.warnings.append(
                    f"line {line}, column 81: {float(points):.1f} points are noted, the results give {float(score):.1f}"
                )

    def _known(self, line: int, column: int, numbers: tuple[int, ...]) -> None:
        for number in numbers:
            if number not in self.players:
                raise TrfError(line, column, f"there is no player {number}")

    def _words(self, number: int, line: str, least: int, most: int = 0) -> list[tuple[int, str]]:
        words = [(match.start() + 4, match[0]) for match in re.finditer(r"\S+", line[3:])]
        if len(words) < least:
            raise TrfError(number, len(line.rstrip()) + 1, f"something is missing after {line[:3]}")
        if most and len(words) > most:
            raise TrfError(number, words[most][0], f"{words[most][1]!r} is too much after {line[:3]}")
        return words

    @staticmethod
    def _integer(line: int, column: int, text: str, what: str, least: int = 1) -> int:
        stripped = text.strip()
        if not re.fullmatch("[0-9]{1,9}", stripped) or not least <= int(stripped) <= _MOST:
            shift = len(text) - len(text.lstrip()) if stripped else 0
            raise TrfError(line, column + shift, f"{what} is a number from {least} to {_MOST}, not {stripped[:20]!r}")
        return int(stripped)

    @staticmethod
    def _points(line: int, column: int, text: str) -> Fraction:
        if not re.fullmatch(r"[0-9]{1,9}([.,][0-9]{1,9})?|[.,][0-9]{1,9}", text.strip()):
            raise TrfError(line, column, f"points are a number such as 2.5, not {text[:20]!r}")
        return Fraction(text.strip().replace(",", "."))
