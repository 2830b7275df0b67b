"""Writing tournament report files: TRF16 with its customary extensions, or TRF26."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction

from bot.tournaments.errors import TournamentError
from bot.tournaments.files.trf_reader import Person, Report
from bot.tournaments.pairing.record import CHESS, Mark, Player, Points, RoundEntry

# Points by the letters of line 162 of TRF26, and by the lines that stand for them in TRF16 files.
_LETTERS = (("W", "BBW", "win"), ("D", "BBD", "draw"), ("L", "BBL", "loss"), ("A", "BBZ", "absent"))


class ReportVersion(StrEnum):
    """Which edition of the report file is written; TRF16 with the lines that pairing programs have added to it."""

    TRF16 = "trf16"
    TRF26 = "trf26"


def write(report: Report, form: ReportVersion = ReportVersion.TRF26) -> str:
    """The file's text; ``read`` gives the same record back.

    Raises TournamentError for what the columns cannot hold: numbers past 9999, points past 99.9."""
    return "".join(f"{line}\n" for line in _lines(report, form))


def _lines(report: Report, form: ReportVersion) -> Iterator[str]:
    record = report.record
    modern = form is ReportVersion.TRF26
    yield f"012 {report.name}".rstrip()
    if report.kind:
        yield f"092 {report.kind}"
    if record.rounds:
        yield f"{'142' if modern else 'XXR'} {record.rounds}"
    if record.initial_colour is not None:
        first = record.initial_colour
        yield f"152 {first.upper()}" if modern else f"XXC {'white1' if first == 'w' else 'black1'}"
    yield from _points(record.points, modern)
    if report.encoded_kind and modern:
        yield f"192 {report.encoded_kind}"
    yield from report.other
    ahead: dict[tuple[int, Mark], list[int]] = {}
    for number, player in record.players.items():
        for round_number in range(record.rounds_paired + 1, len(player.rounds) + 1):
            entry = player.entry(round_number)
            if entry is not None and modern and entry.mark in (Mark.FULL_BYE, Mark.HALF_BYE):
                ahead.setdefault((round_number, entry.mark), []).append(number)
    for (round_number, mark), numbers in sorted(ahead.items()):
        yield f"240 {mark} {round_number:3} " + " ".join(f"{number:4}" for number in numbers)
    for rule in report.forbidding:
        if modern:
            last = rule.last or record.rounds or 999
            yield f"260 {rule.first:3} {last:3} " + " ".join(f"{number:4}" for number in rule.numbers)
        else:
            yield "XXP " + " ".join(map(str, rule.numbers))
    if report.absent:
        yield "XXZ " + " ".join(map(str, sorted(report.absent)))
    # Other programs want a rank on every line.
    ranked = sorted(record.players, key=lambda number: (-record.score(number), number))
    ranks = {number: rank for rank, number in enumerate(ranked, start=1)}
    for number, player in record.players.items():
        person = report.people.get(number, Person())
        ahead_of_it = player.rounds[record.rounds_paired :]
        # A bye noted ahead is in the points already: so other programs count.
        points = record.score(number) + sum((record.points.of(entry) for entry in ahead_of_it), Fraction(0))
        yield _player(player, replace(person, rank=person.rank or ranks[number]), points)


def _points(points: Points, modern: bool) -> Iterator[str]:
    written = [(letter, line, getattr(points, name)) for letter, line, name in _LETTERS]
    usual = [(letter, line, getattr(CHESS, name)) for letter, line, name in _LETTERS]
    if points.pairing_bye is not None and points.pairing_bye != points.win:
        written.append(("P", "BBU", points.pairing_bye))
    if written == usual:
        return
    if modern:
        yield "162  " + "    ".join(f"{letter}{_decimal(value)}" for letter, _, value in written)
    else:
        yield from (f"{line} {_decimal(value)}" for _, line, value in written)


def _player(player: Player, person: Person, score: Fraction) -> str:
    if player.number > 9999 or player.rating > 9999:
        raise TournamentError(f"Player {player.number}: numbers and ratings of a report file end at 9999.")
    line = (
        f"001 {player.number:4} {person.sex[:1]:1}{person.title[:3]:>3} {player.name[:33]:33} "
        f"{player.rating or '':>4} {person.federation[:3]:3} {person.identity[:11]:11} {person.born[:10]:10} "
        f"{_decimal(score)} {person.rank:4}"
    )
    return (line + "".join(f"  {_cell(entry)}" for entry in player.rounds)).rstrip()


def _cell(entry: RoundEntry | None) -> str:
    if entry is None:
        return " " * 8
    opponent = f"{entry.opponent:4}" if entry.opponent is not None else "0000"
    mark = " " if entry.mark is Mark.PENDING else entry.mark
    return f"{opponent} {entry.colour or '-'} {mark}"


def _decimal(value: Fraction) -> str:
    if value > Fraction(999, 10) or (value * 10).denominator != 1:
        raise TournamentError(f"{float(value)} points do not fit a report file: they have one decimal and end at 99.9.")
    return f"{float(value):4.1f}"
