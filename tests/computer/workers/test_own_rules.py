"""A game of a server's own goes to workers with its rules: nobody there has a file of them."""

from __future__ import annotations

import pytest

from bot.computer import analysis
from bot.computer.analysis import PlayedPosition
from bot.computer.puzzles import MiningJob, mine
from bot.computer.workers.jobs import Job
from bot.computer.workers.pool import Workers
from bot.engine import variants
from bot.engine.ruleset import Ruleset

SHIPPED = variants.shipped("spanish").text
HOUSE = Ruleset(
    "house@7",
    SHIPPED.replace('captures = ["forward-diagonal"]', 'captures = ["forward-diagonal", "backward-diagonal"]'),
)
BACKWARD = "W:Wd5:Bc4,h7"
"""Here a man must capture backward; by the rules that are shipped it may not."""


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers start at once, without compiling their search."""
    monkeypatch.setenv("DAMERO_PLAIN", "1")


async def test_a_worker_plays_by_the_text_that_it_is_given() -> None:
    """Turns, analyses and puzzles, in a process that has never heard of the variant; also under a shipped one's name,
    whose file has changed since the game began."""
    workers = Workers(1)
    try:
        house = await workers.think(Job(HOUSE, {}, BACKWARD, (), 3, 1), server=7)
        old = await workers.think(Job(Ruleset("spanish", HOUSE.text), {}, BACKWARD, (), 3, 1), server=7)
        shipped = await workers.think(Job("spanish", {}, BACKWARD, (), 3, 1), server=7)
        moment = PlayedPosition(HOUSE, {}, BACKWARD, (), "d5xb3", 0.02)
        seen = await workers.call(analysis.look, moment, 7, seconds=5.0)
        mined = await workers.call(mine, MiningJob(HOUSE, {}, BACKWARD, ("d5xb3",), 0, 1), 7, seconds=5.0)
    finally:
        workers.close()
    assert ("d5xb3", "d5xb3") == (house.turn, old.turn)
    assert shipped.turn in ("d5-c6", "d5-e6")
    assert ("d5xb3", ()) == (seen.best, mined)
