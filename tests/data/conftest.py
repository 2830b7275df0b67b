"""A store of its own for each test, once for each kind of database: these are the tests of what differs."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from data.store import Store
from tests.support.data import databases


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "only(kind): the test is of one kind of database")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "kind" in metafunc.fixturenames:
        marker = metafunc.definition.get_closest_marker("only")
        there = ["postgresql"] if databases.POSTGRESQL else ["sqlite", "postgresql"]
        metafunc.parametrize("kind", there if marker is None else list(marker.args))


@pytest.fixture(autouse=True)
def quick_databases() -> None:
    """Here the store is as it is for everybody."""


@pytest.fixture
def url(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a database that does not exist yet, or is empty; with a ``store`` that of the store's."""
    if kind == "sqlite":
        yield f"sqlite+aiosqlite:///{tmp_path}/damero.sqlite3"
        return
    name = databases.new_database(migrated="store" in request.fixturenames)
    yield databases.server().url(name)
    databases.server().drop(name)


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """An open store, empty."""
    store = Store(url, patience_ms=50)
    await store.open()
    yield store
    await store.close()
