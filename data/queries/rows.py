"""What queries share: reading ids and numbers, the columns of a row, and adding one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, ClassVar, Protocol

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


def new(row: Row) -> dict[str, Any]:
    """The values of a row that is to be added: all but its id, which the store gives."""
    return {field.name: getattr(row, field.name) for field in fields(row) if field.name != "id"}
