from __future__ import annotations

import asyncio
import json
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from pathlib import Path
from unittest.mock import AsyncMock, Mock

import pytest
from discord.http import Route

from bot import app
from data.store import Store
from tests.support.discord.fake_discord import TOKEN, FakeDiscord
from tests.support.discord.until_well import ended_when_well

pytestmark = pytest.mark.usefixtures("logging_as_it_was")


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The database of the test."""
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path / 'damero.sqlite3'}")
    return tmp_path / "damero.sqlite3"


def test_no_token(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    """Without a token nothing is started, the status is 2, and it is said what to do."""
    assert app.MISCONFIGURED == app.run()

    assert "There is no token" in capsys.readouterr().err
    assert not file.exists()


def test_check_config(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: Path) -> None:
    """Good settings are said to be good, and nothing is started or made; a database that is there is tried."""
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)

    assert app.DONE == app.run(check_config=True)
    assert f"The settings are good. The database {file} will be made.\n" == capsys.readouterr().out
    assert not file.exists()
    new_store(file)
    assert app.DONE == app.run(check_config=True)
    assert f"The database {file} is there, and can be used." in capsys.readouterr().out


@pytest.mark.parametrize("check", [True, False])
def test_an_engine_for_a_game_that_there_is_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], check: bool
) -> None:
    """It is said with status 2, before anything is started, and when the settings are checked."""
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("COMPUTER_HUB", f"nosuch={sys.executable}")
    assert app.MISCONFIGURED == app.run(check_config=check)
    assert "COMPUTER_HUB is wrong: there is no variant 'nosuch'" in capsys.readouterr().err


def test_check_config_tries_the_database(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: Path, tmp_path: Path
) -> None:
    """What is no database and one of a newer version are said, with status 1; a folder that is not there with 2, as the
    setting has to change."""
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    file.write_text("This is not a database, and long enough to be seen as such. " * 20)
    assert app.FAILED == app.run(check_config=True)
    assert "cannot be used" in capsys.readouterr().err

    file.unlink()
    new_store(file)
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    assert app.FAILED == app.run(check_config=True)
    assert "newer version" in capsys.readouterr().err

    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path / 'none' / 'damero.sqlite3'}")
    assert app.MISCONFIGURED == app.run(check_config=True)
    assert "its folder is not there." in capsys.readouterr().err


def test_the_database_comes_before_discord(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: Path, port: int
) -> None:
    """Without network and without a usable database it is the database that is named."""
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{port}/api/v10")
    file.write_text("This is not a database, and long enough to be seen as such. " * 20)

    assert app.FAILED == app.run()
    said = capsys.readouterr().err
    assert "cannot be used" in said
    assert "Discord" not in said


def test_a_port_that_is_taken_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], port: int
) -> None:
    """The setting is named, and not Discord."""
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("HEALTH_PORT", str(port))
    with FakeDiscord() as discord, socket.socket() as held:
        discord.stand_in(monkeypatch)
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", port))
        held.listen()

        assert app.FAILED == app.run()

    said = capsys.readouterr().err
    assert f"damero: HEALTH_PORT {port} cannot be listened on:" in said
    assert "Discord cannot" not in said


def test_a_refused_token(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A token that Discord does not take ends the bot with status 2 and advice, and is shown nowhere."""
    monkeypatch.setenv("DISCORD_TOKEN", "not.the.token")
    with FakeDiscord() as discord:
        discord.stand_in(monkeypatch)

        assert app.MISCONFIGURED == app.run()

    said = capsys.readouterr()
    assert "Discord refused the token" in said.err
    assert "not.the.token" not in said.err + said.out


