"""Tasks that go on beside all else."""

from __future__ import annotations

import asyncio

from bot.support.task_set import TaskSet


async def test_what_goes_on_is_broken_off() -> None:
    """A task that has ended has its result; one that goes on is cancelled with the set."""
    tasks, ended = TaskSet(), asyncio.Event()

    async def quick() -> int:
        return 7

    first, second = tasks.begin(quick(), "quick"), tasks.begin(ended.wait(), "long")
    assert 7 == await first
    tasks.close()
    assert {second} == (await asyncio.wait({second}))[0]
    assert second.cancelled()


async def test_those_that_go_on_are_waited_for() -> None:
    """Those that joined as well, but not the one that waits, nor longer than was said."""
    tasks, over = TaskSet(), asyncio.Event()

    async def joins() -> None:
        tasks.join()
        await over.wait()

    other = asyncio.create_task(joins())
    assert tasks.join() is asyncio.current_task()
    await asyncio.to_thread(int)
    await tasks.ended(0.0)
    assert not other.done()
    asyncio.get_running_loop().call_soon(over.set)
    await tasks.ended(60.0)
    assert other.done()
    await tasks.ended(60.0)
