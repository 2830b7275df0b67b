"""What a store asks its database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from data import aiosqlite_driver, asyncpg_driver
from data.store import Store


def note_statements(store: Store, monkeypatch: pytest.MonkeyPatch, note: Callable[[str, Any], None]) -> None:
    """From now on let ``note`` be called with each statement of an open store, and its values."""
    for engine in (store._writers, store._readers):
        assert engine is not None
        if engine.dialect.name != "sqlite":
            sa.event.listen(engine.sync_engine, "before_cursor_execute", lambda *about: note(about[2], about[3]))
    cursor, connection = aiosqlite_driver._Cursor, aiosqlite_driver._Connection
    kinds = [(cursor, "execute"), (cursor, "executemany"), (connection, "put_off"), (connection, "rows_later")]
    kinds += [
        (connection, "check_later"),
        (asyncpg_driver.Connection, "rows"),
        (asyncpg_driver.Connection, "run_later"),
    ]
    for kind, name in kinds:
        monkeypatch.setattr(kind, name, _noting(getattr(kind, name), note))


def _noting(run: Callable[..., Any], note: Callable[[str, Any], None]) -> Callable[..., Any]:
    def noted(home: object, sql: str, parameters: Any = (), *more: Any) -> Any:
        note(sql, parameters)
        return run(home, sql, parameters, *more)

    return noted
