"""Queries shared by tournaments, leagues and team matches: messages to post or to edit. Each takes the transaction in
which it works; ``posts`` is the table of the messages."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection


async def request(tx: AsyncConnection, posts: sa.Table, key: dict[str, Any], values: dict[str, Any]) -> int:
    """Let a message show how things stand: the one that is there by its ``key``, edited, or a new one with ``values``
    besides. How often that has been wanted by now."""
    of = sa.and_(*(posts.c[name] == value for name, value in key.items()))
    edited = sa.update(posts).where(of).values(wanted=posts.c.wanted + 1).returning(posts.c.wanted)
    wanted = (await tx.execute(edited)).scalar()
    if wanted is None:
        await tx.execute(sa.insert(posts).values(wanted=1, said=0, **key, **values))
        return 1
    return int(wanted)


async def is_post(tx: AsyncConnection, posts: sa.Table, message_id: int) -> bool:
    """Whether a message is kept as one of ``posts``."""
    query = sa.select(posts.c.id).where(posts.c.message_id == message_id).limit(1)
    return (await tx.execute(query)).first() is not None


async def mark_posted(tx: AsyncConnection, posts: sa.Table, post_id: int, wanted: int, message_id: int | None) -> None:
    """Note that a message shows what was wanted when the post was read."""
    await tx.execute(sa.update(posts).where(posts.c.id == post_id).values(said=wanted, message_id=message_id))
