"""Every format by the name that it is stored under, and what needs to know them: to read settings, to fold events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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


def settings_of(values: Mapping[str, Any]) -> TournamentSettings:
    """The settings of plain values. Raises TournamentError for what is none, and where there is no such format."""
    try:
        return TournamentSettings.of({**values, "kind": FORMATS[values["kind"]].kind})
    except (KeyError, TypeError, ValueError) as error:
        raise TournamentError(f"This is no plan of a tournament: {error}") from error
