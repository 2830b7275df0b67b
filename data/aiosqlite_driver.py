"""aiosqlite with one trip to its thread for each statement.

SQLAlchemy asks an aiosqlite cursor four things in turn (a cursor, the execution, the rows, to close it), each a trip to
the connection's thread and back, which costs more than SQLite's own work. Here the first trip brings everything.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import aiosqlite


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
        await self._home.in_thread(self._run, sql, parameters or (), False)
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
        cursor = connection.executemany(sql, parameters) if many else connection.execute(sql, tuple(parameters))
        self.description = cursor.description
        if self.description is not None:
            self._fetched = cursor.fetchall()
        self.rowcount, self.lastrowid = cursor.rowcount, cursor.lastrowid
        cursor.close()


class _Connection(aiosqlite.Connection):
    def __init__(self, path: str, ran: Callable[[], None]) -> None:
        super().__init__(lambda: sqlite3.connect(path), iter_chunk_size=64)
        self.ran = ran
        """Called for each statement."""

    async def in_thread(self, run: Callable[..., None], *arguments: object) -> None:
        await self._execute(run, *arguments)  # type: ignore[no-untyped-call]

    def cursor(self) -> _Cursor:  # type: ignore[override]
        return _Cursor(self)


class Connector:
    """Opens connections to a database file (an engine's ``async_creator``), and sees that their threads end: one that
    outlived the event loop could not deliver what it did last."""

    def __init__(self, path: str, ran: Callable[[], None]) -> None:
        """``ran`` is called for each statement."""
        self._path, self._ran = path, ran
        self._opened: list[_Connection] = []

    async def __call__(self) -> aiosqlite.Connection:
        connection = _Connection(self._path, self._ran)
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
