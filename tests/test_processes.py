"""`damero run` where processes share the shards: it stands by, takes over, and begins anew when it has lost them."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator

import pytest
import sqlalchemy as sa
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot import app
from bot.health import ask
from bot.settings import Settings
from data.lease import Lease
from tests.support.data import databases
from tests.support.discord.fake_discord import TOKEN, FakeDiscord

PATIENCE = 60.0


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
    with FakeDiscord() as made:
        yield made


async def test_it_stands_by_takes_over_and_begins_anew(
    monkeypatch: pytest.MonkeyPatch, url: str, discord: FakeDiscord, port: int
) -> None:
    """A second process is well while it waits, and connects, by the proxies that the settings name, when the first has
    let go of the shard; when another has taken that from it, it stands by again; on SIGTERM it ends."""
    first = Lease(url, 1, 1)
    await first.take()
    settings = Settings(
        database_url=url,
        shard_count=1,
        shards_per_process=1,
        discord_api_url=f"http://127.0.0.1:{discord.port}/api/v10",
        discord_gateway_url=f"ws://127.0.0.1:{discord.port}/gateway",
        health_port=port,
    )
    serving = asyncio.create_task(app.serve(settings, TOKEN))

    async def says(line: str) -> None:
        async with asyncio.timeout(PATIENCE):
            said = (False, "")
            while said != (True, line):
                said = await asyncio.to_thread(ask, port)

    await says("shards: ok")
    assert [] == discord.identified

    await first.release()
    await says("discord: ok, database: ok, copies: ok, timers: ok")
    assert 1 == len(discord.identified)

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
    await says("shards: ok")

    os.kill(os.getpid(), signal.SIGTERM)
    await asyncio.wait_for(serving, PATIENCE)
    await third.release()
