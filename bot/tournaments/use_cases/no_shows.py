"""Who did not come to games: noted when a tournament changes, and shown before the next one. The mark grows with each
time, fades by itself, and goes with the next game played."""

from __future__ import annotations

from collections.abc import Iterable

from bot.games.model.game import Game
from bot.games.model.places import came_to
from bot.support.time_units import DAY
from bot.tournaments.formats.format import NOT_COME, late_seat
from bot.tournaments.model.events import MatchGame, Scored
from bot.tournaments.pairing.record import Mark
from bot.tournaments.persistence.game_links import open_game_of
from bot.tournaments.persistence.stored_tournament import StoredTournament, TournamentUnit
from data.queries import no_shows as queries
from data.store import Transaction

# For the first, second, third, ... time in a row.
_DAYS = (1, 3, 7, 14, 30)
_KEPT = 60 * DAY


def absent_in(tournament: StoredTournament) -> set[tuple[int, int]]:
    """(starting number, round, or game of a match) of who was said not to have come, by the clock or by a director."""
    absent = {(each.number, each.round) for each in tournament.state.no_shows}
    for event in tournament.events:
        if isinstance(event.action, Scored) and event.reason == NOT_COME:
            first = event.action.white_mark is Mark.FORFEIT_LOSS
            absent.add((event.action.white if first else event.action.black, event.action.round))
        elif isinstance(event.action, MatchGame) and event.action.forfeit:
            game = event.action
            absent.add((game.black if game.winner == game.white else game.white, game.game))
    return absent


async def note_no_shows(unit: TournamentUnit, absent: set[tuple[int, int]]) -> None:
    """Keep in mind who did not come, as far as no correction says otherwise."""
    state, format_ = unit.tournament.state, unit.tournament.format
    missing = set()
    for link in unit.tournament.games:
        for number in format_.missed(state, open_game_of(link)):
            person = unit.tournament.sits_at(open_game_of(link), number)
            if (number, link.round) in absent and person > 0:
                missing.add((link.game_id, person))
    known = await queries.noted(unit.tx, unit.tournament.id)
    for game_id, person in missing - known:
        await queries.note(unit.tx, game_id, person, unit.now, unit.now - _KEPT)
    for game_id, person in known - missing:
        await queries.take_back(unit.tx, game_id, person)


async def note_absent(unit: TournamentUnit, game: Game) -> None:
    """Keep in mind who has let the time of the first move pass, where no round's result says so."""
    late = late_seat(game)
    if late is None or came_to(game, late) or unit.tournament.format.has_record:
        return
    if (person := game.players[late]) is not None:
        await queries.note(unit.tx, game.id, person, unit.now, unit.now - _KEPT)


async def marks(tx: Transaction, persons: tuple[int, ...], now: int) -> dict[int, tuple[int, int]]:
    """Who of ``persons`` is marked now for games that they did not come to: how many, and until when."""
    marked = {one: mark_of(missed, played) for one, (missed, played) in (await queries.missed(tx, persons)).items()}
    return {one: mark for one, mark in marked.items() if mark is not None and mark[1] > now}


def mark_of(missed: Iterable[int], played: int | None) -> tuple[int, int] | None:
    """How many games in a row a player did not come to, and until when that is shown; None: to none. Times in UTC ms.

    ``missed``: when the player did not come; ``played``: when a game of the player was finished last."""
    since = [at for at in missed if played is None or at > played]
    return (len(since), max(since) + _DAYS[min(len(since), len(_DAYS)) - 1] * DAY) if since else None
