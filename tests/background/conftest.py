"""What tests of what runs by itself begin with."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data.store import Store
from tests.support.background.time import Time
from tests.support.data.databases import url_of


@pytest.fixture
async def time(tmp_path: Path) -> AsyncIterator[Time]:
    """Timers over an empty store."""
    store = Store(url_of(tmp_path / "damero.sqlite3"))
    await store.open()
    yield Time(store)
    await store.close()
