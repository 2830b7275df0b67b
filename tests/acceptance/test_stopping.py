"""A bot that is told to stop."""

from __future__ import annotations

import asyncio
from collections.abc import Collection

import pytest

from bot.chat.games.delivery import Delivery
from bot.games.persistence.outages import Outages
from data.store import Unavailable
from tests.support.discord.parts import part
from tests.support.discord.world import World


async def test_what_comes_while_the_bot_ends_is_not_begun(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it waits for its last posts to arrive, nothing that is written, commanded or pressed is taken up."""
    await here.play()
    challenge = here.last
    saying, go_on = asyncio.Event(), asyncio.Event()

    async def close() -> None:
        saying.set()
        await here.env.external_wait(go_on.wait(), reason="posts under way")

    monkeypatch.setattr(part(here.bot, Delivery), "close", close)
    with here.env._bot_scope():
        closing = asyncio.create_task(here.bot.close())
    await saying.wait()
    asked = len(here.env.http_requests)

    await here.bob.click(challenge, label="Accept")
    await here.alice.slash(here.channel, "me games")
    await here.mention(here.alice, "help")

    assert asked == len(here.env.http_requests)
    go_on.set()
    await closing


async def test_an_end_does_not_wait_for_all_that_waits_to_be_stored(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where so many wait to write that its last sign of life would wait for long, too, they are turned away, and it is
    left at once."""
    store, alive, done = here.bot.services.store, Outages.alive, list[str]()
    under_way, go_on = asyncio.Event(), asyncio.Event()

    async def write(name: str) -> None:
        try:
            async with store.write():
                under_way.set()
                await go_on.wait()
            done.append(f"{name} is stored")
        except Unavailable:
            done.append(f"{name} is turned away")

    async def left(outages: Outages, shards: Collection[int] | None = None) -> None:
        if not go_on.is_set():
            go_on.set()
            raise TimeoutError
        await alive(outages, shards)
        done.append("a sign of life")

    monkeypatch.setattr(Outages, "alive", left)
    with here.env._bot_scope():
        writing = [asyncio.create_task(write(name)) for name in ("one", "two", "three")]
        await under_way.wait()
        await here.bot.close()
        await asyncio.gather(*writing)

    assert ["one is stored", "two is turned away", "three is turned away", "a sign of life"] == done
