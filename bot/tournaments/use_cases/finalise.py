"""What every change of a tournament ends with, in its transaction: who has moved up is told, who did not come is noted,
and the timer of what comes next is set."""

from __future__ import annotations

from typing import Final

from bot.tournaments.formats.registry import fold
from bot.tournaments.model.events import Entered, Event, TournamentSettings
from bot.tournaments.model.schedule import next_step
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.persistence.stored_tournament import StoredTournament, TournamentUnit
from bot.tournaments.use_cases.no_shows import absent_in, note_no_shows
from data.queries import timers as timer_queries
from data.store import Transaction

TIMER: Final = "tournament"
"""The kind of the one timer that a tournament has."""

ARENA: Final = "arena"
"""The kind of the timer that each running arena has one of."""

COMPETITION: Final = "contest"
"""The kind of the one timer that a league or a team match has."""

PAIR_AFTER: Final = 8_000
"""So long (ms) is waited for others who come to the pool, before those in it are paired."""

CALLED_AT_ONCE: Final = 60
"""How many people one message calls to the check-in."""


async def finalise(unit: TournamentUnit) -> int | None:
    """Bring everything in line with the events of a change. Returns when the next step is due, None: there is none."""
    began = unit.began
    if unit.tournament.state.phase is Phase.ENTRIES and moved_up(began.state, unit.tournament.state):
        await unit.request("up", round_number=unit.tournament.last)
    await _let_in(unit)
    tournament = unit.tournament
    if began.step_by_hand != tournament.step_by_hand:
        # Under the announcement stands what a director can do now.
        await unit.request("announcement")
        if "finish" in (began.step_by_hand, tournament.step_by_hand) and tournament.state.phase is Phase.RUNNING:
            # Who has won is told at once, with what remains to be done; or no longer.
            await unit.request("podium")
    absent = absent_in(tournament)
    if absent and (tournament.format.in_rounds or tournament.format.has_bracket):
        await note_no_shows(unit, absent)
    if tournament.state.phase is not began.state.phase and began.state.check_in_open:
        for part in range(parts(began.state)):
            await unit.request("checkin", round_number=part)
    at = await set_timer(unit.tx, tournament)
    if tournament.competition_id is not None:
        # The league or team match that it is part of looks at it.
        await timer_queries.put(unit.tx, COMPETITION, tournament.competition_id, unit.now, {})
        return unit.now
    if at is None and tournament.format.pairs_who_waits:
        return await _set_pool_timer(unit)
    return at


async def _let_in(unit: TournamentUnit) -> None:
    """While one may enter a tournament that runs, whoever waits has the places that are free, the first before all
    others."""
    while unit.tournament.state.phase is Phase.RUNNING and not unit.tournament.state.is_full:
        if not (waiting := unit.tournament.state.beyond):
            return
        await unit.add(Entered(waiting[0]), by_itself=True)
        await unit.request("up", round_number=unit.tournament.last)
        await unit.request("announcement", "standings")


async def set_timer(tx: Transaction, tournament: StoredTournament) -> int | None:
    """Set the timer of what a tournament does next by itself. Returns when it is due."""
    step = next_step(tournament.state, tournament.events, tournament.outages)
    if step is None:
        await timer_queries.drop(tx, TIMER, tournament.id)
        return None
    await timer_queries.put(tx, TIMER, tournament.id, step.at, {})
    return step.at


async def _set_pool_timer(unit: TournamentUnit) -> int | None:
    """Let an arena that runs be looked at when there is anything to do: soon where two are free, at its end, and after
    the last game. Returns when that is, where it is sooner than was known."""
    tournament, state = unit.tournament, unit.tournament.state
    if state.phase is not Phase.RUNNING:
        await timer_queries.drop(unit.tx, ARENA, tournament.id)
        return None
    if state.pool_closed:
        at = None if tournament.open_games or state.halted is not None else unit.now
    else:
        at = tournament.format.ends_at(tournament.settings, tournament.events)
        if len(tournament.format.free(state)) > 1:
            soon = unit.now + PAIR_AFTER
            at = soon if at is None else min(at, soon)
    if at is None:
        return None
    due = max(at, unit.now)
    timer = await timer_queries.get(unit.tx, ARENA, tournament.id)
    if timer is not None and timer.at <= due:
        return None
    await timer_queries.put(unit.tx, ARENA, tournament.id, due, {})
    return due


def moved_up(before: Tournament, after: Tournament) -> tuple[int, ...]:
    """Who has waited and has a place now; of those who began together with all others nobody."""
    if after.phase is not before.phase:
        return ()
    there = after.waiting if after.phase is Phase.RUNNING else after.beyond
    return tuple(person for person in before.beyond if person in after.by_person and person not in there)


def moved_up_by(settings: TournamentSettings, events: tuple[Event, ...], number: int) -> tuple[int, ...]:
    """Who has moved up with the event of that number."""
    until = [event for event in events if event.number <= number]
    return moved_up(fold(settings, until[:-1]), fold(settings, until))


def parts(state: Tournament) -> int:
    """How many messages the call to the check-in takes."""
    return -(-len(state.entrants) // CALLED_AT_ONCE)
