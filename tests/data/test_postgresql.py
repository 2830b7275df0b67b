"""What SQLite cannot do: several processes that write, and connections that are lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import asyncpg
import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

import data.postgresql
from bot.supervisor import PATIENCE
from data.asyncpg_driver import Connection
from data.queries import key_values as values
from data.queries import people
from data.store import Store, StoreError, Unavailable
from tests.support.data import databases
from tests.support.data.cuts import Cut, Cuts

pytestmark = pytest.mark.only("postgresql")


@pytest.fixture
async def cuts() -> AsyncIterator[Cuts]:
    """What stands between the store and the server."""
    async with Cuts.before(databases.server().folder) as made:
        yield made


@pytest.fixture
async def far(store: Store, url: str, cuts: Cuts, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Store]:
    """The same database, over a connection that can be cut."""
    # A server that is busy takes a while to end a transaction.
    monkeypatch.setattr(data.postgresql, "DOUBT", 30.0)
    far = Store(str(sa.make_url(url).update_query_dict({"host": str(cuts.folder)})))
    await far.open()
    yield far
    await far.close()


async def value(store: Store, key: str) -> str | None:
    async with store.read() as tx:
        return await values.get(tx, key)


async def put(store: Store, key: str, text: str = "x") -> None:
    async with store.write() as tx:
        await values.put(tx, key, text)


async def ended(store: Store) -> None:
    """As an operator who ends all connections to the database."""
    async with store.read() as tx:
        name = (await tx.execute(sa.text("SELECT current_database()"))).scalar_one()
    databases.server().run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")


async def test_no_change_is_lost_between_processes(store: Store, url: str) -> None:
    """Two processes read a number and write the next, 20 times each at the same moments: it is 40 in the end."""
    others = [Store(url), Store(url)]
    for other in others:
        await other.open()

    async def count(process: Store) -> None:
        async with process.write() as tx:
            await values.put(tx, "n", str(int(await values.get(tx, "n") or 0) + 1))

    await asyncio.gather(*(count(process) for _ in range(20) for process in others))
    assert "40" == await value(store, "n")
    for other in others:
        await other.close()


async def test_two_starts_at_once(url: str) -> None:
    """Of two processes that find an empty database one makes the schema, and the other waits for it."""
    stores = [Store(url), Store(url)]
    await asyncio.gather(*(store.open() for store in stores))
    await put(stores[0], "a")
    assert "x" == await value(stores[1], "a")
    for store in stores:
        await store.close()


async def test_readers_see_all_of_one_moment(store: Store) -> None:
    """What is committed while somebody reads is not there until they begin anew."""
    async with store.read() as tx:
        assert await values.get(tx, "a") is None
        await put(store, "a")
        assert await values.get(tx, "a") is None
    assert "x" == await value(store, "a")


async def test_what_is_not_lasting_waits_for_no_disk(store: Store, url: str) -> None:
    """The disk is waited for by what is lasting, and by nothing else; what is stored after it is lasting again."""
    asked = sa.text("SELECT current_setting('synchronous_commit'), current_database()")
    async with store.read() as tx:
        _, name = (await tx.execute(asked)).one()
    databases.server().run(f'ALTER DATABASE "{name}" SET synchronous_commit = on')
    other = Store(url)
    await other.open()
    for lasting, waits in ((True, "on"), (False, "off"), (True, "on")):
        async with other.write(lasting=lasting) as tx:
            assert waits == (await tx.execute(asked)).one()[0]
    await other.close()


async def test_connections_that_ended_meanwhile(store: Store) -> None:
    """A server that was started anew while nobody asked anything is not noticed."""
    await put(store, "a")
    await ended(store)
    while not (writer := store._writer) or store._database.usable(writer):
        await asyncio.to_thread(int)
    await put(store, "b")
    assert "x" == await value(store, "b")


async def test_a_connection_that_ends_in_the_middle(store: Store) -> None:
    """A transaction whose connection ends is Unavailable and has left nothing; the next one succeeds."""

    async def broken_off() -> None:
        async with store.write() as tx:
            await values.put(tx, "a", "1")
            await ended(store)
            await values.put(tx, "b", "1")

    with pytest.raises(Unavailable) as refused:
        await broken_off()
    assert not refused.value.in_doubt
    await put(store, "c")
    assert (None, "x") == (await value(store, "a"), await value(store, "c"))


async def once(store: Store, key: str) -> None:
    async with store.read(once=True) as tx:
        await tx.execute(sa.text(f"SELECT '{key}'"))


@pytest.mark.parametrize(("way", "act"), [("execute", put), ("execute", value), ("prepare", once)])
async def test_a_connection_whose_end_is_still_being_read(
    store: Store, way: str, act: Callable[..., Awaitable[object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The driver knows that its connection ends, and refuses to begin: that is said as of a database that cannot be
    reached, and what follows succeeds."""
    await act(store, "before")
    goes_on, refusals = getattr(Connection, way), ["one"]

    async def refused(connection: Connection, *given: Any, **named: Any) -> object:
        if refusals:
            refusals.pop()
            raise asyncpg.InternalClientError("cannot switch to state 15; another operation (2) is in progress")
        return await goes_on(connection, *given, **named)

    monkeypatch.setattr(Connection, way, refused)
    with pytest.raises(Unavailable, match="cannot switch"):
        await act(store, "now")
    assert [] == refusals
    await act(store, "now")


