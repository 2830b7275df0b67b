"""Several processes on one PostgreSQL: who has which shards, and what a process can do that has lost them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, suppress
from random import Random
from time import monotonic

import asyncpg
import pytest
import sqlalchemy as sa

import data.lease
from data.lease import Lease
from data.notifications import EVERYTHING_MISSED, Word
from data.postgresql import WRITERS
from data.queries import key_values as values
from data.shards import Shards, every
from data.store import Spent, Store, StoreError, Unavailable
from tests.support.data import databases

pytestmark = pytest.mark.only("postgresql")

Take = Callable[[int, int], Awaitable[Lease]]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """All times a tenth of what they are."""
    for name in ("BEAT", "HOLDS", "LOOK", "GRACE", "RETAKE", "MOMENT", "SETTLE", "GAIN"):
        monkeypatch.setattr(data.lease, name, getattr(data.lease, name) / 10)


@pytest.fixture
async def take(store: Store, url: str) -> AsyncIterator[Take]:
    """Takes at most so many of so many shards, as a process of its own."""
    async with AsyncExitStack() as undo:

        async def take(count: int, most: int) -> Lease:
            lease = Lease(url, count, most)
            undo.push_async_callback(lease.release)
            await lease.take()
            return lease

        yield take


async def opened(url: str, lease: Lease, undo: AsyncExitStack) -> Store:
    store = Store(url, lease=lease)
    await store.open()
    undo.push_async_callback(store.close)
    return store


async def put(store: Store, key: str, value: str = "x") -> None:
    async with store.write() as tx:
        await values.put(tx, key, value)


def cut(lease: Lease, url: str) -> None:
    """The server ends the connection that the lease is."""
    where = f"application_name = '{lease._name}'"
    ended = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {where}"
    databases.server().run(ended, sa.make_url(url).database or "")


async def until(what: Callable[[], bool]) -> None:
    for _ in range(1000):
        if what():
            return
        await asyncio.sleep(0.01)
    raise TimeoutError


def test_servers_are_dealt_out_as_discord_does() -> None:
    """By the time of their ids; what is nobody's server's is shard 0's."""
    shards = Shards(4, frozenset({1, 2}))

    assert 0 == shards.of(None)
    assert [3, 0, 1, 2] == [shards.of(n << 22) for n in (3, 4, 5, 6)]
    assert [False, False, True, True] == [shards.own(n << 22) for n in (3, 4, 5, 6)]
    assert not shards.whole
    assert every(4).whole


async def test_processes_share_the_shards(take: Take) -> None:
    """Each takes as many as it may and nobody has; there is none twice."""
    first, second, third = await take(5, 2), await take(5, 2), await take(5, 2)

    assert [{0, 1}, {2, 3}, {4}] == [set(each.shards.ids) for each in (first, second, third)]


async def test_a_standby_has_the_shards_of_one_that_went(take: Take) -> None:
    """Who finds none free waits, and has them at once when another lets go of them."""
    first = await take(2, 2)
    waiting = asyncio.ensure_future(take(2, 2))
    await asyncio.sleep(0.2)
    assert not waiting.done()

    await first.release()

    with pytest.raises(Unavailable):
        await first.stand()
    assert not waiting.done()
    assert {0, 1} == (await waiting).shards.ids


