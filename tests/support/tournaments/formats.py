"""What a tournament's format says of it, for tests that have its state alone."""

from __future__ import annotations

from bot.tournaments.formats.registry import format_of
from bot.tournaments.model.events import Action, RoundPaired, TablesSeated
from bot.tournaments.model.state import Tournament
from bot.tournaments.standings.standings import Ranking


def next_round(state: Tournament, *, pending_as_draws: bool = False) -> RoundPaired:
    """The next round of two."""
    paired = format_of(state.settings).next_round(state, pending_as_draws=pending_as_draws)
    assert isinstance(paired, RoundPaired)
    return paired


def next_tables(state: Tournament) -> TablesSeated:
    """The next round of tables."""
    seated = format_of(state.settings).next_round(state)
    assert isinstance(seated, TablesSeated)
    return seated


def every_round(state: Tournament) -> tuple[RoundPaired, ...]:
    """All rounds."""
    return format_of(state.settings).every_round(state)


def walkovers(state: Tournament) -> tuple[Action, ...]:
    """What is to be written down for those who have left."""
    return format_of(state.settings).walkovers(state)


def ranking(state: Tournament) -> Ranking:
    """How it stands."""
    return format_of(state.settings).ranking(state)
