"""Tournaments at a terminal: the next round of a report file, and its standings. Other programs read this output."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from bot.tournaments.errors import TournamentError, TrfError
from bot.tournaments.files import trf_reader
from bot.tournaments.pairing.round_robin import berger
from bot.tournaments.pairing.swiss import dutch
from bot.tournaments.pairing.swiss.contenders import RoundPairing
from bot.tournaments.standings import tiebreaks
from bot.tournaments.standings.standings import standings as ranked

# What would end a column or a line of the standings, were it kept in a name.
_SPACES = {ord(sign): " " for sign in "\t\v\f\x1c\x1d\x1e\x85\u2028\u2029"}


def pair(file: Path) -> tuple[list[str], list[str]]:
    """The next round of a report file by the Dutch system (C.04.3, 2026): ``white black`` a line, in board order.

    A file that says that all play all is paired by the Berger tables, in the order of the starting numbers. The bye is
    the last line, ``number 0``. Also returns what is to be said beside it. Raises TrfError, TournamentError where the
    round cannot be paired, OSError."""
    report = trf_reader.read(file.read_bytes())
    if report.accelerated is not None:
        raise TrfError(*report.accelerated, "accelerated pairing is not known here")
    paired = _of_round_robin(report) if report.round_robin else dutch.next_round(report.record, report.absent)
    lines = [f"{white} {black}" for white, black in paired.games]
    if paired.bye is not None:
        lines.append(f"{paired.bye} 0")
    return lines, [*report.warnings, *paired.relaxations]


def standings(file: Path, tie_breaks: str) -> tuple[Iterator[str], list[str]]:
    """The standings of a report file: a header, then a line a player by rank, tab-separated.

    Columns: rank, starting number, name, then the tie-breaks as asked (``PTS,BH,BH-C1``). Also returns what is to be
    said beside it. Raises TrfError, TournamentError for a tie-break that is not known, OSError."""
    asked = tiebreaks.parse(tie_breaks)
    headings = [word.strip() for word in tie_breaks.split(",")]
    report = trf_reader.read(file.read_bytes())
    table = ranked(report.record, asked, round_robin=report.round_robin)

    def lines() -> Iterator[str]:
        yield "\t".join(("Rank", "No", "Name", *headings))
        for row in table.lines:
            name = report.record.players[row.number].name.translate(_SPACES)
            yield "\t".join((str(row.rank), str(row.number), name, *map(decimal, row.values)))

    return lines(), list(report.warnings)


def _of_round_robin(report: trf_reader.Report) -> RoundPairing:
    """The next round of the tables; refused when the rounds so far are others."""
    record = report.record
    doubled = "double" in f"{report.kind} {report.encoded_kind}".lower()
    rounds = berger(list(record.players), 2 if doubled else 1)
    if record.rounds_paired >= len(rounds):
        raise TournamentError(f"All {len(rounds)} rounds are paired.")
    for number, planned in enumerate(rounds[: record.rounds_paired], start=1):
        noted = {
            (player.number, entry.opponent)
            for player in record.players.values()
            if (entry := player.entry(number)) is not None and entry.opponent is not None and entry.colour == "w"
        }
        if not noted <= set(planned.games):
            raise TournamentError(
                f"Round {number} is not that of the Berger tables; it cannot be told what comes next."
            )
    return rounds[record.rounds_paired]


def decimal(value: Fraction) -> str:
    """A number with a point and as many decimals as it needs, one at least and four at most: 13.5, 9.25, 3.0."""
    text = f"{float(value):.4f}".rstrip("0")
    return f"{text}0" if text.endswith(".") else text
