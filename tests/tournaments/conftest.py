"""What tests of tournaments over a store begin with."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from data.store import Store
from tests.support.data.databases import url_of
from tests.support.tournaments.automated_event import AutomatedEvent


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[AutomatedEvent]:
    store = Store(url_of(tmp_path / "damero.sqlite3"), patience_ms=50)
    await store.open()
    yield AutomatedEvent(store)
    await store.close()
