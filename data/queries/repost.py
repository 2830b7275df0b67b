"""Queries for `damero try`, whose simulated Discord forgets its messages: what must be posted again."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import sqlalchemy as sa

from data.connections import AsyncConnection
from data.queries.rows import number
from data.schema.games import acts, announcements, games, offers, seats, timers, turns

a = announcements.c
_TIMES = (games.c.changed_at, turns.c.at, acts.c.at, a.made_at, a.done_at)


async def latest(tx: AsyncConnection) -> int | None:
    """The newest time in the store, UTC in milliseconds; None when nothing was ever played."""
    each = sa.union_all(*(sa.select(sa.func.max(column).label("at")) for column in _TIMES)).subquery()
    return await number(tx, sa.select(sa.func.max(each.c.at)))


async def own_channels(tx: AsyncConnection, place_channel_id: int) -> dict[int, int]:
    """The running games that were begun in a channel and are played elsewhere (in threads): game id -> its channel."""
    query = sa.select(games.c.id, games.c.channel_id).where(
        games.c.place_channel_id == place_channel_id,
        games.c.status == "running",
        games.c.channel_id != place_channel_id,
    )
    return {int(game_id): int(channel_id) for game_id, channel_id in await tx.execute(query)}


async def let_wait(tx: AsyncConnection, place_channel_ids: Collection[int], at: int) -> None:
    """Let the challenges of open games, and the last board and the standing offers of running ones, wait to be posted,
    and nothing else; of games begun in the channels given."""
    status = sa.select(games.c.status).where(games.c.id == a.game_id).scalar_subquery()
    begun_there = a.game_id.in_(sa.select(games.c.id).where(games.c.place_channel_id.in_(place_channel_ids)))
    newest = sa.select(sa.func.max(a.id)).group_by(a.game_id, a.kind)
    matters = sa.and_(
        begun_there,
        sa.or_(
            sa.and_(a.kind == "challenge", status == "open"),
            sa.and_(a.kind == "board", status == "running", a.id.in_(newest)),
            a.id.in_(sa.select(offers.c.id).where(offers.c.state == "open")),
        ),
    )
    await tx.execute(sa.update(announcements).where(a.state == "pending").values(state="dropped", done_at=at))
    await tx.execute(
        sa.update(announcements)
        .where(matters)
        .values(state="pending", attempts=0, next_try_at=at, done_at=None, channel_id=None, message_id=None)
    )


class RepostRow(NamedTuple):
    """An announcement that waits, with the timer of its game's clock, and the offer that it is about: what is offered,
    whose, back to where."""

    id: int
    kind: str
    ply: int
    payload: Mapping[str, Any]
    timer: Mapping[str, Any] | None
    offer_kind: str | None
    by: int | None
    back_to: int | None


async def waiting(tx: AsyncConnection) -> list[RepostRow]:
    """All that waits to be posted."""
    player = sa.select(seats.c.player).where(seats.c.game_id == offers.c.game_id, seats.c.seat == offers.c.seat)
    query = (
        sa.select(
            a.id, a.kind, a.ply, a.payload, timers.c.payload, offers.c.kind, player.scalar_subquery(), offers.c.back_to
        )
        .outerjoin(timers, sa.and_(timers.c.kind == "clock", timers.c.subject == a.game_id))
        .outerjoin(offers, sa.and_(offers.c.id == a.id, offers.c.state == "open"))
        .where(a.state == "pending")
    )
    return [RepostRow(*row) for row in await tx.execute(query)]
