"""What the log says of errors."""

from __future__ import annotations

import asyncio

import pytest

from data.errors import StoreError, Unavailable, reason


async def test_what_took_too_long_says_so() -> None:
    """Not that it was cancelled, which is how it was ended; nor nothing."""
    with pytest.raises(TimeoutError) as ended:
        async with asyncio.timeout(0):
            await asyncio.Event().wait()
    assert "no answer in time" == reason(ended.value)


def test_what_was_worded_for_people_is_told_as_it_was() -> None:
    """The cause counts; an error without words is told by its name."""
    worded = StoreError("Please try again.")
    worded.__cause__ = Unavailable("The disk is full.")
    assert "The disk is full." == reason(worded)
    assert "Unavailable" == reason(Unavailable(""))
