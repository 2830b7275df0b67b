"""asyncpg with a way past SQLAlchemy, which costs more than the statements themselves, and whose errors it raises."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import lru_cache
from typing import Any, NamedTuple

import asyncpg
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from data.errors import Unavailable, reason

CLOSE = 1.0
"""Seconds that a server has to say good-bye."""

# As SQLAlchemy translates the driver's errors: the first that fits.
_KINDS: tuple[tuple[type[Exception], type[DBAPIError]], ...] = (
    (asyncpg.IntegrityConstraintViolationError, sa.exc.IntegrityError),
    (asyncpg.SyntaxOrAccessError, sa.exc.ProgrammingError),
    (asyncpg.InterfaceError, sa.exc.InterfaceError),
    (asyncpg.PostgresError, DBAPIError),
)


class _Change(NamedTuple):
    """A statement that changes a table, ``changes``."""

    sql: str
    parameters: Sequence[Any]
    changes: str


class Connection(asyncpg.Connection):  # type: ignore[misc]
    """A connection of the driver."""

    ran: Callable[[], None]

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._later: list[_Change] = []
        """What is to run with the next statement; no two of them change the same table."""

    @property
    def waits(self) -> bool:
        """Whether anything is to run with the next statement."""
        return bool(self._later)

    async def rows(self, sql: str, parameters: Sequence[Any], changes: str | None = None) -> Sequence[Sequence[Any]]:
        """What a statement finds or returns; ``changes``: the table that it changes. Raises DBAPIError or
        Unavailable."""
        self.ran()
        if self._later:
            if changes is None or self._changes(changes):
                await self.catch_up()
            else:
                sql, parameters = self._with_the_others(_Change(sql, parameters, changes))
        return await self._fetched(sql, parameters)

    async def run_later(self, sql: str, parameters: Sequence[Any], changes: str) -> None:
        """Run a statement with the next one, or with the end of the transaction, which then raise what it raises."""
        self.ran()
        if self._changes(changes):
            # Of two that run as one neither sees what the other has changed.
            await self.catch_up()
        self._later.append(_Change(sql, parameters, changes))

    async def rows_later(self, sql: str, parameters: Sequence[Any], changes: str) -> Sequence[Sequence[Any]]:
        """What a statement returns. It runs now, with what was put off: of several that run as one the last returns."""
        return await self.rows(sql, parameters, changes)

    async def check_later(
        self, sql: str, parameters: Sequence[Any], check: Callable[[Sequence[Sequence[Any]]], None]
    ) -> None:
        """Let ``check`` see what a statement finds. It runs now: nothing runs together with one that only finds."""
        check(await self.rows(sql, parameters))

    async def catch_up(self) -> None:
        """Run what was put off. Raises DBAPIError or Unavailable."""
        if self._later:
            await self._fetched(*self._with_the_others(self._later.pop()))

    def _changes(self, table: str) -> bool:
        return any(each.changes == table for each in self._later)

    def _with_the_others(self, last: _Change) -> tuple[str, Sequence[Any]]:
        """A statement that does what was put off, and ``last``, with its values: one way to the server and back."""
        run, self._later = [*self._later, last], []
        sql = _as_one(tuple((each.sql, len(each.parameters)) for each in run))
        return sql, [value for each in run for value in each.parameters]

    async def close(self, *, timeout: float | None = None) -> None:  # noqa: ASYNC109 -- the driver's word
        """Say good-bye; who does not answer is left."""
        with suppress(TimeoutError):
            await super().close(timeout=timeout or CLOSE)

    async def _fetched(self, sql: str, parameters: Sequence[Any]) -> Sequence[Sequence[Any]]:
        with self._told(sql, parameters):
            found: Sequence[Sequence[Any]] = await self.fetch(sql, *parameters)
        return found

    @asynccontextmanager
    async def begun(self, *beginning: str) -> AsyncIterator[None]:
        """A transaction that begins with some statements, which find nothing that is needed. Raises DBAPIError or
        Unavailable."""
        try:
            try:
                # All at once: each by itself would be a way to the server and back.
                await self._run("; ".join(beginning))
                yield
                await self.catch_up()
            except Unavailable:
                # Who does not answer would not answer this either.
                self.terminate()
                raise
            except Exception:
                self._later.clear()
                with suppress(DBAPIError, Unavailable):
                    await self._run("ROLLBACK")
                raise
            commit = asyncio.ensure_future(self._run("COMMIT"))
            try:
                await asyncio.shield(commit)
            except asyncio.CancelledError:
                # The server has been asked, and is not stopped any more: whoever reads next is to see what it did.
                await asyncio.gather(commit, return_exceptions=True)
                raise
        except BaseException:
            if not self.is_closed() and self.is_in_transaction():
                # Cancelled, or out of reach: whoever comes next gets another connection.
                self.terminate()
            raise

    async def _run(self, sql: str) -> None:
        with self._told(sql):
            await self.execute(sql)

    @contextmanager
    def _told(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[None]:
        try:
            yield
        except (OSError, TimeoutError, asyncpg.InternalClientError) as error:
            # The last: the server has ended a connection, and its end is still being read.
            raise no_answer(error) from error
        except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            keep_values_out(error)
            kind = next(translated for own, translated in _KINDS if isinstance(error, own))
            lost = self.is_closed()
            raise kind(sql, tuple(parameters), error, hide_parameters=True, connection_invalidated=lost) from error


@lru_cache(maxsize=256)
def _as_one(changes: tuple[tuple[str, int], ...]) -> str:
    """Statements, each with its number of values, as one, which returns what the last returns."""
    *others, last = changes
    parts: list[str] = []
    before = 0
    for sql, values in others:
        parts.append(f"change{len(parts)} AS ({_counted_on(sql, before)})")
        before += values
    head = f"WITH {', '.join(parts)} " if parts else ""
    return head + _counted_on(last[0], before)


def _counted_on(sql: str, before: int) -> str:
    return re.sub(r"\$(\d+)", lambda mark: f"${int(mark[1]) + before}", sql) if before else sql


def counted(ran: Callable[[], None]) -> type[Connection]:
    """Connections that call ``ran`` for each statement; the driver makes them itself, by their class."""
    return type("CountedConnection", (Connection,), {"ran": staticmethod(ran)})


def keep_values_out(error: BaseException | None, *worded: BaseException | None) -> None:
    """Errors are logged, and what people wrote is not: the server tells the row that a constraint refuses, and a value
    that cannot be read is told by the server or the driver. ``worded``: errors that repeat what this one says."""
    if isinstance(error, asyncpg.PostgresError | asyncpg.InterfaceError):
        error.detail = None
    if isinstance(error, asyncpg.DataError):
        said = error.args[0]
        by_driver = re.match(r"invalid input for query argument \$\d+", said)
        error.args = (by_driver[0] if by_driver else f"invalid input ({error.sqlstate})",)
        for each in filter(None, worded):
            each.args = (each.args[0].replace(said, error.args[0]), *each.args[1:])


def no_answer(error: BaseException) -> Unavailable:
    """What is said of a server that is out of reach."""
    return Unavailable(f"The database does not answer: {reason(error)}")
