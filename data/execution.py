"""How statements are run that come with every turn, and how values are written."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite.aiosqlite import dialect
from sqlalchemy.ext.asyncio import AsyncConnection

to_json: Final = json.JSONEncoder(separators=(",", ":")).encode
"""JSON as it is stored: without blanks, which were a tenth of a turn's row."""

_DIALECT: Final = dialect(json_serializer=to_json)

Statement = sa.Select[Any] | sa.Insert | sa.Update | sa.Delete


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A statement as SQLite's driver takes it. ``binds``: of each mark its name, the value that it has of itself, and
    what makes a stored value of a given one; ``reads``: which columns are read by what."""

    sql: str
    binds: tuple[tuple[str, Any, Callable[[Any], Any] | None], ...]
    reads: tuple[tuple[int, Callable[[Any], Any]], ...]

    def values(self, given: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(
            own if name not in given else given[name] if stored is None else stored(given[name])
            for name, own, stored in self.binds
        )

    def row(self, found: Sequence[Any]) -> Sequence[Any]:
        if not self.reads:
            return found
        row = list(found)
        for at, read in self.reads:
            row[at] = read(row[at])
        return row


class Prepared:
    """A statement that comes with every turn. For SQLite it is compiled once for the names of its values, and handed to
    the driver itself: the toolkit's way there costs more than SQLite's own work."""

    def __init__(self, statement: Statement, postgresql: Callable[[], Statement] | None = None) -> None:
        """``postgresql`` makes the statement for PostgreSQL, where that is another one."""
        self._statement = statement
        self._postgresql = postgresql
        self._compiled: dict[tuple[str, ...], _Compiled] = {}

    @cached_property
    def _elsewhere(self) -> Statement:
        return self._statement if self._postgresql is None else self._postgresql()

    async def rows(self, tx: AsyncConnection, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """The rows that it finds or returns. Raises DBAPIError."""
        if (driven := _sqlite(tx)) is None:
            return (await tx.execute(self._elsewhere, values)).all()
        compiled = self._for(values)
        given = compiled.values(values)
        try:
            return [compiled.row(found) for found in await driven.rows(compiled.sql, given)]
        except sqlite3.Error as error:
            kind = getattr(sa.exc, type(error).__name__, sa.exc.DatabaseError)
            raise kind(compiled.sql, given, error) from error

    async def put_off(self, tx: AsyncConnection, values: Mapping[str, Any]) -> None:
        """Let it run with the next statement of the transaction that is waited for, or with the commit, which then
        raises what it raises: nobody needs its result, rowcount included."""
        if (driven := _sqlite(tx)) is None:
            await tx.execute(self._elsewhere, values)
        else:
            compiled = self._for(values)
            driven.run_later(compiled.sql, compiled.values(values))

    def _for(self, values: Mapping[str, Any]) -> _Compiled:
        names = tuple(values)
        compiled = self._compiled.get(names)
        if compiled is None:
            compiled = self._compiled[names] = _compiled(self._statement, names)
        return compiled


def _sqlite(tx: AsyncConnection) -> Any:
    """SQLite's driver, where that is below a transaction."""
    if tx.dialect.name != "sqlite":
        return None
    connection = tx.sync_connection
    assert connection is not None
    return connection.connection.driver_connection


def _compiled(statement: Statement, names: Sequence[str]) -> _Compiled:
    compiled: Any = statement.compile(dialect=_DIALECT, column_keys=list(names))
    binds = []
    for name in compiled.positiontup:
        stored = compiled.binds[name].type.dialect_impl(_DIALECT).bind_processor(_DIALECT)
        own = None if name in names else compiled.params[name]
        binds.append((name, own if stored is None or name in names else stored(own), stored))
    read = [column.type.dialect_impl(_DIALECT).result_processor(_DIALECT, None) for column in _columns(statement)]
    return _Compiled(compiled.string, tuple(binds), tuple((at, one) for at, one in enumerate(read) if one is not None))


def _columns(statement: Statement) -> Sequence[sa.ColumnElement[Any]]:
    return list(statement.selected_columns if isinstance(statement, sa.Select) else statement.exported_columns)
