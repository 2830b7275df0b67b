"""Questions about ratings: one person's, a pool's, and how one has changed."""

from __future__ import annotations

from collections.abc import Callable

from bot.games.persistence.transactions import reading
from bot.ratings import pools
from bot.ratings.pools import RatingPool
from bot.ratings.rate import of_row
from bot.support.frozen import frozen
from data.queries import ratings as queries
from data.queries.ratings import RatingRow
from data.store import Store


@frozen
class RatingEntry:
    """A rating as a list tells of it. ``shown``: with a ``?`` where it is not sure; ``spread``: the deviation now;
    ``ranked``: whether it is sure enough for a list of the best."""

    pool: RatingPool
    person: int
    value: float
    deviation: float
    games: int
    shown: str
    spread: int
    ranked: bool


@frozen
class RatingAfterGame:
    """How a rating stood after a game that ended ``at`` (UTC, milliseconds), and how sure it was (None: not known)."""

    at: int
    value: float
    deviation: float | None
    game_id: int


class RatingLists:
    """Answers what people ask about ratings. ``clock`` gives UTC in milliseconds."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock

    async def of_person(self, person: int, server: int) -> list[RatingEntry]:
        """All ratings of a person on a server (0: on all)."""
        async with reading(self._store) as tx:
            rows = await queries.of_person(tx, person, server)
        return [self._entry(row) for row in rows]

    async def in_pool(self, pool: RatingPool) -> list[RatingEntry]:
        """All ratings of a pool, the best first."""
        async with reading(self._store) as tx:
            rows = await queries.of_pool(tx, pool.key)
        rows.sort(key=lambda row: (-pools.order(pool, of_row(row)), row.person))
        return [self._entry(row) for row in rows]

    async def history(self, person: int, pool: RatingPool, since: int = 0) -> list[RatingAfterGame]:
        """How a person's rating in a pool has changed, game by game, the earliest first."""
        async with reading(self._store) as tx:
            rows = await queries.history(tx, person, pool.key, since)
        return [RatingAfterGame(row.at, row.after, row.deviation, row.game_id) for row in rows]

    def _entry(self, row: RatingRow) -> RatingEntry:
        pool, rating, now = RatingPool.of(row.variant_id, row.correspondence, row.server), of_row(row), self._clock()
        shown, ranked = pools.shown(pool, rating, now), pools.is_ranked(pool, rating, now)
        spread = round(rating.deviation if pool.table else rating.live_deviation(now))
        return RatingEntry(pool, row.person, row.value, row.deviation, row.games, shown, spread, ranked)
