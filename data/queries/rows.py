"""What queries share: reading ids, numbers and rows, and keeping rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite

from data.connections import AsyncConnection
from data.execution import Prepared

Options = Mapping[str, str | bool | int]
"""A game's options, as the engine reads them."""


T = TypeVar("T")


def select(row: type[NamedTuple], table: sa.Table) -> sa.Select[Any]:
    """All rows of a table, of its columns those that ``row`` has as fields."""
    return sa.select(*(table.c[name] for name in row._fields))


async def number(tx: AsyncConnection, query: sa.Executable, values: Mapping[str, Any] | None = None) -> int | None:
    """The first number that a query finds; None where it finds none."""
    value = (await tx.execute(query, values)).scalar()
    return None if value is None else int(value)


async def numbers(tx: AsyncConnection, query: sa.Executable) -> list[int]:
    """The numbers that a query finds, in its order."""
    return [int(value) for value in (await tx.execute(query)).scalars() if value is not None]


async def count(tx: AsyncConnection, *conditions: sa.ColumnElement[bool]) -> int:
    """How many rows of the table of which the conditions speak fulfil them."""
    return int((await tx.execute(sa.select(sa.func.count()).where(*conditions))).scalar_one())


async def one(
    tx: AsyncConnection, query: sa.Executable, row: Callable[..., T], values: Mapping[str, Any] | None = None
) -> T | None:
    """The first row that a query finds; None where it finds none."""
    result = await tx.execute(query, values)
    first = result.first()
    return None if first is None else row(**dict(zip(result.keys(), first, strict=True)))


async def every(
    tx: AsyncConnection, query: sa.Executable, row: Callable[..., T], values: Mapping[str, Any] | None = None
) -> list[T]:
    """The rows that a query finds, in its order."""
    result = await tx.execute(query, values)
    return [row(**dict(zip(result.keys(), each, strict=True))) for each in result]


async def put_values(tx: AsyncConnection, table: sa.Table, key: Mapping[str, Any], **values: Any) -> None:
    """Write the values of the row that has a key, which may be new."""
    of = [table.c[name] == value for name, value in key.items()]
    if not (await tx.execute(sa.update(table).where(*of).values(**values))).rowcount:
        await tx.execute(sa.insert(table).values(**key, **values))


async def put_row(tx: AsyncConnection, table: sa.Table, row: NamedTuple) -> None:
    """Keep a row in place of the one that has the same key, or as a new one."""
    values = row._asdict()
    key = {column.name: values.pop(column.name) for column in table.primary_key}
    await put_values(tx, table, key, **values)


def upsert(table: sa.Table, key: Sequence[str], values: Sequence[str]) -> Prepared:
    """The statement that adds a row, or gives the one that has its ``key`` new ``values``."""
    changed: dict[str, Any] = {name: sa.literal_column(f"excluded.{name}") for name in values}

    def postgresqls() -> sa.Insert:
        # What the toolkit knows of a kind of database is imported where there is such a one.
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table).on_conflict_do_update(index_elements=key, set_=changed)

    return Prepared(sqlite.insert(table).on_conflict_do_update(index_elements=key, set_=changed), postgresqls)


def new(row: NamedTuple) -> dict[str, Any]:
    """The values of a row that is to be added: all but its id, which the store gives."""
    return {name: value for name, value in row._asdict().items() if name != "id"}
