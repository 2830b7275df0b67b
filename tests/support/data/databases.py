"""Databases for tests: files of SQLite's, or with DAMERO_TEST_DATABASE=postgresql databases of a PostgreSQL."""

from __future__ import annotations

import atexit
import functools
import itertools
import os
from pathlib import Path

import asyncpg
import sqlalchemy as sa

from data import schema
from data.store import Store
from tests.support.data.postgres_server import Server

POSTGRESQL = os.environ.get("DAMERO_TEST_DATABASE", "sqlite") == "postgresql"
"""Whether the tests of what is above the store are to run on PostgreSQL."""

_TEMPLATE = "template_damero"
_numbers = itertools.count(1)
_given: dict[Path, str] = {}
_free: list[str] = []


@functools.cache
def server() -> Server:
    """The server of this process, started when it is first asked for."""
    made = Server()
    atexit.register(made.remove)
    return made


def url_of(file: Path) -> str:
    """The URL of a database for a test, by the file that it would be in: new and empty, or as the test has left it."""
    if not POSTGRESQL:
        return f"sqlite+aiosqlite:///{file}"
    if file not in _given:
        _given[file] = _clean(_free.pop()) if _free else new_database(migrated=True)
    return server().url(_given[file])


@sa.event.listens_for(sa.Engine, "before_execute")
def no_text_is_put_in_order(connection: sa.Connection, statement: object, *_values: object) -> None:
    """Databases put texts in order by rules of their own; the code does it by itself."""
    if isinstance(statement, sa.Select) and connection.engine.url.database in _given.values():
        ordered = [getattr(clause, "element", clause) for clause in statement._order_by_clauses]
        assert not [clause for clause in ordered if isinstance(clause.type, sa.String)], statement


def give_back() -> None:
    """At the end of a test: its databases may be used by the next one."""
    _free.extend(_given.values())
    _given.clear()


def new_database(*, migrated: bool = False) -> str:
    """The name of a new database: without any tables, or as the migrations make it. Whoever makes it drops it."""
    name = f"test_{next(_numbers)}"
    server().run(f"CREATE DATABASE {name}" + (f" TEMPLATE {_template()} STRATEGY file_copy" if migrated else ""))
    return name


@functools.cache
def _template() -> str:
    """A database as the migrations make it."""
    server().run(f"CREATE DATABASE {_TEMPLATE}")
    store = Store(server().url(_TEMPLATE))

    async def make() -> None:
        await store.open()
        await store.close()

    # In a thread, as the test may have an event loop.
    server().wait_for(make())
    return _TEMPLATE


_OTHERS = "datname = current_database() AND pid <> pg_backend_pid()"


def _clean(name: str) -> str:
    """A database that was used, empty again."""
    tables = list(reversed(schema.metadata.sorted_tables))
    ended = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {_OTHERS}"
    deleted = [f"DELETE FROM {table.name}" for table in tables]
    counted = [f"ALTER SEQUENCE {table.name}_id_seq RESTART" for table in tables if schema.gives_ids(table)]
    try:
        server().run(
            "; ".join((ended, *deleted, *counted)),
            name,
        )
    except asyncpg.PostgresError:
        # A test has changed its tables.
        server().drop(name)
        return new_database(migrated=True)
    return name
