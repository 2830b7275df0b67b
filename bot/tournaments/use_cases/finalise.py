"""What every change of a tournament ends with, in its transaction: who has moved up is told, who did not come is noted,
and the timer of what comes next is set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.model.game import Game
from bot.i18n import N_
from bot.tournaments.formats.open_games import OpenGame, seats_of
from bot.tournaments.model.events import Event, Kind, Scored, TournamentSettings
from bot.tournaments.model.fold import fold
from bot.tournaments.model.no_shows import marked_until
from bot.tournaments.model.schedule import next_step
from bot.tournaments.model.state import Phase, Tournament
from bot.tournaments.pairing.record import Mark
from data.queries import no_shows
from data.queries import timers as timer_queries

if TYPE_CHECKING:
    from bot.tournaments.use_cases.base import StoredTournament, TournamentUnit

TIMER: Final = "tournament"
"""The kind of the one timer that a tournament has."""

CONTEST: Final = "contest"
"""The kind of the one timer that a league or a team match has."""

NOT_COME: Final = N_("did not come")
"""The reason of a result that a director writes down for who did not come."""

CALLED_AT_ONCE: Final = 60
"""How many people one message calls to the check-in."""


async def finalise(change: TournamentUnit) -> int | None:
    """Bring everything in line with the events of a change. Returns when the next step is due, None: there is none."""
    began, tournament = change.began, change.tournament
    if began.state.beyond and moved_up(began.state, tournament.state):
        await change.want("up", round_number=tournament.last)
    absent = _absent(tournament)
    if absent and (tournament.plan.kind.in_rounds_of_two or tournament.plan.kind is Kind.TABLES):
        await _note_no_shows(change, absent)
    if tournament.state.phase is not began.state.phase and began.state.check_in_open:
        for part in range(parts(began.state)):
            await change.want("checkin", round_number=part)
    at = await set_timer(change.tx, tournament)
    if tournament.row.contest_id is not None:
        # The league or team match that it is part of looks at it.
        await timer_queries.put(change.tx, CONTEST, tournament.row.contest_id, change.now, {})
        return change.now
    return at


async def set_timer(tx: AsyncConnection, tournament: StoredTournament) -> int | None:
    """Set the timer of what a tournament does next by itself. Returns when it is due."""
    step = next_step(tournament.state, tournament.events, tournament.outages)
    if step is None:
        await timer_queries.drop(tx, TIMER, tournament.row.id)
        return None
    await timer_queries.put(tx, TIMER, tournament.row.id, step.at, {})
    return step.at


def moved_up(before: Tournament, after: Tournament) -> tuple[int, ...]:
    """Who has waited before the start and has a place now."""
    if after.phase is not Phase.ENTRIES:
        return ()
    entered = set(after.by_person)
    return tuple(person for person in before.beyond if person in entered and person not in after.beyond)


def moved_up_by(plan: TournamentSettings, events: tuple[Event, ...], number: int) -> tuple[int, ...]:
    """Who has moved up with the event of that number."""
    until = [event for event in events if event.number <= number]
    return moved_up(fold(plan, until[:-1]), fold(plan, until))


def parts(state: Tournament) -> int:
    """How many messages the call to the check-in takes."""
    return -(-len(state.entrants) // CALLED_AT_ONCE)


def _absent(tournament: StoredTournament) -> set[tuple[int, int]]:
    """(starting number, round) of who was said not to have come, by the clock or by a director."""
    told = {(each.number, each.round) for each in tournament.state.no_shows}
    for event in tournament.events:
        if isinstance(event.action, Scored) and event.reason == NOT_COME:
            first = event.action.white_mark is Mark.FORFEIT_LOSS
            told.add((event.action.white if first else event.action.black, event.action.round))
    return told


def _missing_at_tables(tournament: StoredTournament, absent: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """(game, person) of who did not come to tables, and has no place there."""
    found = set()
    for link in tournament.games if tournament.plan.kind is Kind.TABLES else ():
        table = seats_of(OpenGame(link.round, link.match, link.white, link.black), Kind.TABLES)
        places = tournament.state.table_results.get((link.round, table), ())
        for number, place in zip(table, places, strict=False):
            person = tournament.state.by_number[number].person
            if not place and person > 0 and (number, link.round) in absent:
                found.add((link.game_id, person))
    return found


async def _note_no_shows(change: TournamentUnit, absent: set[tuple[int, int]]) -> None:
    """Keep in mind who did not come, as far as no correction says otherwise."""
    state = change.tournament.state
    missing = _missing_at_tables(change.tournament, absent)
    for link in change.tournament.games if state.plan.kind is not Kind.TABLES else ():
        marks = state.results.get((link.round, link.white, link.black), (Mark.PENDING, Mark.PENDING))
        for number, mark in zip((link.white, link.black), marks, strict=True):
            person = state.by_number[number].person if number in state.by_number else 0
            if (number, link.round) in absent and mark is Mark.FORFEIT_LOSS and person > 0:
                missing.add((link.game_id, person))
    known = await no_shows.noted(change.tx, change.tournament.row.id)
    for game_id, person in missing - known:
        await no_shows.note(change.tx, game_id, person, change.now)
    for game_id, person in known - missing:
        await no_shows.take_back(change.tx, game_id, person)


async def note_absent(change: TournamentUnit, game: Game) -> None:
    """Keep in mind who has let the time of the first move pass, where no round's result says so."""
    last = game.entries[-1]
    came = any(entry.kind == "turn" and entry.seat == last.seat for entry in game.entries)
    person = game.players[last.seat]
    if last.kind == "timeout" and not came and person is not None and not change.tournament.plan.kind.in_rounds_of_two:
        await no_shows.note(change.tx, game.id, person, change.now)


async def marks(tx: AsyncConnection, persons: tuple[int, ...], now: int) -> dict[int, tuple[int, int]]:
    """Who of ``persons`` is marked now for games that they did not come to: how many, and until when."""
    found = {}
    for person, (missed, played) in (await no_shows.missed(tx, persons)).items():
        since = [at for at in missed if played is None or at > played]
        until = marked_until(missed, () if played is None else (played,))
        if until is not None and until > now:
            found[person] = (len(since), until)
    return found
