"""Several processes on one PostgreSQL: which shards each acts for.

A process holds a lock for each of its shards, which ends with the connection that it was taken on: that is the lease.
``held`` is false from three seconds after the last answer on that connection, and who takes a lock waits longer than
that before it acts, so no two act for a shard at one time. Whatever holds a process up in between, what it writes is
refused by the database: beside each lock stands, in a row, the holder's sign, which every transaction that writes
looks for, and which nobody changes but in a turn of its own among those who write.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from time import monotonic
from typing import Any, Final

import sqlalchemy as sa

from data.connections import AsyncConnection, AsyncEngine
from data.errors import StoreError, Unavailable, reason
from data.notifications import CHANNEL, EVERYTHING_MISSED, Notifications
from data.postgresql import SIGNED, WRITERS, PostgreSQL
from data.shards import Shards

_log = logging.getLogger(__name__)

# Seconds: between two signs that the connection stands, and from its last sign of life until the lease is not held any
# more; for the server's answer; between two looks for shards that are free, or for a database that is out of reach.
BEAT: Final = 1.0
HOLDS: Final = 3.0
ANSWER: Final = 2.0
LOOK: Final = 0.5
# Until shards that are free may be taken: who has just lost its connection takes its own again, and the locks of one
# that died do not all end in one moment. Until who could have more begins anew for those that nobody else takes.
SETTLE: Final = 1.0
GAIN: Final = 15.0
# Until who has taken a lock acts: the one before has noticed by then.
GRACE: Final = HOLDS + 0.5
# Until a connection that does not answer is given up; until who wants to read or write, or waits for its turn to sign,
# is told that it cannot (sooner than the health check gives up); until a lock counts as another's that should be ours.
PATIENCE: Final = 10.0
MOMENT: Final = 4.0
RETAKE: Final = 3.0
# Between two connections to Discord that begin: its rule for small bots. Between two words in the log about a trouble.
IDENTIFY: Final = 5.0
AGAIN: Final = 60.0

# Of a machine that is gone the server hears nothing: it ends the connection after so much, and later than HOLDS.
_KEEPALIVE: Final = {"tcp_keepalives_idle": "2", "tcp_keepalives_interval": "1", "tcp_keepalives_count": "3"}

# The first halves of the numbers of our locks: of a shard, of who takes shards, of who connects to Discord, of how many
# shards there are.
_SHARD, _TAKING, _IDENTIFYING, _COUNT = (int.from_bytes(b"dam", "big") * 8 + n for n in range(4))

_TROUBLE: Final = "cannot act for shards: %s"


class Lease:
    """At most ``most`` of ``count`` shards, for a process that is one of several on a database.

    ``shards``: which, from the end of ``take``; ``gone`` is set when this process is to begin anew: another has them,
    or there are more for it."""

    def __init__(self, database_url: str, count: int, most: int) -> None:
        self._sign = secrets.token_hex(8)
        self._name = f"damero-lease-{self._sign}"
        self.notifications = Notifications(self._sign)
        self._database = PostgreSQL(sa.make_url(database_url), 5000, lambda: None)
        self._most = most
        self.shards = Shards(count, frozenset())
        self.gone = asyncio.Event()
        self._released = False
        self.trouble: str | None = None
        """Why it cannot look for shards, or after its own, just now: for whoever runs the bot."""
        self.free: tuple[int, ...] = ()
        """The shards that nobody had for so long that somebody should have taken them."""
        # Since when; and when each warning was last in the log.
        self._troubled, self._warned = float("inf"), dict[str, float]()
        self._engine: AsyncEngine | None = None
        self._connection: AsyncConnection | None = None
        self._driven: Any = None
        """The driver's own, as nothing else hears of notifications and of the end."""
        self._process: int | None = None
        self._answered = float("-inf")
        self._keeper: asyncio.Task[None] | None = None
        self._identifying, self._asking = asyncio.Lock(), asyncio.Lock()
        self._identified: asyncio.Task[None] | None = None

    @property
    def held(self) -> bool:
        """Whether this process may act for its shards."""
        return monotonic() - self._answered < HOLDS and not self._ended

    @property
    def _ended(self) -> bool:
        return self._released or self.gone.is_set()

    async def stand(self) -> None:
        """Wait for a moment until the shards are held: the connection may just be made anew, or this process have had
        too much to do to ask. Raises Unavailable."""
        asked = monotonic()
        while not self.held:
            # Nobody waits for what has been out of reach for long.
            if self._ended or monotonic() > min(asked, self._troubled) + MOMENT:
                raise Unavailable(self.trouble or "This process may not act for its shards just now.")
            await asyncio.sleep(BEAT / 20)

    async def take(self) -> Shards:
        """Wait until shards are free, and take them. Raises StoreError where others count the shards differently."""
        free, waits = dict[int, float](), False
        while True:
            try:
                await self._connect()
                free = await self._free(free)
                self._in_reach()
                if not (free or waits):
                    waits = True
                    _log.info("no shards are free: stands by")
                settled = [shard for shard, seconds in _for(free).items() if seconds >= SETTLE]
                # Those that are free together are taken together; but not for ever is waited for one more.
                wait = len(settled) < len(free) and max(_for(free).values()) < 3 * SETTLE
                if settled and not wait and (ids := await self._locked(settled, self._most)):
                    self.shards = Shards(self.shards.count, frozenset(ids))
                    await self._sign_for_them()
                    break
            except Unavailable as error:
                self._out_of_reach(error)
                free = {}
                await self._disconnect()
            await asyncio.sleep(LOOK)
        self._keeper = asyncio.create_task(self._keep(), name="lease")
        _log.info("acting for shards %s of %d", sorted(self.shards.ids), self.shards.count)
        return self.shards

    async def release(self) -> None:
        """At the end: nobody acts here any more, and others need not wait before they do."""
        tasks = [task for task in (self._keeper, self._identified) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        try:
            if self.held:
                await self._put_sign("")
        except Unavailable as error:
            _log.warning("shards not released: %s", error)
        self._answered = float("-inf")
        self._released = True
        await self._disconnect()

    @property
    def signed(self) -> tuple[list[str], str]:
        """Of the shards the keys, and the sign that is kept under them until another process takes one."""
        return self._keys(), self._sign

    async def may_identify(self) -> None:
        """Wait until this process may begin a connection to Discord: one at a time of all of them."""
        await self._identifying.acquire()
        while True:
            # Whoever holds the lock lets go of it by itself, or ends.
            with suppress(Unavailable):
                if await self._ask("SELECT pg_try_advisory_lock($1, 0)", _IDENTIFYING):
                    break
            await asyncio.sleep(LOOK)
        self._identified = asyncio.create_task(self._let_identify(), name="identified")

    async def _let_identify(self) -> None:
        """After the time that Discord wants between two, the next may."""
        locked_on = self._process
        await asyncio.sleep(IDENTIFY)
        # The lock ends with the connection, too.
        while self._process == locked_on:
            with suppress(Unavailable):
                await self._ask("SELECT pg_advisory_unlock($1, 0)", _IDENTIFYING)
                break
            await asyncio.sleep(LOOK)
        self._identifying.release()

    # The connection

    async def _connect(self) -> None:
        if self._driven is not None and not self._driven.is_closed():
            return
        await self._disconnect()
        self._engine = self._database.engine_for_locks(self._name, _KEEPALIVE)
        try:
            self._connection = await self._engine.connect()
            self._driven = (await self._connection.get_raw_connection()).driver_connection
            await self._driven.add_listener(CHANNEL, self.notifications.received)
        except Unavailable:
            raise
        except Exception as error:
            raise Unavailable(f"The database is out of reach: {reason(error)}") from error
        if self._process is not None:
            # What is left of a connection that was lost on the way would keep the locks.
            await self._ask(_END, self._process, self._name)
        self._process = self._driven.get_server_pid()
        await self._ask("SELECT pg_advisory_lock_shared($1, $2)", _COUNT, self.shards.count)
        if other := await self._ask(_OTHER_COUNT, _COUNT, self.shards.count):
            raise StoreError(
                f"SHARD_COUNT is {self.shards.count} here, and {other} of a process that runs. Stop all processes "
                "before you change it."
            )

    async def _disconnect(self) -> None:
        connection, engine = self._connection, self._engine
        self._driven = self._connection = self._engine = None
        for end in () if connection is None else (connection.invalidate, connection.close):
            with suppress(Exception):
                await end()
        if engine is not None:
            with suppress(Exception):
                await engine.dispose()

    async def _ask(self, query: str, *values: object, within: float | None = None) -> Any:
        """The first value that a query finds, ``within`` so many seconds. Raises Unavailable."""
        if self._driven is None:
            raise Unavailable("The database is out of reach.")
        try:
            async with self._asking:
                return await self._driven.fetchval(query, *values, timeout=within or ANSWER)
        except Exception as error:
            # Of a connection that is ended in the middle of anything the driver raises anything.
            raise Unavailable(f"The database is out of reach: {reason(error)}") from error

    def _in_reach(self) -> None:
        self.trouble, self._troubled = None, float("inf")
        self._warned.pop(_TROUBLE, None)

    def _out_of_reach(self, error: Unavailable) -> None:
        """What was known of the others is old now."""
        self.trouble, self._troubled, self.free = str(error), min(self._troubled, monotonic()), ()
        self._warn(_TROUBLE, error)

    def _warn(self, what: str, about: object) -> None:
        """Once, and then once a minute: it is looked at all the time."""
        if monotonic() - self._warned.get(what, float("-inf")) >= AGAIN:
            self._warned[what] = monotonic()
            _log.warning(what, about)

    # The locks

    async def _free(self, before: Mapping[int, float]) -> dict[int, float]:
        """The shards that nobody has, and since when that is known; ``before``: what was known at the last look."""
        taken = await self._ask(_TAKEN, _SHARD) or ()
        now = monotonic()
        return {shard: before.get(shard, now) for shard in range(self.shards.count) if shard not in taken}

    async def _locked(self, ids: Iterable[int], most: int) -> list[int]:
        """Take the locks that are free, one process after the other, so that none gets half of what is there."""
        await self._ask("SELECT pg_advisory_lock($1, 0)", _TAKING)
        try:
            locked: list[int] = []
            for shard in ids:
                if len(locked) < most and await self._ask("SELECT pg_try_advisory_lock($1, $2)", _SHARD, shard):
                    locked.append(shard)
            return locked
        finally:
            await self._ask("SELECT pg_advisory_unlock($1, 0)", _TAKING)

    async def _sign_for_them(self) -> None:
        if await self._ask("SELECT count(*) FROM key_values WHERE key = ANY($1) AND value <> ''", self._keys()):
            # Nobody has said good-bye.
            await asyncio.sleep(GRACE)
        asked = monotonic()
        await self._put_sign(self._sign)
        self._answered = asked

    async def _put_sign(self, sign: str) -> None:
        """In a turn of its own among those who write: whoever wrote before is done, whoever writes after will see."""
        # Who gave up would begin anew with all of it.
        await self._ask(_ALONE, WRITERS, within=MOMENT)
        try:
            for key in self._keys():
                await self._ask(_PUT, key, sign)
        finally:
            await self._ask("SELECT pg_advisory_unlock($1)", WRITERS)

    def _keys(self) -> list[str]:
        return [f"shard {shard} of {self.shards.count}" for shard in sorted(self.shards.ids)]

    async def _keep(self) -> None:
        """Ask for a sign of life all the time; where the connection is lost, take the same locks on another."""
        free: dict[int, float] = {}
        while not self.gone.is_set():
            try:
                missed = self._driven is None or self._driven.is_closed()
                if missed and not await self._retake():
                    _log.warning("another process acts for shards %s now", sorted(self.shards.ids))
                    self.gone.set()
                    return
                asked = monotonic()
                await self._ask("SELECT 1")
                self._answered = asked
                self._in_reach()
                if missed:
                    _log.info("acting for shards %s again", sorted(self.shards.ids))
                    self.notifications.say(EVERYTHING_MISSED)
                free = {} if missed else await self._free(free)
                self.free = tuple(shard for shard, seconds in sorted(_for(free).items()) if seconds >= GAIN)
                if self.free and len(self.shards.ids) < self._most:
                    _log.warning("nobody takes shards %s: begins anew, to act for them, too", sorted(free))
                    self.gone.set()
                    return
                if self.free:
                    self._warn("nobody acts for shards %s: start processes, or raise SHARDS_PER_PROCESS", [*self.free])
                await self._beat()
            except Unavailable as error:
                self._out_of_reach(error)
                if monotonic() - self._answered > PATIENCE and self._driven is not None:
                    self._driven.terminate()
                await asyncio.sleep(LOOK)

    async def _beat(self) -> None:
        """Until the next sign of life is due, or the connection has ended."""
        ended = asyncio.Event()

        def tell(_driven: object) -> None:
            ended.set()

        driven = self._driven
        driven.add_termination_listener(tell)
        try:
            # wait_for() of Python 3.11 overlooks that it is cancelled in the moment in which the connection ends.
            with suppress(TimeoutError):
                async with asyncio.timeout(BEAT):
                    await ended.wait()
                self._answered = float("-inf")
        finally:
            driven.remove_termination_listener(tell)

    async def _retake(self) -> bool:
        """The same locks once more; False where somebody may have acted for the shards meanwhile."""
        ids = sorted(self.shards.ids)
        try:
            await self._connect()
            until = monotonic() + RETAKE
            # What is left of the old connection ends in a moment.
            while len(locked := await self._locked(ids, len(ids))) < len(ids):
                for shard in locked:
                    await self._ask("SELECT pg_advisory_unlock($1, $2)", _SHARD, shard)
                if monotonic() > until:
                    return False
                await asyncio.sleep(LOOK)
            signed = await self._ask(SIGNED, self._keys(), self._sign)
        except BaseException:
            await self._disconnect()
            raise
        return bool(signed == len(ids))


def _for(since: Mapping[int, float]) -> dict[int, float]:
    """For how many seconds."""
    return {shard: monotonic() - begin for shard, begin in since.items()}


_END = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1 AND application_name = $2"
_ALONE = "SELECT pg_advisory_lock($1)"
_PUT = "INSERT INTO key_values (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
# Numbers of locks are kept without a sign.
_LOCKS = (
    "FROM pg_locks WHERE locktype = 'advisory' AND classid::bigint = $1 AND objsubid = 2 AND granted "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
_TAKEN = f"SELECT array_agg(objid::bigint) {_LOCKS}"
_OTHER_COUNT = f"SELECT objid::bigint {_LOCKS} AND objid::bigint <> $2 LIMIT 1"
