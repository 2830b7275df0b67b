"""Who did not come to games: noted when a tournament changes, and shown before the next one."""

from __future__ import annotations

from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.model.game import Game
from bot.i18n import N_
from bot.tournaments.formats.open_games import OpenGame, seats_of
from bot.tournaments.model.events import Kind, Scored
from bot.tournaments.model.no_shows import marked_until
from bot.tournaments.pairing.record import Mark
from bot.tournaments.use_cases.change import StoredTournament, TournamentUnit
from data.queries import no_shows as queries

NOT_COME: Final = N_("did not come")
"""The reason of a result that a director writes down for who did not come."""


def absent_in(tournament: StoredTournament) -> set[tuple[int, int]]:
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


async def note_no_shows(change: TournamentUnit, absent: set[tuple[int, int]]) -> None:
    """Keep in mind who did not come, as far as no correction says otherwise."""
    state = change.tournament.state
    missing = _missing_at_tables(change.tournament, absent)
    for link in change.tournament.games if state.plan.kind is not Kind.TABLES else ():
        marks = state.results.get((link.round, link.white, link.black), (Mark.PENDING, Mark.PENDING))
        for number, mark in zip((link.white, link.black), marks, strict=True):
            person = state.by_number[number].person if number in state.by_number else 0
            if (number, link.round) in absent and mark is Mark.FORFEIT_LOSS and person > 0:
                missing.add((link.game_id, person))
    known = await queries.noted(change.tx, change.tournament.row.id)
    for game_id, person in missing - known:
        await queries.note(change.tx, game_id, person, change.now)
    for game_id, person in known - missing:
        await queries.take_back(change.tx, game_id, person)


async def note_absent(change: TournamentUnit, game: Game) -> None:
    """Keep in mind who has let the time of the first move pass, where no round's result says so."""
    last = game.entries[-1]
    came = any(entry.kind == "turn" and entry.seat == last.seat for entry in game.entries)
    person = game.players[last.seat]
    if last.kind == "timeout" and not came and person is not None and not change.tournament.plan.kind.in_rounds_of_two:
        await queries.note(change.tx, game.id, person, change.now)


async def marks(tx: AsyncConnection, persons: tuple[int, ...], now: int) -> dict[int, tuple[int, int]]:
    """Who of ``persons`` is marked now for games that they did not come to: how many, and until when."""
    found = {}
    for person, (missed, played) in (await queries.missed(tx, persons)).items():
        since = [at for at in missed if played is None or at > played]
        until = marked_until(missed, () if played is None else (played,))
        if until is not None and until > now:
            found[person] = (len(since), until)
    return found
