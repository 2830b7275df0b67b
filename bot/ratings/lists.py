"""Questions about ratings: one person's, a pool's, and how one has changed."""

from __future__ import annotations

from dataclasses import dataclass

from bot.games.persistence.transactions import reading
from bot.ratings import pools
from bot.tournaments.use_cases.base import TournamentWork
from bot.tournaments.use_cases.rating_corrections import of_row
from data.queries import ratings as queries
from data.queries.ratings import Point, RatingRow


@dataclass(frozen=True, slots=True)
class RatingEntry:
    """A rating as a list tells of it. ``shown``: with a ``?`` where it is not sure; ``spread``: the deviation now;
    ``ranked``: whether it is sure enough for a list of the best."""

    person: int
    variant_id: str
    table: bool
    correspondence: bool
    shown: str
    spread: int
    games: int
    ranked: bool


class RatingLists(TournamentWork):
    """A pool is a variant, its tables of three to six apart, correspondence or live, on a server (0: on all)."""

    async def ratings_of(self, person: int, server: int) -> list[RatingRow]:
        """All ratings of a person on a server (0: on all). The pool of a row may be one of tables."""
        async with reading(self._store) as tx:
            return await queries.of_person(tx, person, server)

    async def ratings_in(
        self, variant_id: str, correspondence: bool, server: int, *, table: bool = False
    ) -> list[RatingRow]:
        """All ratings of a pool, the best first."""
        pool = variant_id + pools.TABLE if table else variant_id
        async with reading(self._store) as tx:
            rows = await queries.of_pool(tx, pool, correspondence, server)
        return sorted(rows, key=lambda row: (-pools.order(pool, of_row(row)), row.person))

    async def rating_history(
        self, person: int, variant_id: str, correspondence: bool, server: int, *, table: bool = False, since: int = 0
    ) -> list[Point]:
        """How a person's rating in a pool has changed, game by game, the earliest first."""
        pool = variant_id + pools.TABLE if table else variant_id
        async with reading(self._store) as tx:
            return await queries.history(tx, person, pool, correspondence, server, since)

    def listed(self, row: RatingRow) -> RatingEntry:
        """A rating as it stands now."""
        pool, rating, now = row.variant_id, of_row(row), self.now
        table = pools.is_table(pool)
        return RatingEntry(
            person=row.person,
            variant_id=pools.variant_of(pool),
            table=table,
            correspondence=row.correspondence,
            shown=pools.shown(pool, rating, now),
            spread=round(rating.deviation if table else rating.live_deviation(now)),
            games=row.games,
            ranked=pools.is_ranked(pool, rating, now),
        )
