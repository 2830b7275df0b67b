from __future__ import annotations

import asyncio
import inspect

import pytest

from bot import app
from bot.app import wrong_with
from bot.background.nightly import NOT_COPIED
from bot.chat.client import Damero
from bot.health import HealthServer
from data.queries import key_values
from tests.support.discord.world import World


async def test_a_copy_that_failed_is_told(here: World) -> None:
    """The health check names the night's copy as wrong, with the reason, until one has been made."""
    wrong = await wrong_with(here.bot)
    assert [None, None, None] == [wrong[part] for part in ("database", "copies", "timers")]
    async with here.bot.services.store.write() as tx:
        await key_values.put(tx, NOT_COPIED, "The copy cannot be made: no space left.")
    assert "no space left" in ((await wrong_with(here.bot))["copies"] or "")


async def test_what_keeps_its_shards_from_it_is_told(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once: whoever asks need not wait until nothing can be written."""
    monkeypatch.setattr(Damero, "trouble", "The database is out of reach: no answer in time")
    assert "The database is out of reach: no answer in time" == (await wrong_with(here.bot))["database"]


async def test_a_database_that_does_not_answer(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named before the health check itself is given up."""
    assert app._TRIED < inspect.signature(HealthServer).parameters["patience"].default
    monkeypatch.setattr(app, "_TRIED", 0.05)
    over = asyncio.Event()

    async def writes() -> None:
        async with here.bot.services.store.write():
            await over.wait()

    writing = asyncio.create_task(writes())
    await asyncio.to_thread(int)
    assert "no answer within 0.05 seconds" == (await wrong_with(here.bot))["database"]
    over.set()
    await writing
    assert (await wrong_with(here.bot))["database"] is None
