"""Who did not come to games: noted when a tournament changes, and shown before the next one."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.model.game import Game
from bot.tournaments.formats.format import NOT_COME
from bot.tournaments.model.events import Scored
from bot.tournaments.model.no_shows import marked_until
from bot.tournaments.pairing.record import Mark
from bot.tournaments.use_cases.change import StoredTournament, TournamentUnit
from bot.tournaments.use_cases.game_links import open_game_of
from data.queries import no_shows as queries


def absent_in(tournament: StoredTournament) -> set[tuple[int, int]]:
    """(starting number, round) of who was said not to have come, by the clock or by a director."""
    absent = {(each.number, each.round) for each in tournament.state.no_shows}
    for event in tournament.events:
        if isinstance(event.action, Scored) and event.reason == NOT_COME:
            first = event.action.white_mark is Mark.FORFEIT_LOSS
            absent.add((event.action.white if first else event.action.black, event.action.round))
    return absent


async def note_no_shows(change: TournamentUnit, absent: set[tuple[int, int]]) -> None:
    """Keep in mind who did not come, as far as no correction says otherwise."""
    state, format_ = change.tournament.state, change.tournament.format
    missing = set()
    for link in change.tournament.games:
        for number in format_.missed(state, open_game_of(link)):
            person = state.by_number[number].person if number in state.by_number else 0
            if (number, link.round) in absent and person > 0:
                missing.add((link.game_id, person))
    known = await queries.noted(change.tx, change.tournament.id)
    for game_id, person in missing - known:
        await queries.note(change.tx, game_id, person, change.now)
    for game_id, person in known - missing:
        await queries.take_back(change.tx, game_id, person)


async def note_absent(change: TournamentUnit, game: Game) -> None:
    """Keep in mind who has let the time of the first move pass, where no round's result says so."""
    last = game.entries[-1]
    came = any(entry.kind == "turn" and entry.seat == last.seat for entry in game.entries)
    person = game.players[last.seat]
    if last.kind == "timeout" and not came and person is not None and not change.tournament.format.has_record:
        await queries.note(change.tx, game.id, person, change.now)


async def marks(tx: AsyncConnection, persons: tuple[int, ...], now: int) -> dict[int, tuple[int, int]]:
    """Who of ``persons`` is marked now for games that they did not come to: how many, and until when."""
    marked = {}
    for person, (missed, played) in (await queries.missed(tx, persons)).items():
        since = [at for at in missed if played is None or at > played]
        until = marked_until(missed, () if played is None else (played,))
        if until is not None and until > now:
            marked[person] = (len(since), until)
    return marked
