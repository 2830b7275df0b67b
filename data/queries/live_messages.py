"""Queries that what is a list of events has in common, tournaments and contests alike: who has done what already, and
the messages that are kept as they are wanted. Each takes the transaction in which it works."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, ClassVar, Protocol

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection


class Row(Protocol):
    """A dataclass that has the names of a table's columns."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


async def by_source(tx: AsyncConnection, owners: sa.Table, events: sa.Table, owner: str, source: str) -> int | None:
    """The row of ``owners`` that a source has created or changed already; ``owner``: the column of ``events`` that
    names it."""
    for table, column in ((owners, owners.c.id), (events, events.c[owner])):
        found = (await tx.execute(sa.select(column).where(table.c.source == source))).scalar()
        if found is not None:
            return int(found)
    return None


def new(row: Row) -> dict[str, Any]:
    """The values of a row that is to be added: all but its id, which the store gives."""
    return {field.name: getattr(row, field.name) for field in fields(row) if field.name != "id"}


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
