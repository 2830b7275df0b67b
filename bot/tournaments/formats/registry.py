"""Every format by the name that it is stored under, and what needs to know them: to read settings, to fold events."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from bot.tournaments.errors import TournamentError
from bot.tournaments.formats.arena import ArenaFormat
from bot.tournaments.formats.elimination import EliminationFormat
from bot.tournaments.formats.format import Format
from bot.tournaments.formats.round_robin import RoundRobinFormat
from bot.tournaments.formats.swiss import SwissFormat
from bot.tournaments.formats.tables import TablesFormat
from bot.tournaments.model.events import Event, Kind, TournamentSettings
from bot.tournaments.model.fold import folded
from bot.tournaments.model.state import Tournament
from bot.tournaments.pairing.record import Mark, Points
from bot.tournaments.standings.tiebreaks import RuleBook, parse

_ALL: tuple[Format, ...] = (
    SwissFormat(),
    RoundRobinFormat(Kind.ROUND_ROBIN, 1, "Individual: Round-Robin (Berger tables)"),
    RoundRobinFormat(Kind.DOUBLE_ROUND_ROBIN, 2, "Individual: Double Round-Robin (Berger tables)"),
    EliminationFormat(Kind.SINGLE_ELIMINATION, double=False),
    EliminationFormat(Kind.DOUBLE_ELIMINATION, double=True),
    ArenaFormat(),
    TablesFormat(),
)
FORMATS: dict[str, Format] = {format_.kind: format_ for format_ in _ALL}
"""The formats, in the order in which they are offered."""


def format_of(settings: TournamentSettings) -> Format:
    """The format of a tournament."""
    return FORMATS[settings.kind]


def fold(settings: TournamentSettings, events: Iterable[Event]) -> Tournament:
    """The tournament after these events, in the order of their numbers."""
    return folded(Tournament(settings, format_of(settings)), events)


def settings_as_json(settings: TournamentSettings) -> dict[str, Any]:
    """Settings as plain values; points are written as fractions (``1/2``)."""
    values = dataclasses.asdict(settings)
    points = {name: None if value is None else str(value) for name, value in values["points"].items()}
    return values | {"points": points, "tie_breaks": ",".join(map(str, settings.tie_breaks))}


def settings_of(values: Mapping[str, Any]) -> TournamentSettings:
    """The settings of plain values. Raises TournamentError for what is none."""
    try:
        fields = dict(values)
        points = {name: None if v is None else Fraction(v) for name, v in fields.pop("points").items()}
        return TournamentSettings(
            kind=FORMATS[fields.pop("kind")].kind,
            points=Points(**points),  # type: ignore[arg-type]  # None only where a default stands
            tie_breaks=parse(fields.pop("tie_breaks")),
            rules=RuleBook(fields.pop("rules")),
            late_bye=Mark(fields.pop("late_bye")),
            **fields,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise TournamentError(f"This is no plan of a tournament: {error}") from error
