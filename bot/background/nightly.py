"""What is done once a night: the database is copied, and what nobody will ask for again is thrown away."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog

from bot.background.scheduler import DueTimer, TimerHandler
from bot.games.model.deadlines import OUTAGE
from bot.games.persistence.transactions import writing
from bot.support.time_units import DAY, HOUR
from data.backup import BackupError, rotate
from data.queries import key_values, retention, rulesets
from data.queries import timers as queries
from data.store import Store

BACKUP: Final = "backup"
TIDY: Final = "tidy"
NIGHTLY_HOUR: Final = 3

REMEMBERED: Final = DAY
"""How long it is remembered at least what was done and said. Discord sends nothing twice after minutes."""

NOT_COPIED: Final = "backup failed"
"""The key under which stands why the last copy could not be made; nothing where it could."""

log = structlog.get_logger(__name__)


def backup_handler(store: Store, clock: Callable[[], int], keep: int, folder: Path | None) -> TimerHandler:
    """What the nightly timer does: a copy of the database into ``folder`` (a folder beside it), of which ``keep`` are
    kept. A night that fails is logged and told by the health check, and the next one tries again."""

    async def handle(_timer: DueTimer) -> None:
        file, wrong = store.file, ""
        if file is not None and keep > 0:
            try:
                copy = await asyncio.to_thread(rotate, file, folder or file.parent / "backups", keep, clock())
                log.info("database copied", file=str(copy))
            except BackupError as error:
                wrong = str(error)
                log.error("database not copied", error=wrong)
        async with store.write() as tx:
            await key_values.put(tx, NOT_COPIED, wrong)
        await set_nightly(store, clock, BACKUP)

    return handle


async def tidy(store: Store, clock: Callable[[], int]) -> int:
    """Throw away what nobody will ask for again, a little at a time. Returns how many rows went or became smaller."""
    before, forgotten = clock() - REMEMBERED, 0
    for forget in (retention.forget_acts, retention.forget_sources):
        some = 1
        while some:
            async with writing(store) as tx:
                some = await forget(tx, before)
            forgotten += some
    below: int | None = None
    while True:
        async with writing(store) as tx:
            some, lowest = await retention.forget_said(tx, before, OUTAGE, below)
        forgotten += some
        if lowest is None:
            async with writing(store) as tx:
                return forgotten + await rulesets.forget_unused(tx)
        # What was edited by one that went can go now.
        below = below if some else lowest


def tidy_handler(store: Store, clock: Callable[[], int]) -> TimerHandler:
    """What the other nightly timer does."""

    async def handle(_timer: DueTimer) -> None:
        log.info("tidied", rows=await tidy(store, clock))
        await set_nightly(store, clock, TIDY)

    return handle


async def set_nightly(store: Store, clock: Callable[[], int], kind: str) -> None:
    """Let the next nightly timer of a kind fall due at 3:00 UTC."""
    now = clock()
    at = now // DAY * DAY + NIGHTLY_HOUR * HOUR
    async with store.write() as tx:
        await queries.put(tx, kind, 0, at if at > now else at + DAY, {})


async def begin_nightly(store: Store, clock: Callable[[], int], kind: str) -> None:
    """At a start: what was set stays, so that a night that was missed is made up for at once."""
    async with store.read() as tx:
        timer = await queries.get(tx, kind, 0)
    if timer is None:
        await set_nightly(store, clock, kind)
