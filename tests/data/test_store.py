"""The store: one writer in a fair queue, readers beside it, and what happens when the disk says no."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError

from data import asyncpg_driver
from data.execution import Prepared, driven
from data.queries import key_values as values
from data.schema.games import key_values
from data.store import Store, StoreError, Unavailable
from tests.support.data.disks import filled, small_disk
from tests.support.data.postgres_server import Server


@pytest.fixture
async def other(store: Store, url: str) -> AsyncIterator[Store]:
    """The same database, as another process has it."""
    other = Store(url)
    await other.open()
    yield other
    await other.close()


async def keys(store: Store) -> set[str]:
    async with store.read() as tx:
        return set((await tx.execute(sa.select(key_values.c.key))).scalars())


async def keys_if_open(store: Store) -> set[str]:
    with contextlib.suppress(Unavailable):
        return await keys(store)
    return set()


async def keep(store: Store, *rows: tuple[str, str], fails: bool = False) -> None:
    """Insert rows in one transaction; with ``fails`` raise KeyError at its end."""
    async with store.write() as tx:
        for key, value in rows:
            await tx.execute(sa.insert(key_values).values(key=key, value=value))
        if fails:
            raise KeyError


async def test_what_is_written_is_kept(store: Store, url: str) -> None:
    """A committed transaction is there after the store was closed and opened."""
    async with store.write() as tx:
        await values.put(tx, "a", "1")
        await values.put(tx, "a", "2")
    await store.close()
    await store.open()
    async with store.read() as tx:
        assert "2" == await values.get(tx, "a")
        assert await values.get(tx, "b") is None


async def test_an_exception_leaves_nothing(store: Store) -> None:
    """What a transaction wrote before an exception is gone, and the store goes on."""
    with pytest.raises(KeyError):
        await keep(store, ("a", "1"), fails=True)
    assert set() == await keys(store)
    async with store.write() as tx:
        await values.put(tx, "b", "1")
    assert {"b"} == await keys(store)


@pytest.mark.parametrize(("raised", "seen"), [(TimeoutError, TimeoutError), (StopIteration, RuntimeError)])
async def test_what_a_check_raises_holds_up_nobody(
    store: Store, raised: type[Exception], seen: type[Exception]
) -> None:
    """Also where it is what the toolkit takes for an interruption, or what nobody who waits can be told of."""

    def check(_found: object) -> None:
        raise raised

    async def checked() -> None:
        async with store.write() as tx:
            await values.put(tx, "a", "1")
            await driven(tx).check_later("SELECT 1", (), check)
            await tx.execute(sa.select(key_values))

    with pytest.raises(seen):
        await checked()
    await keep(store, ("b", "1"))
    assert {"b"} == await keys(store)


async def test_a_time_limit_in_a_transaction(store: Store) -> None:
    """What it interrupts is not stored, and the next writer goes on."""

    async def hurried() -> None:
        async with store.write() as tx:
            await values.put(tx, "a", "1")
            async with asyncio.timeout(0):
                await tx.execute(sa.select(key_values))

    with pytest.raises(TimeoutError):
        await hurried()
    await keep(store, ("b", "1"))
    assert {"b"} == await keys(store)


@pytest.mark.only("sqlite")
async def test_survives_the_loss_of_power(store: Store) -> None:
    """The writer's connection has a write-ahead log, full synchronisation and foreign keys."""
    async with store.write() as tx:
        found = [(await tx.execute(sa.text(f"PRAGMA {name}"))).scalar() for name in ("journal_mode", "synchronous")]
        assert ["wal", 2] == found
        assert 1 == (await tx.execute(sa.text("PRAGMA foreign_keys"))).scalar()


async def test_writers_come_in_the_order_in_which_they_asked(store: Store) -> None:
    """Fifty writers at one moment are served first come, first served, each once."""
    served: list[int] = []

    async def write(number: int) -> None:
        async with store.write() as tx:
            await values.put(tx, f"k{number}", "x")
            served.append(number)

    await asyncio.gather(*(write(number) for number in range(50)))
    assert list(range(50)) == served
    assert 50 == len(await keys(store))


async def test_readers_do_not_see_what_is_not_committed(store: Store) -> None:
    """A reader beside a writer sees the state before; it does not wait."""
    async with store.write() as tx:
        await values.put(tx, "a", "1")
        assert set() == await keys(store)
    assert {"a"} == await keys(store)


async def test_readers_cannot_write(store: Store) -> None:
    """A reader's connection refuses to write."""
    with pytest.raises((DBAPIError, Unavailable)):
        async with store.read() as tx:
            await values.put(tx, "a", "1")


