"""One task for each key that has anything to do."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar

from bot.support.keyed_tasks import KeyedTasks


class Work:
    """Notes for which keys it was called; ``answers`` are what it says, then None. It waits for ``gate``."""

    def __init__(self, *answers: float | None) -> None:
        self.calls: list[int] = []
        self.answers = list(answers)
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self, key: int) -> float | None:
        self.calls.append(key)
        await self.gate.wait()
        return self.answers.pop(0) if self.answers else None


async def done(tasks: KeyedTasks) -> None:
    while running := set(tasks):
        await asyncio.wait(running)


async def test_a_key_has_one_task_and_keys_are_worked_on_side_by_side() -> None:
    """Woken again while it waits to begin, a key is worked on by the task that it has."""
    work = Work()
    tasks = KeyedTasks("test", work)
    assert tasks.wake(1) is tasks.wake(1)
    tasks.wake(2)
    await done(tasks)
    assert [1, 2] == work.calls
    assert 1 not in tasks


async def test_a_wake_in_the_midst_of_the_work_is_not_lost() -> None:
    """What came while the task looked is looked at before it ends."""
    work = Work()
    work.gate.clear()
    tasks = KeyedTasks("test", work)
    tasks.wake(1)
    await asyncio.sleep(0)
    tasks.wake(1)
    tasks.wake(1)
    work.gate.set()
    await done(tasks)
    assert [1, 1] == work.calls


async def test_the_work_says_when_it_goes_on() -> None:
    """At once for 0, after a pause for more."""
    work = Work(0, 0.01)
    tasks = KeyedTasks("test", work)
    tasks.wake(1)
    await done(tasks)
    assert [1, 1, 1] == work.calls


async def test_a_pause_is_waited_out_or_broken() -> None:
    """Who wakes a key in its pause is heard after it, or at once where that was chosen."""
    patient, hasty = Work(3600), Work(3600)
    waits, breaks = KeyedTasks("test", patient), KeyedTasks("test", hasty, breaks_pauses=True)
    for tasks in (waits, breaks):
        tasks.wake(1)
        await asyncio.sleep(0.01)
        tasks.wake(1)
    await done(breaks)
    assert [1, 1] == hasty.calls
    assert [1] == patient.calls
    await waits.close()


async def test_closing_lets_work_arrive_and_breaks_pauses() -> None:
    """Work has so many seconds, a pause none; afterwards nothing begins."""
    work = Work(3600)
    tasks = KeyedTasks("test", work)
    tasks.wake(1)
    await asyncio.sleep(0.01)
    work.gate.clear()
    tasks.wake(2)
    await asyncio.sleep(0)
    asyncio.get_running_loop().call_later(0.01, work.gate.set)
    await tasks.close(farewell=5)
    assert not set(tasks)
    assert tasks.wake(3) is None
    assert [1, 2] == work.calls


async def test_what_is_late_is_broken_off() -> None:
    """Work that does not end in time is cancelled."""
    work = Work()
    work.gate.clear()
    tasks = KeyedTasks("test", work)
    task = tasks.wake(1)
    await asyncio.sleep(0)
    await tasks.close(farewell=0.01)
    assert task is not None
    assert task.cancelled()


async def test_work_is_done_in_the_context_in_which_it_was_opened() -> None:
    """Nothing of whoever wakes a key goes along."""
    reader: ContextVar[str] = ContextVar("reader", default="nobody")
    seen: list[str] = []

    async def look(key: int) -> None:
        seen.append(reader.get())

    tasks = KeyedTasks("test", look)
    tasks.open()
    reader.set("somebody")
    tasks.wake(1)
    await done(tasks)
    assert ["nobody"] == seen


async def test_an_error_ends_the_task_and_not_the_key() -> None:
    """What nobody foresaw is logged; woken again, the key is worked on anew."""
    calls: list[int] = []

    async def fail_once(key: int) -> None:
        calls.append(key)
        if len(calls) == 1:
            raise RuntimeError("unforeseen")

    tasks = KeyedTasks("test", fail_once)
    tasks.wake(1)
    await asyncio.sleep(0.01)
    tasks.wake(1)
    await done(tasks)
    assert [1, 1] == calls
