"""Queries on people and servers: what they have chosen, what waits for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.schema import games, people, seats, servers, timers

_SETTINGS = sa.select(people.c.settings).where(people.c.person == sa.bindparam("who"))
_SERVER = sa.select(servers.c.settings).where(servers.c.guild_id == sa.bindparam("guild"))


async def settings_of(tx: AsyncConnection, person: int) -> Mapping[str, Any]:
    """What a person has chosen; empty if nothing."""
    found = (await tx.execute(_SETTINGS, {"who": person})).scalar()
    return found if isinstance(found, dict) else {}


async def put_settings(tx: AsyncConnection, person: int, settings: Mapping[str, Any]) -> None:
    """Keep what a person has chosen; nothing is kept of who has chosen nothing."""
    await tx.execute(sa.delete(people).where(people.c.person == person))
    if settings:
        await tx.execute(sa.insert(people).values(person=person, settings=dict(settings)))


async def server_settings(tx: AsyncConnection, guild_id: int) -> Mapping[str, Any]:
    """What a server's managers have chosen; empty if nothing."""
    found = (await tx.execute(_SERVER, {"guild": guild_id})).scalar()
    return found if isinstance(found, dict) else {}


async def put_server_settings(tx: AsyncConnection, guild_id: int, settings: Mapping[str, Any]) -> None:
    """Keep what a server's managers have chosen."""
    await tx.execute(sa.delete(servers).where(servers.c.guild_id == guild_id))
    if settings:
        await tx.execute(sa.insert(servers).values(guild_id=guild_id, settings=dict(settings)))


async def forget_server(tx: AsyncConnection, guild_id: int) -> None:
    """Delete what a server's managers have chosen."""
    await tx.execute(sa.delete(servers).where(servers.c.guild_id == guild_id))


_WAITING = (
    sa.select(games.c.id, games.c.changed_at, timers.c.payload)
    .select_from(
        games.join(seats, sa.and_(seats.c.game_id == games.c.id, seats.c.seat == games.c.to_seat)).outerjoin(
            timers, sa.and_(timers.c.kind == "clock", timers.c.subject == games.c.id)
        )
    )
    .where(seats.c.player == sa.bindparam("who"), games.c.status == "running")
    .order_by(games.c.changed_at, games.c.id)
)


async def waiting_for(tx: AsyncConnection, person: int) -> list[tuple[int, int | None]]:
    """The games in which a person is to move, each with its deadline: the most urgent first."""
    found = [
        (int(game_id), None if payload is None else payload.get("due"), changed_at)
        for game_id, changed_at, payload in await tx.execute(_WAITING, {"who": person})
    ]
    found.sort(key=lambda row: (row[1] is None, row[1] or row[2]))
    return [(game_id, due) for game_id, due, _ in found]


async def clocked_of(tx: AsyncConnection, person: int) -> list[int]:
    """The running casual games with a clock in which a person sits."""
    query = (
        sa.select(games.c.id)
        .join(seats, seats.c.game_id == games.c.id)
        .where(
            seats.c.player == person, games.c.status == "running", games.c.clock != "none", games.c.casual == sa.true()
        )
        .order_by(games.c.id)
    )
    return [int(game_id) for game_id in (await tx.execute(query)).scalars()]
