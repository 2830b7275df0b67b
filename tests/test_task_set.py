"""Tasks that nobody waits for."""

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
