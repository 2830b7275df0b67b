"""The bot with several connections to Discord in one process."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import discord
import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.chat.client import Damero
from bot.chat.games.delivery import Delivery
from bot.chat.games.game_threads import GameThreads
from bot.chat.sharding import ShardedDamero, create_bot
from bot.metrics.figures import of_discord
from bot.settings import Settings
from data.lease import Lease
from data.notifications import Notifications, Word
from data.shards import Shards
from tests.support.data.databases import url_of
from tests.support.discord.world import World


@pytest.fixture
def bot_settings(tmp_path: Path) -> Settings:
    return Settings(database_url=url_of(tmp_path / "damero.sqlite3"), shard_count=2)


async def test_games_go_on_in_every_shard(here: World) -> None:
    """Servers of both shards are played on, by one process that has a database in a file."""
    assert isinstance(here.bot, ShardedDamero)
    for shard in (0, 1):
        guild = here.env.create_guild(f"Club {shard}", shard_id=shard)
        channel = guild.create_text_channel("draughts")
        one, other = (guild.add_member(here.env.create_user(name)) for name in (f"eve{shard}", f"dan{shard}"))
        await one.slash(channel, "play", variant="spanish", opponent=other, side="first")
        assert channel.last_message is not None
        await other.click(channel.last_message, label="Accept")
        game = await here.game(channel)
        await one.slash(channel, "move", move=game.rules.turns(game.state)[0].text)

        assert 1 == (await here.game(channel)).ply
        assert 2 == len(here.boards(channel))
    assert {0, 1} == here.bot.up()
    assert here.bot.connected()


async def test_one_connection_is_lost(here: World) -> None:
    """Time stands still on the servers of that shard alone; the bot is not quite well until it is back, and its figures
    say which it is."""
    outages = here.bot.services.games.outages
    lost, other = here.bot.get_shard(1), here.bot.get_shard(0)  # type: ignore[attr-defined]
    with here.env._bot_scope():
        await lost.disconnect()
    await here.env.settle()

    assert {0} == here.bot.up()
    assert not here.bot.connected()
    assert {("0",): 1, ("1",): 0} == of_discord(here.bot)["discord_connected"]
    assert outages.lost_of({1})
    assert not outages.lost_of({0})
    assert not other.is_closed()
    await here.bot.timers.tick()
    assert outages.lost_of({1})
    with here.env._bot_scope():
        await lost.reconnect()
    await here.env.settle()
    await here.bot.timers.tick()

    assert here.bot.connected()
    assert not outages.is_lost


class NobodyElse(Notifications):
    """Those of a process that is alone."""

    async def tell(self, tx: AsyncConnection, words: Iterable[Word]) -> None: ...


class OneOfTwo(Lease):
    """Held until it is let go of: shard 0 of two."""

    shards = Shards(2, frozenset({0}))
    held = True
    signed = ([], "")
    free = ()
    trouble = None
    notifications = NobodyElse("")

    def __init__(self) -> None:
        """There is no database."""

    async def release(self) -> None:
        self.held = False

    async def stand(self) -> None: ...


@pytest.fixture
def simcord_bot(bot_settings: Settings, request: pytest.FixtureRequest) -> Damero:
    return create_bot(bot_settings, lease=OneOfTwo() if request.node.get_closest_marker("one_of_two") else None)


@pytest.mark.one_of_two
async def test_a_thread_on_a_server_of_another_process(here: World) -> None:
    """A game of two servers has one thread on the second, though the bot was killed before it could note that, and
    another process hears of what happens there."""
    away = here.env.create_guild("Away", shard_id=1)
    channel = away.create_text_channel("draughts")
    assert here.bot.get_guild(away.id) is None
    services = here.bot.services
    event_of = services.tournaments.export.title_of_game
    threads = GameThreads(
        here.bot, services.games, services.outbox, services.pictures, services.games_changed.send, event_of
    )
    own = here.env.create_guild("Here", shard_id=0)
    there = own.create_text_channel("draughts")
    one, other = (own.add_member(here.env.create_user(name)) for name in ("eve", "dan"))
    await one.slash(there, "play", variant="spanish", opponent=other, side="first")
    assert there.last_message is not None
    await other.click(there.last_message, label="Accept")
    game = await here.game(there)

    opened = [await threads._open(game, channel.id) for _ in range(2)]

    assert opened[0] == opened[1]


@pytest.mark.one_of_two
async def test_the_shards_of_a_process_that_ends_are_free_early(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are left to others when what was being said has arrived, however long Discord takes to end a connection:
    after a moment the bot ends without its good-bye."""
    lease, said = here.bot._lease, list[tuple[str, bool]]()
    assert isinstance(lease, OneOfTwo)
    cut, close, leave, end = asyncio.Event(), Delivery.close, discord.AutoShardedClient.close, type(here.bot.http).close

    async def arrived(delivery: Delivery) -> None:
        await close(delivery)
        said.append(("last post", lease.held))

    async def left(bot: discord.AutoShardedClient) -> None:
        if not cut.is_set():
            said.append(("good-bye", lease.held))
            await here.env.external_wait(cut.wait(), reason="Discord")
        await leave(bot)

    async def ended(http: Any) -> None:
        cut.set()
        await end(http)

    monkeypatch.setattr(Delivery, "close", arrived)
    monkeypatch.setattr(discord.AutoShardedClient, "close", left)
    monkeypatch.setattr(type(here.bot.http), "close", ended)
    with here.env._bot_scope():
        closing = asyncio.create_task(here.bot.close())
    await here.env.advance_time(10)
    await closing

    assert [("last post", True), ("good-bye", False)] == said
