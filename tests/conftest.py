"""What every test has: no settings from outside, hypothesis without a clock, and databases that are made quickly."""

from __future__ import annotations

import functools
import gc
import logging
import os
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import sqlalchemy as sa
import structlog
from hypothesis import HealthCheck, settings
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

import data.migrations
import data.postgresql
import data.sqlite
import data.store
from bot import logs
from bot.computer.endgames import lookup
from bot.settings import Settings
from tests.support.data import databases
from tests.support.thoroughness import THOROUGH

pytest_plugins = ("tests.support.games.fixtures",)

# A busy machine must not fail a property: examples are counted, not timed. Each run draws others.
settings.register_profile(
    "damero",
    deadline=None,
    max_examples=25 * THOROUGH,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.load_profile("damero")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What waits longest begins first, so that no process is still at it when the others are done."""
    items.sort(key=lambda item: ("tests/crash/" not in item.nodeid, item.get_closest_marker("xdist_group") is None))


def pytest_collection_finish() -> None:
    """What is there before the first test stays, and need not be looked through again and again for what could go:
    that took a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The developer's own token, database, .env or endgame tables never reach a test."""
    for each in fields(Settings):
        monkeypatch.delenv(each.name.upper(), raising=False)
    monkeypatch.delenv(lookup.FOLDER, raising=False)
    monkeypatch.setattr(lookup, "SHIPPED", Path("/nowhere"))
    monkeypatch.setattr("bot.settings.ENV_FILE", Path(os.devnull))


@pytest.fixture
def port() -> Iterator[int]:
    """A port on which nothing listens, and that nobody else is given: who says so may still listen on it."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


another_port = port


@pytest.fixture
def logging_as_it_was() -> Iterator[None]:
    """Logging is the process's own: a test gives it back."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield
    root.handlers, root.level = handlers, level
    structlog.reset_defaults()
    for name in logs.QUIET:
        logging.getLogger(name).setLevel(logging.NOTSET)


@functools.cache
def empty_database() -> tuple[str, ...]:
    """The statements that make what the migrations make of nothing."""
    with TemporaryDirectory() as folder:
        engine = sa.create_engine(f"sqlite:///{folder}/empty.sqlite3")
        with engine.begin() as connection:
            data.migrations.migrate(connection)
        engine.dispose()
        with closing(sqlite3.connect(f"{folder}/empty.sqlite3")) as made:
            return tuple(line for line in made.iterdump() if line not in ("BEGIN TRANSACTION;", "COMMIT;"))


_compiled: dict[str, tuple[sa.Dialect, dict[Any, Any]]] = {}


def engine_that_knows_statements(*given: Any, **named: Any) -> AsyncEngine:
    """An engine as it is made otherwise, with the statements that others of its kind have compiled."""
    engine = create_async_engine(*given, **named)
    dialect, compiled = _compiled.setdefault(engine.name, (engine.dialect, {}))
    # By their dialect they are known.
    engine.sync_engine.dialect = dialect
    return engine.execution_options(compiled_cache=compiled)


@pytest.fixture(autouse=True)
def quick_databases(monkeypatch: pytest.MonkeyPatch) -> None:
    """The migrations run once in each process, and nobody waits for the disk, as no test ends by a loss of power; what
    one test has compiled the next need not. The tests of the store itself (tests/data) have it as it is."""
    migrate = data.migrations.migrate

    def made_or_migrated(connection: sa.Connection) -> None:
        if connection.dialect.name == "sqlite" and not sa.inspect(connection).get_table_names():
            for statement in empty_database():
                connection.exec_driver_sql(statement)
        else:
            migrate(connection)

    monkeypatch.setattr(data.store, "migrate", made_or_migrated)
    monkeypatch.setattr(data.sqlite, "SYNCHRONOUS", "OFF")
    for kind in (data.sqlite, data.postgresql):
        monkeypatch.setattr(kind, "create_async_engine", engine_that_knows_statements)


@pytest.fixture(autouse=True)
def databases_given_back() -> Iterator[None]:
    """What a test had of a PostgreSQL is another's."""
    yield
    databases.give_back()


@pytest.fixture
def root() -> Path:
    """The repository's folder."""
    return Path(__file__).resolve().parent.parent
