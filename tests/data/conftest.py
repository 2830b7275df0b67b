"""A store on a file of its own for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data.store import Store


@pytest.fixture(autouse=True)
def quick_databases() -> None:
    """Here the store is as it is for everybody."""


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The URL of a database file that does not exist yet."""
    return f"sqlite+aiosqlite:///{tmp_path}/damero.sqlite3"


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    """An open store, empty."""
    store = Store(url, patience_ms=50)
    await store.open()
    yield store
    await store.close()
