"""When an arena is looked at next: one timer, which is set in the transaction of whatever changes the arena."""

from __future__ import annotations

from typing import Final

from bot.games.service import Games
from bot.tournaments.formats.arena import PAIR_AFTER, ends_at, free
from bot.tournaments.model.state import Phase
from bot.tournaments.use_cases.change import TournamentUnit
from data.queries import timers as queries

ARENA: Final = "arena"
"""The kind of the timer that each running arena has one of."""


async def wake(games: Games, change: TournamentUnit) -> None:
    """Something has happened in a tournament: if it is a running arena, let it be looked at when there is anything to
    do. It pairs soon where two are free, ends at its end, and is over after the last game."""
    tournament = change.tournament
    if not tournament.format.has_pool:
        return
    state = tournament.state
    if state.phase is not Phase.RUNNING:
        await queries.drop(change.tx, ARENA, tournament.id)
        return
    if state.pool_closed:
        at = None if tournament.open_games or state.halted is not None else change.now
    else:
        at = ends_at(tournament.settings, tournament.events)
        if len(free(state)) > 1:
            soon = change.now + PAIR_AFTER
            at = soon if at is None else min(at, soon)
    if at is None:
        return
    due = max(at, change.now)
    timer = await queries.get(change.tx, ARENA, tournament.id)
    if timer is None or timer.at > due:
        await queries.put(change.tx, ARENA, tournament.id, due, {})
        games.tournament_games.timer_set(change.tx, due)
