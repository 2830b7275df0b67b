"""The database: one writer in a fair queue, readers on their own connections."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from data.aiosqlite_driver import Connector
from data.backup import BackupError, before_migration, look_through
from data.migrations import ForeignTables, NewerSchema, migrate

_log = logging.getLogger(__name__)

# A transaction that fails for one of these may succeed later: the fault lies with the disk or another process.
_PASSING = frozenset({"FULL", "READONLY", "BUSY", "LOCKED", "IOERR", "CANTOPEN", "NOMEM", "PROTOCOL"})

# What SQLite waits for at the end of a transaction: FULL is until the disk has it.
SYNCHRONOUS = "FULL"


Transaction = AsyncConnection
"""What queries are made in: begun by ``Store.read`` and ``Store.write``."""


class StoreError(Exception):
    """The database cannot be used; the text is a sentence for whoever runs the bot."""


class Unavailable(StoreError):
    """This transaction was not stored (disk full, read-only, locked). Nothing is half done; a later one may succeed."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a transaction took, in seconds: ``waited`` for its turn or a connection, ``taken`` from then to its end.
    ``stored``: it ended well, whatever the use case refused in it."""

    writes: bool
    waited: float
    taken: float
    stored: bool


class _Watch:
    """Around a transaction that was asked for at ``asked``: tells those who watch what it took."""

    def __init__(self, watchers: Sequence[Callable[[Spent], None]], asked: float, *, writes: bool) -> None:
        self._watchers, self._asked, self._writes = watchers, asked, writes

    async def __aenter__(self) -> None:
        self._began = perf_counter()

    async def __aexit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        failed = isinstance(error, Unavailable | DBAPIError) and not isinstance(error, sa.exc.IntegrityError)
        for told in self._watchers:
            told(Spent(self._writes, self._began - self._asked, perf_counter() - self._began, not failed))


class Store:
    """A database by its URL (``sqlite+aiosqlite:///file`` or ``postgresql+asyncpg://...``); StoreError if it is none.

    With SQLite a transaction survives the loss of power (WAL, ``synchronous=FULL``). Writers wait in one queue, first
    come, first served; SQLite itself has none and lets its writers poll. A connection on which anything went wrong is
    thrown away, so that the next transaction starts afresh. A database "in memory" is a file that goes when the store
    is closed, as several connections are to see it."""

    def __init__(self, database_url: str, *, patience_ms: int = 5000) -> None:
        """``patience_ms``: how long to wait for another process that is writing to the same file."""
        self._url = _checked(database_url)
        self._pragmas = (f"busy_timeout={patience_ms:d}", "foreign_keys=ON", f"synchronous={SYNCHRONOUS}")
        self._sqlite = self._url.get_backend_name() == "sqlite"
        database = self._url.database or ":memory:"
        self.file = Path(database) if self._sqlite and database != ":memory:" else None
        """The file in which the database is; None where it is none of SQLite's, or a passing one."""
        self.statements = 0
        """How many statements have run since the store was made."""
        self._watchers: list[Callable[[Spent], None]] = []
        self._connectors: list[Connector] = []
        self._passing_folder: TemporaryDirectory[str] | None = None
        self._writers: AsyncEngine | None = None
        self._readers: AsyncEngine | None = None
        self._writer: AsyncConnection | None = None
        self._queue = asyncio.Lock()
        self._locked_out = 0
        self._reading = 0
        self._all_read = asyncio.Event()

    async def open(self) -> None:
        """Connect, and bring the schema up to date. Raises StoreError."""
        url = self._url
        if self.file is not None:
            await _save_before_migration(self.file)
        elif self._sqlite:
            self._passing_folder = TemporaryDirectory(prefix="damero-")
            url = url.set(database=f"{self._passing_folder.name}/passing.sqlite3")
        async with self._queue:  # nobody writes or reads before the schema is what it is to be
            writers = self._engine(url, writes=True)
            readers = self._engine(url, writes=False) if self._sqlite else writers
            try:
                if self._sqlite:
                    await _use_wal(writers)
                async with writers.begin() as tx:
                    await tx.run_sync(migrate)
            except BaseException as error:
                await self._let_go(writers, readers)
                if isinstance(error, (NewerSchema, ForeignTables)):
                    raise StoreError(str(error)) from error
                if isinstance(error, (DBAPIError, OSError)):
                    where, why = self._url.render_as_string(hide_password=True), getattr(error, "orig", None) or error
                    raise StoreError(f"The database {where} cannot be used: {why}.") from error
                raise
            self._writers, self._readers = writers, readers

    async def close(self) -> None:
        """Wait for the transactions under way, then let go of every connection. The store may be opened again."""
        async with self._queue:
            writers, readers = self._writers, self._readers
            self._writers = self._readers = None
            if self._reading:
                self._all_read.clear()
                await self._all_read.wait()
            await self._drop_writer()
            await self._let_go(writers, readers)

    async def _let_go(self, writers: AsyncEngine | None, readers: AsyncEngine | None) -> None:
        if readers is not None and readers is not writers:
            await readers.dispose()
        if writers is not None:
            await writers.dispose()
        # A connection that failed was let go of without waiting for its thread, which would outlive the event loop.
        while self._connectors:
            await self._connectors.pop().gone()
        if self._passing_folder is not None:
            self._passing_folder.cleanup()
            self._passing_folder = None

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Transaction]:
        """One transaction that may write: committed at the end, rolled back on any exception.

        Raises Unavailable when the database could not take it; IntegrityError passes through. Must not be nested."""
        locked_out, asked = self._locked_out, perf_counter()
        async with self._queue, _Watch(self._watchers, asked, writes=True):
            if self._writers is None:
                raise Unavailable("The database is not open.")
            if locked_out != self._locked_out:
                # Who waited in the queue meanwhile has waited as long: they do not wait one after the other.
                raise Unavailable("Not stored: the database is locked by another process.")
            try:
                if self._writer is None:
                    self._writer = await self._writers.connect()
                async with self._writer.begin():
                    yield self._writer
            except DBAPIError as error:
                if isinstance(error, sa.exc.IntegrityError):
                    raise
                await self._drop_writer()
                if not _passes(error):
                    raise
                self._locked_out += _sqlite_error(error).startswith("SQLITE_BUSY")
                _log.warning("not stored: %s", error.orig)
                raise Unavailable(f"Not stored: {error.orig}") from error
            except Exception:
                raise
            except BaseException:
                # Cancelled between two statements: what the connection is doing just then is not known.
                await self._drop_writer()
                raise

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Transaction]:
        """One transaction that only reads, all of one moment. Raises Unavailable when the database cannot be read."""
        if self._readers is None:
            raise Unavailable("The database is not open.")
        self._reading += 1
        watch = _Watch(self._watchers, perf_counter(), writes=False)
        try:
            async with self._readers.connect() as tx, watch, tx.begin():
                yield tx
        except (DBAPIError, PoolTimeoutError) as error:
            if isinstance(error, DBAPIError) and not _passes(error):
                raise
            raise Unavailable(f"Not read: {error}") from error
        finally:
            self._reading -= 1
            if not self._reading:
                self._all_read.set()

    def watch(self, told: Callable[[Spent], None]) -> None:
        """Let ``told`` be called after each transaction from now on."""
        self._watchers.append(told)

    def _ran(self) -> None:
        self.statements += 1

    def _engine(self, url: sa.URL, *, writes: bool) -> AsyncEngine:
        options: dict[str, Any] = {"pool_size": 1 if writes and self._sqlite else 5, "max_overflow": 0}
        if self._sqlite:
            connector = Connector(url.database or "", self._ran)
            self._connectors.append(connector)
            options["async_creator"] = connector
        engine = create_async_engine(url, **options)
        if self._sqlite:
            begin = "BEGIN IMMEDIATE" if writes else "BEGIN"
            pragmas = self._pragmas if writes else (*self._pragmas, "query_only=ON")

            def connected(connection: Any, _record: object) -> None:
                connection.isolation_level = None  # the driver is not to begin transactions by itself
                cursor = connection.cursor()
                for pragma in pragmas:
                    cursor.execute(f"PRAGMA {pragma}")
                cursor.close()

            def begins(connection: sa.Connection) -> None:
                connection.exec_driver_sql(begin)

            sa.event.listen(engine.sync_engine, "connect", connected)
            sa.event.listen(engine.sync_engine, "begin", begins)
        return engine

    async def _drop_writer(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            with suppress(DBAPIError):
                await writer.invalidate()
            with suppress(DBAPIError):
                await writer.close()


async def _save_before_migration(file: Path) -> None:
    """A damaged file is not opened, and a schema that is about to change is copied first. Raises StoreError."""
    try:
        await asyncio.to_thread(look_through, file)
        saved = await asyncio.to_thread(before_migration, file)
    except BackupError as error:
        raise StoreError(str(error)) from error
    if saved is not None:
        _log.info("the database is brought up to date; a copy of it as it was: %s", saved)


async def _use_wal(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        raw = (await connection.get_raw_connection()).driver_connection
        assert raw is not None
        cursor = await raw.execute("PRAGMA journal_mode=WAL")
        await cursor.close()


def _checked(database_url: str) -> sa.URL:
    try:
        url = sa.make_url(database_url)
    except ArgumentError as error:
        raise StoreError(f"{database_url!r} is not a database URL; write sqlite+aiosqlite:///path/to/file.") from error
    drivers = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
    driver = drivers.get(url.get_backend_name())
    if driver is None or url.drivername not in (url.get_backend_name(), driver):
        known = " and ".join(drivers.values())
        raise StoreError(f"A database by {url.drivername} is not known here; there are {known}.")
    return url.set(drivername=driver)


def _passes(error: DBAPIError) -> bool:
    """Whether the fault may pass, so that the same transaction can succeed later."""
    if error.connection_invalidated:
        return True
    if isinstance(error.orig, sqlite3.Error):
        return any(_sqlite_error(error).startswith(f"SQLITE_{word}") for word in _PASSING)
    return isinstance(error, (sa.exc.OperationalError, sa.exc.InterfaceError))


def _sqlite_error(error: DBAPIError) -> str:
    """SQLite's own name of an error; empty where it has none."""
    return getattr(error.orig, "sqlite_errorname", None) or ""
