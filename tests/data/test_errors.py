"""What the log says of errors."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from data.errors import StoreError, Unavailable, reason
from data.execution import Prepared
from data.store import Store


async def test_what_took_too_long_says_so() -> None:
    """Not that it was cancelled, which is how it was ended; nor nothing."""
    with pytest.raises(TimeoutError) as ended:
        async with asyncio.timeout(0):
            await asyncio.Event().wait()
    assert "no answer in time" == reason(ended.value)


async def test_a_failed_statement_does_not_tell_what_was_written(store: Store) -> None:
    """Errors are logged, and what people write is not: values stay out of them, however the statement was run."""
    missing = sa.table("no_table", sa.column("name"))
    prepared = Prepared(missing.insert())
    for run in (
        lambda tx: tx.execute(missing.insert().values(name="a secret")),
        lambda tx: prepared.rows(tx, {"name": "a secret"}),
    ):
        with pytest.raises(DBAPIError) as failed:
            async with store.write() as tx:
                await run(tx)
        assert "no_table" in str(failed.value)
        assert "a secret" not in str(failed.value)


def test_what_was_worded_for_people_is_told_as_it_was() -> None:
    """The cause counts; an error without words is told by its name."""
    worded = StoreError("Please try again.")
    worded.__cause__ = Unavailable("The disk is full.")
    assert "The disk is full." == reason(worded)
    assert "Unavailable" == reason(Unavailable(""))
