"""Queries on ratings. A pool is a variant, correspondence or live, and a server (0: all servers)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from data.connections import AsyncConnection
from data.queries.rows import every, number, one, put_row
from data.schema.games import games, seats, turns
from data.schema.tournaments import rated_games, ratings

PoolKey = tuple[str, bool, int]
"""Variant, correspondence, server."""

_POOL = ("variant_id", "correspondence", "server")


class RatedRow(NamedTuple):
    """What a game has done to one rating. ``score``: 1, 0.5 or 0, of a table the place; None where the game counts no
    more. What the rating was made of is not known of games that were rated long ago."""

    game_id: int
    server: int
    person: int
    before: float
    after: float
    at: int
    variant_id: str
    correspondence: bool
    score: float | None
    deviation: float | None
    volatility: float | None
    games: int | None


class RatingRow(NamedTuple):
    """A person's rating in a pool, as the last game, which ended ``at``, has left it."""

    variant_id: str
    correspondence: bool
    server: int
    person: int
    value: float
    deviation: float
    volatility: float
    games: int
    at: int

    def rated(self, game_id: int, before: float, score: float | None) -> RatedRow:
        """What the game that has led to this rating has done to it."""
        values = self._asdict()
        after = values.pop("value")
        return RatedRow(**values, game_id=game_id, before=before, after=after, score=score)


async def get(tx: AsyncConnection, pool: PoolKey, person: int) -> RatingRow | None:
    return await one(tx, sa.select(ratings).where(_in_pool(ratings, pool), ratings.c.person == person), RatingRow)


async def put(tx: AsyncConnection, row: RatingRow) -> None:
    """Keep a person's rating in a pool, in place of what was there."""
    await put_row(tx, ratings, row)


async def of_person(tx: AsyncConnection, person: int, server: int) -> list[RatingRow]:
    """All ratings of a person on a server."""
    query = sa.select(ratings).where(ratings.c.person == person, ratings.c.server == server)
    return sorted(await every(tx, query, RatingRow), key=lambda row: (row.variant_id, row.correspondence))


async def counting_at(tx: AsyncConnection, person: int, variant_id: str, positions: Sequence[str]) -> int | None:
    """The id of a running game of a person, rated or a tournament's, that stands in one of ``positions``, but for the
    set-up of the variant, which every game begins with."""
    query = sa.select(games.c.id).join(seats, seats.c.game_id == games.c.id)
    at = games.c.variant_id == variant_id, games.c.position.in_(positions), games.c.status == "running"
    counts = sa.or_(games.c.rated, ~games.c.casual)
    begun = sa.or_(games.c.ply > 0, games.c.start.is_not(None))
    return await number(tx, query.where(seats.c.player == person, *at, counts, begun).order_by(games.c.id).limit(1))


async def of(tx: AsyncConnection, person: int) -> list[RatingRow]:
    """All ratings of a person."""
    return await every(tx, sa.select(ratings).where(ratings.c.person == person), RatingRow)


async def changes_of(tx: AsyncConnection, person: int) -> list[RatedRow]:
    """All that games have done to the ratings of a person, in order of time."""
    query = sa.select(rated_games).where(rated_games.c.person == person)
    return await every(tx, query.order_by(rated_games.c.at), RatedRow)


def _in_pool(table: sa.Table, pool: PoolKey) -> sa.ColumnElement[bool]:
    return sa.and_(*(table.c[name] == value for name, value in zip(_POOL, pool, strict=True)))


async def of_pool(tx: AsyncConnection, pool: PoolKey) -> list[RatingRow]:
    """All ratings of a pool, the highest first."""
    query = sa.select(ratings).where(_in_pool(ratings, pool))
    return await every(tx, query.order_by(ratings.c.value.desc(), ratings.c.person), RatingRow)


async def note(tx: AsyncConnection, row: RatedRow) -> None:
    """Note what a game has changed. IntegrityError when the game was rated already."""
    await tx.execute(sa.insert(rated_games).values(**row._asdict()))


async def of_game(tx: AsyncConnection, game_id: int) -> list[RatedRow]:
    """What a game has changed, in all its pools."""
    query = sa.select(rated_games).where(rated_games.c.game_id == game_id)
    return await every(tx, query.order_by(rated_games.c.server), RatedRow)


async def from_on(tx: AsyncConnection, pool: PoolKey, at: int, game_id: int) -> list[RatedRow]:
    """What games of a pool have changed since a moment, in order; of those that ended then, from ``game_id`` on."""
    c = rated_games.c
    since = sa.or_(c.at > at, sa.and_(c.at == at, c.game_id >= game_id))
    query = sa.select(rated_games).where(_in_pool(rated_games, pool), since).order_by(c.at, c.game_id, c.person)
    return await every(tx, query, RatedRow)


