"""What an operator sees of a bot that plays, and that its alerts fire when something is made to go wrong."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import shutil
import signal
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from bot.background.nightly import BACKUP
from bot.computer.workers.executors import ProcessExecutor
from bot.computer.workers.jobs import Job
from bot.games.model.timers import CLOCK
from bot.metrics import server
from bot.metrics.server import MetricsServer
from data.queries import timers
from tests.support.data.databases import POSTGRESQL
from tests.support.discord.world import World
from tests.support.metrics.alerts import PROMTOOL, check_alerts, promtool, value

Scrape = Callable[[], Awaitable[str]]


@pytest.fixture
async def scrape(here: World, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Scrape]:
    """What the bot serves, looked up anew each time."""
    monkeypatch.setattr(server, "BEAT", 1e9)
    monkeypatch.setattr(server, "FRESH", 0.0)
    metrics = MetricsServer(here.bot, now=lambda: 0.0)
    metrics.begin()

    async def served() -> str:
        return (await asyncio.to_thread(generate_latest, metrics.registry)).decode()

    yield served
    await metrics.close()


@pytest.fixture
def alerts(root: Path, tmp_path: Path) -> Callable[..., None]:
    """``check_alerts`` for this test; where there is no promtool, the thresholds alone are looked at by the test."""

    def check(*scrapes: tuple[int, str], minutes: int, firing: set[str]) -> None:
        if PROMTOOL is not None:
            check_alerts(root, tmp_path, scrapes, minutes, firing)

    return check


async def test_a_game_is_counted(here: World, scrape: Scrape) -> None:
    """Turns, posts, interactions, running games and statements of a game that is played."""
    await here.start()
    await here.mention(here.alice, "b3-a4")
    await here.mention(here.bob, "g6-h5")
    await here.mention(here.alice, "this is no move")

    told = await scrape()

    assert 2 == value(told, "damero_turns_total", variant="spanish", by="person")
    assert 3 < value(told, "damero_posts_total", of="game", outcome="sent")
    assert 3 < value(told, "damero_post_delay_seconds_count")
    assert 1 == value(told, "damero_games_running", variant="spanish")
    assert 0 == value(told, "damero_games_running", variant="own")
    assert 0 == value(told, "damero_posts_waiting", channel="open")
    interactions, shard = "discord_event_on_interaction_total", str(here.bot.guilds[0].shard_id)
    assert 1 == value(told, interactions, shard=shard, interaction="application_command", command="play")
    assert 1 == value(told, interactions, shard=shard, interaction="component", command="None")
    assert 1 == value(told, "discord_connected", shard="None")
    assert 1 == value(told, "discord_stat_total_guilds")
    assert 10 < value(told, "damero_store_statements_total")
    assert 4 < value(told, "damero_store_seconds_count", kind="write")


async def test_the_page_about_figures_has_them_all(here: World, scrape: Scrape, root: Path) -> None:
    """docs/metrics.md names everything that is served, with its kind and labels, and nothing else."""
    await here.start()
    await here.mention(here.alice, "b3-a4")
    text = (root / "docs" / "metrics.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (\w+) \|", text, re.MULTILINE))
    labels = {
        name: set(re.findall(r"`(\w+)`", column))
        for name, column in re.findall(r"^\| `(\w+)` \| \w+ \|([^|]*)\|", text, re.MULTILINE)
    }

    families = list(text_string_to_metric_families(await scrape()))

    named = {family.name + ("_total" if family.type == "counter" else ""): family for family in families}
    assert {name: family.type for name, family in named.items()} == rows
    for name, family in named.items():
        for sample in family.samples:
            assert set(sample.labels) - {"le"} == labels[name], name


async def test_rules_and_board_ask_for_what_there_is(here: World, scrape: Scrape, root: Path) -> None:
    """Every name in the alerts and on the board is one that is served."""
    names = {
        name
        for family in text_string_to_metric_families(await scrape())
        for name in (family.name, *(family.name + ending for ending in ("_total", "_bucket", "_count", "_sum")))
    }
    texts = [(root / "deploy" / file).read_text("utf-8") for file in ("alerts.yml", "grafana/damero.json")]
    name = r"\b((?:damero|discord|logging|process)_\w+)(?=[{[)]| [<>=/]| unless| offset)"
    asked = re.findall(name, "".join(texts))

    assert len(set(asked)) > 25
    assert set() == set(asked) - names


@pytest.mark.skipif(PROMTOOL is None, reason="promtool (Debian's package prometheus) is not here")
async def test_what_is_served_is_well_formed(here: World, scrape: Scrape) -> None:
    """promtool reads it, and has nothing to say against its names."""
    await here.start()
    told = await scrape()
    # The log's lines have no prefix: it is the name by which others' boards know them.
    assert [] == [line for line in promtool("check", "metrics", said=told).splitlines() if "logging" not in line]


async def test_a_scrape_is_answered_while_the_loop_stands_still(
    here: World, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot is asked from its own event loop, which does nothing meanwhile: it answers what it knew, and says so."""
    seconds = 100.0
    metrics = MetricsServer(here.bot, now=lambda: seconds)
    port = await metrics.open(0, "127.0.0.1")
    address = f"http://127.0.0.1:{port}/metrics"
    known = await asyncio.to_thread(asked, address)
    seconds += 130
    monkeypatch.setattr(server, "PATIENCE", 0.01)

    told = asked(address)

    await metrics.close()
    assert 0 == value(known, "damero_loop_silent_seconds")
    assert 130 == value(told, "damero_loop_silent_seconds")
    assert 130 == value(told, "damero_figures_age_seconds")
    assert 0 == value(told, "damero_games_running", variant="spanish")
    if PROMTOOL is not None:
        # The time of the simulated Discord does not reach the server's threads.
        before, after = (re.sub("(?m)^damero_timers_.*\n", "", scrape) for scrape in (known, told))
        check_alerts(root, tmp_path, [(0, before), (15, after)], 3, {"DameroLoopSilent", "DameroFiguresOld"})
    with pytest.raises(urllib.error.URLError):
        asked(address)