async def test_nobody_writes_before_the_schema_is_there(url: str) -> None:
    """Whoever writes while the store opens waits for its tables, or is told that it is not open."""
    store = Store(url)
    opening = asyncio.create_task(store.open())
    refused = 0
    while not await keys_if_open(store):
        try:
            await keep(store, ("a", "1"))
        except Unavailable:
            refused += 1
            await asyncio.sleep(0)
    await opening
    assert refused
    assert {"a"} == await keys(store)
    await store.close()


async def test_what_cannot_be_written_is_told(store: Store) -> None:
    """Whether a small thing can be written says how the database is: well, damaged, closed."""
    assert await values.unwritable(store) is None
    async with store.write() as tx:
        await tx.execute(sa.text(f"DROP TABLE {key_values.name}"))
    assert "damaged" in (await values.unwritable(store) or "")
    await store.close()
    assert "not open" in (await values.unwritable(store) or "")


@pytest.mark.only("sqlite")
async def test_a_damaged_file_is_not_opened(store: Store, tmp_path: Path, url: str) -> None:
    """Pages of rubbish in the file: the sentence names the file and says what to do."""
    await keep(store, *((f"key {number}", "value" * 50) for number in range(200)))
    await store.close()
    file = tmp_path / "damero.sqlite3"
    pages = bytearray(file.read_bytes())
    pages[-4096 * 6 :] = b"\x55" * 4096 * 6
    file.write_bytes(pages)
    with pytest.raises(StoreError, match=r"damero\.sqlite3 is damaged: .*damero restore"):
        await Store(url).open()


async def test_constraints_pass_through(store: Store) -> None:
    """A row that is there twice is an IntegrityError, and nothing of the transaction stays."""
    with pytest.raises(IntegrityError):
        await keep(store, ("a", "1"), ("a", "1"))
    assert set() == await keys(store)


async def test_what_was_put_off_and_is_refused_leaves_nothing(store: Store) -> None:
    """A statement that nobody waits for fails with the commit, and the next transaction begins as always."""
    add = Prepared(sa.insert(key_values))

    async def put_off(*keys: str) -> None:
        async with store.write() as tx:
            for key in keys:
                await add.put_off(tx, {"key": key, "value": "1"})

    await put_off("a")
    with pytest.raises(IntegrityError):
        await put_off("b", "a")
    async with store.write() as tx:
        await values.put(tx, "c", "3")
    async with store.read() as tx:
        assert ["1", None, "3"] == [await values.get(tx, key) for key in "abc"]


