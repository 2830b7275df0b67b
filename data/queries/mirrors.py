"""Queries on the threads of games: of those that are played on two servers the second one, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import sqlalchemy as sa

from data.connections import AsyncConnection
from data.execution import Prepared
from data.queries.rows import numbers, select
from data.schema.games import games, mirrors


class MirrorRow(NamedTuple):
    """A game's second place, and who plays there (a seat). ``channel_id``: its thread, None until that is made."""

    game_id: int
    seat: int
    guild_id: int
    place_channel_id: int
    channel_id: int | None


_MIRROR_OF = Prepared(select(MirrorRow, mirrors).where(mirrors.c.game_id == sa.bindparam("game")))


async def add(tx: AsyncConnection, mirror: MirrorRow) -> None:
    """Let a game be played for the second time."""
    await tx.execute(sa.insert(mirrors).values(**mirror._asdict()))


async def get(tx: AsyncConnection, game_id: int) -> MirrorRow | None:
    """Where a game is played for the second time; None: nowhere."""
    found = await _MIRROR_OF.rows(tx, {"game": game_id})
    return MirrorRow(*found[0]) if found else None


class ThreadRow(NamedTuple):
    """The thread of a game, of which it stands at ``ply``; ``mirrored``: the one on the second server of two."""

    game_id: int
    ply: int
    guild_id: int
    mirrored: bool


async def threads_of(tx: AsyncConnection, game_ids: Sequence[int]) -> list[ThreadRow]:
    """The threads of some games."""
    found: list[ThreadRow] = []
    for start in range(0, len(game_ids), 500):
        of = games.c.id.in_(game_ids[start : start + 500])
        own = sa.and_(games.c.channel_id != games.c.place_channel_id, games.c.guild_id.is_not(None))
        both = sa.select(games.c.id, games.c.ply, games.c.guild_id, mirrors.c.channel_id, own)
        both = both.outerjoin_from(games, mirrors, mirrors.c.game_id == games.c.id).where(of).order_by(games.c.id)
        for game_id, ply, guild_id, mirror, has_own in await tx.execute(both):
            found += [ThreadRow(game_id, ply, guild_id, mirrored=False)] if has_own else []
            found += [ThreadRow(game_id, ply, guild_id, mirrored=True)] if mirror is not None else []
    return found


async def running_in(tx: AsyncConnection, channel_id: int) -> list[int]:
    """The running games whose second threads are a channel or in it."""
    query = sa.select(mirrors.c.game_id).join(games, games.c.id == mirrors.c.game_id)
    in_channel = sa.or_(mirrors.c.channel_id == channel_id, mirrors.c.place_channel_id == channel_id)
    query = query.where(in_channel, games.c.status == "running").order_by(mirrors.c.game_id)
    return await numbers(tx, query)


async def settle(tx: AsyncConnection, game_id: int, channel_id: int | None) -> None:
    """Note the second thread of a game; None: it is gone."""
    await tx.execute(sa.update(mirrors).where(mirrors.c.game_id == game_id).values(channel_id=channel_id))


async def move(tx: AsyncConnection, game_id: int, place_channel_id: int) -> None:
    """Let the second thread of a game be made in another channel."""
    values = {"place_channel_id": place_channel_id, "channel_id": None}
    await tx.execute(sa.update(mirrors).where(mirrors.c.game_id == game_id).values(**values))