def test_a_refused_intent(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Where the portal does not allow the message-content intent, status 2 and both ways out are said."""
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("MESSAGE_CONTENT", "true")
    with FakeDiscord(closes_with=4014) as discord:
        discord.stand_in(monkeypatch)

        assert app.MISCONFIGURED == app.run()

    said = capsys.readouterr().err
    assert "Message Content Intent" in said
    assert "leave MESSAGE_CONTENT out" in said


@pytest.mark.parametrize(("code", "said"), [(4011, "Raise SHARD_COUNT"), (4004, "set DISCORD_TOKEN"), (4012, "4012")])
def test_what_discord_closes_for_good(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], code: int, said: str
) -> None:
    """To begin anew would change nothing: status 2, and what to do where that is known."""
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    with FakeDiscord(closes_with=code) as discord:
        discord.stand_in(monkeypatch)

        assert app.MISCONFIGURED == app.run()

    told = capsys.readouterr()
    assert said in told.err
    assert "the connection has ended" in told.out


def test_discord_out_of_reach(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], port: int) -> None:
    """Without a network the bot ends with status 1 and a sentence, not a traceback."""
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setattr(Route, "BASE", f"http://127.0.0.1:{port}/api/v10")

    assert app.FAILED == app.run()
    assert "Discord cannot be reached" in capsys.readouterr().err


def test_a_database_that_cannot_be_used(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A database in a folder that is not there is named."""
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path / 'none' / 'damero.sqlite3'}")
    with FakeDiscord() as discord:
        discord.stand_in(monkeypatch)

        assert app.MISCONFIGURED == app.run()

    assert "cannot be used: its folder is not there." in capsys.readouterr().err


