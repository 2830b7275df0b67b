"""A disk without a byte left, for real, under a bot that plays: of SQLite, and of a PostgreSQL."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from simcord.results import InteractionResult

from bot.games.persistence.integrity import check_games
from bot.settings import Settings
from tests.support.data.disks import filled, small_disk
from tests.support.data.postgres_server import Server
from tests.support.discord.world import World, said


@pytest.fixture(params=[("sqlite", 16), ("postgresql", 112)], ids=lambda param: param[0])
def disk(request: pytest.FixtureRequest) -> Iterator[Path]:
    """The disk, of so many megabytes, that the database is on."""
    kind, megabytes = request.param
    # The path of a socket may not be long.
    with tempfile.TemporaryDirectory(prefix="disk-") as folder, small_disk(Path(folder), megabytes) as made:
        yield made / kind


@pytest.fixture
def bot_settings(disk: Path) -> Iterator[Settings]:
    """A database on the small disk."""
    if disk.name == "sqlite":
        yield Settings(database_url=f"sqlite+aiosqlite:///{disk.parent / 'damero.sqlite3'}")
        return
    server = Server(within=disk.parent)
    try:
        server.run("CREATE DATABASE damero")
        yield Settings(database_url=server.url("damero"))
    finally:
        server.remove()


async def test_a_full_disk_in_the_middle_of_a_game(here: World, disk: Path) -> None:
    """Whoever moves is told that it was not saved, nothing is half done, and what was told to be played is; with space
    again the same move is played and posted, by itself, and the bot has no need to be started anew."""
    await here.start()
    told = 0
    with filled(disk.parent):
        for _ in range(200):
            answer = said(await moves(here))
            if "not saved" in answer:
                break
            told += 1
        assert answer == "That was not saved. Please try again in a moment."
        assert told == (await here.game()).ply
    assert [] == await check_games(here.bot.services.store)
    assert "Played: " in said(await moves(here))
    await here.env.advance_time(11)
    # What could not be marked as posted then is not posted twice.
    assert told + 1 == (await here.game()).ply
    posted = [each.attachments[0].filename for each in here.boards()]
    assert [f"g1-m{ply}.png" for ply in range(told + 2)] == posted
    assert [] == await check_games(here.bot.services.store)


async def moves(here: World) -> InteractionResult:
    """Whoever is to move does."""
    game = await here.game()
    return await here.mover(game).slash(here.channel, "move", move=game.rules.turns(game.state)[0].text)
