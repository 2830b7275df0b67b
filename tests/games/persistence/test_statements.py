"""How much a turn asks of the database, counted in statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from data.store import Store
from tests.support.games.club import Club


@pytest.fixture
def statements(store: Store) -> Callable[[], list[str]]:
    """What was executed since the last time of asking, transactions' beginnings and ends left out."""
    executed: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if not statement.startswith(("BEGIN", "PRAGMA", "SELECT CAST(pg_current_xact_id")):
            executed.append(statement)

    for engine in (store._writers, store._readers):
        assert engine is not None
        sa.event.listen(engine.sync_engine, "before_cursor_execute", note)

    def asked() -> list[str]:
        found = executed.copy()
        executed.clear()
        return found

    return asked


@pytest.mark.parametrize(("clock", "most"), [("none", 5), ("3d", 9)])
async def test_a_turn(club: Club, statements: Callable[[], list[str]], clock: str, most: int) -> None:
    """A warm game's turn, without its delivery: what is read is read once."""
    game = await club.started(clock=clock)
    await club.deliver()
    game = await club.play(game, "c3-d4")
    await club.deliver()
    statements()
    await club.play(game, "b6-a5")
    executed = statements()
    assert len(executed) <= most, "\n".join(executed)
