from __future__ import annotations

import asyncio

import pytest

from tests.crash.waits import waited, within


@pytest.mark.parametrize("moments", range(5))
async def test_who_is_sent_home_while_news_come_goes(moments: int) -> None:
    """However little later than the news somebody is told to stop: they do."""
    news = asyncio.Event()

    async def play_on() -> None:
        while True:
            news.clear()
            await waited(news, 5)

    playing = asyncio.create_task(play_on())
    await asyncio.sleep(0.01)
    news.set()
    for _ in range(moments):
        await asyncio.sleep(0)
    playing.cancel()

    await asyncio.wait([playing], timeout=1)

    assert playing.cancelled()


async def test_a_wait_that_is_too_long_says_what_it_was_for() -> None:
    """Instead of hanging until somebody looks."""
    with pytest.raises(TimeoutError, match=r"waited 0\.01 s for rain"):
        async with within(0.01, "rain"):
            await asyncio.Event().wait()


async def test_a_fault_within_stays_what_it_is() -> None:
    """A time that something else has waited is not taken for one's own."""
    with pytest.raises(TimeoutError, match="of its own"):
        async with within(5, "rain"):
            raise TimeoutError("of its own")
