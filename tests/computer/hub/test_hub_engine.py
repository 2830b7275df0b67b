from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.computer.hub import hub_engine
from bot.computer.hub.hub_engine import HubEngines, HubFailed
from bot.computer.workers.jobs import Answer, Job
from bot.engine import variants
from bot.engine.errors import VariantError
from bot.engine.registry import rules_for


def stub(fault: str = "none") -> list[str]:
    """The command of the tests' own engine."""
    return [sys.executable, "-m", "tests.support.computer.hub_stub", "spanish", fault]


def job(*turns: str, variant: str = "spanish", start: str | None = None) -> Job:
    """A game that the engine is asked about."""
    return Job(variant, {}, start, turns, 9, 1)


@pytest.fixture
def engines() -> Iterator[HubEngines]:
    made = HubEngines({"spanish": stub()})
    yield made
    made.close()


async def asked(fault: str) -> Answer:
    """What an engine with a fault answers at the start of a game."""
    made = HubEngines({"spanish": stub(fault)})
    try:
        return await made.think(job())
    finally:
        made.close()


async def test_an_engine_plays(engines: HubEngines, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told the game so far, and its move is one of ours; the bot's token is not its business."""
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    rules = rules_for("spanish")
    state = rules.start()
    played: list[str] = []
    for _ in range(30):
        answer = await engines.think(job(*played))
        assert (answer.turn, answer.nodes, answer.score, answer.depth) == (rules.turns(state)[0].text, 0, 50, 0)
        played.append(answer.turn)
        state = rules.play(state, rules.read(state, answer.turn))


async def test_a_game_may_begin_elsewhere(engines: HubEngines) -> None:
    """A position is sent as it stands."""
    answer = await engines.think(job(start="W:Wd1:Be8"))
    assert answer.turn in ("d1-c2", "d1-e2")


async def test_an_engine_that_dies_is_started_again(tmp_path: Path) -> None:
    """The move is asked for once more."""
    assert (
        rules_for("spanish").turns(rules_for("spanish").start())[0].text
        == (await asked(f"dies:{tmp_path / 'died'}")).turn
    )


@pytest.mark.parametrize("fault", ["hangs", "floods", "long", "illegal", "elsewhere"])
async def test_what_an_engine_does_wrong(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer, too much of one, an illegal one, or another game: it is given up, after two tries."""
    monkeypatch.setattr(hub_engine, "SECONDS", 0.1)
    monkeypatch.setattr(hub_engine, "GRACE", 0.3)
    monkeypatch.setattr(hub_engine, "MOST_LINES", 300)
    with pytest.raises(HubFailed):
        await asked(fault)


async def test_what_is_no_engine() -> None:
    """A program that says nothing of Hub, and one that is not there."""
    for command in ([sys.executable, "-c", "print(1)"], ["/nowhere/engine"]):
        with pytest.raises(HubFailed):
            await HubEngines({"spanish": command}).think(job())


async def test_which_games_it_plays(engines: HubEngines) -> None:
    """Those of the settings, by their usual rules; there must be such a game."""
    assert engines.plays(variants.load("spanish"))
    assert not engines.plays(variants.load("spanish", {"mirror": True}))
    assert not engines.plays(variants.load("pinoy"))
    with pytest.raises(HubFailed):
        await engines.think(job(variant="pinoy"))
    for name in ("go", "chinese-checkers"):
        with pytest.raises(VariantError):
            HubEngines({name: stub()})
