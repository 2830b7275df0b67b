"""What is done again and again reads what it is about alone, however many games there are."""

from __future__ import annotations

from typing import Any

import pytest

from bot.games.persistence.outbox import Outbox
from bot.support.time_units import DAY
from data.store import Store
from tests.support.data.executed import note_statements
from tests.support.games.club import BEN, HALL, Club

# Indexes of what waits alone; who has planned moves, which is asked once a start; what refers to a game that is made,
# which SQLite would look for only if something had referred to it before.
_NO_LONGER_THAN_WHAT_WAITS = ("ix_announcements_pending", "ix_games_open_opener", "SCAN plans", "SCAN puzzles")


@pytest.fixture
def asked(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Every statement with its values, from now on."""
    found: list[tuple[str, Any]] = []

    def note(statement: str, values: Any) -> None:
        if statement.startswith(("SELECT", "UPDATE", "DELETE", "INSERT", "WITH")):
            found.append((statement, values))

    note_statements(store, monkeypatch, note)
    return found


async def test_no_scan_grows_with_the_number_of_games(club: Club, asked: list[tuple[str, Any]]) -> None:
    """A challenge, turns, a takeback, posts, reminders, a look at one's games, a game that nobody has in memory, and
    the end by time: no statement goes through the games, their entries or their announcements."""
    if club.store.file is None:
        pytest.skip("the plans of SQLite")
    outbox = Outbox(club.store, club.clock)
    game = await club.started(clock="3d")
    for text in ("c3-d4", "b6-a5"):
        game = await club.play(game, text)
        for each in await outbox.due(game.id):
            await outbox.sent(each, 1000 + each.id, 7)
    club.restart()
    await club.games.running_in(HALL.channel_id)
    await club.play(game, "d4-e5")
    await club.games.lists.games_of(BEN)
    await club.deliver()
    await club.pass_time(club.now + 4 * DAY)

    assert len(asked) > 50
    async with club.store.write() as tx:
        plans = [
            (str(row[-1]), statement)
            for statement, values in tuple(asked)
            for row in (await tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)).all()
        ]
    scans = [(plan, statement) for plan, statement in plans if plan.startswith("SCAN ") and "CONSTANT ROW" not in plan]
    scans = [each for each in scans if not any(known in each[0] for known in _NO_LONGER_THAN_WHAT_WAITS)]
    assert not scans, "\n".join(f"{plan}: {statement}" for plan, statement in scans)
