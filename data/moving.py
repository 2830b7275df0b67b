"""All that one store holds in another: out of a file into a PostgreSQL, and back."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, StatementError

from data import schema
from data.connections import AsyncConnection
from data.errors import UNREADABLE, StoreError

_AT_ONCE = 1000


class _Content(NamedTuple):
    """What a table holds: how many rows, and a sum of what they say that does not ask for their order."""

    rows: int = 0
    total: int = 0

    def with_rows(self, rows: Sequence[sa.RowMapping]) -> _Content:
        marks = (hashlib.sha256(repr(tuple(row.values())).encode()).digest() for row in rows)
        total = self.total + sum(int.from_bytes(mark[:16], "big") for mark in marks)
        return _Content(self.rows + len(rows), total % 2**128)


async def copy(source: AsyncConnection, target: AsyncConnection) -> Mapping[str, int]:
    """Copy every row of one store to another, which is empty, within the caller's transactions; then read them there
    and compare. Ids that were given are not given again. Returns how many rows each table has.

    Raises StoreError where the target is not empty, or takes a row otherwise or not at all; roll back then."""
    for tx in (source, target):
        if _is_postgresql(tx):
            # While the one is read, or its games are replayed, nothing is asked of the other.
            await tx.execute(sa.text("SET LOCAL idle_in_transaction_session_timeout = 0"))
    tables = schema.metadata.sorted_tables
    for table in tables:
        if (await target.execute(sa.select(sa.literal(1)).select_from(table).limit(1))).first() is not None:
            raise StoreError(f"Where the games are to go there are some already (in the table {table.name}).")
    copied = {}
    for table in tables:
        content = _Content()
        async for rows in _readable(source, table):
            content = content.with_rows(rows)
            try:
                await target.execute(sa.insert(table), [dict(row) for row in rows])
            except DBAPIError as error:
                raise StoreError(f"A row of the table {table.name} cannot be taken over: {error.orig}") from error
            except (StatementError, RecursionError) as error:
                # A file takes any value in any column. Which it was is not told: people wrote it.
                raise _damaged(table) from error
        arrived = _Content()
        async for rows in _batches(target, table):
            arrived = arrived.with_rows(rows)
        if arrived != content:
            raise StoreError(f"The table {table.name} is not the same there: {arrived.rows} rows of {content.rows}.")
        if schema.gives_ids(table):
            await _go_on_from(target, table, await _last_given(source, table))
        copied[table.name] = content.rows
    return copied


async def _readable(source: AsyncConnection, table: sa.Table) -> AsyncIterator[Sequence[sa.RowMapping]]:
    """As ``_batches``. Raises StoreError where a row cannot be read."""
    try:
        async for rows in _batches(source, table):
            yield rows
    except UNREADABLE as error:
        if isinstance(error, DBAPIError) and error.connection_invalidated:
            raise
        raise _damaged(table) from error


def _damaged(table: sa.Table) -> StoreError:
    return StoreError(
        f"The table {table.name} holds a value that cannot be read: it is damaged. Nothing was moved. "
        "Find it with damero check-store, or move a copy from before."
    )


async def _batches(tx: AsyncConnection, table: sa.Table) -> AsyncIterator[Sequence[sa.RowMapping]]:
    """The rows of a table, in the order of its key: what a row refers to in its own table was there before it."""
    key = list(table.primary_key)
    query = sa.select(table).order_by(*key).limit(_AT_ONCE)
    later = query
    while rows := (await tx.execute(later)).mappings().all():
        yield rows
        last = (sa.literal(rows[-1][column.name], column.type) for column in key)
        later = query.where(sa.tuple_(*key) > sa.tuple_(*last))


def _is_postgresql(tx: AsyncConnection) -> bool:
    return tx.dialect.name == "postgresql"


async def _last_given(tx: AsyncConnection, table: sa.Table) -> int:
    """The last id that a store has given to a row of a table; 0: none."""
    given = "SELECT seq FROM sqlite_sequence WHERE name = :table"
    if _is_postgresql(tx):
        given = f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {_sequence(table)}"
    last = (await tx.execute(sa.text(given), {} if _is_postgresql(tx) else {"table": table.name})).scalar()
    largest = (await tx.execute(sa.select(sa.func.max(table.c.id)))).scalar()
    return max(last or 0, largest or 0)


async def _go_on_from(tx: AsyncConnection, table: sa.Table, last: int) -> None:
    """Let the next row of a table have an id above ``last``."""
    if not last:
        return
    if _is_postgresql(tx):
        await tx.execute(sa.text(f"SELECT setval('{_sequence(table)}', {last:d})"))
        return
    values = {"table": table.name, "last": last}
    await tx.execute(sa.text("DELETE FROM sqlite_sequence WHERE name = :table"), {"table": table.name})
    await tx.execute(sa.text("INSERT INTO sqlite_sequence (name, seq) VALUES (:table, :last)"), values)


def _sequence(table: sa.Table) -> str:
    return f"{table.name}_id_seq"
