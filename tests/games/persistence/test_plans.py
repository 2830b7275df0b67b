"""What is done again and again reads what it is about alone, however many games there are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa

from bot.games.model.game import Game, Place
from bot.games.persistence.outbox import Outbox
from bot.support.time_units import DAY
from data.schema.games import acts, announcements, games, seats, timers, turns
from data.store import Store, Transaction
from tests.support.data.executed import note_statements
from tests.support.games.club import BEN, HALL, Club

# Indexes of what waits alone, or was given up; who has planned moves, which is asked once a start; what refers to a
# game that is made, which SQLite would look for only if something had referred to it before.
_NO_LONGER_THAN_WHAT_WAITS = (
    "ix_announcements_pending",
    "ix_announcements_dropped",
    "ix_games_open_opener",
    "SCAN plans",
    "pk_plans",
    "SCAN puzzles",
)


@pytest.fixture
def asked(store: Store, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """Every statement with its values, from now on."""
    found: list[tuple[str, Any]] = []

    def note(statement: str, values: Any) -> None:
        if statement.startswith(("SELECT", "UPDATE", "DELETE", "INSERT", "WITH")):
            # Of a statement for many rows, those of one.
            found.append((statement, values[0] if isinstance(values, list) else values))

    note_statements(store, monkeypatch, note)
    return found


async def test_no_scan_grows_with_the_number_of_games(club: Club, asked: list[tuple[str, Any]]) -> None:
    """A challenge, turns, a takeback, posts, reminders, a look at one's games, a game that nobody has in memory, the
    end by time, and boards that were never posted: no statement goes through the games, their entries or their
    announcements."""
    outbox = Outbox(club.store, club.clock)
    if club.store.file is None:
        # Only where there is much PostgreSQL does what it would do where there is very much.
        await _make_a_thousand(club.store, await club.started(clock="3d", place=Place(7, 71)))
        asked.clear()
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
    # As at each start.
    await club.games.channels.without_board()

    assert len(asked) > 50
    scans_of = _scans_of_sqlite if club.store.file is not None else _scans_of_postgresql
    async with club.store.write() as tx:
        scans = [(scan, statement) for statement, values in (*asked,) for scan in await scans_of(tx, statement, values)]
    scans = [each for each in scans if not any(known in each[0] for known in _NO_LONGER_THAN_WHAT_WAITS)]
    assert not scans, "\n".join(f"{scan}: {statement}" for scan, statement in scans)


async def _scans_of_sqlite(tx: Transaction, statement: str, values: Any) -> list[str]:
    """The steps of a statement that go through a table or an index from its beginning to its end."""
    steps = (await tx.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)).all()
    found = [str(step[-1]) for step in steps]
    # What is not NULL is more than nothing.
    return [each for each in found if re.match(r"SCAN (?!CONSTANT ROW)|SEARCH .*_id>\?\)$", each)]


async def _scans_of_postgresql(tx: Transaction, statement: str, values: Any) -> list[str]:
    """The same, where every index is to be preferred to the table itself."""
    await tx.exec_driver_sql("SET LOCAL enable_seqscan = off")
    plans = (await tx.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", values)).scalar_one()
    first = {str(index): str(column) for index, column in await tx.execute(_FIRST_COLUMNS)}
    steps = [step for plan in plans for step in _steps(plan["Plan"])]
    reading = [(step, step.get("Index Name")) for step in steps if step["Node Type"] in _READING]
    # Where only a later column of an index is known, all of it is read.
    scans = [
        (step, index) for step, index in reading if first.get(str(index), "no index") not in step.get("Index Cond", "")
    ]
    return [f"{step['Node Type']} {index or step['Relation Name']}" for step, index in scans]


_FIRST_COLUMNS = sa.text(
    "SELECT CAST(CAST(indexrelid AS regclass) AS text), pg_get_indexdef(indexrelid, 1, true) FROM pg_index"
)
_READING = ("Seq Scan", "Index Scan", "Index Only Scan", "Bitmap Index Scan")


def _steps(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for inner in plan.get("Plans", ()):
        yield from _steps(inner)


async def _make_a_thousand(store: Store, game: Game) -> None:
    """As many running games of other people as one, which has just begun; their time is far from up."""
    other = {name: f"{name} + 1000 * n" for name in ("id", "game_id", "subject", "edits", "channel_id", "opener")}
    other |= {"player": "player + 1000 * n", "invited": "invited + 1000 * n", "source": "source || ':' || n"}
    keys = {games: "id", seats: "game_id", turns: "game_id", acts: "game_id", announcements: "game_id"}
    async with store.write() as tx:
        for table, key in {**keys, timers: "subject"}.items():
            names = [column.name for column in table.columns]
            taken = ", ".join("at + 1000000000000" if name == "at" else other.get(name, name) for name in names)
            copies = f"SELECT {taken} FROM {table.name}, generate_series(1, 1000) AS n WHERE {key} = {game.id}"
            await tx.exec_driver_sql(f"INSERT INTO {table.name} ({', '.join(names)}) {copies}")
        for name, taken in (("vacations", "1000 * n, n, n + 9"), ("mirrors", "1000 * n + 1, 1, 8, n, n")):
            await tx.exec_driver_sql(f"INSERT INTO {name} SELECT {taken} FROM generate_series(1, 1000) AS n")
        await tx.exec_driver_sql("ANALYZE")
