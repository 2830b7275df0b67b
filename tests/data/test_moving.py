"""All games of one database in another one, and back: ``damero move-store``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import data.moving
from bot.cli.command_line import main
from data import schema
from data.queries import announcements
from data.store import Store
from tests.support.games.club import ANA, BEN, Club

pytestmark = pytest.mark.only("postgresql")

CHOSEN: dict[str, Any] = {
    "contests.kind": "league",
    "contests.status": "over",
    "daily_puzzles.puzzle_id": 1,
    "daily_puzzles.guild_id": 2**62,
    "puzzle_tries.state": "open",
    "puzzles.game_id": 1,
    "rated_games.score": 0.1,
    "tournaments.status": "over",
}
BY_TYPE: dict[type[sa.types.TypeEngine[Any]], Any] = {
    sa.Boolean: True,
    sa.Float: 1500.1,
    sa.JSON: {"b": [1, None, 0.1, "ñ\x00"], "a": {}},
    sa.Integer: 1,
    sa.String: "çé",
}


def a_row(table: sa.Table, rules_hash: str) -> dict[str, Any]:
    """Something in every column that must have a value."""
    values = {}
    for column in table.c:
        name = f"{table.name}.{column.name}"
        if name in CHOSEN:
            values[column.name] = CHOSEN[name]
        elif column.name == "rules_hash":
            values[column.name] = rules_hash
        elif not column.nullable and column.name != "id":
            values[column.name] = next(value for kind, value in BY_TYPE.items() if isinstance(column.type, kind))
    return values


async def content(store: Store) -> dict[str, list[dict[str, Any]]]:
    """All rows of all tables."""
    found = {}
    async with store.read() as tx:
        for table in schema.metadata.sorted_tables:
            rows = (await tx.execute(sa.select(table))).mappings()
            found[table.name] = sorted((dict(row) for row in rows), key=repr)
    return found


@pytest.fixture
def file(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/games.sqlite3"


@pytest.fixture
async def club(file: str) -> AsyncIterator[Club]:
    """People who have played, in a file with something in every table."""
    club = Club(Store(file))
    await club.store.open()
    game = await club.play(await club.started(clock="3d"), "c3-d4", "b6-a5")
    await club.games.offers.offer_draw(game.id, ANA, club.source())
    over = await club.play(await club.started(), "c3-d4")
    await club.games.moves.resign(over.id, BEN, club.source())
    await club.deliver()
    async with club.store.write() as tx:
        rules_hash = (await tx.execute(sa.select(schema.games.games.c.rules_hash).limit(1))).scalar_one()
        for table in schema.metadata.sorted_tables:
            if (await tx.execute(sa.select(sa.func.count()).select_from(table))).scalar() == 0:
                await tx.execute(sa.insert(table).values(a_row(table, rules_hash)))
        # The id of an announcement that is gone is not given again.
        gone = await announcements.add(tx, game_id=over.id, kind="board", ply=1, payload={}, at=1)
        await tx.execute(sa.delete(schema.games.announcements).where(schema.games.announcements.c.id == gone))
    yield club
    await club.store.close()


async def move(source: str, target: str) -> int:
    return await asyncio.to_thread(main, ["move-store", source, target])


async def test_there_and_back(
    club: Club, file: str, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Into a PostgreSQL and into a file again: all rows are the same, games go on, and no id is given twice."""
    before = await content(club.store)
    assert all(before.values())
    last = max(row["id"] for row in before["announcements"])
    await club.store.close()
    back = f"sqlite:///{tmp_path}/back.sqlite3"
    assert 0 == await move(file, url), capsys.readouterr().err
    assert f"Moved {sum(map(len, before.values()))} rows" in capsys.readouterr().out
    assert 0 == await move(url, back), capsys.readouterr().err
    for there in (url, back):
        store = Store(there)
        await store.open()
        assert before == await content(store)
        again = Club(store)
        again.now = club.now
        assert 3 == (await again.play(await again.games.game(1), "g3-h4")).ply
        assert last + 1 < max(row["id"] for row in (await content(store))["announcements"])
        assert [] == await again.check()
        await store.close()
    await club.store.open()


