"""Queries on ratings. A pool is a variant, correspondence or live, and a server (0: all servers)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.schema import games, rated_games, ratings, seats, turns


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingRow:
    """A row of ``ratings``, as data.schema says."""

    variant_id: str
    correspondence: bool
    server: int
    person: int
    value: float
    deviation: float
    volatility: float
    games: int
    at: int


async def get(tx: AsyncConnection, variant_id: str, correspondence: bool, server: int, person: int) -> RatingRow | None:
    """A person's rating in a pool."""
    c = ratings.c
    of = (c.variant_id == variant_id, c.correspondence == correspondence, c.server == server, c.person == person)
    row = (await tx.execute(sa.select(ratings).where(*of))).mappings().first()
    return None if row is None else RatingRow(**row)


async def put(tx: AsyncConnection, row: RatingRow) -> None:
    """Keep a person's rating in a pool, in place of what was there."""
    values = asdict(row)
    key = ("variant_id", "correspondence", "server", "person")
    of = [ratings.c[name] == values[name] for name in key]
    new = {name: value for name, value in values.items() if name not in key}
    if not (await tx.execute(sa.update(ratings).where(*of).values(**new))).rowcount:
        await tx.execute(sa.insert(ratings).values(**values))


async def of_person(tx: AsyncConnection, person: int, server: int) -> list[RatingRow]:
    """All ratings of a person on a server."""
    query = sa.select(ratings).where(ratings.c.person == person, ratings.c.server == server)
    rows = (await tx.execute(query.order_by(ratings.c.variant_id, ratings.c.correspondence))).mappings()
    return [RatingRow(**row) for row in rows]


async def of(tx: AsyncConnection, person: int) -> list[dict[str, Any]]:
    """All ratings of a person as plain values."""
    rows = await tx.execute(sa.select(ratings).where(ratings.c.person == person))
    return [{key: value for key, value in row.items() if key != "person"} for row in rows.mappings()]


async def of_pool(tx: AsyncConnection, variant_id: str, correspondence: bool, server: int) -> list[RatingRow]:
    """All ratings of a pool, the highest first."""
    c = ratings.c
    query = sa.select(ratings).where(c.variant_id == variant_id, c.correspondence == correspondence, c.server == server)
    rows = (await tx.execute(query.order_by(c.value.desc(), c.person))).mappings()
    return [RatingRow(**row) for row in rows]


async def note(
    tx: AsyncConnection, *, game_id: int, server: int, person: int, before: float, after: float, at: int
) -> None:
    """Note what a game has changed. IntegrityError when the game was rated already."""
    values = {"game_id": game_id, "server": server, "person": person, "before": before, "after": after, "at": at}
    await tx.execute(sa.insert(rated_games).values(**values))


async def last_timeout(tx: AsyncConnection, person: int, but: int) -> int | None:
    """When a person's time last ran out in another game than ``but``."""
    return await _last(tx, person, "timeout", but)


async def last_turn(tx: AsyncConnection, person: int) -> int | None:
    """When a person last made a turn in any game."""
    return await _last(tx, person, "turn", 0)


async def _last(tx: AsyncConnection, person: int, kind: str, but: int) -> int | None:
    mine = sa.and_(turns.c.game_id == seats.c.game_id, turns.c.seat == seats.c.seat)
    query = (
        sa.select(sa.func.max(turns.c.at))
        .select_from(turns.join(seats, mine).join(games, games.c.id == turns.c.game_id))
        .where(seats.c.player == person, turns.c.kind == kind, turns.c.game_id != but)
    )
    found = (await tx.execute(query)).scalar()
    return None if found is None else int(found)


async def forget(tx: AsyncConnection, person: int) -> None:
    """Delete all ratings of a person."""
    await tx.execute(sa.delete(ratings).where(ratings.c.person == person))
    await tx.execute(sa.delete(rated_games).where(rated_games.c.person == person))
