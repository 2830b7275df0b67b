"""What queries share: reading ids, numbers and rows, the columns of a row, and keeping one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, ClassVar, Protocol, TypeVar

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection


def columns(row: type[Any], table: sa.Table) -> list[sa.Column[Any]]:
    """The columns of a table that a row holds, in the order of its fields."""
    return [table.c[field.name] for field in fields(row)]


async def number(tx: AsyncConnection, query: sa.Executable, values: Mapping[str, Any] | None = None) -> int | None:
    """The first number that a query finds; None where it finds none."""
    value = (await tx.execute(query, values)).scalar()
    return None if value is None else int(value)


async def numbers(tx: AsyncConnection, query: sa.Executable) -> list[int]:
    """The numbers that a query finds, in its order."""
    return [int(value) for value in (await tx.execute(query)).scalars() if value is not None]


class Row(Protocol):
    """A dataclass that has the names of a table's columns."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


R = TypeVar("R", bound=Row)


async def one(
    tx: AsyncConnection, query: sa.Executable, row: Callable[..., R], values: Mapping[str, Any] | None = None
) -> R | None:
    """The first row that a query finds; None where it finds none."""
    mapping = (await tx.execute(query, values)).mappings().first()
    return None if mapping is None else row(**mapping)


async def every(tx: AsyncConnection, query: sa.Executable, row: Callable[..., R]) -> list[R]:
    """The rows that a query finds, in its order."""
    return [row(**mapping) for mapping in (await tx.execute(query)).mappings()]


async def put(tx: AsyncConnection, table: sa.Table, row: Row, *key: str) -> None:
    """Keep a row in place of the one that has the same values under ``key``, or as a new one."""
    values = {field.name: getattr(row, field.name) for field in fields(row)}
    of = [table.c[name] == values[name] for name in key]
    changed = {name: value for name, value in values.items() if name not in key}
    if not (await tx.execute(sa.update(table).where(*of).values(**changed))).rowcount:
        await tx.execute(sa.insert(table).values(**values))


def new(row: Row) -> dict[str, Any]:
    """The values of a row that is to be added: all but its id, which the store gives."""
    return {field.name: getattr(row, field.name) for field in fields(row) if field.name != "id"}
