from __future__ import annotations

import asyncio

import pytest
from structlog.testing import capture_logs

from bot.background import scheduler
from bot.background.scheduler import Scheduler
from bot.games.model.deadlines import HEARTBEAT, OUTAGE
from bot.games.model.errors import NotStored
from bot.games.persistence.transactions import Begun
from bot.support.time_units import MINUTE
from data.queries import timers as queries
from data.store import Unavailable
from tests.support.background.time import START, Time


async def test_the_loop_wakes_for_the_next_timer(time: Time) -> None:
    """What is due is done, in order of time; the next look is at the next timer, or at the next sign of life. A
    crash between two of these is by itself no outage."""
    await time.put(1, HEARTBEAT // 3)
    await time.put(2, -MINUTE)
    await time.put(3, -2 * MINUTE)

    assert START + HEARTBEAT // 3 == await time.timers.tick()
    assert [(3, 0), (2, 0)] == time.done
    time.now += HEARTBEAT // 3
    assert time.now + HEARTBEAT == await time.timers.tick()
    assert 1 == time.alive
    assert HEARTBEAT < OUTAGE


async def test_a_sooner_timer_is_seen(time: Time) -> None:
    """Between two looks somebody sets one that is sooner."""
    await time.put(1, 9 * MINUTE)
    await time.timers.tick()
    await time.put(2, 2 * MINUTE)
    time.now += 2 * MINUTE

    await time.timers.tick()

    assert [(2, 2 * MINUTE)] == time.done


async def test_more_than_are_read_at_a_time(time: Time) -> None:
    """After a long night all are done at once."""
    for subject in range(250):
        await time.put(subject, -subject)
    await time.timers.tick()
    assert 250 == len(time.done)


async def test_a_timer_that_fails_is_tried_again(time: Time) -> None:
    """After a minute, as often as it takes; others are not held up."""
    time.fails, time.timers.heartbeat = 2, 10 * MINUTE
    await time.put(1, -2)
    assert START + MINUTE == await time.timers.tick()
    await time.put(2, -1)
    time.fails = 0
    await time.timers.tick()
    assert [(2, 0)] == time.done
    time.now += MINUTE
    await time.timers.tick()
    assert [(2, 0), (1, MINUTE)] == time.done


async def test_nothing_falls_due_while_discord_is_out_of_reach(time: Time) -> None:
    """Neither timers nor signs of life; when it is back, first the sign of life, then what is due."""
    reach = [False]
    timers = Scheduler(
        time.store, lambda: time.now, {"test": time.act}, time.live, lambda: {0} if reach[0] else (), lambda: False
    )
    await time.put(1, -1)
    assert START + MINUTE == await timers.tick()
    assert (0, []) == (time.alive, time.done)
    reach[0] = True
    await timers.tick()
    assert (1, [(1, 0)]) == (time.alive, time.done)


async def test_a_timer_of_a_later_version_is_left_alone(time: Time) -> None:
    """What this version does not know stays, and costs no more than a look in ten minutes."""
    time.timers.heartbeat = 20 * MINUTE
    await time.put(1, -1, kind="later")
    assert START + 10 * MINUTE == await time.timers.tick()
    async with time.store.read() as tx:
        assert await queries.get(tx, "later", 1) is not None


async def test_the_loop_runs_and_ends(time: Time) -> None:
    """Started, it does what is due; set sooner while it sleeps, it wakes; closed, it is gone."""
    await time.put(1, -1)
    time.timers.start()
    await time.happened.wait()
    time.happened.clear()
    await time.put(2, -1)
    await time.happened.wait()
    assert time.timers.running
    await time.timers.close()
    assert not time.timers.running


async def test_timers_that_cannot_be_read_are_read_again(time: Time, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database is out of reach when a timer is due: the loop looks again by itself, though nobody sets another."""
    await time.put(1, -1)
    read, failed = time.store.read, []

    def away_once() -> Begun:
        monkeypatch.setattr(time.store, "read", read)
        failed.append(True)
        raise Unavailable("out of reach")

    monkeypatch.setattr(time.store, "read", away_once)
    monkeypatch.setattr(scheduler, "_RETRY", 0)
    time.timers.start()
    try:
        async with asyncio.timeout(5):
            await time.happened.wait()
    finally:
        await time.timers.close()
    assert [(1, 0)] == time.done
    assert [True] == failed


async def test_the_log_says_why_nothing_could_be_stored(time: Time) -> None:
    """Not what people would be told of it."""

    asked = asyncio.Event()

    async def alive() -> None:
        asked.set()
        raise NotStored("That was not saved.") from Unavailable("the disk is full")

    timers = Scheduler(time.store, lambda: time.now, {}, alive, lambda: {0}, lambda: False)
    with capture_logs() as events:
        timers.start()
        async with asyncio.timeout(5):
            await asked.wait()
        await timers.close()

    assert "the disk is full" == events[0]["error"]
