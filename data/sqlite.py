"""SQLite under the store: a file, opened by one connection that writes and some that read."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from data.aiosqlite_driver import Connector
from data.backup import BackupError, before_migration, look_through, must_have_folder
from data.connections import AsyncConnection, AsyncEngine, create_async_engine
from data.errors import StoreError, Unavailable
from data.execution import driven, to_json

_log = logging.getLogger(__name__)

# A transaction that fails for one of these may succeed later: the fault lies with the disk or another process.
_PASSING = frozenset({"FULL", "READONLY", "BUSY", "LOCKED", "IOERR", "CANTOPEN", "NOMEM", "PROTOCOL"})

# A transaction that keeps other writers away.
_ALONE = "BEGIN IMMEDIATE"

# What SQLite waits for at the end of a transaction: FULL is until the disk has it.
SYNCHRONOUS = "FULL"


class SQLite:
    """A database file by its URL. One "in memory" is a file that goes when it is let go of, as several connections are
    to see it."""

    def __init__(self, url: sa.URL, patience_ms: int, ran: Callable[[], None]) -> None:
        """``patience_ms``: how long to wait for another process that is writing; ``ran`` is called for each
        statement."""
        self._url, self._ran = url, ran
        self._pragmas = (f"busy_timeout={patience_ms:d}", "foreign_keys=ON", f"synchronous={SYNCHRONOUS}")
        database = url.database or ":memory:"
        self.file = None if database == ":memory:" else Path(database)
        self._passing_folder: TemporaryDirectory[str] | None = None
        self._connectors: list[Connector] = []

    async def prepare(self) -> None:
        """A damaged file is not opened, and a schema that is about to change is copied first. Raises StoreError."""
        if self.file is None:
            self._passing_folder = TemporaryDirectory(prefix="damero-")
            self._url = self._url.set(database=f"{self._passing_folder.name}/passing.sqlite3")
            return
        must_have_folder(self.file)
        try:
            await asyncio.to_thread(look_through, self.file)
            saved = await asyncio.to_thread(before_migration, self.file)
        except BackupError as error:
            raise StoreError(str(error)) from error
        if saved is not None:
            _log.info("the database is brought up to date; a copy of it as it was: %s", saved)

    def engine(self, *, writes: bool) -> AsyncEngine:
        connector = Connector(self._url.database or "", self._ran, reads=not writes)
        self._connectors.append(connector)
        pool_size = 1 if writes else 5
        engine = create_async_engine(
            self._url,
            pool_size=pool_size,
            max_overflow=0,
            async_creator=connector,
            json_serializer=to_json,
            hide_parameters=True,  # what people wrote is never logged
        )
        pragmas = self._pragmas if writes else (*self._pragmas, "query_only=ON")

        def connected(connection: Any, _record: object) -> None:
            connection.isolation_level = None  # the driver is not to begin transactions by itself
            cursor = connection.cursor()
            for pragma in pragmas:
                cursor.execute(f"PRAGMA {pragma}")
            cursor.close()

        sa.event.listen(engine.sync_engine, "connect", connected)
        return engine

    async def migrate(self, writers: AsyncEngine, migrate: Callable[[sa.Connection], None]) -> None:
        async with writers.connect() as connection:
            raw = (await connection.get_raw_connection()).driver_connection
            assert raw is not None
            try:
                cursor = await raw.execute("PRAGMA journal_mode=WAL")
            except sqlite3.Error as error:
                # Nothing of SQLAlchemy's stands between: of a disk that is full, such as that.
                raise Unavailable(str(error)) from error
            await cursor.close()
        async with writers.begin() as tx:
            driven(tx).put_off(_ALONE)
            await tx.run_sync(migrate)

    def begin(self, tx: AsyncConnection, *, writes: bool, once: bool) -> AbstractAsyncContextManager[object]:
        # Past the toolkit, whose way costs as much as a query.
        begun: AbstractAsyncContextManager[object] = driven(tx).begun(_ALONE if writes else "BEGIN")
        return begun

    async def claim(self, _tx: AsyncConnection, *, lasting: bool, keys: Sequence[str], sign: str) -> None:
        """A file is not lost on the way, and all is lasting."""

    async def was_stored(self, _lost: None) -> bool:
        """A file is not lost on the way."""
        return False

    def usable(self, tx: AsyncConnection) -> bool:
        """A connection to a file does not end by itself, but the toolkit lets go of one in which it was interrupted."""
        return not tx.invalidated

    def passes(self, error: DBAPIError) -> bool:
        if isinstance(error.orig, sqlite3.Error):
            return any(_name(error).startswith(f"SQLITE_{word}") for word in _PASSING)
        return isinstance(error, sa.exc.OperationalError | sa.exc.InterfaceError)

    def is_elsewhere(self, _error: BaseException) -> bool:
        """Where the folder is not there, that was said before connecting."""
        return False

    def waited(self, error: DBAPIError) -> bool:
        return _name(error).startswith("SQLITE_BUSY")

    async def let_go(self) -> None:
        # A connection that failed was let go of without waiting for its thread, which would outlive the event loop.
        while self._connectors:
            await self._connectors.pop().gone()
        if self._passing_folder is not None:
            self._passing_folder.cleanup()
            self._passing_folder = None


def _name(error: DBAPIError) -> str:
    """SQLite's own name of an error; empty where it has none."""
    return getattr(error.orig, "sqlite_errorname", None) or ""