@pytest.mark.parametrize("cut", [Cut.AFTER, Cut.SILENT])
async def test_stored_though_nobody_heard_it(
    far: Store, store: Store, cuts: Cuts, cut: Cut, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection that is lost between COMMIT and its answer: what was stored is found out, and nobody is refused."""
    if cut is Cut.SILENT:
        await patient(far, monkeypatch)
    cuts.at("COMMIT", cut)
    await put(far, "a")
    await put(far, "b")
    assert ("x", "x") == (await value(store, "a"), await value(store, "b"))


async def patient(far: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on an answer is waited for a moment only."""
    monkeypatch.setattr(data.postgresql, "ANSWER", 0.5)
    await far.close()
    await far.open()


@pytest.mark.parametrize("cut", [Cut.BEFORE, Cut.UNNOTICED])
@pytest.mark.parametrize("word", ["COMMIT", "unheard"])
async def test_not_stored_when_it_did_not_arrive(far: Store, store: Store, cuts: Cuts, cut: Cut, word: str) -> None:
    """A connection that is lost before: Unavailable, nothing is there, and what is left of it holds up nobody."""
    await put(far, "a")
    cuts.at(word, cut)
    with pytest.raises(Unavailable) as refused:
        await put(far, "b", "unheard")
    assert not refused.value.in_doubt
    await put(far, "c")
    await put(store, "d")
    assert ["x", None, "x"] == [await value(store, key) for key in "abc"]


async def test_in_doubt(far: Store, store: Store, cuts: Cuts, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lost at the end, and then the server is out of reach: it is said that nobody knows. Later all goes on."""
    monkeypatch.setattr(data.postgresql, "DOUBT", 0.0)
    connect = far._database._connect  # type: ignore[attr-defined]

    async def nobody(**_given: object) -> None:
        raise Unavailable("out of reach")

    await put(far, "before")
    cuts.at("COMMIT", Cut.AFTER)
    far._database._connect = nobody  # type: ignore[attr-defined]
    with pytest.raises(Unavailable) as refused:
        await put(far, "a")
    assert refused.value.in_doubt
    far._database._connect = connect  # type: ignore[attr-defined]
    await put(far, "b")
    assert ("x", "x") == (await value(store, "a"), await value(store, "b"))


async def test_out_of_reach(far: Store, cuts: Cuts) -> None:
    """While the server cannot be reached all is Unavailable, at once for all who wait; then all goes on."""
    await cuts.close()
    ends = await asyncio.gather(*(put(far, key) for key in "abc"), value(far, "a"), return_exceptions=True)
    assert [Unavailable] * 4 == [type(end) for end in ends]
    assert "out of reach" in (await values.unwritable(far) or "")
    await cuts.open()
    await put(far, "d")
    assert (None, "x") == (await value(far, "a"), await value(far, "d"))


async def test_a_server_that_does_not_answer(url: str, cuts: Cuts, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has asked is told so in time for whoever presses and before a process that ends is killed; then all goes
    on."""
    assert data.postgresql.ANSWER + data.postgresql.CONNECT < PATIENCE
    monkeypatch.setattr(data.postgresql, "ANSWER", 0.3)
    far = Store(str(sa.make_url(url).update_query_dict({"host": str(cuts.folder)})))
    await far.open()
    await put(far, "first")
    asked: list[str] = []
    run = Connection._run

    async def told(connection: Connection, sql: str) -> None:
        asked.append(sql)
        await run(connection, sql)

    monkeypatch.setattr(Connection, "_run", told)
    cuts.at("unheard", Cut.SILENT)
    with pytest.raises(Unavailable, match="does not answer") as refused:
        await put(far, "a", "unheard")
    assert not refused.value.in_doubt
    # It would have to be waited for once more.
    assert not any("ROLLBACK" in sql for sql in asked)
    await put(far, "b")
    assert (None, "x") == (await value(far, "a"), await value(far, "b"))
    await far.close()


async def test_a_server_that_hangs_is_left(far: Store, cuts: Cuts, caplog: pytest.LogCaptureFixture) -> None:
    """At the end nobody waits for its good-bye, as for an answer, nor is told of it."""
    await value(far, "a")
    cuts.at("X\0\0\0\4", Cut.SILENT)
    async with asyncio.timeout(data.postgresql.ANSWER / 2):
        await far.close()
    assert "" == caplog.text


async def test_a_start_without_a_server(tmp_path: Path) -> None:
    """The sentence names the database, and not its password."""
    with pytest.raises(StoreError, match=r"^The database \S*damero\S* is out of reach: \w[^\[\]]*\.$") as refused:
        await Store(f"postgresql://ana:hush@/damero?host={tmp_path}").open()
    assert "hush" not in str(refused.value)
    with pytest.raises(StoreError, match="is not a database URL") as refused:
        Store("postgresql://ana:hush@host:port/damero")
    assert "hush" not in str(refused.value)


async def test_servers_that_are_not_served(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An old version and another encoding are refused, and the sentence says what is needed."""
    server, name = databases.server(), f"{sa.make_url(url).database}_ascii"
    server.run(f"CREATE DATABASE {name} ENCODING 'SQL_ASCII' TEMPLATE template0")
    with pytest.raises(StoreError, match="encoding is SQL_ASCII: make one with ENCODING 'UTF8'"):
        await Store(server.url(name)).open()
    server.drop(name)
    monkeypatch.setattr(data.postgresql, "OLDEST", 99)
    with pytest.raises(StoreError, match="is too old: Damero needs 99 or newer"):
        await Store(url).open()


async def test_a_migration_while_others_read(store: Store, url: str) -> None:
    """A process of a newer version is begun while people play: a migration that the server ends, because it and a
    reader wait for each other, is tried again; what is wrong with it is told at once."""
    tries: list[str] = []

    def migrate(connection: sa.Connection) -> None:
        connection.execute(sa.text("ALTER TABLE games ADD COLUMN more INTEGER"))
        tries.append(states.pop(0))
        if tries[-1]:
            connection.execute(sa.text(f"DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{tries[-1]}'; END $$"))

    database = data.postgresql.PostgreSQL(sa.make_url(url), 5000, lambda: None)
    assert store._writers is not None
    states = ["40P01", "40P01", "42501", ""]
    with pytest.raises(DBAPIError):
        await database.migrate(store._writers, migrate)
    assert [""] == states

    await database.migrate(store._writers, migrate)
    async with store.read() as tx:
        await tx.execute(sa.text("SELECT more FROM games"))


async def test_ids_as_large_as_discords(store: Store) -> None:
    """Sixty-three bits; what is larger is our mistake, and no fault that passes."""
    async with store.write() as tx:
        await people.put_settings(tx, people.PEOPLE, 2**63 - 1, {"zone": "UTC"})
    async with store.read() as tx:
        assert {"zone": "UTC"} == await people.settings_of(tx, people.PEOPLE, 2**63 - 1)
    with pytest.raises(DBAPIError):
        async with store.read() as tx:
            await people.settings_of(tx, people.PEOPLE, 2**63)
