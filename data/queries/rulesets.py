"""Queries on the rules that things are played by, as text, and on the variants of servers' own."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import sqlalchemy as sa

from data.connections import AsyncConnection
from data.queries.rows import every, numbers, put_row, select
from data.schema.games import games, rulesets, server_variants
from data.schema.study import puzzles
from data.schema.tournaments import contests, tournaments

_TEXT = sa.select(rulesets.c.text).where(rulesets.c.hash == sa.bindparam("rules_hash"))


class RulesetRow(NamedTuple):
    """Rules as text, under its hash; ``title`` and ``family``: the game's name and family, as the text says them."""

    hash: str
    text: str
    title: str
    family: str


async def keep(tx: AsyncConnection, row: RulesetRow) -> None:
    """Keep rules, unless they are there."""
    if (await tx.execute(_TEXT, {"rules_hash": row.hash})).first() is None:
        await tx.execute(sa.insert(rulesets).values(row._asdict()))


async def text(tx: AsyncConnection, rules_hash: str) -> str | None:
    """The text of a hash."""
    value = (await tx.execute(_TEXT, {"rules_hash": rules_hash})).scalar()
    return None if value is None else str(value)


async def titles(tx: AsyncConnection, hashes: Collection[str]) -> dict[str, str]:
    """What the rules of some hashes call the game, by hash."""
    query = sa.select(rulesets.c.hash, rulesets.c.title).where(rulesets.c.hash.in_(hashes))
    return {str(found): str(title) for found, title in await tx.execute(query)}


async def every_text(tx: AsyncConnection) -> list[tuple[str, str]]:
    """All texts, each with the hash under which it is kept."""
    return [(str(found), str(said)) for found, said in await tx.execute(sa.select(rulesets.c.hash, rulesets.c.text))]


async def without_text(tx: AsyncConnection) -> list[str]:
    """What has the hash of a text that is not there, games apart: "tournament 3"."""
    found: list[str] = []
    for name, table in (("tournament", tournaments), ("league or team match", contests), ("puzzle", puzzles)):
        kept = sa.exists().where(rulesets.c.hash == table.c.rules_hash)
        query = sa.select(table.c.id).where(table.c.rules_hash.is_not(None), ~kept).order_by(table.c.id)
        found += [f"{name} {number}" for number in await numbers(tx, query)]
    return found


async def forget_unused(tx: AsyncConnection) -> int:
    """Delete the texts that nothing is played by any more, and that stand under no name. Returns how many."""
    used = [
        sa.exists().where(table.c.rules_hash == rulesets.c.hash)
        for table in (games, tournaments, contests, puzzles, server_variants)
    ]
    return int((await tx.execute(sa.delete(rulesets).where(*(~there for there in used)))).rowcount)


# Servers' own


class ServerVariantRow(NamedTuple):
    """A variant of a server's own: the name that it goes by there, and the hash of its rules now."""

    guild_id: int
    name: str
    rules_hash: str
    changed_at: int


async def of_server(tx: AsyncConnection, guild_id: int) -> list[ServerVariantRow]:
    """A server's own variants, by name."""
    query = select(ServerVariantRow, server_variants).where(server_variants.c.guild_id == guild_id)
    # Databases put texts in order by rules of their own.
    return sorted(await every(tx, query, ServerVariantRow), key=lambda row: row.name)


async def put(tx: AsyncConnection, row: ServerVariantRow) -> None:
    """Keep a server's variant, in place of the one of the same name."""
    await put_row(tx, server_variants, row)


async def remove(tx: AsyncConnection, guild_id: int, name: str) -> bool:
    """Take a server's variant out; whether it was there."""
    of = (server_variants.c.guild_id == guild_id, server_variants.c.name == name)
    return bool((await tx.execute(sa.delete(server_variants).where(*of))).rowcount)