@pytest.mark.only("postgresql")
async def test_who_is_cancelled_at_the_commit(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is being committed is committed before whoever asked for it hears that they are cancelled."""
    run, asked, goes_on = asyncpg_driver.Connection._run, asyncio.Event(), asyncio.Event()

    async def slowly(connection: asyncpg_driver.Connection, sql: str) -> None:
        if sql == "COMMIT":
            asked.set()
            await goes_on.wait()
        await run(connection, sql)

    monkeypatch.setattr(asyncpg_driver.Connection, "_run", slowly)
    keeping = asyncio.create_task(keep(store, ("a", "1")))
    await asked.wait()
    keeping.cancel()
    for _ in range(10):
        await asyncio.sleep(0)
    assert not keeping.done()
    goes_on.set()
    with pytest.raises(asyncio.CancelledError):
        await keeping
    assert {"a"} == await keys(store)


async def test_a_mistake_of_ours_is_not_the_disks(store: Store) -> None:
    """Wrong SQL is no passing fault: it is raised as it is."""
    with pytest.raises(DBAPIError, match=r"no such table|does not exist"):
        async with store.write() as tx:
            await tx.execute(sa.text("SELECT * FROM nowhere"))
    async with store.write() as tx:
        await values.put(tx, "a", "1")


@pytest.mark.only("sqlite")
async def test_full_disk(store: Store) -> None:
    """A full disk makes the transaction Unavailable, nothing is half done, and with space again the store goes on."""
    async with store.write() as tx:
        await values.put(tx, "before", "x")
        pages = (await tx.execute(sa.text("PRAGMA page_count"))).scalar_one()
        await tx.execute(sa.text(f"PRAGMA max_page_count = {pages}"))
    with pytest.raises(Unavailable, match="full"):
        await keep(store, ("small", "x"), ("large", "x" * 1_000_000))
    assert {"before"} == await keys(store)
    async with store.write() as tx:
        await values.put(tx, "after", "x" * 1_000_000)
    assert {"before", "after"} == await keys(store)


@pytest.mark.only("sqlite")
async def test_a_disk_that_is_full_for_real(tmp_path: Path) -> None:
    """Not a byte is left, for the file or its log: what is there is read, what is stored was stored whole, a start says
    what is the matter, and with space again all goes on by itself."""
    with small_disk(tmp_path, 8) as disk:
        url = f"sqlite+aiosqlite:///{disk / 'damero.sqlite3'}"
        await kept_whole(url, disk)


@pytest.mark.only("postgresql")
async def test_a_servers_disk_that_is_full_for_real() -> None:
    """The same of the disk of a PostgreSQL, which refuses what it has no room for, and works on."""
    # The path of a socket may not be long.
    with tempfile.TemporaryDirectory(prefix="disk-") as folder, small_disk(Path(folder), 96) as disk:
        server = Server(within=disk)
        try:
            server.run("CREATE DATABASE damero")
            await kept_whole(server.url("damero"), disk)
        finally:
            server.remove()


async def kept_whole(url: str, disk: Path) -> None:
    """A store on a disk that is full for a while keeps what it takes whole, and refuses the rest."""
    store = Store(url)
    await store.open()
    try:
        # There is a page, in which there is room for what is small.
        await keep(store, ("before", "x"))
        stored = {"before"}
        with filled(disk):
            refused = 0
            for n in range(200):
                try:
                    await keep(store, (f"{n} small", "x"), (f"{n} large", secrets.token_hex(50_000)))
                    stored |= {f"{n} small", f"{n} large"}
                except Unavailable:
                    refused += 1
            assert refused
            assert stored == await keys(store)
            if store.file is not None:
                with pytest.raises(StoreError, match="cannot be used"):
                    await Store(f"sqlite+aiosqlite:///{disk / 'another.sqlite3'}").open()
        await keep(store, ("after", "x" * 100_000))
        assert {*stored, "after"} == await keys(store)
    finally:
        await store.close()


async def test_read_only_database(store: Store, kind: str) -> None:
    """A database that cannot be written to makes the transaction Unavailable, and the next one starts afresh."""
    only = {"sqlite": "PRAGMA query_only = ON", "postgresql": "SET default_transaction_read_only = on"}[kind]
    async with store.write() as tx:
        await tx.execute(sa.text(only))
    with pytest.raises(Unavailable, match=r"read-?only"):
        async with store.write() as tx:
            await values.put(tx, "a", "1")
    async with store.write() as tx:
        await values.put(tx, "b", "1")
    assert {"b"} == await keys(store)


async def test_locked_by_another_process(store: Store, other: Store) -> None:
    """While another process writes, a transaction is Unavailable; afterwards it succeeds."""
    async with other.write() as held:
        await held.execute(sa.text("SELECT 1"))
        with pytest.raises(Unavailable, match=r"locked|lock timeout"):
            async with store.write() as tx:
                await values.put(tx, "a", "1")
    async with store.write() as tx:
        await values.put(tx, "b", "1")
    assert {"b"} == await keys(store)


async def test_who_waits_together_for_a_lock_waits_once(
    store: Store, other: Store, caplog: pytest.LogCaptureFixture
) -> None:
    """While another process writes, all who are in the queue are refused when the first of them is."""

    async def write(name: str) -> None:
        async with store.write() as tx:
            await values.put(tx, name, "1")

    async with other.write() as held:
        await held.execute(sa.text("SELECT 1"))
        ends = await asyncio.gather(*(write(name) for name in "abcdef"), return_exceptions=True)
    assert [Unavailable] * 6 == [type(end) for end in ends]
    assert 1 == sum("not stored" in record.message for record in caplog.records)
    await write("g")
    assert {"g"} == await keys(store)


@pytest.mark.parametrize("seed", range(5))
async def test_cancelled_at_any_moment(other: Store, seed: int) -> None:
    """A task that is cancelled in the middle of a transaction leaves all of it or nothing, and nobody else suffers,
    as long as who waits has a while: a busy server needs it to notice that a connection has ended."""
    lots = Random(seed)
    done: set[str] = set()

    async def write(name: str) -> None:
        async with other.write() as tx:
            await values.put(tx, f"{name}-1", "x")
            await values.put(tx, f"{name}-2", "x")
        done.add(name)

    async def cancel_after(task: asyncio.Task[None], steps: int) -> None:
        while steps and not task.done():
            steps -= 1
            await asyncio.wait({asyncio.ensure_future(asyncio.to_thread(int)), task}, return_when="FIRST_COMPLETED")
        task.cancel()

    for number in range(12):
        task = asyncio.create_task(write(f"cancelled{number}"))
        beside = asyncio.create_task(write(f"beside{number}"))
        await cancel_after(task, lots.randrange(12))
        await asyncio.gather(task, beside, return_exceptions=True)
    found = await keys(other)
    halves = {key[:-2] for key in found}
    assert found == {f"{name}-{half}" for name in halves for half in (1, 2)}
    assert done <= halves
    assert {f"beside{number}" for number in range(12)} <= done


async def test_closing_waits_for_those_under_way(store: Store) -> None:
    """A transaction that has begun ends before the store is closed; later ones are told that it is closed."""
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def read() -> bool:
        async with store.read() as tx:
            begun.set()
            await go_on.wait()
            return await values.get(tx, "a") is None

    reading = asyncio.create_task(read())
    await begun.wait()
    closing = asyncio.create_task(store.close())
    go_on.set()
    await closing
    assert await reading
    with pytest.raises(Unavailable, match="not open"):
        async with store.write():
            pass
    with pytest.raises(Unavailable, match="not open"):
        async with store.read():
            pass


async def test_settling_waits_for_those_under_way(store: Store) -> None:
    """Whoever reads or writes just then comes to the end first; afterwards the store is used as before."""
    for begin in (store.read, store.write):
        begun, go_on = asyncio.Event(), asyncio.Event()

        async def use(
            begin: Callable[[], AbstractAsyncContextManager[object]], begun: asyncio.Event, go_on: asyncio.Event
        ) -> None:
            async with begin():
                begun.set()
                await go_on.wait()

        using = asyncio.create_task(use(begin, begun, go_on))
        await begun.wait()
        settling = asyncio.create_task(store.settle())
        for _ in range(20):
            await asyncio.to_thread(int)
        assert not settling.done()
        go_on.set()
        await settling
        await using
    async with store.write() as tx:
        await values.put(tx, "a", "x")


@pytest.mark.parametrize("waiting", ["to write", "to read"])
async def test_an_end_waits_for_nobody_who_waits(store: Store, waiting: str) -> None:
    """Once it is to end, those under way are done to their end; those who wait for them are told that the database is
    being let go of, and it is closed without them. Opened again it is as before."""
    begun, go_on = asyncio.Event(), asyncio.Event()
    done = list[str]()

    async def use(name: str) -> None:
        async with store.write() if waiting == "to write" else store.read():
            begun.set()
            await go_on.wait()
            done.append(name)

    # More than can be at once.
    tasks = [asyncio.create_task(use(str(number))) for number in range(20)]
    await begun.wait()
    await asyncio.sleep(0.05)
    store.end()
    go_on.set()
    await store.close()
    ended = await asyncio.gather(*tasks, return_exceptions=True)

    refused = [str(error) for error in ended if isinstance(error, Unavailable)]
    assert 20 == len(done) + len(refused)
    assert ["The database is being let go of."] == sorted(set(refused))
    assert (1 if waiting == "to write" else 5) >= len(done) > 0
    await store.open()
    async with store.write(), store.read():
        pass


async def test_those_who_wait_are_turned_away(store: Store) -> None:
    """They are told that nothing can be stored just now; the one under way is done, and who comes later is served."""
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def write() -> None:
        async with store.write():
            begun.set()
            await go_on.wait()

    tasks = [asyncio.create_task(write()) for _ in range(5)]
    await begun.wait()
    store.turn_away()
    later = asyncio.create_task(write())
    go_on.set()
    ended = await asyncio.gather(*tasks, later, return_exceptions=True)

    assert [None, *[Unavailable] * 4, None] == [None if error is None else type(error) for error in ended]


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("damero.sqlite3", "is not a database URL"),
        ("mysql://localhost/damero", "mysql is not known here"),
        ("postgresql+psycopg://localhost/damero", r"postgresql\+psycopg is not known here"),
    ],
)
def test_urls_that_cannot_be_used(url: str, says: str) -> None:
    """What is no URL of a known database is refused with what there is."""
    with pytest.raises(StoreError, match=says):
        Store(url)


async def test_missing_folder(tmp_path: Path) -> None:
    """A folder that does not exist is named."""
    with pytest.raises(StoreError, match=r"nowhere/damero\.sqlite3 cannot be used: its folder is not there\."):
        await Store(f"sqlite:///{tmp_path}/nowhere/damero.sqlite3").open()


async def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    """A file of another kind is named and left as it is."""
    (tmp_path / "notes.txt").write_text("Not a database. " * 100)
    with pytest.raises(StoreError, match=r"notes\.txt cannot be used: file is not a database"):
        await Store(f"sqlite:///{tmp_path}/notes.txt").open()
    assert "Not a database. " * 100 == (tmp_path / "notes.txt").read_text()


async def test_in_memory() -> None:
    """A database in memory works as one in a file, and goes when the store is closed."""
    store = Store("sqlite+aiosqlite:///:memory:")
    await store.open()
    async with store.write() as tx:
        await values.put(tx, "a", "1")
        assert set() == await keys(store)
    assert {"a"} == await keys(store)
    await store.close()
    await store.open()
    assert set() == await keys(store)
    await store.close()
