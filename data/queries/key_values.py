"""Small things to remember between runs, by key."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from data.connections import AsyncConnection
from data.queries.rows import put_values
from data.schema.games import key_values
from data.store import Store, StoreError


async def get(tx: AsyncConnection, key: str) -> str | None:
    """What was put under ``key``, or None."""
    value = (await tx.execute(sa.select(key_values.c.value).where(key_values.c.key == key))).scalar()
    return None if value is None else str(value)


async def beginning(tx: AsyncConnection, word: str) -> dict[str, str]:
    """What was put under keys that begin with ``word``."""
    query = sa.select(key_values.c.key, key_values.c.value).where(key_values.c.key.startswith(word, autoescape=True))
    return {str(key): str(value) for key, value in await tx.execute(query)}


async def put(tx: AsyncConnection, key: str, value: str) -> None:
    """Keep ``value`` (text) under ``key``, in place of what was there."""
    await put_values(tx, key_values, {"key": key}, value=value)


async def unwritable(store: Store) -> str | None:
    """Why nothing can be written just now, None where it can."""
    try:
        async with store.write() as tx:
            await put(tx, "health", "written")
    except StoreError as error:
        return str(error)
    except DBAPIError as error:
        return f"The database is damaged: {error.orig}"
    return None
