"""How statements are run that come with every turn, and how values are written."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from data.connections import AsyncConnection

to_json: Final = json.JSONEncoder(separators=(",", ":")).encode
"""JSON as it is stored: without blanks, which were a tenth of a turn's row."""

# PostgreSQL's number of the type of fractions, by which the toolkit chooses what reads them.
_FLOAT8: Final = 701

Statement = sa.Select[Any] | sa.CompoundSelect[Any] | sa.Insert | sa.Update | sa.Delete


class _Compiled(NamedTuple):
    """A statement as the driver takes it. ``changes``: the table that it changes; ``binds``: of each mark its name, the
    value that it has of itself, and what makes a stored value of a given one; ``reads``: which columns are read by
    what."""

    sql: str
    changes: str | None
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
    """A statement that comes with every turn. It is compiled once for the names of its values, and handed to the driver
    itself: the toolkit's way there costs more than the database's own work."""

    def __init__(self, statement: Statement, postgresql: Callable[[], Statement] | None = None) -> None:
        """``postgresql`` makes the statement for PostgreSQL, where that is another one."""
        self._statement = statement
        self._postgresql = postgresql
        self._compiled: dict[tuple[str, ...], _Compiled] = {}

    async def rows(self, tx: AsyncConnection, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """The rows that it finds or returns. Raises DBAPIError."""
        compiled = self._for(tx, values)
        found = await driven(tx).rows(compiled.sql, compiled.values(values), compiled.changes)
        return [compiled.row(each) for each in found]

    async def put_off(self, tx: AsyncConnection, values: Mapping[str, Any]) -> None:
        """Let it run with the next statement of the transaction that is waited for, or with the commit, which then
        raises what it raises: nobody needs its result, rowcount included."""
        compiled = self._for(tx, values)
        await driven(tx).run_later(compiled.sql, compiled.values(values), compiled.changes)

    async def rows_later(self, tx: AsyncConnection, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        """The rows that it returns, as the driver gives them: they are there once the transaction has been committed,
        or a statement after it was waited for."""
        compiled = self._for(tx, values)
        found: Sequence[Sequence[Any]] = await driven(tx).rows_later(
            compiled.sql, compiled.values(values), compiled.changes
        )
        return found

    async def check_later(
        self, tx: AsyncConnection, values: Mapping[str, Any], check: Callable[[Sequence[Sequence[Any]]], None]
    ) -> None:
        """Let ``check`` see the rows that it finds, before the next statement of the transaction that is waited for, or
        the commit, which then raises what ``check`` raises. It may be called in another thread."""
        compiled = self._for(tx, values)

        def checked(found: Iterable[Sequence[Any]]) -> None:
            check([compiled.row(each) for each in found])

        await driven(tx).check_later(compiled.sql, compiled.values(values), checked)

    def _for(self, tx: AsyncConnection, values: Mapping[str, Any]) -> _Compiled:
        names = (tx.dialect.name, *values)
        compiled = self._compiled.get(names)
        if compiled is None:
            elsewhere = self._postgresql if tx.dialect.name == "postgresql" else None
            statement = self._statement if elsewhere is None else elsewhere()
            compiled = self._compiled[names] = _compiled(statement, tx.dialect, list(values))
        return compiled


def driven(tx: AsyncConnection) -> Any:
    """The driver's connection below a transaction."""
    connection = tx.sync_connection
    assert connection is not None
    return connection.connection.driver_connection


def _compiled(statement: Statement, dialect: sa.Dialect, names: Sequence[str]) -> _Compiled:
    compiled: Any = statement.compile(dialect=dialect, column_keys=list(names))
    binds = []
    for name in compiled.positiontup:
        stored = compiled.binds[name].type.dialect_impl(dialect).bind_processor(dialect)
        own = None if name in names else compiled.params[name]
        binds.append((name, own if stored is None or name in names else stored(own), stored))
    read = [
        column.type.dialect_impl(dialect).result_processor(dialect, _FLOAT8 if isinstance(column.type, sa.Float) else 0)
        for column in _columns(statement)
    ]
    reads = tuple((at, one) for at, one in enumerate(read) if one is not None)
    changed = getattr(statement, "table", None)
    return _Compiled(compiled.string, None if changed is None else changed.name, tuple(binds), reads)


def _columns(statement: Statement) -> Sequence[sa.ColumnElement[Any]]:
    if isinstance(statement, (sa.Select, sa.CompoundSelect)):
        return list(statement.selected_columns)
    return list(statement.exported_columns)
