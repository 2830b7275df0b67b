"""Statements that come with every turn."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from data.execution import Prepared, to_json
from data.schema.games import key_values
from data.store import Store

METADATA = sa.MetaData()
THINGS = sa.Table(
    "things",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.Text, nullable=False, unique=True),
    sa.Column("about", sa.JSON, nullable=False),
    sa.Column("none", sa.JSON(none_as_null=True)),
    sa.Column("good", sa.Boolean, nullable=False),
)
c = THINGS.c
ADD = Prepared(sa.insert(THINGS).returning(c.id))
ALL = Prepared(sa.select(c.name, c.about, c.none, c.good).where(c.id >= sa.bindparam("first")).order_by(c.id))
SPOIL = Prepared(sa.update(THINGS).where(c.name == sa.bindparam("of")).values(good=False, about={}))
RENAME = Prepared(sa.update(THINGS).where(c.name == sa.bindparam("of")))
ONE = {"name": "a", "about": {"b": [1, None]}, "none": None, "good": True}


@pytest.fixture
async def things(store: Store) -> Store:
    """A store with a table of its own."""
    async with store.write() as tx:
        await tx.run_sync(METADATA.create_all)
    return store


async def test_values_are_stored_and_read_as_the_toolkit_does(things: Store) -> None:
    """JSON, nothing, and yes and no are what they were, whichever of the two has stored and whichever reads."""
    async with things.write() as tx:
        ((first,),) = await ADD.rows(tx, ONE)
        await tx.execute(sa.insert(THINGS), {**ONE, "name": "b", "none": [2]})
        assert [(first,)] == (await tx.execute(sa.select(c.id).where(c.none.is_(None)))).all()
        by_toolkit = (await tx.execute(sa.select(c.name, c.about, c.none, c.good).order_by(c.id))).all()
        found = [tuple(row) for row in await ALL.rows(tx, {"first": first})]
    assert [("a", {"b": [1, None]}, None, True), ("b", {"b": [1, None]}, [2], True)] == found == by_toolkit


async def test_what_is_put_off_is_done_in_turn(things: Store) -> None:
    """What nobody waits for is done before what is asked next, with the values that stand in the statement itself, and
    is stored where nothing is asked any more."""
    async with things.write() as tx:
        await ADD.put_off(tx, ONE)
        await SPOIL.put_off(tx, {"of": "a"})
        assert [["a", {}, None, False]] == [[*row] for row in await ALL.rows(tx, {"first": 0})]
        await RENAME.put_off(tx, {"of": "a", "name": "z"})
        await RENAME.put_off(tx, {"of": "z", "name": "y", "good": True})
    async with things.read() as tx:
        assert [["y", {}, None, True]] == [[*row] for row in await ALL.rows(tx, {"first": 0})]


async def test_what_is_returned_later(things: Store) -> None:
    """What a statement returns that nobody waits for is there after the next one, or with the commit, in order; and it
    is done after what was put off before it."""
    async with things.write() as tx:
        await ADD.put_off(tx, ONE)
        first = await ADD.rows_later(tx, {**ONE, "name": "b"})
        await ALL.rows(tx, {"first": 0})
        assert 1 == len(first)
        second = await ADD.rows_later(tx, {**ONE, "name": "c"})
        third = await ADD.rows_later(tx, {**ONE, "name": "d"})
    async with things.read() as tx:
        stored = (await tx.execute(sa.select(c.name, c.id).order_by(c.id))).all()
    assert ["a", "b", "c", "d"] == [name for name, _ in stored]
    assert [stored[1].id, stored[2].id, stored[3].id] == [found[0][0] for found in (first, second, third)]


async def test_what_changes_several_tables(things: Store) -> None:
    """What is put off in several tables is done with what is asked next, one after the other in each table, whatever
    kinds of statements they are; what is asked by the toolkit sees it."""
    more = Prepared(sa.insert(key_values))
    async with things.write() as tx:
        await ADD.put_off(tx, ONE)
        await SPOIL.put_off(tx, {"of": "a"})
        await more.put_off(tx, {"key": "k", "value": "1"})
        ((second,),) = await ADD.rows(tx, {**ONE, "name": "b", "good": False})
        await more.put_off(tx, {"key": "l", "value": "2"})
        await RENAME.put_off(tx, {"of": "b", "name": "c"})
        assert ["1", "2"] == (
            await tx.execute(sa.select(key_values.c.value).order_by(key_values.c.key))
        ).scalars().all()
        await more.put_off(tx, {"key": "m", "value": "3"})
        ((third,),) = await ADD.rows(tx, {**ONE, "name": "d"})
        assert second < third
        await RENAME.put_off(tx, {"of": "d", "name": "e"})
        await more.put_off(tx, {"key": "n", "value": "4"})
    async with things.read() as tx:
        assert [["a", {}], ["c", ONE["about"]], ["e", ONE["about"]]] == [
            [*row][:2] for row in await ALL.rows(tx, {"first": 0})
        ]
        assert 4 == (await tx.execute(sa.select(sa.func.count()).select_from(key_values))).scalar_one()


@pytest.mark.parametrize("then", ["rows", "the toolkit", "the commit"])
async def test_what_is_refused(things: Store, then: str) -> None:
    """What the database refuses is an IntegrityError of the toolkit's, at the latest with whatever is waited for next,
    and nothing of its transaction is stored; the next one goes on."""

    async def twice() -> None:
        async with things.write() as tx:
            await ADD.rows(tx, ONE)
            await ADD.put_off(tx, ONE)
            if then == "rows":
                await ALL.rows(tx, {"first": 0})
            elif then == "the toolkit":
                await tx.execute(sa.select(c.id))

    with pytest.raises(sa.exc.IntegrityError, match=r"(?i)unique"):
        await twice()
    async with things.write() as tx:
        assert [] == list(await ALL.rows(tx, {"first": 0}))
        with pytest.raises(sa.exc.IntegrityError, match=r"(?i)null"):
            await ADD.rows(tx, {**ONE, "name": None})


def test_json_without_blanks() -> None:
    """JSON is stored without blanks."""
    assert '{"a":[1,2]}' == to_json({"a": [1, 2]})