@pytest.mark.parametrize(("number", "status"), [(socket.EAI_NONAME, app.MISCONFIGURED), (socket.EAI_AGAIN, app.FAILED)])
def test_a_database_server_that_nobody_knows(
    number: int, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence, without the system's number of the error; status 2 where the name is wrong, 1 where names cannot be
    asked for just now."""

    async def connect(**_given: object) -> None:
        raise socket.gaierror(number, "Name or service not known")

    monkeypatch.setattr(pytest.importorskip("asyncpg"), "connect", connect)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("DATABASE_URL", "postgresql://ana:hush@nowhere/x")

    assert status == app.run(check_config=True)
    said = "The database postgresql+asyncpg://ana:***@nowhere/x is out of reach: Name or service not known."
    assert f"damero: {said}\n" == capsys.readouterr().err


def test_it_runs_until_told_to_stop(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: Path, port: int, another_port: int
) -> None:
    """It connects, registers its commands once, is well, serves its figures, and ends on SIGTERM with status 0 and the
    store closed."""
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("HEALTH_PORT", str(port))
    monkeypatch.setenv("METRICS_PORT", str(another_port))
    monkeypatch.setenv("LOG_FORMAT", "json")
    figures: list[str] = []

    def read_figures() -> None:
        with urllib.request.urlopen(f"http://127.0.0.1:{another_port}/metrics", timeout=30) as answer:
            figures.append(answer.read().decode())

    with FakeDiscord() as discord, ended_when_well(port, read_figures) as answers:
        discord.stand_in(monkeypatch)

        assert app.DONE == app.run()

    assert (True, "discord: ok, database: ok, copies: ok, timers: ok") == answers[-1]
    assert 'discord_connected{shard="None"} 1.0' in figures[0]
    assert "play" in {command["name"] for command in discord.commands}
    (identified,) = discord.identified
    assert not identified["intents"] & 1 << 15  # message content
    said = capsys.readouterr()
    assert TOKEN not in said.out + said.err
    events = [json.loads(line) for line in said.out.splitlines()]
    assert ["told to"] == [event["why"] for event in events if event["event"] == "stopping"]
    assert not [event for event in events if event["level"] != "info"]
    assert not file.with_name(file.name + "-wal").exists()


@pytest.mark.parametrize(
    ("alone", "games", "waited", "begun"),
    [(True, [3], [], 1), (True, [], [60.0], 1), (False, [3], [], 1), (False, [], [], 0)],
)
async def test_a_worker_is_begun_when_the_bot_is_connected(
    alone: bool, games: list[int], waited: list[float], begun: int
) -> None:
    """At once where the computer plays a game, else a minute later, or, where processes share the servers, when it is
    wanted; never while the bot is still starting."""
    ready, bot, slept = asyncio.Event(), Mock(), AsyncMock()
    bot.wait_until_ready = ready.wait
    bot.services.store.shards.whole = alone
    bot.services.games.computer.with_computers = AsyncMock(return_value=games)
    bot.services.workers.start = AsyncMock()
    beginning = asyncio.create_task(app.begin_workers(bot, slept))
    await asyncio.sleep(0)
    bot.services.workers.start.assert_not_awaited()

    ready.set()
    await beginning

    assert waited == [call.args[0] for call in slept.await_args_list]
    assert begun == bot.services.workers.start.await_count


def test_what_is_not_served_is_not_loaded() -> None:
    """What only figures, variant files, Swiss pairing, a worker, a migration or PostgreSQL need, or nobody, is not
    imported with the bot, and so takes no time of its start."""
    named = {
        "prometheus_client",
        "pydantic",
        "networkx",
        "numba",
        "numpy",
        "alembic",
        "asyncpg",
        "rustworkx",
        "sqlalchemy.orm",
    }
    code = f"import sys, bot.app; sys.exit(bool({named} & set(sys.modules)))"
    assert 0 == subprocess.run([sys.executable, "-c", code], check=False).returncode


def test_the_collector_leaves_alone_what_stays() -> None:
    """What is imported with the bot is frozen before it runs, so that no look through all of it holds up the loop."""
    code = (
        "import gc, sys, bot.__main__; from bot import app;"
        "app.run = lambda check_config: print(gc.isenabled(), gc.get_freeze_count() > 50_000);"
        "sys.argv[1:] = ['run']; bot.__main__.main()"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert "True True" == done.stdout.strip()


def test_certificates_are_read_for_who_looks_at_them() -> None:
    """The library's connections that check who answers know the system's certificates; those that trust anybody have
    none, as long as nobody asks for them."""
    code = (
        "import ssl; from bot.support.imports import certificates_for_who_looks\n"
        "read = []; ssl.SSLContext.set_default_verify_paths = lambda context: read.append(context.verify_mode)\n"
        "with certificates_for_who_looks(): import aiohttp\n"
        "ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).set_default_verify_paths()\n"
        "context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT); context.check_hostname = False\n"
        "context.verify_mode = ssl.CERT_NONE; context.set_default_verify_paths()\n"
        "print(*(int(mode) for mode in read))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert "2 2 0" == done.stdout.strip()


def test_health_needs_a_port(capsys: pytest.CaptureFixture[str]) -> None:
    """Without HEALTH_PORT nobody can be asked, and that is said."""
    assert app.MISCONFIGURED == app.health()
    assert "HEALTH_PORT is not set" in capsys.readouterr().err


def test_health_of_no_bot(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], port: int) -> None:
    """A bot that is not there is not well: status 1."""
    monkeypatch.setenv("HEALTH_PORT", str(port))

    assert app.FAILED == app.health()
    assert "does not answer" in capsys.readouterr().err


def test_health_of_several(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """All are asked, and which are not well is told by their ports."""
    settings = {
        "PROCESSES": "3",
        "SHARDS_PER_PROCESS": "1",
        "DATABASE_URL": "postgresql://a@b/c",
        "HEALTH_PORT": "8085",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(app, "ask", lambda port: (port == 8086, f"discord: {port}"))

    assert app.FAILED == app.health()
    told = capsys.readouterr().err
    assert "Port 8085: discord: 8085" in told
    assert "Port 8087: discord: 8087" in told
    assert "8086" not in told


def new_store(file: Path) -> None:
    """An empty database in ``file``."""

    async def make() -> None:
        store = Store(f"sqlite+aiosqlite:///{file}")
        await store.open()
        await store.close()

    asyncio.run(make())


def test_check_store_of_a_good_store(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    """A store without faults gives status 0 and says so."""
    new_store(file)
    assert app.DONE == app.check_store()
    assert "Every game agrees with its record.\n" == capsys.readouterr().out


def test_check_store_where_there_is_none(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    """A wrong DATABASE_URL is said, with status 2; no database is made there to be found without faults."""
    assert app.MISCONFIGURED == app.check_store()
    assert f"There is no database {file}." in capsys.readouterr().err
    assert not file.exists()


def test_check_store_of_a_file_that_is_no_database(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    """Something else in the database's place is said, with status 1."""
    file.write_text("This is not a database, and long enough to be seen as such. " * 20)

    assert app.FAILED == app.check_store()
    assert "cannot be used" in capsys.readouterr().err


def test_check_store_names_what_is_wrong(capsys: pytest.CaptureFixture[str], file: Path) -> None:
    """A game whose variant nobody knows is named, with status 1."""
    new_store(file)
    with sqlite3.connect(file) as connection:
        connection.execute(
            "INSERT INTO games (id, variant_id, options, place_channel_id, opener, side, status, ply, position, "
            "opened_at, changed_at) VALUES (7, 'unknown', '{}', 1, 1, 'lot', 'open', 0, '', 0, 0)"
        )
    connection.close()

    assert app.FAILED == app.check_store()
    said = capsys.readouterr().out
    assert "ame 7" in said
    assert "Problems: 1." in said
