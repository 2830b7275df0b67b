from __future__ import annotations

import asyncio

from bot.support.in_turn import InTurn


async def test_one_after_the_other() -> None:
    """In the order in which they were lined up, whoever is there first; in another queue, or in none, nobody waits."""
    turns, came = InTurn(), list[int]()

    async def one(key: int) -> None:
        await turns.come(key)
        came.append(key)
        await asyncio.sleep(0)
        turns.leave(key)

    turns.line_up(1, [3, 1])
    turns.line_up(1, [2])
    turns.line_up(2, [7])
    async with asyncio.TaskGroup() as tasks:
        for key in (1, 2, 9, 7, 3):
            tasks.create_task(one(key))
    assert [9, 7, 3, 1, 2] == came


async def test_nobody_is_waited_for_twice() -> None:
    """Whoever left without coming holds up nobody, and an empty queue is forgotten."""
    turns = InTurn()
    turns.line_up(1, [1, 2])
    turns.line_up(1, [2])
    turns.leave(1)
    turns.leave(1)
    await turns.come(2)
    turns.leave(2)
    turns.line_up(1, [3])
    await turns.come(3)
