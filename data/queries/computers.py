"""Queries on games in which the computer has a seat: its id is below zero. Each takes the transaction in which it
works."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.queries.rows import numbers
from data.schema.games import acts, games, seats

_WITH_COMPUTER = sa.select(seats.c.game_id).where(seats.c.player < 0)


async def running(tx: AsyncConnection) -> list[int]:
    """The running games in which the computer has a seat."""
    query = sa.select(games.c.id).where(games.c.status == "running", games.c.id.in_(_WITH_COMPUTER))
    return await numbers(tx, query.order_by(games.c.id))


async def count(tx: AsyncConnection, player: int) -> int:
    """How many running games a person has that it began against the computer."""
    query = sa.select(sa.func.count()).where(
        games.c.opener == player, games.c.status == "running", games.c.id.in_(_WITH_COMPUTER)
    )
    return int((await tx.execute(query)).scalar_one())


async def hints(tx: AsyncConnection, game_id: int, player: int) -> int:
    """How many hints a person has had in a game."""
    query = sa.select(sa.func.count()).where(acts.c.game_id == game_id, acts.c.player == player, acts.c.what == "hint")
    return int((await tx.execute(query)).scalar_one())
