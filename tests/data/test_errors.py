"""What the log says of errors."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from data.errors import StoreError, Unavailable, reason
from data.execution import Prepared
from data.store import Store, Transaction


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


async def test_a_database_that_refuses_does_not_tell_what_was_written(store: Store) -> None:
    """Nor does what it says of a row against a constraint, or of a value that it cannot read, in an error or in any of
    those that it came from."""
    table = sa.Table(
        "secrets",
        sa.MetaData(),
        sa.Column("name", sa.Text, unique=True),
        sa.Column("must", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, sa.CheckConstraint("number > 0")),
    )
    prepared = Prepared(table.insert().values({column.name: sa.bindparam(column.name) for column in table.columns}))
    good = {"name": "a secret", "must": "be", "number": 1}
    number = sa.text("SELECT CAST(CAST(:name AS TEXT) AS INTEGER)")
    async with store.write() as tx:
        await tx.run_sync(table.create)
        await tx.execute(table.insert().values(good))

    faults = {"twice": good, "nothing": {**good, "must": None}, "too little": {**good, "number": -1}}
    faults |= {"no number": {**good, "number": "a secret"}, "no text": {**good, "name": ["a secret"]}}
    faults |= {"no character": {**good, "must": "a secret\ud800"}}
    runs: dict[str, Callable[[Transaction], Awaitable[object]]] = {
        "cast": lambda tx: tx.execute(number, {"name": "a secret"}),
        **{f"{fault}, alone": partial(_execute, table.insert(), row) for fault, row in faults.items()},
        **{f"{fault}, of many": partial(_execute, table.insert(), [row, row]) for fault, row in faults.items()},
        **{f"{fault}, prepared": partial(prepared.rows, values=row) for fault, row in faults.items()},
        **{f"{fault}, put off": partial(prepared.put_off, values=row) for fault, row in faults.items()},
    }
    told = {name: await _told(store, run) for name, run in runs.items()}
    assert [] == [name for name, all_that in told.items() if "a secret" in all_that]
    constraints = ("twice", "nothing", "too little")
    assert [] == [name for name, all_that in told.items() if name.startswith(constraints) and "Error" not in all_that]


async def _execute(statement: sa.Insert, row: Any, tx: Transaction) -> None:
    await tx.execute(statement, row)


async def _told(store: Store, run: Callable[[Transaction], Awaitable[object]]) -> str:
    try:
        async with store.write() as tx:
            await run(tx)
    except Exception as error:
        return "".join(traceback.format_exception(error))
    return ""


async def test_text_that_is_none_is_not_told(tmp_path: Path) -> None:
    """Nor what a file holds that others have written into it, where it cannot be read."""
    store = Store(f"sqlite+aiosqlite:///{tmp_path / 'damero.sqlite3'}")
    await store.open()
    text = sa.text("SELECT CAST(x'61207365637265742080' AS TEXT) AS name")
    prepared = Prepared(sa.select(sa.cast(sa.literal_column("x'61207365637265742080'"), sa.Text)))
    for run in (lambda tx: tx.execute(text), lambda tx: prepared.rows(tx, {})):
        told = await _told(store, run)
        assert "Could not decode to UTF-8" in told
        assert "a secret" not in told
    await store.close()


def test_what_was_worded_for_people_is_told_as_it_was() -> None:
    """The cause counts; an error without words is told by its name."""
    worded = StoreError("Please try again.")
    worded.__cause__ = Unavailable("The disk is full.")
    assert "The disk is full." == reason(worded)
    assert "Unavailable" == reason(Unavailable(""))
