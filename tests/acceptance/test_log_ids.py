"""The log names what a person did, from the press to the post."""

from __future__ import annotations

import asyncio
import io
import json
from typing import Any

import pytest
import structlog

from bot import logs
from bot.games.model.timers import CLOCK
from data.queries import timers
from tests.support.discord.world import World

pytestmark = pytest.mark.usefixtures("logging_as_it_was")


class Lines:
    """What is logged as JSON."""

    def __init__(self) -> None:
        self._out = io.StringIO()
        logs.set_up("debug", "json", self._out)

    def of(self, source: str) -> list[str]:
        """The events that have a source, in order."""
        return [line["event"] for line in self.all() if line.get("source") == source]

    def all(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._out.getvalue().splitlines()]


@pytest.fixture
def logged() -> list[Any]:
    """The log as it is written, in place of the events that other tests look at."""
    return []


async def test_from_a_message_to_its_post(here: World) -> None:
    """A typed move, what was stored, and the board that was posted have one source; the next message has another."""
    await here.start()
    lines = Lines()

    first = await here.mention(here.alice, "b3-a4")
    second = await here.mention(here.bob, "g6-h5")

    for message in (first, second):
        assert ["message", "stored", "posted"] == lines.of(f"m:{message.id}")


async def test_from_a_press_to_its_post(here: World) -> None:
    """A button that accepts a challenge: its interaction's id stands with the board that was posted."""
    await here.play()
    lines = Lines()

    await here.bob.click(here.last, label="Accept")

    (source,) = {line["source"] for line in lines.all() if line["event"] == "posted"}
    assert source.startswith("i:")
    assert "interaction" == lines.of(source)[0]


async def test_a_post_that_fails_and_a_restart(here: World) -> None:
    """What could not be posted is logged with what it came from, and so is the post of the next process."""
    await here.start()
    here.env.inject_error("POST", "/channels/*/messages", status=500)
    lines = Lines()
    message = await here.mention(here.alice, "b3-a4")
    assert "not posted" in lines.of(f"m:{message.id}")

    await here.restart()
    await here.env.settle()

    assert "posted" == lines.of(f"m:{message.id}")[-1]
    assert 2 == len(here.boards())


async def test_timers_are_nobodys(here: World) -> None:
    """The loop of timers is begun anew by whoever sets a sooner one: what it logs later is not theirs."""
    lines = Lines()
    now, tried = here.bot.services.clock(), asyncio.Event()
    around: list[dict[str, Any]] = []

    def noted(*_: object) -> None:
        around.append(structlog.contextvars.get_contextvars())
        tried.set()

    here.bot.timers.tried.connect(noted)
    async with here.bot.services.store.write() as tx:
        await timers.put(tx, CLOCK, 999, now, {})
    with structlog.contextvars.bound_contextvars(source="somebody"):
        here.bot.timers.set(now)

    await asyncio.wait_for(tried.wait(), 60)

    assert ["timer not done"] == lines.of("timer:clock:999")
    assert [{}] == around
