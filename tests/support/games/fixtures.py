"""A club with a store on a file of its own for each test; a folder whose store is another has its own fixture."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data.store import Store
from tests.support.data.databases import url_of
from tests.support.games.club import Club


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An open store, empty."""
    store = Store(url_of(tmp_path / "damero.sqlite3"), patience_ms=50)
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def club(store: Store) -> Club:
    """People who have not played yet."""
    return Club(store)
