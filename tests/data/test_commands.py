"""What an operator does with a PostgreSQL at a terminal."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.cli.command_line import main
from data.store import Store
from tests.support.data import databases
from tests.support.discord.fake_discord import TOKEN
from tests.support.games.club import Club

pytestmark = pytest.mark.only("postgresql")


@pytest.fixture
async def played(store: Store, url: str, monkeypatch: pytest.MonkeyPatch) -> Club:
    """A game in the database of the settings."""
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    club = Club(store)
    await club.play(await club.started(), "c3-d4", "b6-a5")
    return club


async def damero(*words: str) -> int:
    return await asyncio.to_thread(main, words)


async def test_what_is_asked_of_a_file(played: Club, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Settings are good, games are checked and written as files, and go into another database."""
    assert 0 == await damero("run", "--check-config")
    assert 0 == await damero("check-store")
    assert "Every game agrees with its record." in capsys.readouterr().out
    await played.games.moves.resign(1, 11, played.source())
    file = tmp_path / "games.jsonl"
    assert 0 == await damero("export", str(file))
    assert 1 == len(file.read_text("utf-8").splitlines())
    assert 0 == await damero("import", str(file))
    async with played.store.write() as tx:
        await tx.execute(sa.text("UPDATE turns SET text = 'a1-a8'"))
    assert 1 == await damero("check-store")


@pytest.mark.parametrize("command", ["backup", "restore"])
async def test_copies_are_postgresqls(
    played: Club, url: str, tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The refusal names the tools; what they copy and put back is whole."""
    assert 1 == await damero(command, str(tmp_path / "copy"))
    told = capsys.readouterr().err
    assert {"`pg_dump", "`pg_restore`;", "move-store`"} <= set(told.split())

    server, again = databases.server(), databases.new_database()
    copy, name = str(tmp_path / "copy"), str(sa.make_url(url).database)
    await asyncio.to_thread(server.tool, "pg_dump", "--format=custom", "--file", copy, name)
    await asyncio.to_thread(server.tool, "pg_restore", "--dbname", again, copy)
    store = Store(server.url(again))
    await store.open()
    assert 3 == (await Club(store).play(await Club(store).games.game(1), "g3-h4")).ply
    await store.close()
    server.drop(again)
