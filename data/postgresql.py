"""PostgreSQL under the store: one writer at a time in all processes, as with a file, and connections that may be lost.

Whoever writes holds one lock from the beginning of a transaction to its end, so what a use case has read is still so
when it writes; no transaction has to be done over. It reads what is committed at each statement (READ COMMITTED), which
after the lock is what the last writer has left. Readers see all of one moment (REPEATABLE READ).
"""

from __future__ import annotations

import asyncio
import re
import secrets
import socket
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from time import monotonic
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from data.connections import AsyncConnection, AsyncEngine, create_async_engine
from data.errors import StoreError, Unavailable
from data.execution import driven, to_json

OLDEST: Final = 16
"""The first version of PostgreSQL that is served."""

# Seconds: for a connection; for an answer to a statement, after which the connection counts as lost; until the server
# ends a transaction in which nothing is asked, so that a process that hangs does not hold the lock; and for finding out
# what became of a transaction that was lost while it was being stored.
CONNECT = 5.0
ANSWER = 10.0
IDLE = 60
DOUBT = 5.0
# How often a migration is tried, which may be ended where others read meanwhile.
MIGRATIONS = 20

# What all who write hold: any number that other programs in this database do not take.
WRITERS: Final = int.from_bytes(b"damero", "big")

# SQLSTATEs, or beginnings of them, of faults that pass: lost connections, a standby, somebody idle, one of two who wait
# for each other, too little of something, a lock, the operator's doing, the disk.
_PASSING: Final = ("08", "25006", "25P03", "40", "53", "55P03", "57", "58")
_LOCKED: Final = "55P03"
_DEADLOCK: Final = "40P01"

# Why there is no connection, and will be none without other settings: no such name of a machine, user or password,
# database.
_NO_NAME: Final = (socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME))
_ELSEWHERE: Final = ("28000", "28P01", "3D000")

_BACK: Final = 0.2


class Claim(NamedTuple):
    """A transaction that writes: the server's process that it is in, and its number; ``signed``: how many of the shards
    of whoever writes are theirs."""

    process: int
    number: str
    signed: int