def asked(address: str) -> str:
    """What is served at an address."""
    with urllib.request.urlopen(address, timeout=30) as answer:
        return str(answer.read().decode())


# Faults


async def test_posts_that_are_refused_for_long(here: World, scrape: Scrape, alerts: Callable[..., None]) -> None:
    """Discord answers 500 for ten minutes: the alert fires, and ends once the board is posted."""
    await here.start()
    here.env.inject_error("POST", "/channels/*/messages", status=500, times=4)
    await here.mention(here.alice, "b3-a4")
    scrapes = [(0, await scrape())]
    for minute in range(1, 11):
        await here.env.advance_time(60)
        scrapes.append((minute * 60, await scrape()))

    assert 300 < value(scrapes[-1][1], "damero_posts_oldest_waiting_seconds", channel="open")
    alerts(*scrapes, minutes=10, firing={"DameroPostsWaiting"})
    await here.env.advance_time(700)
    after = await scrape()
    assert 0 == value(after, "damero_posts_waiting", channel="open")
    alerts(*scrapes, (660, after), minutes=12, firing=set())


async def test_a_channel_that_is_closed_wakes_nobody(here: World, scrape: Scrape, alerts: Callable[..., None]) -> None:
    """What its own server alone can put right is counted apart: no alert."""
    await here.start()
    path = f"/channels/{here.channel.id}/messages"
    here.env.inject_error("POST", path, status=403, code=50013, times=None)
    await here.mention(here.alice, "b3-a4")
    await here.env.advance_time(900)

    told = await scrape()

    assert 1 == value(told, "damero_posts_waiting", channel="closed")
    assert 0 == value(told, "damero_posts_waiting", channel="open")
    alerts((0, told), minutes=15, firing=set())


