"""What becomes of connections to Discord's gateway that cannot be had, or do not last."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest
from aiohttp import ClientSession
from discord import AutoShardedClient, Client, Intents
from discord.backoff import ExponentialBackoff

from bot import app
from bot.chat.connection import gateway
from bot.chat.connection.gateway import Waits
from tests.support.discord.fake_discord import TOKEN, FakeDiscord
from tests.support.discord.until_well import ended_when_well

_DELAY = Waits.delay

pytestmark = pytest.mark.usefixtures("logging_as_it_was")


@pytest.fixture(autouse=True)
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, port: int) -> None:
    """Those of a bot that is asked whether it is well; nothing is waited for."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.setenv("HEALTH_PORT", str(port))
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path / 'damero.sqlite3'}")
    monkeypatch.setattr(Waits, "delay", lambda _self: 0.0)
    monkeypatch.setattr(Client, "before_identify_hook", AsyncMock())

    async def at_once(_seconds: float) -> None:
        await asyncio.sleep(0)

    monkeypatch.setattr("discord.shard.asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": at_once}))


@pytest.mark.parametrize(("shards", "times"), [(1, 3), (2, 700)])
def test_a_gateway_that_is_away_at_the_start_is_waited_for(
    shards: int, times: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], port: int
) -> None:
    """As a proxy that starts beside the bot is, however long that takes; why is said in one line each time."""

    left = times
    connect = ClientSession.ws_connect

    def not_yet(*given: Any, **named: Any) -> Any:
        nonlocal left
        left -= 1
        if left >= 0:
            raise ConnectionRefusedError("nobody is there")
        return connect(*given, **named)

    monkeypatch.setattr(ClientSession, "ws_connect", not_yet)
    monkeypatch.setenv("SHARD_COUNT", str(shards))
    with FakeDiscord() as discord, ended_when_well(port) as answers:
        discord.stand_in(monkeypatch)

        assert app.DONE == app.run()

    assert answers[-1][0]
    assert shards == len(discord.identified)
    said = capsys.readouterr().out
    assert times == said.count("nobody is there")
    assert "Traceback" not in said


@pytest.mark.parametrize("shards", [1, 2])
@pytest.mark.parametrize(
    ("first", "said"),
    [
        (["refuses"] * 2, "502"),
        (["cuts"] * 2, "before the gateway said hello"),
        (["babbles"] * 2, "before the gateway said hello"),
        (["hangs"] * 2, "no answer in time"),
        (["says hello"] * 3, "disconnected at once"),
        (["identifies"] * 2, "what cannot be read"),
        (["compresses"] * 2, "what cannot be read"),
        (["lists"] * 2, "what cannot be read"),
        (["garbles"] * 2, "what cannot be read"),
        (["keeps silent"] * 2, "takes up no session"),
        (["chatters"] * 2, "takes up no session"),
        (["greets again"] * 2, "every 0 seconds"),
        (["hurries"] * 2, "every 0 seconds"),
        (["dawdles"] * 2, "every 1e+12 seconds"),
    ],
)
def test_a_gateway_that_does_not_work_at_first_is_tried_again(
    first: list[str],
    said: str,
    shards: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    port: int,
) -> None:
    """Whatever it does with a connection, the next is tried, and a line of the log says why."""
    monkeypatch.setattr(gateway, "HELLO", 0.2)
    monkeypatch.setattr(gateway, "ANSWERS", 0.5)
    monkeypatch.setenv("SHARD_COUNT", str(shards))
    with FakeDiscord(first=first) as discord, ended_when_well(port) as answers:
        discord.stand_in(monkeypatch)

        assert app.DONE == app.run()

    assert answers[-1][0]
    told = capsys.readouterr().out
    assert len(first) <= told.count(said) + (shards > 1)
    assert "Traceback" not in told
    beats = [thread for thread in threading.enumerate() if thread.name.startswith("keep-alive")]
    for thread in beats:
        thread.join(5)  # it has been told to end
    assert not [thread.name for thread in beats if thread.is_alive()]


def test_one_that_is_cut_in_the_middle_of_all_else_ends_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], port: int
) -> None:
    """A shard is cut off after hello, then refused, then cut before hello: the library would end with the last."""
    monkeypatch.setenv("SHARD_COUNT", "2")
    with FakeDiscord(first=["says hello", "", "refuses", "cuts"]) as discord, ended_when_well(port) as answers:
        discord.stand_in(monkeypatch)

        assert app.DONE == app.run()

    assert answers[-1][0]
    assert "Traceback" not in capsys.readouterr().out


