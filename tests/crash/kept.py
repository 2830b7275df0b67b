"""Where the bot that is killed keeps its games: a file, or a PostgreSQL, which has troubles of its own."""

from __future__ import annotations

import random
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

import asyncpg

from tests.support.data.postgres_server import Server

Row = tuple[Any, ...]
Query = Callable[[str], list[Row]]
T = TypeVar("T")


class Kept(Protocol):
    """A database, seen from outside. ``troubles``: how often it had which of its own."""

    url: str
    troubles: Counter[str]

    def query(self, statement: str) -> list[Row]:
        """What a query finds; nothing where there are no tables yet."""

    def at_one_moment(self) -> AbstractContextManager[Query]:
        """``query`` for several that are to find what there is now, whatever others do meanwhile."""

    def run(self, statement: str) -> None:
        """Change what is kept, while nobody else does."""

    def trouble(self, lots: random.Random) -> None:
        """Have one, in a thread; it is over at the end."""

    def remove(self) -> None: ...


class InFile:
    """A file, which has no troubles."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "damero.sqlite3"
        self.url = f"sqlite+aiosqlite:///{self._file}"
        self.troubles: Counter[str] = Counter()

    def query(self, statement: str) -> list[Row]:
        with self.at_one_moment() as query:
            return query(statement)

    @contextmanager
    def at_one_moment(self) -> Iterator[Query]:
        def query(statement: str) -> list[Row]:
            try:
                return connection.execute(statement).fetchall()
            except sqlite3.OperationalError as error:
                # Killed before the first transaction: there is nothing yet.
                if "no such table" in str(error):
                    return []
                raise

        with closing(sqlite3.connect(self._file, isolation_level=None)) as connection:
            connection.execute("BEGIN")
            yield query

    def run(self, statement: str) -> None:
        connection = sqlite3.connect(self._file)
        with connection:
            connection.execute(statement)
        connection.close()

    def trouble(self, lots: random.Random) -> None: ...

    def remove(self) -> None: ...


class InPostgreSQL:
    """A server that is killed as by a loss of power and started anew, or ends all its connections."""

    def __init__(self) -> None:
        self._server = Server(safe=True)
        self._server.run("CREATE DATABASE damero")
        self.url = self._server.url("damero")
        self.troubles: Counter[str] = Counter()

    def query(self, statement: str) -> list[Row]:
        try:
            return self._again(partial(self._server.rows, statement, "damero"))
        except (asyncpg.UndefinedTableError, asyncpg.InFailedSQLTransactionError):
            # The second: at one moment, and the one before found no table.
            return []

    @contextmanager
    def at_one_moment(self) -> Iterator[Query]:
        # The server keeps the connection.
        self._again(partial(self.run, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"))
        try:
            yield self.query
        finally:
            self.run("ROLLBACK")

    def run(self, statement: str) -> None:
        self._server.run(statement, "damero")

    def _again(self, ask: Callable[[], T]) -> T:
        """Ask on another connection where the last trouble has cut this one as well, which is heard of with the next
        question."""
        try:
            return ask()
        except (asyncpg.PostgresConnectionError, asyncpg.AdminShutdownError, asyncpg.InternalClientError, OSError):
            self._server.hang_up("damero")
            return ask()

    def trouble(self, lots: random.Random) -> None:
        if lots.random() < 0.2:
            self._server.stop(signal.SIGQUIT)
            self._server.start()
            self.troubles["server killed"] += 1
        else:
            self._server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'damero'")
            self.troubles["connections cut"] += 1

    def remove(self) -> None:
        self._server.remove()
