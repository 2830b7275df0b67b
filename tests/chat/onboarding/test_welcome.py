from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.chat.onboarding import welcome
from bot.chat.onboarding.welcome import Welcomes
from data.shards import Shards
from data.store import Store
from tests.support.data.databases import url_of

COUNT = 2


class Channel:
    """Where welcomes are posted; ``posts``: how many."""

    def __init__(self) -> None:
        self.posts = 0

    async def send(self, _text: str, **_how: Any) -> None:
        self.posts += 1


class Languages:
    async def of_server(self, _guild_id: int) -> str:
        return "en"


class Guild:
    """A server of a shard, with one channel."""

    def __init__(self, number: int, shard: int) -> None:
        self.id, self.channel = (number * COUNT + shard) << 22, Channel()


@pytest.fixture
def url(tmp_path: Path) -> str:
    return url_of(tmp_path / "damero.sqlite3")


@pytest.fixture
async def stores(url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[Store]]:
    """Of two processes on one database, a shard each."""
    monkeypatch.setattr(welcome, "first_open", lambda guild: guild.channel)
    both = [Store(url, shards=Shards(COUNT, frozenset({n}))) for n in range(COUNT)]
    for store in both:
        await store.open()
    yield both
    for store in both:
        await store.close()


def of(store: Store, *guilds: Guild) -> Welcomes:
    """The welcomes of a process that has just been connected."""
    known = {guild.id: guild for guild in guilds}
    client: Any = SimpleNamespace(guilds=list(guilds), get_guild=known.get)
    return Welcomes(client, store, Languages())  # type: ignore[arg-type]


async def test_a_process_remembers_nothing_of_the_others_servers(stores: list[Store]) -> None:
    """Where processes share a database, none of them makes another forget whom it has welcomed: after a start of each
    no server is welcomed anew, and one that came meanwhile is, once."""
    old = [Guild(1, 0), Guild(1, 1)]
    new = [Guild(2, 0), Guild(2, 1)]
    for _run in range(2):
        for store, guild in zip(stores, old, strict=True):
            await of(store, guild).start()
    assert [0, 0] == [guild.channel.posts for guild in old]

    for _run in range(2):
        for store, known, come in zip(stores, old, new, strict=True):
            await of(store, known, come).start()
    assert [0, 0] == [guild.channel.posts for guild in old]
    assert [1, 1] == [guild.channel.posts for guild in new]


async def test_a_server_that_leaves_while_the_bot_starts(stores: list[Store]) -> None:
    """The others are not welcomed for that."""
    store, stays, leaves = stores[0], Guild(1, 0), Guild(2, 0)
    await of(store, stays, leaves).start()

    starting = of(store, stays)
    await starting.left(leaves)  # type: ignore[arg-type]
    await starting.start()
    assert 0 == stays.channel.posts

    back = of(store, stays, leaves)
    await back.start()
    assert (0, 1) == (stays.channel.posts, leaves.channel.posts)


async def test_more_shards_than_before(url: str, stores: list[Store]) -> None:
    """One process for all servers comes after several, and several after it: nobody is welcomed for that."""
    guilds = [Guild(1, 0), Guild(1, 1)]
    for store, guild in zip(stores, guilds, strict=True):
        await of(store, guild).start()
    alone = Store(url)
    await alone.open()
    try:
        await of(alone, *guilds).start()
    finally:
        await alone.close()
    for store, guild in zip(stores, guilds, strict=True):
        await of(store, guild).start()
    assert [0, 0] == [guild.channel.posts for guild in guilds]
