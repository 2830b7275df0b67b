"""Worker processes: the move comes though one is killed or hangs, and nobody's queue starves another's."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.computer.kernels import backends
from bot.computer.workers.jobs import Answer, Job, fallback_move
from bot.computer.workers.pool import LONGEST, MOST_WAITING, Busy, WorkerLost, Workers
from bot.engine.errors import EngineError
from bot.engine.registry import rules_for
from tests.support.computer import worker_jobs

TASK = Job("pinoy", {}, "W:Wc3:Bd4", (), 1, 0)


@pytest.fixture(autouse=True)
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers start at once, without compiling their search."""
    monkeypatch.setenv("DAMERO_PLAIN", "1")
    monkeypatch.setenv(worker_jobs.MARK, str(tmp_path / "mark"))


@pytest.mark.parametrize("play", [worker_jobs.dies_once, worker_jobs.hangs_once, worker_jobs.always_dies])
async def test_the_move_comes_all_the_same(play: Callable[[Job], Answer]) -> None:
    """A worker is killed at work, hangs, or dies every time: the answer is a legal turn."""
    workers = Workers(1, play=play, grace=1.0)
    try:
        assert (await workers.think(TASK, server=1)).turn == "c3xe5"
    finally:
        workers.close()


@pytest.mark.parametrize("variant", ["pinoy", "chinese-checkers"])
def test_the_turn_for_want_of_a_worker_is_found_without_compiling(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot's own process thinks it: compiling there would hold up everybody for seconds."""
    monkeypatch.delenv("DAMERO_PLAIN")
    monkeypatch.setattr(backends, "can_compile", lambda size: True)
    for compiling in ("_fastest", "_compiled_star"):
        monkeypatch.setattr(backends, compiling, lambda: pytest.fail("the search is compiled"))
    rules = rules_for(variant)
    assert rules.read(rules.start(), fallback_move(Job(variant, {}, None, (), 1, 0)).turn)


async def test_a_record_is_thought_about() -> None:
    """The answer fits the position after the record's turns; what does not hold is refused, and the worker lives."""
    workers = Workers(1)
    try:
        rules = rules_for("spanish")
        state = rules.start()
        record = []
        for _ in range(3):
            turn = rules.turns(state)[0]
            record.append(turn.text)
            state = rules.play(state, turn)
        answer = await workers.think(Job("spanish", {}, None, tuple(record), 2, 5), server=1)
        assert rules.read(state, answer.turn).text == answer.turn
        with pytest.raises(EngineError):
            await workers.think(Job("spanish", {}, None, ("a1-a8",), 2, 5), server=1)
        with pytest.raises(ValueError, match="no level"):
            await workers.think(TASK._replace(level=9), server=1)
        assert (await workers.think(TASK, server=1)).turn == "c3xe5"
    finally:
        workers.close()


async def test_workers_end_with_a_bot_that_is_killed() -> None:
    """A bot that is killed while a worker thinks leaves no process behind."""
    bot = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.support.computer.killed_bot", stdout=asyncio.subprocess.PIPE
    )
    assert bot.stdout is not None
    worker = int(await bot.stdout.readline())
    os.kill(worker, 0)
    bot.kill()
    await bot.wait()
    # The worker holds the other end of this, too: it comes to its end when both are gone.
    assert b"" == await asyncio.wait_for(bot.stdout.read(), 20)


async def test_servers_take_turns() -> None:
    """One server's many tasks do not go before another's one."""
    workers = Workers(1)
    order: list[int] = []

    async def ask(server: int) -> None:
        await workers.think(TASK, server)
        order.append(server)

    try:
        await asyncio.gather(*(ask(server) for server in (1, 1, 1, 1, 2, 3)))
    finally:
        workers.close()
    assert order[0] == 1
    assert order.index(2) <= 2
    assert order.index(3) <= 3
    assert sorted(order) == [1, 1, 1, 1, 2, 3]
    assert (0, 0) == (len(workers.playing), len(workers.background))


async def test_who_gives_up_leaves_the_queue() -> None:
    """A task that is cancelled while it waits does not keep the worker from the next."""
    workers = Workers(1)
    try:
        tasks = [asyncio.create_task(workers.think(TASK, server=1)) for _ in range(3)]
        await asyncio.sleep(0)
        tasks[1].cancel()
        done = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(done[1], asyncio.CancelledError)
        assert [answer.turn for answer in (done[0], done[2]) if isinstance(answer, Answer)] == ["c3xe5"] * 2
    finally:
        workers.close()


async def test_what_may_take_its_time_waits_for_who_plays() -> None:
    """Of all that waits, the turns are thought about first, whatever was asked before them."""
    workers = Workers(1)
    order: list[str] = []

    async def play(server: int) -> None:
        await workers.think(TASK, server)
        order.append("turn")

    async def analyse(server: int) -> None:
        assert await workers.call(worker_jobs.doubled, 21, server, seconds=LONGEST) == 42
        order.append("analysis")

    try:
        await asyncio.gather(*(analyse(1) for _ in range(3)), play(1), play(2), play(1))
    finally:
        workers.close()
    assert ["analysis", "turn", "turn", "turn", "analysis", "analysis"] == order


async def test_one_worker_is_kept_for_games() -> None:
    """With two workers, what may take its time has one of them at most."""
    workers = Workers(2)
    try:
        first = [asyncio.create_task(workers.call(worker_jobs.doubled, 1, 1, seconds=LONGEST)) for _ in range(2)]
        await asyncio.sleep(0)
        assert (0, 1) == (len(workers.playing), len(workers.background))
        turn = asyncio.create_task(workers.think(TASK, 2))
        await asyncio.sleep(0)
        assert (0, 1) == (len(workers.playing), len(workers.background))
        assert (await turn).turn == "c3xe5"
        assert await asyncio.gather(*first) == [2, 2]
    finally:
        workers.close()


async def test_what_could_not_be_done_is_said() -> None:
    """A job that kills every worker is given up; what a job raises comes back; a queue that is full says so."""
    workers = Workers(1)
    try:
        with pytest.raises(WorkerLost):
            await workers.call(worker_jobs.dies, 1, 1, seconds=LONGEST)
        with pytest.raises(ZeroDivisionError):
            await workers.call(worker_jobs.divided, 0, 1, seconds=LONGEST)
        waiting = [
            asyncio.create_task(workers.call(worker_jobs.doubled, 1, 1, seconds=LONGEST)) for _ in range(MOST_WAITING)
        ]
        waiting.append(asyncio.create_task(workers.call(worker_jobs.doubled, 1, 1, seconds=LONGEST)))
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await workers.call(worker_jobs.doubled, 1, 1, seconds=LONGEST)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert (0, 0) == (len(workers.playing), len(workers.background))
    finally:
        workers.close()


async def test_no_worker_can_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system starts no process, a turn is taken without one."""

    def refused(*_: object, **__: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr("bot.computer.workers.executors.ProcessPoolExecutor", refused)
    workers = Workers(1)
    assert (await workers.think(TASK, server=1)).turn == "c3xe5"
    workers.close()
