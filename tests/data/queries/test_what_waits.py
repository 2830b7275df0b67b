from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from data.queries import announcements, games, timers
from data.store import Store

pytestmark = pytest.mark.only("sqlite")


async def test_what_is_looked_up_again_and_again_reads_what_waits_alone(store: Store) -> None:
    """Running games, posts that wait and timers that are due are found by indexes, not by going through all rows."""
    async with store.write() as tx:
        asked: list[tuple[str, Any]] = []
        sync = tx.sync_connection
        assert sync is not None
        sa.event.listen(sync, "before_cursor_execute", lambda *all_of_it: asked.append((all_of_it[2], all_of_it[3])))
        for subject, (kind, at) in enumerate([("a", 3), ("a", 9), ("b", 4), ("later", 1)]):
            await timers.put(tx, kind, subject, at, {})
        asked.clear()

        assert {} == await games.running_by_variant(tx)
        assert [] == await announcements.waiting(tx)
        assert (2, 3) == await timers.overdue(tx, 5, ("a", "b"))

        plans = []
        for statement, values in tuple(asked):
            rows = await tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
            plans.append(rows.all()[0][-1])
    assert [
        "SCAN games USING INDEX uq_games_running_channel",
        "SCAN announcements USING INDEX ix_announcements_pending",
        "SEARCH timers USING INDEX ix_timers_at (at<?)",
    ] == plans
