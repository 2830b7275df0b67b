"""Queries on the rules that things are played by, as text, and on the variants of servers' own."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.queries.rows import count, every, one, put_row, select
from data.schema.games import games, rulesets, server_variants
from data.schema.study import puzzles
from data.schema.tournaments import contests, tournaments

_HASH: sa.BindParameter[str] = sa.bindparam("rules_hash")
_TEXT = sa.select(rulesets.c.text).where(rulesets.c.hash == _HASH)


async def keep(tx: AsyncConnection, rules_hash: str, text: str) -> None:
    """Keep a text of rules under its hash, unless it is there."""
    if (await tx.execute(_TEXT, {"rules_hash": rules_hash})).first() is None:
        await tx.execute(sa.insert(rulesets).values(hash=rules_hash, text=text))


async def text(tx: AsyncConnection, rules_hash: str) -> str | None:
    """The text of a hash."""
    value = (await tx.execute(_TEXT, {"rules_hash": rules_hash})).scalar()
    return None if value is None else str(value)


async def texts(tx: AsyncConnection, hashes: Collection[str]) -> dict[str, str]:
    """The texts of some hashes; those that there are."""
    query = sa.select(rulesets.c.hash, rulesets.c.text).where(rulesets.c.hash.in_(hashes))
    return {str(found): str(said) for found, said in await tx.execute(query)}


async def forget_unused(tx: AsyncConnection) -> int:
    """Delete the texts that nothing is played by any more, and that stand under no name. Returns how many."""
    used = [
        sa.exists().where(table.c.rules_hash == rulesets.c.hash)
        for table in (games, tournaments, contests, puzzles, server_variants)
    ]
    return int((await tx.execute(sa.delete(rulesets).where(*(~there for there in used)))).rowcount)


# Servers' own


@dataclass(frozen=True, slots=True)
class ServerVariantRow:
    """A variant of a server's own: the name it goes by there, the hash of its rules now, how these call it (in a
    ``title``), and their family."""

    guild_id: int
    name: str
    rules_hash: str
    title: str
    family: str
    changed_at: int


async def of_server(tx: AsyncConnection, guild_id: int) -> list[ServerVariantRow]:
    """A server's own variants, by name."""
    query = select(ServerVariantRow, server_variants).where(server_variants.c.guild_id == guild_id)
    return await every(tx, query.order_by(server_variants.c.name), ServerVariantRow)


async def named(tx: AsyncConnection, guild_id: int, name: str) -> ServerVariantRow | None:
    """A server's own variant by its name."""
    query = select(ServerVariantRow, server_variants)
    return await one(
        tx, query.where(server_variants.c.guild_id == guild_id, server_variants.c.name == name), ServerVariantRow
    )


async def count_of(tx: AsyncConnection, guild_id: int) -> int:
    """How many variants a server has of its own."""
    return await count(tx, server_variants.c.guild_id == guild_id)


async def put(tx: AsyncConnection, row: ServerVariantRow) -> None:
    """Keep a server's variant, in place of the one of the same name."""
    await put_row(tx, server_variants, row)


async def remove(tx: AsyncConnection, guild_id: int, name: str) -> bool:
    """Take a server's variant out; whether it was there."""
    of = (server_variants.c.guild_id == guild_id, server_variants.c.name == name)
    return bool((await tx.execute(sa.delete(server_variants).where(*of))).rowcount)