async def test_the_shards_of_one_that_died_are_taken_together(
    take: Take, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its locks end one after the other, however close."""
    monkeypatch.setattr(data.lease, "SETTLE", 0.5)
    await (await take(2, 2)).release()
    died = await asyncpg.connect(url.replace("+asyncpg", ""))
    for shard in range(2):
        await died.execute("SELECT pg_advisory_lock($1, $2)", data.lease._SHARD, shard)
    waiting = asyncio.ensure_future(take(2, 2))
    await asyncio.sleep(3 * data.lease.LOOK)

    await died.execute("SELECT pg_advisory_unlock($1, 1)", data.lease._SHARD)
    await asyncio.sleep(1.5 * data.lease.LOOK)
    await died.close()

    assert {0, 1} == (await waiting).shards.ids


async def test_a_turn_to_sign_is_waited_for(
    take: Take, url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Where others write for longer than an answer may take otherwise, the shards are taken all the same, at one go."""
    monkeypatch.setattr(data.lease, "ANSWER", 0.2)
    monkeypatch.setattr(data.lease, "MOMENT", 5.0)
    writing = await asyncpg.connect(url.replace("+asyncpg", ""))
    await writing.execute("SELECT pg_advisory_lock($1)", WRITERS)
    waiting = asyncio.ensure_future(take(1, 1))
    here = "(SELECT oid FROM pg_database WHERE datname = current_database())"
    queued = f"SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = {here}"
    async with asyncio.timeout(10):
        while not await writing.fetchval(queued):  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
    await asyncio.sleep(3 * data.lease.ANSWER)
    await writing.close()

    await (await waiting).stand()
    assert "cannot act for" not in caplog.text


async def test_a_trouble_is_told_once(url: str, caplog: pytest.LogCaptureFixture) -> None:
    """And not twice a second, by each process, for as long as the database is away; in one sentence."""
    lease = Lease(url.replace("host=", "host=/nowhere"), 1, 1)
    taking = asyncio.create_task(lease.take())
    await asyncio.sleep(4 * data.lease.LOOK)
    assert lease.trouble is not None
    assert "out of reach" in lease.trouble
    taking.cancel()
    await lease.release()

    told = [record.getMessage() for record in caplog.records if "cannot act for" in record.getMessage()]
    assert 1 == len(told)
    assert 1 == told[0].count("out of reach")


async def test_who_loses_the_connection_alone_keeps_its_shards(
    take: Take, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever stands by leaves a process that lives the time to connect anew: nobody has to begin anew."""
    monkeypatch.setattr(data.lease, "SETTLE", 2.0)
    first = await take(1, 1)
    waiting = asyncio.ensure_future(take(1, 1))
    connections = set()
    for count in range(1, 11):
        await asyncio.sleep(data.lease.LOOK)
        connections.add(first._process)
        cut(first, url)
        await until(lambda: first.held and first._process not in connections)
        assert count == len(connections)

    assert not first.gone.is_set()
    assert not waiting.done()
    waiting.cancel()


async def test_shards_that_nobody_takes_are_gained(take: Take) -> None:
    """A process that could act for more is told to begin anew when others have gone, and then has them."""
    first, second = await take(3, 2), await take(3, 2)
    assert {2} == second.shards.ids

    await first.release()
    await until(second.gone.is_set)
    await second.release()

    assert {0, 1} == (await take(3, 2)).shards.ids


async def test_shards_that_nobody_has_room_for_are_told_of(take: Take, caplog: pytest.LogCaptureFixture) -> None:
    """Once in a while, by a process that has as many as it may and keeps them."""
    lease = await take(3, 2)

    await until(lambda: "nobody acts for shards [2]" in caplog.text)
    await asyncio.sleep(3 * data.lease.BEAT)

    assert 1 == caplog.text.count("nobody acts for")
    assert (2,) == lease.free
    assert lease.held


async def test_no_two_act_at_one_time(take: Take, url: str) -> None:
    """Where a process ends without a word, the next acts only when the one before would have noticed."""
    first = await take(1, 1)
    waiting = asyncio.ensure_future(take(1, 1))
    await asyncio.sleep(0.1)
    assert first._keeper is not None
    # It hangs: it neither asks for a sign of life nor takes its lock anew.
    first._keeper.cancel()
    began = monotonic()
    cut(first, url)

    await until(waiting.done)

    assert not first.held
    assert monotonic() - began > data.lease.HOLDS
    assert (await waiting).held


async def test_what_a_stale_process_writes_is_refused_by_the_database(take: Take, url: str) -> None:
    """A process that was held up while another took its shards, and believes that it holds them still, stores nothing,
    not even in a transaction that was begun before."""
    async with AsyncExitStack() as undo:
        first = await take(1, 1)
        stale = await opened(url, first, undo)
        await put(stale, "before")
        assert first._keeper is not None
        first._keeper.cancel()
        cut(first, url)
        second = await take(1, 1)
        fresh = await opened(url, second, undo)
        # As if no time had passed for it.
        first._answered = monotonic() + 1000

        assert first.held
        with pytest.raises(Unavailable, match="Another process acts for these shards now"):
            await put(stale, "after")
        await put(fresh, "fresh")

        async with fresh.read() as tx:
            assert ["x", None, "x"] == [await values.get(tx, key) for key in ("before", "after", "fresh")]


async def test_nothing_is_read_or_written_without_the_lease(take: Take, url: str) -> None:
    """A process that does not hear from the database that it holds its locks does nothing."""
    async with AsyncExitStack() as undo:
        lease = await take(1, 1)
        store = await opened(url, lease, undo)
        assert lease._keeper is not None
        lease._keeper.cancel()
        await until(lambda: not lease.held)

        with pytest.raises(Unavailable, match="may not act"):
            await put(store, "written")
        with pytest.raises(Unavailable, match="may not act"):
            async with store.read():
                pass


async def test_a_connection_that_is_lost_is_made_anew(take: Take, url: str) -> None:
    """Nobody else wanted the shards: the process goes on, and takes up all that it may have missed."""
    heard: list[Word] = []
    async with AsyncExitStack() as undo:
        lease = await take(2, 2)
        store = await opened(url, lease, undo)
        store.hear(heard.append)

        cut(lease, url)
        await until(lambda: EVERYTHING_MISSED in heard)

        assert lease.held
        assert not lease.gone.is_set()
        await put(store, "again")


async def test_while_the_database_is_away_that_is_what_is_told(
    take: Take, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By whoever wants to read or write, who does not wait once it has been so for long; of the other processes nothing
    is known. Afterwards all is as before."""
    async with AsyncExitStack() as undo:
        lease = await take(3, 2)
        store = await opened(url, lease, undo)
        await until(lambda: lease.free == (2,))
        spent: list[Spent] = []
        store.watch(spent.append)

        with databases.server().away(sa.make_url(url).database or ""):
            await until(lambda: lease.trouble is not None)
            assert () == lease.free
            with pytest.raises(Unavailable, match="not currently accepting connections"):
                await put(store, "away")
            assert [False] == [each.stored for each in spent]
            monkeypatch.setattr(data.lease, "MOMENT", 60.0)
            lease._troubled -= 60
            async with asyncio.timeout(30):
                with pytest.raises(Unavailable, match="not currently accepting connections"):
                    await put(store, "away")

        await until(lambda: lease.trouble is None)
        await put(store, "again")
        await until(lambda: lease.free == (2,))


async def test_who_finds_its_shards_taken_is_told(take: Take, url: str) -> None:
    """Its connection was lost for so long that another process acts for them: it is to begin anew."""
    first = await take(1, 1)
    assert first._keeper is not None
    first._keeper.cancel()
    cut(first, url)
    await take(1, 1)

    first._keeper = asyncio.create_task(first._keep())
    await until(first.gone.is_set)

    assert not first.held


async def test_who_was_away_while_another_acted_is_told(take: Take, url: str) -> None:
    """The locks are free again, but another process has acted for the shards meanwhile: what is remembered is old."""
    first = await take(1, 1)
    assert first._keeper is not None
    first._keeper.cancel()
    cut(first, url)
    await (await take(1, 1)).release()

    first._keeper = asyncio.create_task(first._keep())
    await until(first.gone.is_set)

    assert not first.held


async def test_it_lets_go_in_the_moment_in_which_the_connection_ends(store: Store, url: str) -> None:
    """Whichever comes first by how little, the end of the connection or that of the process: the process ends."""
    for moments in range(6):
        lease = Lease(url, 1, 1)
        await lease.take()
        await asyncio.sleep(data.lease.BEAT / 2)

        lease._driven.terminate()
        for _ in range(moments):
            await asyncio.sleep(0)

        async with asyncio.timeout(5):
            await lease.release()


async def test_processes_hear_of_each_other_what_was_stored(take: Take, url: str) -> None:
    """What a transaction tells arrives with its commit, not at who told it, and not where nothing was stored."""
    heard: dict[str, list[Word]] = {"first": [], "second": []}
    async with AsyncExitStack() as undo:
        first = await opened(url, await take(2, 1), undo)
        second = await opened(url, await take(2, 1), undo)
        first.hear(heard["first"].append)
        second.hear(heard["second"].append)

        with suppress(ZeroDivisionError):
            async with first.write() as tx:
                await first.tell(tx, [Word("game", 1)])
                raise ZeroDivisionError
        async with first.write() as tx:
            await first.tell(tx, [Word("game", 7), Word("people", 10**18)])
        await until(lambda: len(heard["second"]) == 2)

        assert {"first": [], "second": [("game", 7), ("people", 10**18)]} == heard


async def test_all_count_the_shards_alike(take: Take) -> None:
    """Another SHARD_COUNT is refused as long as a process runs with the old one."""
    await take(2, 1)

    with pytest.raises(StoreError, match="SHARD_COUNT is 3 here, and 2 of a process that runs"):
        await take(3, 1)


async def test_one_process_after_the_other_connects_to_discord(take: Take, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two beginnings, whose ever they are, lies the time that Discord wants."""
    monkeypatch.setattr(data.lease, "IDENTIFY", 0.2)
    first, second = await take(2, 1), await take(2, 1)
    began = monotonic()

    await asyncio.gather(first.may_identify(), second.may_identify())
    await first.may_identify()

    assert monotonic() - began >= 0.4


async def test_connections_that_end_again_and_again(store: Store, url: str) -> None:
    """Whatever two processes are doing when their connections are ended, one of them has the shards afterwards, the
    other none; a process that has lost them to the other has been told."""
    leases = [Lease(url, 2, 2), Lease(url, 2, 2)]
    taking = [asyncio.create_task(lease.take()) for lease in leases]
    await asyncio.wait(taking, return_when=asyncio.FIRST_COMPLETED)
    lots = Random(3)
    for _ in range(60):
        await asyncio.sleep(lots.random() / 20)
        for lease in leases:
            cut(lease, url)

    def settled() -> bool:
        told = [task.done() and not lease.gone.is_set() for lease, task in zip(leases, taking, strict=True)]
        return sorted(told) == [False, True] and told == [lease.held for lease in leases]

    await until(settled)
    for lease, task in zip(leases, taking, strict=True):
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await lease.release()


async def test_a_process_that_had_much_to_do_goes_on(take: Take, url: str) -> None:
    """Whose event loop stood still for longer than its shards are held, asks for a sign of life before it acts again,
    and refuses nothing."""
    async with AsyncExitStack() as undo:
        lease = await take(1, 1)
        store = await opened(url, lease, undo)
        time.sleep(2 * data.lease.HOLDS)  # noqa: ASYNC251 - this is what is tested
        assert not lease.held

        await put(store, "late")

        assert lease.held
