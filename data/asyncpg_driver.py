"""asyncpg with a way past SQLAlchemy, which costs more than the statements themselves, and whose errors it raises."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

import asyncpg
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from data.errors import Unavailable

# As SQLAlchemy translates the driver's errors: the first that fits.
_KINDS: tuple[tuple[type[Exception], type[DBAPIError]], ...] = (
    (asyncpg.IntegrityConstraintViolationError, sa.exc.IntegrityError),
    (asyncpg.SyntaxOrAccessError, sa.exc.ProgrammingError),
    (asyncpg.InterfaceError, sa.exc.InterfaceError),
    (asyncpg.PostgresError, DBAPIError),
)


class Connection(asyncpg.Connection):  # type: ignore[misc]
    """A connection of the driver."""

    ran: Callable[[], None]

    async def rows(self, sql: str, parameters: Sequence[Any]) -> Sequence[Sequence[Any]]:
        """What a statement finds or returns. Raises DBAPIError or Unavailable."""
        self.ran()
        with self._told(sql, parameters):
            found: Sequence[Sequence[Any]] = await self.fetch(sql, *parameters)
        return found

    async def run_later(self, sql: str, parameters: Sequence[Any]) -> None:
        """Run a statement whose result nobody needs. Raises DBAPIError or Unavailable."""
        await self.rows(sql, parameters)

    @asynccontextmanager
    async def begun(self, *beginning: str) -> AsyncIterator[None]:
        """A transaction that begins with some statements, which find nothing that is needed. Raises DBAPIError or
        Unavailable."""
        try:
            try:
                # All at once: each by itself would be a way to the server and back.
                await self._run("; ".join(beginning))
                yield
            except Exception:
                with suppress(DBAPIError, Unavailable):
                    await self._run("ROLLBACK")
                raise
            await self._run("COMMIT")
        except BaseException:
            if self.is_in_transaction():
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
        except (OSError, TimeoutError) as error:
            raise no_answer(error) from error
        except (asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            kind = next(translated for own, translated in _KINDS if isinstance(error, own))
            raise kind(sql, tuple(parameters), error, connection_invalidated=self.is_closed()) from error


def counted(ran: Callable[[], None]) -> type[Connection]:
    """Connections that call ``ran`` for each statement; the driver makes them itself, by their class."""
    return type("CountedConnection", (Connection,), {"ran": staticmethod(ran)})


def no_answer(error: BaseException) -> Unavailable:
    """What is said of a server that is out of reach."""
    return Unavailable(f"The database does not answer: {error or type(error).__name__}")
