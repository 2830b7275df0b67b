"""``damero move-store``: all games from one database into another, such as from a file into a PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.cli.database import StoreRefused
from bot.games.persistence.integrity import check_games, check_rulesets
from bot.games.persistence.transactions import Readable
from bot.settings import SettingsError, known_database
from data.backup import must_be_ours
from data.moving import copy
from data.store import Store, StoreError, Transaction


def move(source: str, target: str) -> str:
    """Copy the database ``source`` into ``target``, which is empty (both by their URLs), and replay every game there
    before anything of it is kept. What was there stays as it was."""
    return asyncio.run(_move(_store("FROM", source), _store("TO", target)))


def _store(name: str, url: str) -> Store:
    try:
        return Store(known_database(url))
    except (ValueError, StoreError) as error:
        raise SettingsError(f"{name} is wrong: {str(error).rstrip('.')}.") from error


async def _move(source: Store, target: Store) -> str:
    if source.file is not None:
        must_be_ours(source.file, "FROM")
    if source.file is not None and target.file is not None and source.file.resolve() == target.file.resolve():
        raise SettingsError("FROM and TO are the same database.")
    try:
        await source.open()
        await target.open()
        async with source.write() as there, target.write() as here:
            rows = await copy(there, here)
            problems = await _check(_Within(here))
            if problems and problems != await _check(_Within(there)):
                raise StoreRefused(f"Nothing was moved. {problems[0]}")
    finally:
        await source.close()
        await target.close()
    filled = sum(number > 0 for number in rows.values())
    games = "1 game" if rows["games"] == 1 else f"{rows['games']} games"
    told = f"Moved {sum(rows.values())} rows of {filled} tables, {games} among them, and replayed each."
    if problems:
        told += f" What was wrong before is so still ({len(problems)}): see damero check-store."
    return f"{told} Set DATABASE_URL to where they are now."


async def _check(store: Readable) -> list[str]:
    return [*await check_games(store), *await check_rulesets(store)]


class _Within:
    """A store as it is within a transaction."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx

    @asynccontextmanager
    async def read(self, *, once: bool = False) -> AsyncIterator[Transaction]:
        yield self._tx
