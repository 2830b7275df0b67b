"""The database: one writer in a fair queue, readers on their own connections."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple, Protocol

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from data.connections import AsyncConnection, AsyncEngine
from data.errors import Misplaced as Misplaced
from data.errors import StoreError as StoreError
from data.errors import Unavailable as Unavailable
from data.lease import Lease
from data.migrations import ForeignTables, NewerSchema, migrate
from data.notifications import Word
from data.postgresql import PostgreSQL
from data.shards import EVERYTHING, Shards
from data.sqlite import SQLite

_log = logging.getLogger(__name__)


_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
_FORMS = "sqlite:///path/to/file or postgresql://user:password@host/database"

Transaction = AsyncConnection
"""What queries are made in: begun by ``Store.read`` and ``Store.write``."""


class Spent(NamedTuple):
    """What a transaction took, in seconds: ``waited`` for its turn or a connection, ``taken`` from then to its end.
    ``stored``: it ended well, whatever the use case refused in it; ``kept``: and refused nothing, so that what was
    written is there."""

    writes: bool
    waited: float
    taken: float
    stored: bool
    kept: bool


class _Watch:
    """Around a transaction that was asked for at ``asked``: tells those who watch what it took."""

    def __init__(self, watchers: Sequence[Callable[[Spent], None]], asked: float, *, writes: bool) -> None:
        self._watchers, self._asked, self._writes = watchers, asked, writes

    async def __aenter__(self) -> None:
        self._began = perf_counter()

    async def __aexit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        failed = isinstance(error, Unavailable | DBAPIError) and not isinstance(error, sa.exc.IntegrityError)
        waited, taken = self._began - self._asked, perf_counter() - self._began
        for told in self._watchers:
            told(Spent(self._writes, waited, taken, not failed, error is None))


class Database(Protocol):
    """A kind of database, as the store needs it."""

    @property
    def file(self) -> Path | None: ...

    async def prepare(self) -> None:
        """What comes before the first connection. Raises StoreError."""

    def engine(self, *, writes: bool) -> AsyncEngine:
        """The connection of those who write, or the connections of those who read."""

    async def migrate(self, writers: AsyncEngine, migrate: Callable[[sa.Connection], None]) -> None:
        """Let ``migrate`` bring the schema up to date, in one transaction. Raises StoreError."""

    def begin(self, tx: AsyncConnection, *, writes: bool, once: bool) -> AbstractAsyncContextManager[object]:
        """A transaction that may write, which keeps other processes from it until it ends, or one that reads all of one
        moment; ``once``: with one statement at most."""

    async def claim(self, tx: AsyncConnection, *, lasting: bool, keys: Sequence[str], sign: str) -> Any:
        """What a transaction that writes is known by, and how many of the ``keys`` have a ``sign``. ``lasting``: it is
        not committed before it would survive the loss of power."""

    async def was_stored(self, lost: Any) -> bool:
        """Whether a transaction was committed whose connection was lost just then. Raises Unavailable."""

    def usable(self, tx: AsyncConnection) -> bool:
        """Whether a connection that was open is still."""

    def passes(self, error: DBAPIError) -> bool:
        """Whether the fault may pass, so that the same transaction can succeed later."""

    def is_elsewhere(self, error: BaseException) -> bool:
        """Whether no connection was had because there is no such server, database or user."""

    def waited(self, error: DBAPIError) -> bool:
        """Whether it came of waiting for another process."""

    async def let_go(self) -> None:
        """What comes after the last connection."""


class Store:
    """A database by its URL (``sqlite+aiosqlite:///file`` or ``postgresql+asyncpg://...``); StoreError if it is none.

    A transaction that was stored survives the loss of power. Writers wait in one queue, first come, first served. A
    connection on which anything went wrong is thrown away, so that the next transaction starts afresh. A database "in
    memory" is a file that goes when the store is closed, as several connections are to see it."""

    def __init__(
        self,
        database_url: str,
        *,
        patience_ms: int = 5000,
        shards: Shards = EVERYTHING,
        lease: Lease | None = None,
    ) -> None:
        """``patience_ms``: how long to wait for another process that is writing to the same database; ``shards``: those
        that this process acts for, as long as it holds the ``lease`` where there is one: nothing is read or written
        without."""
        self._lease = lease
        self.shards = shards if lease is None else lease.shards
        self._url = _checked(database_url)
        kind = SQLite if self._url.get_backend_name() == "sqlite" else PostgreSQL
        self._database: Database = kind(self._url, patience_ms, self._ran)
        self.file = self._database.file
        """The file in which the database is; None where it is none of SQLite's, or a passing one."""
        self.statements = 0
        """How many statements have run since the store was made."""
        self._watchers: list[Callable[[Spent], None]] = []
        self._writers: AsyncEngine | None = None
        self._readers: AsyncEngine | None = None
        self._writer: AsyncConnection | None = None
        self._queue = asyncio.Lock()
        self._locked_out = 0
        self._ends = False
        self._reading = 0
        self._all_read = asyncio.Event()

    async def open(self) -> None:
        """Connect, and bring the schema up to date. Raises StoreError."""
        await self._database.prepare()
        async with self._queue:  # nobody writes or reads before the schema is what it is to be
            writers, readers = self._database.engine(writes=True), self._database.engine(writes=False)
            try:
                await self._database.migrate(writers, migrate)
            except BaseException as error:
                await self._let_go(writers, readers)
                if isinstance(error, (NewerSchema, ForeignTables)):
                    raise StoreError(str(error)) from error
                if isinstance(error, (DBAPIError, OSError, Unavailable)):
                    where, why = self._url.render_as_string(hide_password=True), getattr(error, "orig", None) or error
                    # What a sentence on the database says already is said once.
                    _, of_it, said = str(why).partition("The database ")
                    text = f"The database {where} {said if of_it else f'cannot be used: {why}'}".rstrip(".") + "."
                    raise (Misplaced if self._database.is_elsewhere(error) else StoreError)(text) from error
                raise
            self._writers, self._readers, self._ends = writers, readers, False

    def turn_away(self) -> None:
        """Who waits to write is told that nothing can be stored just now."""
        self._locked_out += 1

    def end(self) -> None:
        """From now on nobody begins a transaction, and who waits for one is told so, until the store is opened again:
        closing then waits for those under way alone."""
        self._ends = True

    async def settle(self) -> None:
        """Wait for the transactions under way, and for who waits for one."""
        async with self._queue:
            await self._read()

    async def _read(self) -> None:
        if self._reading:
            self._all_read.clear()
            await self._all_read.wait()

    async def close(self) -> None:
        """Wait for the transactions under way, then let go of every connection. The store may be opened again."""
        async with self._queue:
            writers, readers = self._writers, self._readers
            self._writers = self._readers = None
            await self._read()
            await self._drop_writer()
            await self._let_go(writers, readers)

    async def _let_go(self, *engines: AsyncEngine | None) -> None:
        for engine in engines:
            if engine is not None:
                await engine.dispose()
        await self._database.let_go()

    @asynccontextmanager
    async def write(self, *, lasting: bool = True) -> AsyncIterator[Transaction]:
        """One transaction that may write: committed at the end, rolled back on any exception. What is not ``lasting``
        the loss of power may take back, with nothing that is stored later.

        Raises Unavailable when the database could not take it; IntegrityError passes through. Must not be nested."""
        locked_out, asked = self._locked_out, perf_counter()
        await self._stand(writes=True)
        async with self._queue, _Watch(self._watchers, asked, writes=True):
            writers = self._check_open(self._writers)
            if locked_out != self._locked_out:
                # Who waited in the queue meanwhile has waited as long: they do not wait one after the other.
                raise Unavailable("Not stored: the database is locked by another process, or out of reach.")
            claim, begun, ends = None, False, False
            try:
                if self._writer is None or not self._database.usable(self._writer):
                    await self._drop_writer()
                    self._writer = await writers.connect()
                async with self._database.begin(self._writer, writes=True, once=False):
                    begun = True
                    keys, sign = ((), "") if self._lease is None else self._lease.signed
                    claim = await self._database.claim(self._writer, lasting=lasting, keys=keys, sign=sign)
                    if claim is not None and claim.signed != len(keys):
                        raise Unavailable("Another process acts for these shards now.")
                    yield self._writer
                    ends = True
            except (DBAPIError, Unavailable) as error:
                if isinstance(error, sa.exc.IntegrityError):
                    raise
                await self._drop_writer()
                if ends and self._is_lost(error) and await self._was_stored(claim):
                    return
                if isinstance(error, DBAPIError) and not self._passes(error):
                    raise
                waited = not begun if isinstance(error, Unavailable) else self._database.waited(error)
                self._locked_out += waited
                told = error.orig if isinstance(error, DBAPIError) else error
                _log.warning("not stored: %s", told)
                raise Unavailable(f"Not stored: {told}") from error
            except Exception:
                raise
            except BaseException:
                # Cancelled between two statements: what the connection is doing just then is not known.
                await self._drop_writer()
                raise

    @asynccontextmanager
    async def read(self, *, once: bool = False) -> AsyncIterator[Transaction]:
        """One transaction that only reads, all of one moment. Raises Unavailable when the database cannot be read.

        ``once``: no more than one statement is asked, for which a server need not be told of its beginning and end."""
        readers = self._check_open(self._readers)
        await self._stand(writes=False)
        self._reading += 1
        watch = _Watch(self._watchers, perf_counter(), writes=False)
        try:
            async with readers.connect() as tx, watch:
                # It may have waited for a connection.
                self._check_open(readers)
                async with self._database.begin(tx, writes=False, once=once):
                    yield tx
        except (DBAPIError, PoolTimeoutError) as error:
            if isinstance(error, DBAPIError) and not self._passes(error):
                raise
            raise Unavailable(f"Not read: {error}") from error
        finally:
            self._reading -= 1
            if not self._reading:
                self._all_read.set()

    async def tell(self, tx: Transaction, words: Iterable[Word]) -> None:
        """Let the other processes hear, when ``tx`` is committed, of what it has changed."""
        if self._lease is not None:
            await self._lease.notifications.tell(tx, words)

    def hear(self, told: Callable[[Word], None]) -> None:
        """Let ``told`` be called with what other processes tell from now on."""
        if self._lease is not None:
            self._lease.notifications.hear(told)

    def _check_open(self, engine: AsyncEngine | None) -> AsyncEngine:
        """Raises Unavailable where nobody may begin a transaction."""
        if engine is None or self._ends:
            raise Unavailable(f"The database is {'not open' if engine is None else 'being let go of'}.")
        return engine

    async def _stand(self, *, writes: bool) -> None:
        if self._lease is None:
            return
        asked = perf_counter()
        try:
            await self._lease.stand()
        except Unavailable:
            for told in self._watchers:
                told(Spent(writes, perf_counter() - asked, 0.0, stored=False, kept=False))
            raise

    def watch(self, told: Callable[[Spent], None]) -> None:
        """Let ``told`` be called after each transaction from now on."""
        self._watchers.append(told)

    def _ran(self) -> None:
        self.statements += 1

    def _passes(self, error: DBAPIError) -> bool:
        return error.connection_invalidated or self._database.passes(error)

    def _is_lost(self, error: DBAPIError | Unavailable) -> bool:
        return isinstance(error, Unavailable) or error.connection_invalidated

    async def _was_stored(self, claim: Any) -> bool:
        """What became of a transaction whose connection was lost at its end. Raises Unavailable, in doubt."""
        try:
            stored = await self._database.was_stored(claim)
        except Unavailable as error:
            self._locked_out += 1
            _log.warning("not known whether it was stored: %s", error)
            raise Unavailable(f"Not known whether it was stored: {error}", in_doubt=True) from error
        if stored:
            _log.warning("stored, though the connection was lost")
        return stored

    async def _drop_writer(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            with suppress(DBAPIError, Unavailable):
                await writer.invalidate()
            with suppress(DBAPIError, Unavailable):
                await writer.close()


def _checked(database_url: str) -> sa.URL:
    try:
        url = sa.make_url(database_url)
    except (ArgumentError, ValueError) as error:
        # It may hold a password.
        raise StoreError(f"That is not a database URL; write {_FORMS}.") from error
    driver = _DRIVERS.get(url.get_backend_name())
    if driver is None or url.drivername not in (url.get_backend_name(), driver):
        known = " and ".join(_DRIVERS)
        raise StoreError(f"A database by {url.drivername} is not known here; there are {known}.")
    return url.set(drivername=driver)
