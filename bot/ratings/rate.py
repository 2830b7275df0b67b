"""Ratings of finished games: in the transaction in which a game ends, each of its players' ratings changes, in the pool
of all servers and in that of the game's."""

from __future__ import annotations

from collections.abc import Sequence

from bot.games.model.announcements import RatingNote
from bot.games.model.game import Game
from bot.games.model.places import placing
from bot.i18n import N_
from bot.ratings import pools
from bot.ratings.glicko2 import Rating, why_not_rated
from bot.ratings.pools import RatingPool
from data.queries import ratings as queries
from data.queries.ratings import RatingRow
from data.store import Transaction


async def rate(tx: Transaction, game: Game, now: int) -> RatingNote:
    """Rate a game that has just ended. Raises IntegrityError where it was rated already. At a table three who have
    played are rated although another did not come."""
    people = [person for person in game.players if person is not None]
    if len(people) < len(game.players) or game.result is None:
        return RatingNote(why_not=N_("It was called off."))
    if min(people) <= 0:
        return RatingNote(why_not=N_("Games against the computer are not rated."))
    came = [seat for seat, place in enumerate(placing(game)) if place] if len(people) > 2 else []
    seats = came if len(came) > 2 else list(range(len(people)))
    reason = await _why_not(tx, game, seats)
    if reason is not None:
        return RatingNote(why_not=reason)
    scores = [pools.scores_of(game)[seat] for seat in seats]
    is_table = len(people) > 2
    people = [people[seat] for seat in seats]
    shown: tuple[tuple[int, str, str], ...] = ()
    # A game between two servers is neither's own.
    home = None if game.mirror is not None else game.place.guild_id
    slow = game.control is None or not game.control.live
    for pool in pools.pools_of(game.variant_id, correspondence=slow, table=is_table, server=home):
        before = [await rating_of(tx, pool, person) for person in people]
        after = pools.played(pool, before, scores, now)
        for person, score, was, became in zip(people, scores, before, after, strict=True):
            row = row_of(pool, person, became, now)
            await queries.put(tx, row)
            await queries.note(tx, row.rated(game.id, was.value, score))
        shown = tuple(
            (person, pools.shown(pool, was, now), pools.shown(pool, became, now))
            for person, was, became in zip(people, before, after, strict=True)
        )
    return RatingNote(shown)


async def rating_of(tx: Transaction, pool: RatingPool, person: int) -> Rating:
    """A person's rating in a pool; the start's where there is none."""
    row = await queries.get(tx, pool.key, person)
    return pools.start_of(pool) if row is None else of_row(row)


def of_row(row: RatingRow) -> Rating:
    return Rating(row.value, row.deviation, row.volatility, row.games, row.at)


def row_of(pool: RatingPool, person: int, rating: Rating, at: int) -> RatingRow:
    return RatingRow(*pool.key, person, rating.value, rating.deviation, rating.volatility, rating.games, at)


async def _why_not(tx: Transaction, game: Game, seats: Sequence[int]) -> str | None:
    turns = [sum(entry.kind == "turn" and entry.seat == seat for entry in game.line) for seat in seats]
    late = game.players[game.entries[-1].seat] if game.entries[-1].kind == "timeout" else None
    if late is None or len(game.players) > 2:
        # At a table the others have played for their places, whoever has left.
        return why_not_rated(turns)
    return why_not_rated(turns, await queries.last_timeout(tx, late, game.id), await queries.last_turn(tx, late))
