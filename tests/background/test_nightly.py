from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.background.nightly import BACKUP, NOT_COPIED, backup_handler, begin_nightly, set_nightly
from bot.background.scheduler import DueTimer, Scheduler
from bot.support.time_units import DAY, HOUR
from data.queries import key_values
from data.queries import timers as queries
from tests.support.background.time import Time
from tests.support.data.databases import POSTGRESQL


@pytest.mark.skipif(POSTGRESQL, reason="of a PostgreSQL the bot makes no copies")
async def test_the_database_is_copied_each_night(time: Time, tmp_path: Path) -> None:
    """At three o'clock, beside the database, as many as are to be kept."""
    timers = Scheduler(
        time.store,
        lambda: time.now,
        {BACKUP: backup_handler(time.store, lambda: time.now, 2, None)},
        time.live,
        lambda: {0},
        lambda: False,
    )
    await set_nightly(time.store, lambda: time.now, BACKUP)
    for _ in range(3):
        await timers.tick()
        async with time.store.read() as tx:
            following = await queries.next_at(tx, time.now)
        assert following is not None
        time.now = following
        assert 3 * HOUR == time.now % DAY
        timers.set(time.now)
    await timers.tick()
    assert 2 == len(os.listdir(tmp_path / "backups"))


@pytest.mark.skipif(POSTGRESQL, reason="of a PostgreSQL the bot makes no copies")
async def test_a_night_without_a_copy_is_remembered(time: Time, tmp_path: Path) -> None:
    """Why the copy could not be made stands in the store for the health check, until a copy could be made."""
    folder = tmp_path / "backups"
    handler = backup_handler(time.store, lambda: time.now, 2, folder)

    async def told() -> str | None:
        async with time.store.read() as tx:
            return await key_values.get(tx, NOT_COPIED)

    row = DueTimer(0, 0)
    folder.write_text("a file where the folder should be")
    await handler(row)
    assert "cannot be made" in (await told() or "")
    folder.unlink()
    await handler(row)
    assert not await told()


async def test_a_night_that_was_missed_is_made_up_for(time: Time) -> None:
    """The bot was down at three: the copy is due at its next start, and not a night later."""
    await begin_nightly(time.store, lambda: time.now, BACKUP)
    time.now += 5 * DAY

    await begin_nightly(time.store, lambda: time.now, BACKUP)

    async with time.store.read() as tx:
        assert [BACKUP] == [row.kind for row in await queries.due(tx, time.now, 10)]
