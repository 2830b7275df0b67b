"""aiosqlite with as few trips to its thread as a transaction needs.

SQLAlchemy asks an aiosqlite cursor four things in turn (a cursor, the execution, the rows, to close it), each a trip to
the connection's thread and back, which costs more than SQLite's own work. Here the first trip brings everything, and
takes along what was put off: the beginning of the transaction, and statements whose result nobody needs.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from functools import partial
from typing import Any

import aiosqlite
import sqlalchemy as sa


class _Cursor:
    """What SQLAlchemy asks of a cursor; all rows have been fetched when ``execute`` returns."""

    def __init__(self, connection: _Connection) -> None:
        self.arraysize = 1
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None
        self._home = connection
        self._fetched: list[sqlite3.Row] = []

    async def __aenter__(self) -> _Cursor:
        return self

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> _Cursor:
        self._home.ran()
        await self._home.in_thread(self._run, sql, tuple(parameters or ()), False)
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> _Cursor:
        self._home.ran()
        await self._home.in_thread(self._run, sql, parameters, True)
        return self

    async def fetchall(self) -> Iterable[sqlite3.Row]:
        fetched, self._fetched = self._fetched, []
        return fetched

    async def close(self) -> None:
        """Nothing is left to close."""

    def _run(self, sql: str, parameters: Iterable[Any], many: bool) -> None:
        """In the connection's thread."""
        connection = self._home._conn
        cursor = connection.executemany(sql, parameters) if many else connection.execute(sql, parameters)  # type: ignore[arg-type]
        self.description = cursor.description
        if self.description is not None:
            try:
                self._fetched = cursor.fetchall()
            except sqlite3.OperationalError as error:
                # Errors are logged, and of text that is not UTF-8 it says all.
                error.args = (str(error).partition(" with text ")[0],)
                raise
        self.rowcount, self.lastrowid = cursor.rowcount, cursor.lastrowid
        cursor.close()


class _Connection(aiosqlite.Connection):
    def __init__(self, path: str, ran: Callable[[], None], *, reads: bool) -> None:
        super().__init__(lambda: sqlite3.connect(path), iter_chunk_size=64)
        self.ran = ran
        """Called for each statement."""
        self._reads = reads
        self._waiting: list[Callable[[], object]] = []
        self._used = False

    async def in_thread(self, run: Callable[..., object], *arguments: object) -> None:
        """Run what was put off, then this."""
        waiting, self._waiting, self._used = self._waiting, [], True
        if waiting:
            await self._execute(_in_turn, [*waiting, partial(run, *arguments)])  # type: ignore[no-untyped-call]
        else:
            await self._execute(run, *arguments)  # type: ignore[no-untyped-call]

    async def run_later(self, sql: str, parameters: Sequence[Any], changes: str | None) -> None:
        """Run a statement with the next one, or with the end of the transaction, which then raise what it raises."""
        self.put_off(sql, parameters)

    def put_off(self, sql: str, parameters: Sequence[Any] = ()) -> None:
        """The same, for who cannot wait."""
        self.ran()
        self._waiting.append(partial(self._run, sql, parameters))

    def _run(self, sql: str, parameters: Sequence[Any]) -> None:
        """In this connection's thread."""
        self._conn.execute(sql, parameters).close()

    async def rows_later(self, sql: str, parameters: Sequence[Any], changes: str | None) -> Sequence[sqlite3.Row]:
        """As ``run_later``; what it returns is in the list once it has run."""
        self.ran()
        found: list[sqlite3.Row] = []
        self._waiting.append(lambda: found.extend(self._conn.execute(sql, parameters)))
        return found

    async def check_later(
        self, sql: str, parameters: Sequence[Any], check: Callable[[Iterable[sqlite3.Row]], None]
    ) -> None:
        """As ``run_later`` for a statement of whose rows ``check`` may raise Changed."""
        self.ran()
        self._waiting.append(partial(self._check, sql, parameters, check))

    def _check(self, sql: str, parameters: Sequence[Any], check: Callable[[Iterable[sqlite3.Row]], None]) -> None:
        """In this connection's thread."""
        # A statement that is not at its end keeps the transaction open, also when the connection is closed.
        with closing(self._conn.execute(sql, parameters)) as found:
            check(found)

    async def rows(self, sql: str, parameters: Sequence[Any], changes: str | None = None) -> Iterable[sqlite3.Row]:
        """What a statement finds or returns. Raises DBAPIError."""
        with _told(sql, parameters):
            return await (await self.cursor().execute(sql, parameters)).fetchall()

    @asynccontextmanager
    async def begun(self, beginning: str) -> AsyncIterator[None]:
        """A transaction that begins with a statement. Raises DBAPIError, or what a check raises. After a cancellation
        the connection is left as it is: it will be closed, or given back."""
        self.put_off(beginning)
        try:
            yield
            with _told("COMMIT"):
                await self.commit()
        except Exception:
            # What was put off may be refused only with the commit.
            with _told("ROLLBACK"):
                await self.rollback()
            raise

    def cursor(self) -> _Cursor:  # type: ignore[override]
        return _Cursor(self)

    async def commit(self) -> None:
        if len(self._waiting) > 1 or self._used:
            await self._end(self._conn.commit)
        # Else nothing was asked since the transaction was to begin, which it need not.
        self._waiting.clear()

    async def rollback(self) -> None:
        self._waiting.clear()
        if self._used and self._running:
            await self._end(self._conn.rollback)
        # Else nothing was asked, or the toolkit has let go of the connection, with all that was done.

    async def _end(self, end: Callable[[], None]) -> None:
        if self._reads and not self._waiting:
            # Nothing is at stake, and whatever is asked next comes after it.
            self._tx.put_nowait((None, end))
        else:
            await self.in_thread(end)
        self._used = False


@contextmanager
def _told(sql: str, parameters: Sequence[Any] = ()) -> Iterator[None]:
    """As SQLAlchemy translates the driver's errors."""
    try:
        yield
    except sqlite3.Error as error:
        kind = getattr(sa.exc, type(error).__name__, sa.exc.DatabaseError)
        raise kind(sql, parameters, error, hide_parameters=True) from error


def _in_turn(runs: Iterable[Callable[[], object]]) -> None:
    try:
        for run in runs:
            run()
    except (StopIteration, GeneratorExit) as error:
        # Nobody who waits can be told of these.
        raise RuntimeError("a check ended early") from error


class Connector:
    """Opens connections to a database file (an engine's ``async_creator``), and sees that their threads end: one that
    outlived the event loop could not deliver what it did last."""

    def __init__(self, path: str, ran: Callable[[], None], *, reads: bool) -> None:
        """``ran`` is called for each statement; ``reads``: nothing is written by these connections."""
        self._path, self._ran, self._reads = path, ran, reads
        self._opened: list[_Connection] = []

    async def __call__(self) -> aiosqlite.Connection:
        connection = _Connection(self._path, self._ran, reads=self._reads)
        connection._thread.daemon = True  # a forgotten connection is not to keep the process alive
        self._opened = [*(other for other in self._opened if other._thread.is_alive()), connection]
        return await connection

    async def gone(self) -> None:
        """Wait until every connection is closed and its thread has ended; close those that were lost on the way."""
        opened, self._opened = self._opened, []
        for connection in opened:
            with suppress(ValueError, sqlite3.Error):
                await connection.close()
            if connection._thread.is_alive():
                await asyncio.to_thread(connection._thread.join, 10)
