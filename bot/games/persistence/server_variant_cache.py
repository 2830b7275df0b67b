"""The variants of servers' own, from memory where they were asked for before."""

from __future__ import annotations

import asyncio

from bot.engine import variants
from bot.engine.errors import VariantError
from bot.engine.ruleset import OF_SERVER, Ruleset
from bot.engine.variants import Variant
from bot.games.persistence.transactions import Transactions
from bot.support.bounded import Bounded
from bot.support.frozen import frozen
from data.queries import rulesets
from data.store import Transaction

_MOST = 500


@frozen
class ServerVariant:
    """A variant of a server's own: its short ``name`` and its text; ``variant`` is None where that text is none that
    this version can play, for the reason ``why``."""

    name: str
    ruleset: Ruleset
    variant: Variant | None
    why: str = ""


class ServerVariantCache:
    """The variants of each server's own, read once until they change."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._kept: Bounded[int, tuple[ServerVariant, ...]] = Bounded(_MOST)
        self._changes = 0

    async def of(self, guild_id: int | None) -> tuple[ServerVariant, ...]:
        """A server's own variants, by name."""
        if guild_id is None:
            return ()
        kept = self._kept.get(guild_id)
        if kept is None:
            changes = self._changes
            async with self._transactions.reading() as tx:
                written = await _written(tx, guild_id)
            kept = await asyncio.to_thread(lambda: tuple(map(_read, written))) if written else ()
            if changes == self._changes:
                self._kept[guild_id] = kept
        return kept

    def forget(self, guild_id: int) -> None:
        """Ask the store the next time."""
        self._changes += 1
        self._kept.pop(guild_id, None)

    def clear(self) -> None:
        """Ask the store the next time, about every server."""
        self._changes += 1
        self._kept.clear()


async def _written(tx: Transaction, guild_id: int) -> list[tuple[str, Ruleset]]:
    rows = await rulesets.of_server(tx, guild_id)
    texts = {row.rules_hash: await rulesets.text(tx, row.rules_hash) or "" for row in rows}
    return [(row.name, Ruleset(f"{row.name}{OF_SERVER}{guild_id}", texts[row.rules_hash])) for row in rows]


def _read(written: tuple[str, Ruleset]) -> ServerVariant:
    name, ruleset = written
    try:
        return ServerVariant(name, ruleset, variants.load(ruleset))
    except VariantError as error:
        return ServerVariant(name, ruleset, None, error.message)
