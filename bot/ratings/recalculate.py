"""A result that was rated has changed: all games since, of the same pools, are reckoned anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from bot.ratings import pools
from bot.ratings.glicko2 import Rating
from bot.ratings.pools import RatedGame, RatingPool, RatingStep
from bot.ratings.rate import row_of
from bot.support.in_thread import InThread
from data.queries import ratings as queries
from data.queries.ratings import RatedRow
from data.store import Transaction


async def recalculate(tx: Transaction, in_thread: InThread, game_id: int, scores: Mapping[int, float | None]) -> bool:
    """A game that was rated has another result: ``scores`` by person, None where it is to count no more. Reckons it and
    all later games of its pools anew, beside the event loop. Whether anything has changed."""
    rows = await queries.of_game(tx, game_id)
    if all(row.person not in scores or row.score == scores[row.person] for row in rows):
        return False
    for person, score in scores.items():
        await queries.score(tx, game_id, person, score)
    for row in {row.server: row for row in rows}.values():
        await _recalculate_pool(tx, in_thread, row)
    return True


async def _recalculate_pool(tx: Transaction, in_thread: InThread, first: RatedRow) -> None:
    """Reckon the games of a pool from one on anew."""
    pool = RatingPool.of(first.variant_id, first.correspondence, first.server)
    rows = await queries.from_on(tx, pool.key, first.at, first.game_id)
    known: dict[int, Rating] = {}
    for person in {row.person for row in rows}:
        last = await queries.last_before(tx, person, pool.key, first.at, first.game_id)
        if last is None:
            continue
        if last.deviation is None or last.volatility is None or last.games is None:
            # It was rated by an older version, which kept less: from the beginning then.
            rows, known = await queries.from_on(tx, pool.key, 0, 0), {}
            break
        at = last.at if last.games else None
        known[person] = Rating(last.after, last.deviation, last.volatility, last.games, at)
    games = games_of(rows)
    reckoned = await in_thread(lambda: pools.reckon(pool, games, known))
    by_key = {(one.game, one.person): one for one in reckoned}
    await queries.rewrite(tx, [_rewritten(row, by_key[row.game_id, row.person]) for row in rows])
    for person, now in {one.person: one.after for one in reckoned}.items():
        if person <= 0:
            continue
        if now.at is None:
            await queries.drop(tx, pool.key, person)
        else:
            await queries.put(tx, row_of(pool, person, now, now.at))


def games_of(rows: Sequence[RatedRow]) -> list[RatedGame]:
    """The games of rows that stand in their order."""
    games = []
    for (game_id, at), each in groupby(rows, key=lambda row: (row.game_id, row.at)):
        of = list(each)
        changes = tuple(row.after - row.before for row in of)
        games.append(RatedGame(game_id, at, tuple(r.person for r in of), tuple(r.score for r in of), changes))
    return games


def _rewritten(row: RatedRow, now: RatingStep) -> RatedRow:
    after = now.after
    return row._replace(
        before=now.before.value,
        after=after.value,
        deviation=after.deviation,
        volatility=after.volatility,
        games=after.games,
    )
