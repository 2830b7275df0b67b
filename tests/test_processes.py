"""`damero run` where processes share the shards: it stands by, takes over, and begins anew when it has lost them."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import yarl
from aiohttp import ClientConnectorError, ClientSession
from discord import PrivilegedIntentsRequired
from discord.gateway import DiscordWebSocket
from discord.http import Route
from structlog.testing import capture_logs

from bot import app
from bot.health import ask
from bot.settings import Settings
from data import lease
from data.lease import Lease
from tests.support.data import databases
from tests.support.discord.fake_discord import TOKEN, FakeDiscord, as_it_was

PATIENCE = 120.0
ACTS, STANDS_BY = "discord: ok, database: ok, copies: ok, timers: ok", "stands by: ok"
ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The endgame tables that a process makes beside its work come where it was started."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def url() -> Iterator[str]:
    name = databases.new_database(migrated=True)
    yield databases.server().url(name)
    databases.server().drop(name)


@pytest.fixture
def discord(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDiscord]:
    """It is reached as a proxy is."""
    monkeypatch.setattr(Route, "BASE", "http://127.0.0.1:1/api/v10")
    monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL("ws://127.0.0.1:1/"))
    as_it_was(monkeypatch)
    with FakeDiscord() as made:
        yield made


async def test_it_stands_by_takes_over_and_begins_anew(
    monkeypatch: pytest.MonkeyPatch, url: str, discord: FakeDiscord, port: int, another_port: int
) -> None:
    """A second process is well while it waits, and has figures of itself alone; it connects, by the proxies that the
    settings name, when the first has let go of the shard; when another has taken that from it, it stands by again; on
    SIGTERM it ends."""
    first = Lease(url, 1, 1)
    await first.take()
    settings = Settings(
        database_url=url,
        shard_count=1,
        shards_per_process=1,
        discord_api_url=f"http://127.0.0.1:{discord.port}/api/v10",
        discord_gateway_url=f"ws://127.0.0.1:{discord.port}/gateway",
        health_port=port,
        metrics_port=another_port,
    )
    serving = asyncio.create_task(app.serve(settings, TOKEN))

    async def says(line: str) -> None:
        async with asyncio.timeout(PATIENCE):
            said = (False, "")
            while said != (True, line):
                said = await asyncio.to_thread(ask, port)

    async def figures() -> str:
        # It is well a moment before it listens there as well.
        async with asyncio.timeout(PATIENCE), ClientSession() as client:
            while True:
                with contextlib.suppress(ClientConnectorError):
                    async with client.get(f"http://127.0.0.1:{another_port}/metrics") as answer:
                        return await answer.text()
                await asyncio.sleep(0)

    await says(STANDS_BY)
    assert [] == discord.identified
    told = await figures()
    assert "process_start_time_seconds" in told
    assert "discord_connected" not in told

    await first.release()
    await says(ACTS)
    assert 1 == len(discord.identified)
    assert "discord_connected" in await figures()

    # As if it had been held up: its connection is cut, and another has the lock before it is back.
    taken = asyncio.Event()
    retake = Lease._retake

    async def held_up(lease: Lease) -> bool:
        await taken.wait()
        return await retake(lease)

    monkeypatch.setattr(Lease, "_retake", held_up)
    ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'damero-lease-%'"
    databases.server().run(ended, sa.make_url(url).database or "")
    third = Lease(url, 1, 1)
    await third.take()
    taken.set()
    with capture_logs() as events:
        await says(STANDS_BY)
    assert ["its shards are gone"] == [event["why"] for event in events if event["event"] == "stopping"]

    with capture_logs() as events:
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(serving, PATIENCE)
    assert ["told to"] == [event["why"] for event in events if event["event"] == "stopping"]
    await third.release()


async def test_while_the_database_is_away_health_and_log_say_so(
    url: str, monkeypatch: pytest.MonkeyPatch, discord: FakeDiscord, port: int, another_port: int
) -> None:
    """Its figures tell nothing of the others then, and nobody is kept waiting for the database at the end."""
    monkeypatch.setattr(lease, "GAIN", 0.2)
    settings = Settings(
        database_url=url, shard_count=2, shards_per_process=1, health_port=port, metrics_port=another_port
    )
    discord.stand_in(monkeypatch)
    serving = asyncio.create_task(app.serve(settings, TOKEN))

    async def says(well: bool, line: str) -> None:
        async with asyncio.timeout(PATIENCE):
            said = (not well, "")
            while not (said[0] is well and line in said[1]):
                said = await asyncio.to_thread(ask, port)
                assert well or "no answer" not in said[1]

    async def until_free(shards: str) -> None:
        told = ""
        async with asyncio.timeout(PATIENCE), ClientSession() as client:
            while told != f"damero_shards_free {shards}":
                async with client.get(f"http://127.0.0.1:{another_port}/metrics") as answer:
                    lines = (await answer.text()).splitlines()
                (told,) = (line for line in lines if line.startswith("damero_shards_free "))

    await says(True, ACTS)
    await until_free("1.0")
    with databases.server().away(sa.make_url(url).database or ""):
        await says(False, "database: The database is out of reach")
        await until_free("0.0")
        with capture_logs() as events:
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.wait_for(serving, PATIENCE)

    assert [event["event"] for event in events if "sign of life" in event["event"]] == []


async def test_a_shard_connects_when_it_is_its_turn(
    monkeypatch: pytest.MonkeyPatch, url: str, discord: FakeDiscord, port: int
) -> None:
    """A connection that waited for other processes' would not be read meanwhile, and be given up after a while."""
    settings = Settings(database_url=url, shard_count=2, shards_per_process=2, health_port=port)
    discord.stand_in(monkeypatch)
    connected: list[int] = []

    async def may_identify(_lease: Lease) -> None:
        connected.append(discord.connections)

    monkeypatch.setattr(Lease, "may_identify", may_identify)
    serving = asyncio.create_task(app.serve(settings, TOKEN))
    async with asyncio.timeout(PATIENCE):
        while await asyncio.to_thread(ask, port) != (True, ACTS):
            pass
    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.wait_for(serving, PATIENCE)

    assert [0, 1] == connected