async def test_a_timer_that_cannot_be_done(here: World, scrape: Scrape, alerts: Callable[..., None]) -> None:
    """The clock of a game that is not there fails again and again: it is late, and the alert fires."""
    now = here.bot.services.clock()
    async with here.bot.services.store.write() as tx:
        await timers.put(tx, CLOCK, 999, now, {})
    here.bot.timers.set(now)
    scrapes = [(0, await scrape())]
    for minute in range(1, 7):
        await here.env.advance_time(60)
        scrapes.append((minute * 60, await scrape()))

    last = scrapes[-1][1]
    assert 1 == value(last, "damero_timers_due")
    assert 120 < value(last, "damero_timers_overdue_seconds")
    assert 0 < value(last, "damero_timers_total", kind=CLOCK, outcome="failed")
    alerts(*scrapes, minutes=7, firing={"DameroTimersLate"})


async def test_a_worker_that_is_killed(
    here: World, scrape: Scrape, alerts: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker is killed while it is idle: the move comes all the same, and the alert fires."""
    monkeypatch.setenv("DAMERO_PLAIN", "1")
    workers = here.bot.services.workers
    await workers.start()
    before = await scrape()
    assert 1 == value(before, "damero_workers_alive")
    (executor,) = workers.executors
    assert isinstance(executor, ProcessExecutor)
    assert executor.process is not None
    os.kill(executor.process, signal.SIGKILL)

    assert "c3xe5" == (await workers.think(Job("pinoy", {}, "W:Wc3:Bd4", (), 1, 0), 1)).turn

    after = await scrape()
    assert 1 == value(after, "damero_workers_lost_total")
    assert 2 == value(after, "damero_computer_seconds_count", queue="game") + value(
        after, "damero_computer_seconds_count", queue="background"
    )
    alerts((0, before), (60, after), minutes=3, firing={"DameroWorkerDies"})


@pytest.mark.skipif(POSTGRESQL, reason="of a PostgreSQL the bot makes no copies")
async def test_a_copy_that_fails(here: World, scrape: Scrape, alerts: Callable[..., None], tmp_path: Path) -> None:
    """Where the folder for the copies should be is a file: the alert fires until the next copy is made."""
    (tmp_path / "backups").write_text("not a folder")
    here.expected_errors.add("database not copied")
    done = asyncio.Event()
    here.bot.timers.tried.connect(lambda *_: done.set())

    async def night() -> str:
        async with here.bot.services.store.write() as tx:
            await timers.put(tx, BACKUP, 0, here.bot.services.clock(), {})
        done.clear()
        here.bot.timers.set(here.bot.services.clock())
        await asyncio.wait_for(done.wait(), 60)
        return await scrape()

    told = await night()
    assert 1 == value(told, "damero_copy_failed")
    alerts((0, told), minutes=1, firing={"DameroCopyFailed"})
    (tmp_path / "backups").unlink()
    told = await night()
    assert 0 == value(told, "damero_copy_failed")
    assert value(told, "damero_copy_age_seconds") < 120
    alerts((0, told), minutes=60, firing=set())


async def test_a_disk_that_is_full(
    here: World, scrape: Scrape, alerts: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Little room is left where the database is."""
    full = SimpleNamespace(total=100_000_000_000, used=99_500_000_000, free=500_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: full)
    alerts((0, await scrape()), minutes=10, firing={"DameroDiskFull"})


async def test_a_connection_that_is_lost(
    here: World, scrape: Scrape, alerts: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord is out of reach: one alert says so, and timers that stand still meanwhile raise none."""
    monkeypatch.setattr(here.bot, "connected", lambda: False)
    now = here.bot.services.clock()
    async with here.bot.services.store.write() as tx:
        await timers.put(tx, CLOCK, 999, now - 600_000, {})
    alerts((0, await scrape()), minutes=10, firing={"DameroDisconnected"})


async def test_an_error_that_nobody_foresaw(here: World, scrape: Scrape, alerts: Callable[..., None]) -> None:
    """An exception in the log is counted by its class, and the alert fires at its first."""
    before = await scrape()
    try:
        raise LookupError("a fault")
    except LookupError:
        logging.getLogger("bot.test").exception("failed")

    after = await scrape()

    assert 1 == value(after, "damero_errors_total", kind="LookupError")
    assert 1 == value(after, "logging_total", logger="bot.test", level="ERROR")
    alerts((0, before), (60, after), minutes=3, firing={"DameroErrors"})
