"""Queries on conditional moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from data.connections import AsyncConnection
from data.execution import Prepared
from data.queries.rows import numbers, one, select
from data.schema.games import plans


class ConditionalMovesRow(NamedTuple):
    """A person's plan in a game: lines of turns that go on after entry ``ply``."""

    ply: int
    lines: Sequence[Sequence[str]]


def _of(game_id: int, person: int) -> sa.ColumnElement[bool]:
    return sa.and_(plans.c.game_id == game_id, plans.c.person == person)


async def get(tx: AsyncConnection, game_id: int, person: int) -> ConditionalMovesRow | None:
    """A person's plan in a game."""
    return await one(tx, select(ConditionalMovesRow, plans).where(_of(game_id, person)), ConditionalMovesRow)


async def put(tx: AsyncConnection, game_id: int, person: int, ply: int, lines: Sequence[Sequence[str]]) -> None:
    """Keep a person's plan in a game; without lines there is none."""
    await tx.execute(sa.delete(plans).where(_of(game_id, person)))
    if lines:
        values = {"game_id": game_id, "person": person, "ply": ply, "lines": [list(line) for line in lines]}
        await tx.execute(sa.insert(plans).values(**values))


async def with_plans(tx: AsyncConnection) -> set[int]:
    """The games in which anybody has a plan."""
    return set(await numbers(tx, sa.select(plans.c.game_id).distinct()))


_DROP = Prepared(sa.delete(plans).where(plans.c.game_id == sa.bindparam("game")))


async def drop(tx: AsyncConnection, game_id: int) -> None:
    """End all plans of a game."""
    await _DROP.put_off(tx, {"game": game_id})