@pytest.mark.parametrize("shards", [1, 2])
def test_a_token_that_is_refused_before_hello(
    shards: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is not tried again, with however many connections."""
    monkeypatch.setenv("SHARD_COUNT", str(shards))
    with FakeDiscord(first=["forbids"] * 9) as discord:
        discord.stand_in(monkeypatch)

        assert app.DONE != app.run()

        assert 1 == discord.connections
    assert "DISCORD_TOKEN" in capsys.readouterr().err


def test_a_token_that_one_shard_is_refused_with(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """That ends the bot, though another shard cannot connect just then."""
    monkeypatch.setenv("SHARD_COUNT", "2")
    with FakeDiscord(first=["expels", *["refuses"] * 10_000]) as discord:
        discord.stand_in(monkeypatch)

        assert app.DONE != app.run()

    assert discord.connections < 100
    assert "DISCORD_TOKEN" in capsys.readouterr().err


@pytest.mark.parametrize("kind", [Client, AutoShardedClient])
@pytest.mark.parametrize(
    ("then", "connections"),
    [
        (["forgets"], 3),
        (["expires"], 3),
        (["garbles"], 3),
        (["ignores"] * 9, 4),
        (["deaf"] * 9, 3),
        (["deaf", "goes on"], 4),
    ],
)
async def test_a_session_that_cannot_be_gone_on_with(
    kind: type[Client], then: list[str], connections: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one is begun: at once where Discord says so or says nothing, else after the second try. Meanwhile there
    is none."""
    monkeypatch.setattr(gateway, "ANSWERS", 0.5)
    with FakeDiscord(first=["leaves", *then]) as discord:
        discord.stand_in(monkeypatch)
        gateway.keep_trying(None)
        client = kind(intents=Intents.none(), shard_count=1 if kind is AutoShardedClient else None)
        shard = 0 if kind is AutoShardedClient else None
        running = asyncio.create_task(client.start(TOKEN))
        without = set[int]()
        while len(discord.identified) < 2 or not gateway.has_session(client, shard):
            await asyncio.sleep(0)
            if not gateway.has_session(client, shard):
                without.add(discord.connections)
        await client.close()
        await running
    assert connections == discord.connections
    assert {*range(2, connections + 1)} <= without


@pytest.mark.parametrize("kind", [Client, AutoShardedClient])
@pytest.mark.parametrize(("first", "connections", "begun"), [(["garbles later"], 2, 2), (["leaves", "replays"], 3, 1)])
async def test_what_cannot_be_read_in_a_session(
    kind: type[Client], first: list[str], connections: int, begun: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one is begun after half a READY alone; else what people did meanwhile is not lost."""
    with FakeDiscord(first=first) as discord:
        await _until_back(kind, discord, monkeypatch)
    assert (connections, begun) == (discord.connections, len(discord.identified))


def test_waits_grow_and_have_an_end() -> None:
    """Nobody is asked in a loop, and who is back is found soon."""
    waits, plain = Waits(), ExponentialBackoff[Any]()
    for each in (waits, plain):
        each._randfunc = lambda _least, most: most
    assert [2, 4, 8, 16, 20, 20, 20] == [_DELAY(waits) for _ in range(7)]
    assert 64 == [plain.delay() for _ in range(6)][-1]


async def test_a_connection_that_cannot_be_asked_for_a_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has said hello, and leaves no signs of life behind."""
    failed = 0

    async def fail(_client: Client, _shard: int | None, **_more: bool) -> None:
        nonlocal failed
        failed += 1
        if failed < 4:
            raise ConnectionResetError("lost meanwhile")

    monkeypatch.setattr(Client, "before_identify_hook", fail)
    with FakeDiscord() as discord:
        discord.stand_in(monkeypatch)
        gateway.keep_trying(None)
        client = AutoShardedClient(intents=Intents.none(), shard_count=1)
        ready = asyncio.Event()
        client.event(_on_ready(ready))
        running = asyncio.create_task(client.start(TOKEN))
        await asyncio.wait_for(ready.wait(), 60)
        beats = [thread for thread in threading.enumerate() if thread.name.startswith("keep-alive")]
        for thread in beats[:-1]:
            await asyncio.to_thread(thread.join, 5)
        assert 1 == sum(thread.is_alive() for thread in beats)
        await client.close()
        await running


async def test_a_turn_to_identify_may_come_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """The gateway has said hello by then: it is not taken for one that hangs."""
    left: list[float | None] = []

    async def wait_for_others(_client: Client, _shard: int | None, **_more: bool) -> None:
        opening = gateway._opening.get()
        assert opening is not None
        left.append(opening.patience.when())

    monkeypatch.setattr(Client, "before_identify_hook", wait_for_others)
    with FakeDiscord() as discord:
        discord.stand_in(monkeypatch)
        gateway.keep_trying(None)
        client = Client(intents=Intents.none())
        ready = asyncio.Event()
        client.event(_on_ready(ready))
        running = asyncio.create_task(client.start(TOKEN))
        await asyncio.wait_for(ready.wait(), 60)
        await client.close()
        await running

    assert [None] == left


async def _until_back(kind: type[Client], discord: FakeDiscord, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client runs until it has gone on with its session, or has begun another."""
    discord.stand_in(monkeypatch)
    gateway.keep_trying(None)
    client = kind(intents=Intents.none(), shard_count=1 if kind is AutoShardedClient else None)
    running = asyncio.create_task(client.start(TOKEN))
    assert await asyncio.to_thread(discord.back.wait, 30)
    await client.close()
    await running


def _on_ready(ready: asyncio.Event) -> Any:
    async def on_ready() -> None:
        ready.set()

    return on_ready


@pytest.mark.parametrize("url", ["ws://127.0.0.1:9/", "ws://nowhere.invalid", "not an address", "ws://[", ""])
@pytest.mark.parametrize("kind", [Client, AutoShardedClient])
async def test_where_a_session_goes_on_is_out_of_reach(
    kind: type[Client], url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the address cannot be reached that Discord has named for going on, the usual one is asked."""
    monkeypatch.setattr(gateway, "LONGEST_WAIT", 0.1)
    with FakeDiscord(first=["leaves"], resume_url=url) as discord:
        await _until_back(kind, discord, monkeypatch)