async def test_many_rows(file: str, url: str, club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """What does not come in one piece comes in order, and once."""
    monkeypatch.setattr(data.moving, "_AT_ONCE", 2)
    for _ in range(5):
        await club.play(await club.started(), "c3-d4", "b6-a5", "d2-c3")
    before = await content(club.store)
    await club.store.close()
    assert 0 == await move(file, url)
    store = Store(url)
    await store.open()
    assert before == await content(store)
    await store.close()
    await club.store.open()


async def test_only_into_an_empty_one(
    club: Club, file: str, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A database that has games, the same one, one that is not there, and what is none: refused, with nothing done."""
    await club.store.close()
    assert 0 == await move(file, url)
    for status, source, target, says in (
        (1, file, url, "there are some already (in the table contests)"),
        (2, file, file, "FROM and TO are the same database."),
        (2, f"sqlite:///{tmp_path}/none.sqlite3", url, "There is no database"),
        (2, file, "games.sqlite3", "TO is wrong: it begins with sqlite:// or postgresql://."),
    ):
        assert status == await move(source, target)
        assert says in capsys.readouterr().err
    assert not (tmp_path / "none.sqlite3").exists()
    await club.store.open()


async def test_what_cannot_be_taken_over(club: Club, file: str, url: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A row that PostgreSQL does not take is told, and nothing at all has been moved."""
    async with club.store.write() as tx:
        await tx.execute(sa.update(schema.tournaments.tournaments).values(name="a\x00b"))
    await club.store.close()
    assert 1 == await move(file, url)
    assert "A row of the table tournaments cannot be taken over: " in capsys.readouterr().err
    store = Store(url)
    await store.open()
    assert not any((await content(store)).values())
    await store.close()
    await club.store.open()


@pytest.mark.parametrize(
    ("table", "change", "says"),
    [
        ("tournaments", "name = CAST(x'6180' AS TEXT)", "holds a value that cannot be read: it is damaged."),
        ("games", "options = '{a secret'", "holds a value that cannot be read: it is damaged."),
        ("ratings", "value = 'a secret'", "cannot be taken over: invalid input"),
    ],
)
async def test_what_is_damaged(
    club: Club, file: str, url: str, capsys: pytest.CaptureFixture[str], table: str, change: str, says: str
) -> None:
    """A file that others have written into is not moved: it is said where it is damaged, not what stands there."""
    async with club.store.write() as tx:
        await tx.execute(sa.text(f"UPDATE {table} SET {change}"))
    await club.store.close()
    assert 1 == await move(file, url)
    said = capsys.readouterr()
    assert f"table {table} {says}" in said.err
    assert "a secret" not in said.out + said.err
    assert "Traceback" not in said.out + said.err


@pytest.mark.parametrize("where", ["before", "on the way"])
async def test_every_game_is_replayed(
    club: Club, file: str, url: str, where: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A record that was damaged before is moved as it is, and told; one that is damaged on the way moves nothing."""
    damaged = sa.text("UPDATE turns SET text = 'a1-a8' WHERE game_id = 1 AND number = 2")
    if where == "before":
        async with club.store.write() as tx:
            await tx.execute(damaged)
    else:
        copy = data.moving.copy

        async def copied(source: Any, target: Any) -> Any:
            rows = await copy(source, target)
            await target.execute(damaged)
            return rows

        monkeypatch.setattr("bot.cli.move_store.copy", copied)
    await club.store.close()
    status = await move(file, url)
    said = capsys.readouterr()
    store = Store(url)
    await store.open()
    games = len((await content(store))["games"])
    if where == "before":
        assert (0, 2) == (status, games)
        assert "What was wrong before is so still (1)" in said.out
    else:
        assert (1, 0) == (status, games)
        assert "Nothing was moved. Game 1, entry 2" in said.err
    await store.close()
    await club.store.open()