class PostgreSQL:
    """A database by its URL (``postgresql+asyncpg://user:password@host/name``)."""

    file = None

    def __init__(self, url: sa.URL, patience_ms: int, ran: Callable[[], None]) -> None:
        """``patience_ms``: how long to wait for another process that is writing; ``ran`` is called for each
        statement. Raises StoreError where the driver is missing."""
        query = dict(url.query)
        if "sslmode" in query:
            # As all other programs have it.
            query["ssl"] = query.pop("sslmode")
        self._url = url.set(query=query)
        self._patience_ms, self._ran = patience_ms, ran
        self._name = f"damero-{secrets.token_hex(4)}"
        self._process: int | None = None
        try:
            import asyncpg

            from data import asyncpg_driver
        except ImportError as error:
            raise StoreError("PostgreSQL needs the extra `postgres`: pip install 'damero[postgres]'.") from error
        self._driver: Any = asyncpg
        self._connections, self._no_answer = asyncpg_driver.counted(ran), asyncpg_driver.no_answer
        self._keep_values_out = asyncpg_driver.keep_values_out

    async def prepare(self) -> None:
        """Nothing is copied before a migration: an operator of PostgreSQL has copies."""

    def engine(self, *, writes: bool) -> AsyncEngine:
        return self._engine(writes=writes, lock_ms=self._patience_ms, answer=ANSWER, of_store=True)

    def engine_for_locks(self, name: str, server_settings: Mapping[str, str]) -> AsyncEngine:
        """The one connection of who holds locks as long as it lasts; ``name``: how the server knows it."""
        more = {"application_name": name, **server_settings}
        return self._engine(writes=True, lock_ms=self._patience_ms, answer=CONNECT, more=more)

    def _engine(
        self,
        *,
        writes: bool,
        lock_ms: int,
        answer: float | None,
        more: Mapping[str, str] = MappingProxyType({}),
        of_store: bool = False,
    ) -> AsyncEngine:
        server_settings = {
            "application_name": self._name,
            "lock_timeout": str(lock_ms),
            "idle_in_transaction_session_timeout": str(IDLE * 1000),
            "default_transaction_read_only": "off" if writes else "on",
            **more,
        }
        engine = create_async_engine(
            self._url,
            pool_size=1 if writes else 5,
            max_overflow=0,
            json_serializer=to_json,
            hide_parameters=True,  # what people wrote is never logged
            connect_args={
                "async_creator_fn": self._connect,
                "timeout": CONNECT,
                "command_timeout": answer,
                "server_settings": server_settings,
            },
            # ``begin`` begins with the driver itself.
            execution_options={"isolation_level": "AUTOCOMMIT"} if of_store else {},
        )

        def runs(connection: sa.Connection, *_about: object) -> None:
            self._ran()
            through: Any = connection.connection.dbapi_connection
            if through.driver_connection.waits:
                through.run_async(lambda driven: driven.catch_up())

        def checked_out(connection: Any, _record: object, _proxy: object) -> None:
            if connection.driver_connection.is_closed():
                # The pool takes another: the server was started anew since.
                raise sa.exc.DisconnectionError

        def failed(context: sa.engine.ExceptionContext) -> None:
            error = context.original_exception
            if isinstance(error, OSError | TimeoutError):
                raise self._no_answer(error) from error
            self._keep_values_out(error.__cause__, error, context.sqlalchemy_exception)

        sa.event.listen(engine.sync_engine, "before_cursor_execute", runs)
        sa.event.listen(engine.sync_engine, "checkout", checked_out)
        sa.event.listen(engine.sync_engine, "handle_error", failed)
        return engine

    async def _connect(self, **given: Any) -> Any:
        """A connection of the driver. Raises Unavailable."""
        try:
            return await self._driver.connect(**given, connection_class=self._connections)
        except (OSError, TimeoutError, self._driver.PostgresError, self._driver.InterfaceError) as error:
            why = re.sub(r"\[Errno -?\d+\] ", "", str(error)) or type(error).__name__
            raise Unavailable(f"The database is out of reach: {why}") from error

    def is_elsewhere(self, error: BaseException) -> bool:
        why = error.__cause__
        if isinstance(why, socket.gaierror):
            return why.errno in _NO_NAME
        return getattr(why, "sqlstate", None) in _ELSEWHERE

    async def migrate(self, _writers: AsyncEngine, migrate: Callable[[sa.Connection], None]) -> None:
        """Raises StoreError where the server is not one that can be used."""
        # A migration takes what it takes, and who starts at the same time waits for it.
        engine = self._engine(writes=True, lock_ms=0, answer=None)
        try:
            for left in reversed(range(MIGRATIONS)):
                try:
                    async with engine.begin() as tx:
                        await self._check(tx)
                        await tx.exec_driver_sql(_ALONE)
                        await tx.run_sync(migrate)
                    return
                except DBAPIError as error:
                    # Others read meanwhile, several tables one after the other: they and this may wait for each other.
                    if not left or _state(error) != _DEADLOCK:
                        raise
                await asyncio.sleep(_BACK)
        finally:
            await engine.dispose()

    async def _check(self, tx: AsyncConnection) -> None:
        version, encoding = (await tx.execute(_ABOUT)).one()
        if version // 10_000 < OLDEST:
            raise StoreError(f"PostgreSQL {version // 10_000} is too old: Damero needs {OLDEST} or newer.")
        if encoding != "UTF8":
            raise StoreError(f"The database's encoding is {encoding}: make one with ENCODING 'UTF8'.")

    def begin(self, tx: AsyncConnection, *, writes: bool, once: bool) -> AbstractAsyncContextManager[object]:
        if writes:
            return self._alone(tx)
        # A statement alone is a transaction by itself.
        begun: AbstractAsyncContextManager[object] = nullcontext() if once else driven(tx).begun(_READS)
        return begun

    @asynccontextmanager
    async def _alone(self, tx: AsyncConnection) -> AsyncIterator[None]:
        """A transaction that begins once nobody else writes, and keeps others from it."""
        process = driven(tx).get_server_pid()
        if self._process not in (None, process):
            # What is left of a connection that was lost on the way would keep the lock.
            await tx.execute(_END, {"process": self._process, "name": self._name})
        self._process = process
        async with driven(tx).begun("BEGIN", _ALONE):
            yield

    async def claim(self, tx: AsyncConnection, *, lasting: bool, keys: Sequence[str], sign: str) -> Claim:
        """While the disk is waited for, nobody writes; that is not done for what is not ``lasting``."""
        found = await driven(tx).rows(_CLAIM if lasting else _CLAIM_FOR_NOW, (keys, sign))
        number, signed = found[0][:2]
        return Claim(self._process or 0, number, signed)

    async def was_stored(self, lost: Claim) -> bool:
        """Whether a transaction was committed whose connection was lost at its end; if it has not ended, it is ended.
        Raises Unavailable when that cannot be found out."""
        until = monotonic() + DOUBT
        while True:
            try:
                return await self._fate(lost)
            except Unavailable:
                if monotonic() > until:
                    raise
                await asyncio.sleep(_BACK)

    async def _fate(self, lost: Claim) -> bool:
        engine = self._engine(writes=True, lock_ms=self._patience_ms, answer=CONNECT)
        try:
            async with engine.connect() as asking:
                await asking.execute(_END, {"process": lost.process, "name": self._name})
                fate = (await asking.execute(_FATE, {"number": lost.number})).scalar()
        except DBAPIError as error:
            raise Unavailable(f"The database is out of reach: {error.orig}") from error
        finally:
            await engine.dispose()
        if fate == "in progress":
            raise Unavailable("A transaction has not ended.")
        return fate == "committed"

    def usable(self, tx: AsyncConnection) -> bool:
        """Whether a connection has not ended while nothing was asked."""
        return not (tx.invalidated or driven(tx).is_closed())

    def passes(self, error: DBAPIError) -> bool:
        state = _state(error)
        if state:
            return state.startswith(_PASSING)
        # What is refused before it is sent is our mistake; all else of the driver's is about the connection.
        cause = getattr(error.orig, "driver_exception", error.orig)
        ends = isinstance(cause, self._driver.InternalClientError)
        return ends or (isinstance(error, sa.exc.InterfaceError) and not isinstance(cause, self._driver.DataError))

    def waited(self, error: DBAPIError) -> bool:
        return _state(error) == _LOCKED

    async def let_go(self) -> None:
        """The engines' connections are all that there was."""


def _state(error: DBAPIError) -> str:
    return getattr(error.orig, "sqlstate", None) or ""


_ABOUT = sa.text("SELECT CAST(current_setting('server_version_num') AS int), current_setting('server_encoding')")
_READS = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_ALONE = f"SELECT pg_advisory_xact_lock({WRITERS})"
SIGNED: Final = "SELECT count(*) FROM key_values WHERE key = ANY($1) AND value = $2"
"""How many of some keys have a sign."""
# After the lock, so that it sees what the last writer has left, and a number is given to who has the lock.
_CLAIM = f"SELECT CAST(pg_current_xact_id() AS text), ({SIGNED})"
_CLAIM_FOR_NOW = f"{_CLAIM}, set_config('synchronous_commit', 'off', true)"
_END = sa.text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = :process AND application_name = :name"
)
_FATE = sa.text("SELECT pg_xact_status(CAST(CAST(:number AS text) AS xid8))")