async def test_what_discord_ends_for_good_is_not_begun_again(
    monkeypatch: pytest.MonkeyPatch, url: str, refusing: FakeDiscord
) -> None:
    """Also of a process that has shards: the intent that the application may not have is told after one try."""
    settings = Settings(database_url=url, shard_count=2, shards_per_process=1)
    refusing.stand_in(monkeypatch)

    with pytest.raises(PrivilegedIntentsRequired):
        await asyncio.wait_for(app.serve(settings, TOKEN), PATIENCE)

    assert 1 == len(refusing.identified)


@pytest.fixture
def refusing() -> Iterator[FakeDiscord]:
    with FakeDiscord(closes_with=4014) as made:
        yield made


@pytest.fixture
def two_ports() -> Iterator[int]:
    """The first of two ports side by side on which nothing listens."""
    while True:
        with socket.socket() as one, socket.socket() as other:
            for each in (one, other):
                each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            one.bind(("127.0.0.1", 0))
            first = one.getsockname()[1]
            try:
                other.bind(("127.0.0.1", first + 1))
            except (OSError, OverflowError):
                continue
            yield first
            return


def children(process: int) -> list[int]:
    """In the order in which they were begun."""
    return [int(each) for each in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


async def test_one_command_starts_several(url: str, discord: FakeDiscord, two_ports: int, tmp_path: Path) -> None:
    """One of the two acts and the other stands by; when the first is killed the other acts, or who was begun in its
    place if it is quicker, and both are there again; `damero health` asks both, and SIGTERM ends all."""
    environment = {
        "PATH": os.environ["PATH"],
        "DISCORD_TOKEN": TOKEN,
        "DATABASE_URL": url,
        "SHARDS_PER_PROCESS": "1",
        "PROCESSES": "2",
        "HEALTH_PORT": str(two_ports),
        "ENDGAMES_PIECES": "0",
        "DISCORD_API_URL": f"http://127.0.0.1:{discord.port}/api/v10",
        "DISCORD_GATEWAY_URL": f"ws://127.0.0.1:{discord.port}/gateway",
    }
    damero = (sys.executable, "-m", "bot")
    given: dict[str, Any] = {"env": environment | {"PYTHONPATH": str(ROOT)}, "cwd": tmp_path}

    async def said(connected: int) -> list[str]:
        """What the two answer, when one acts and one stands by, and so many have connected."""
        async with asyncio.timeout(PATIENCE):
            while True:
                answers = [await asyncio.to_thread(ask, two_ports + number) for number in (0, 1)]
                lines = [line for well, line in answers if well]
                if sorted(lines) == [ACTS, STANDS_BY] and connected == len(discord.identified):
                    return lines

    running = await asyncio.create_subprocess_exec(*damero, "run", **given)
    try:
        acting = (await said(1)).index(ACTS)
        first = children(running.pid)
        os.kill(first[acting], signal.SIGKILL)
        after = await said(2)
        assert {first[1 - acting]} == {*first} & {*children(running.pid)}
        asked = await asyncio.create_subprocess_exec(*damero, "health", **given, stdout=asyncio.subprocess.PIPE)
        told = (await asked.communicate())[0].decode().splitlines()
        assert [f"Port {two_ports + number}: {line}" for number, line in enumerate(after)] == told
        assert 0 == asked.returncode
    finally:
        running.send_signal(signal.SIGTERM)
        assert 0 == await asyncio.wait_for(running.wait(), PATIENCE)
