"""Ratings that follow the corrections of a director: a result that is written down, or taken back, is rated anew."""

from __future__ import annotations

from collections.abc import Sequence

from bot.ratings.recalculate import recalculate
from bot.support.in_thread import InThread
from bot.tournaments.formats.format import game_of
from bot.tournaments.model.events import ArenaGame, MatchGame, Scored, TableScored, Written
from bot.tournaments.pairing.record import Mark
from bot.tournaments.persistence.game_links import open_game_of
from bot.tournaments.persistence.stored_tournament import TournamentUnit
from data.queries import games, ratings
from data.store import Transaction

_SCORES = {
    **dict.fromkeys((Mark.WIN, Mark.SHORT_WIN), 1.0),
    **dict.fromkeys((Mark.DRAW, Mark.SHORT_DRAW), 0.5),
    **dict.fromkeys((Mark.LOSS, Mark.SHORT_LOSS), 0.0),
}
"""What marks of games that were played are worth to ratings."""


async def align(unit: TournamentUnit, in_thread: InThread, action: Written) -> None:
    """A director has written a result down: where it was played here and rated, the ratings follow the result. One by
    forfeit is not rated."""
    scores: tuple[float | None, ...]
    match action:
        case MatchGame(forfeit=True):
            scores = (None, None)
        case MatchGame(winner=winner):
            first = 0.5 if winner is None else float(winner == action.white)
            scores = (first, 1.0 - first)
        case TableScored(places=places):
            scores = tuple(float(place) if place else None for place in places)
        case Scored() | ArenaGame():
            scores = (_SCORES.get(action.white_mark), _SCORES.get(action.black_mark))
    await _score(unit, in_thread, action, scores)


async def unrate(unit: TournamentUnit, in_thread: InThread, action: Written) -> None:
    """A result was taken back and nothing stands in its place: its game is not rated."""
    await _score(unit, in_thread, action, (None,) * len(game_of(action).seats))


async def _score(unit: TournamentUnit, in_thread: InThread, action: Written, scores: Sequence[float | None]) -> None:
    """The game of a result has these scores by seat; of one that was played again the last, and the others none."""
    game = game_of(action)
    finished = [link for link in unit.tournament.games if link.status == "finished"]
    played = [link for link in finished if open_game_of(link).key == game.key]
    for link in played:
        by_seat = scores if open_game_of(link) == game else scores[::-1]
        by_person = await _by_person(unit.tx, link.game_id, by_seat if link is played[-1] else (None,) * len(scores))
        await recalculate(unit.tx, in_thread, link.game_id, by_person)


async def _by_person(tx: Transaction, game_id: int, scores: Sequence[float | None]) -> dict[int, float | None]:
    """Scores by seat as scores by person. Of two one may have been forgotten by wish: another number stands in its
    place in the ratings; of two forgotten it is not known which is which, nor does it matter any more."""
    seats = await games.seat_rows(tx, game_id)
    if sum(seat.player is None for seat in seats) > 1:
        return {}
    there = {seat.player for seat in seats}
    others = [row.person for row in await ratings.of_game(tx, game_id) if row.person not in there]
    stand_in = min(others, default=None)
    people = [stand_in if seat.player is None else seat.player for seat in seats]
    return {person: score for person, score in zip(people, scores, strict=True) if person is not None}