# Built once: it is asked for every player of a pool.
_LAST_BEFORE = (
    sa.select(rated_games)
    .where(
        *(rated_games.c[name] == sa.bindparam(f"of_{name}") for name in (*_POOL, "person")),
        rated_games.c.score.is_not(None),
        sa.or_(
            rated_games.c.at < sa.bindparam("moment"),
            sa.and_(rated_games.c.at == sa.bindparam("moment"), rated_games.c.game_id < sa.bindparam("of_game")),
        ),
    )
    .order_by(rated_games.c.at.desc(), rated_games.c.game_id.desc())
    .limit(1)
)


async def last_before(tx: AsyncConnection, person: int, pool: PoolKey, at: int, game_id: int) -> RatedRow | None:
    """What the last game that counts of a person in a pool, before another game, has changed."""
    values = {f"of_{name}": value for name, value in zip(_POOL, pool, strict=True)}
    return await one(tx, _LAST_BEFORE, RatedRow, values | {"of_person": person, "moment": at, "of_game": game_id})


_KEY = tuple(column.name for column in rated_games.primary_key)
_RECKONED = ("before", "after", "deviation", "volatility", "games")
_REWRITE = (
    sa.update(rated_games)
    .where(*(rated_games.c[name] == sa.bindparam(f"of_{name}") for name in _KEY))
    .values({name: sa.bindparam(f"new_{name}") for name in _RECKONED})
)


async def rewrite(tx: AsyncConnection, rows: Sequence[RatedRow]) -> None:
    """Write anew what games have changed."""
    values = [
        {f"of_{name}": getattr(row, name) for name in _KEY} | {f"new_{name}": getattr(row, name) for name in _RECKONED}
        for row in rows
    ]
    if values:
        await tx.execute(_REWRITE, values)


async def score(tx: AsyncConnection, game_id: int, person: int, value: float | None) -> None:
    """Write down what a person has scored in a game, in all its pools."""
    of = (rated_games.c.game_id == game_id, rated_games.c.person == person)
    await tx.execute(sa.update(rated_games).where(*of).values(score=value))


async def drop(tx: AsyncConnection, pool: PoolKey, person: int) -> None:
    """Delete a person's rating in a pool in which no game counts any more."""
    await tx.execute(sa.delete(ratings).where(_in_pool(ratings, pool), ratings.c.person == person))


async def history(tx: AsyncConnection, person: int, pool: PoolKey, since: int = 0) -> list[RatedRow]:
    """How a person's rating in a pool has changed since a moment, game by game, the earliest first. Games that count
    no more after a correction are left out."""
    c = rated_games.c
    of = (_in_pool(rated_games, pool), c.person == person, c.at >= since, c.score.is_not(None))
    return await every(tx, sa.select(rated_games).where(*of).order_by(c.at, c.game_id), RatedRow)


async def last_timeout(tx: AsyncConnection, person: int, but: int) -> int | None:
    """When a person's time last ran out in another rated game than ``but``."""
    return await _last(tx, person, "timeout", but, games.c.rated == sa.true())


async def last_turn(tx: AsyncConnection, person: int) -> int | None:
    """When a person last made a turn in any game."""
    return await _last(tx, person, "turn", 0)


async def _last(
    tx: AsyncConnection, person: int, kind: str, but: int, *conditions: sa.ColumnElement[bool]
) -> int | None:
    mine = sa.and_(turns.c.game_id == seats.c.game_id, turns.c.seat == seats.c.seat)
    query = (
        sa.select(sa.func.max(turns.c.at))
        .select_from(turns.join(seats, mine).join(games, games.c.id == turns.c.game_id))
        .where(seats.c.player == person, turns.c.kind == kind, turns.c.game_id != but, *conditions)
    )
    return await number(tx, query)


async def forget(tx: AsyncConnection, person: int) -> None:
    """Take a person off all ratings. In the games of others a number that is nobody's id stands in its place, so that
    what these games have changed can still be reckoned anew."""
    await tx.execute(sa.delete(ratings).where(ratings.c.person == person))
    lowest = (await tx.execute(sa.select(sa.func.min(rated_games.c.person)))).scalar()
    stand_in = min(0, lowest or 0) - 1
    await tx.execute(sa.update(rated_games).where(rated_games.c.person == person).values(person=stand_in))
