"""A tournament for other programs: as a report file, as a table (CSV), as plain values (JSON).

``call`` names a player by the starting number; names are asked for only here, since they are not ours to keep.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from bot.i18n import _
from bot.tournaments.errors import TournamentError
from bot.tournaments.files.trf_reader import Forbidding, Person, Report
from bot.tournaments.formats.registry import format_of
from bot.tournaments.model.events import ACTIONS, Event
from bot.tournaments.model.openings import Opening, drawn
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.pairing.record import Mark, Player
from bot.tournaments.standings.standings import RankingLine


def report(state: Tournament, name: str, call: Callable[[int], str]) -> Report:
    """A Swiss or a round robin as a report file's contents. Raises TournamentError for other kinds."""
    format_ = format_of(state.settings)
    if not format_.report_kind:
        raise TournamentError(
            _("Report files hold a Swiss or a round robin. Choose `csv`, `json` or `pdn` for this one.")
        )
    players = {number: replace(player, name=call(number)) for number, player in state.record.players.items()}
    ranks = {line.number: line.rank for line in format_.ranking(state).lines}
    return Report(
        record=replace(state.record, players=players),
        name=name,
        kind=format_.report_kind,
        people={number: Person(rank=rank) for number, rank in ranks.items()},
        forbidding=tuple(Forbidding(tuple(sorted(pair))) for pair in sorted(state.forbidden, key=sorted)),
        other=tuple(_openings(state)),
        absent=frozenset(entrant.number for entrant in state.entrants if entrant.is_gone and entrant.number),
    )


def _openings(state: Tournament) -> Iterator[str]:
    """Lines of comment: with which openings the rounds were played."""
    settings = state.settings
    if len(settings.openings) == 1:
        yield f"### All games began with: {Opening.of(settings.openings[0])}"
    for number in sorted(state.paired) if len(settings.openings) > 1 else ():
        if (opening := drawn(settings, str(number))) is not None:
            yield f"### Round {number}, ballot {opening.number} of {len(settings.openings)}: {opening}"


def as_csv(state: Tournament, call: Callable[[int], str]) -> str:
    """The standings as a table: a header, then a line a player by rank; rounds of two as in the cross-table. Names that
    a spreadsheet would reckon with have an apostrophe before them."""
    format_ = format_of(state.settings)
    ranking = format_.ranking(state)
    crossed = dict(crosstable(state)) if format_.has_record else {}
    count = max(map(len, crossed.values()), default=0)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["Rank", "No", "Name", *ranking.headings, *(f"R{number}" for number in range(1, count + 1))])
    for line in ranking.lines:
        values = [f"{float(value):g}" for value in line.values]
        writer.writerow([line.rank, line.number, _as_cell(call(line.number)), *values, *crossed.get(line, ())])
    return out.getvalue()


def crosstable(state: Tournament) -> tuple[tuple[RankingLine, tuple[str, ...]], ...]:
    """The standings with each player's rounds, as ``5w1`` (against 5, white, won), ``bye``, ``-`` (not there)."""
    record = state.record
    return tuple(
        (line, tuple(_round_cell(record.players[line.number], number) for number in range(1, record.rounds_paired + 1)))
        for line in format_of(state.settings).ranking(state).lines
    )


def _round_cell(player: Player, round_number: int) -> str:
    entry = player.entry(round_number)
    if entry is None or entry.mark is Mark.ZERO_BYE:
        return "-"
    if entry.opponent is None:
        return "½" if entry.mark is Mark.HALF_BYE else "bye"
    return f"{entry.opponent}{entry.colour or ''}{entry.mark}"


def _as_cell(name: str) -> str:
    """A name as a spreadsheet takes it for text: what begins like a formula is guarded with an apostrophe."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t")) else name


def as_values(state: Tournament, events: Sequence[Event], call: Callable[[int], str]) -> dict[str, Any]:
    """Everything as plain values: the settings, each event, the players and the standings."""
    ranking = format_of(state.settings).ranking(state)
    return {
        "plan": _told(state.settings.to_json(), state),
        "players": [{"number": number, "name": call(number)} for number in sorted(state.by_number)],
        "standings": [
            {"rank": line.rank, "number": line.number}
            | dict(zip(map(str, ranking.headings), map(float, line.values), strict=True))
            for line in ranking.lines
        ],
        "rules": ranking.rules,
        "events": [
            {"number": event.number, "at": event.at, "by": event.by, "reason": event.reason}
            | _told(ACTIONS.to_json(event.action), state)
            for event in events
        ],
    }


def _told(values: dict[str, Any], state: Tournament) -> dict[str, Any]:
    """Values without what the ballots follow from, which is told at the end."""
    if state.phase is Phase.OVER:
        return values
    told = values | {"secret": ""} if "secret" in values else values
    return told | {"settings": _told(dict(told["settings"]), state)} if "settings" in told else told
