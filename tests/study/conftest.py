"""A store on a file of its own for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data.store import Store
from tests.support.data.databases import url_of


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An open store, empty."""
    store = Store(url_of(tmp_path / "damero.sqlite3"))
    await store.open()
    yield store
    await store.close()
