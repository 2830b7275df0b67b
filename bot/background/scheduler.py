"""Deadlines, reminders and other things that are due at a time: rows in the store, and one loop that sleeps until the
next of them.

What a timer does and the end of its row are one transaction, made by the use case that the timer calls, for many games
at once where many fall due; a timer that fails is tried again a little later, and holds up no other.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence

import structlog

from bot.games.model.deadlines import HEARTBEAT
from bot.games.model.errors import Refused
from bot.i18n import ENGLISH, speak
from bot.support.frozen import frozen
from bot.support.signals import Signal
from bot.support.time_units import MINUTE
from data.errors import StoreError, reason
from data.queries import timers as queries
from data.queries.timers import TimerRow
from data.shards import Shards
from data.store import Store

log = structlog.get_logger(__name__)


@frozen
class DueTimer:
    """What a handler is told of a timer: what it is for, and when it fell due. What it carries is for the use case."""

    subject: int
    at: int


TimerHandler = Callable[[DueTimer], Awaitable[None]]
"""Does what a timer is for, in a transaction of its own that moves or ends the timer."""

Sleep = Callable[[float], Awaitable[None]]
"""Passes so many seconds."""


@frozen
class Together:
    """A handler that can also do many timers in one transaction: all of them, or, where it raises, none."""

    one: TimerHandler
    many: Callable[[Sequence[DueTimer]], Awaitable[None]]

    async def __call__(self, timer: DueTimer) -> None:
        await self.one(timer)


_AT_ONCE = 100
"""How many timers are read at a time."""

TOGETHER = 25
"""How many of them are done in one transaction, for which everybody else waits who wants to write."""

_RETRY = MINUTE
_UNKNOWN = 10 * MINUTE
"""Milliseconds until a timer that failed, or of a later version, is tried again."""


class Scheduler:
    """Lets what is due be done, by the handlers of the kinds of timers. ``alive`` is called after every ``heartbeat``
    (milliseconds), and before anything else where time is to be taken up again (``lost()``); while ``up()`` is false
    nothing is done at all.

    The store is looked into at a start, when the next timer that it named falls due, and when ``set`` names a sooner
    one; where this process is one of several also after every heartbeat, as others set timers too. Timers of the
    servers of other processes are left to these, and so are those of shards for which Discord is out of reach
    (``up()`` names the others)."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], int],
        handlers: Mapping[str, TimerHandler],
        alive: Callable[[], Awaitable[None]],
        up: Callable[[], Collection[int]],
        lost: Callable[[], bool],
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._store, self._clock, self._handlers = store, clock, handlers
        self._alive, self._up, self._lost, self._sleep = alive, up, lost, sleep
        self._task: asyncio.Task[None] | None = None
        self._sleeps_until: int | None = None
        self._again = False
        self._failed: dict[int, int] = {}
        self.tried: Signal[[TimerRow, int, bool]] = Signal()
        """A timer was tried: by how many milliseconds late, and whether what it is for was done."""
        self._alive_at = 0
        self._look_at = 0
        self.heartbeat = HEARTBEAT

    def start(self) -> None:
        self._task = asyncio.create_task(self._run(), name="timers")

    def set(self, at: int) -> None:
        """A timer was set for ``at``: if that is sooner than what the loop sleeps for, it looks anew."""
        self._look_at = min(self._look_at, at)
        if self._sleeps_until is None:
            self._again = True
        elif at < self._sleeps_until and self._task is not None:
            self._task.cancel()
            self.start()

    async def close(self) -> None:
        """End; what is being done is done to its end by the store, or not at all."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait({task})

    @property
    def running(self) -> bool:
        """Whether the loop is alive (for the health check)."""
        return self._task is not None and not self._task.done()

    async def _run(self) -> None:
        # Whoever sets a timer in a language of its own starts this task, and hands that language on, and its source.
        speak(ENGLISH)
        structlog.contextvars.clear_contextvars()
        while True:
            self._again = False
            try:
                wake_at = await self.tick()
            except (StoreError, Refused) as error:
                # What people are told is not why.
                log.warning("timers cannot be read", error=reason(error))
                wake_at = self._clock() + _RETRY
            if self._again:
                continue
            self._sleeps_until = wake_at
            try:
                await self._sleep(max(0.0, (wake_at - self._clock()) / 1000))
            finally:
                self._sleeps_until = None

    async def tick(self) -> int:
        """Do all that is due. Returns when there is next anything to do."""
        now = self._clock()
        up = self._store.shards.only(self._up())
        if not up.ids:
            # Nobody can move while Discord is out of reach: nothing falls due.
            return now + _RETRY
        if now - self._alive_at >= self.heartbeat or self._lost():
            await self._alive()
            self._alive_at = now
        if self._look_at <= now:
            # What is set from now on may be sooner than what is found.
            self._look_at = sys.maxsize
            try:
                next_at = await self._look(now, up)
            except (StoreError, Refused):
                # What is due is due still.
                self._look_at = now
                raise
            if not up.whole:
                next_at = min(next_at, now + self.heartbeat)
            self._look_at = min(self._look_at, next_at)
        return min(now + self.heartbeat, self._look_at)

    async def _look(self, now: int, shards: Shards) -> int:
        """Do all that the store says is due. Returns when to look again."""
        self._failed = {row_id: at for row_id, at in self._failed.items() if at > now}
        while True:
            async with self._store.read() as tx:
                rows = await queries.due(tx, self._clock(), _AT_ONCE + len(self._failed), shards)
            rows = [row for row in rows if self._failed.get(row.id, 0) <= self._clock()]
            for batch in self._batches(rows):
                if len(batch) == 1 or not await self._do_together(batch):
                    for row in batch:
                        await self._do(row)
            if len(rows) < _AT_ONCE:
                break
        async with self._store.read() as tx:
            following = await queries.next_at(tx, self._clock(), shards)
        return min([sys.maxsize if following is None else following, *self._failed.values()])

    def _batches(self, rows: Sequence[TimerRow]) -> Iterator[Sequence[TimerRow]]:
        """What may be done at once, in the order in which it fell due."""
        for kind, same in itertools.groupby(rows, lambda row: row.kind):
            batch = list(same)
            size = TOGETHER if isinstance(self._handlers.get(kind), Together) else 1
            yield from (batch[at : at + size] for at in range(0, len(batch), size))

    async def _do_together(self, rows: Sequence[TimerRow]) -> bool:
        """Do timers of one kind in one transaction. False where one of them cannot be done: then none is."""
        handler = self._handlers[rows[0].kind]
        assert isinstance(handler, Together)
        now = self._clock()
        try:
            with structlog.contextvars.bound_contextvars(source=f"timer:{rows[0].kind}"):
                await handler.many([DueTimer(row.subject, row.at) for row in rows])
        except Exception as error:
            # Whose fault it is comes out, and is told of, when each is done by itself.
            log.info("timers not done together", kind=rows[0].kind, error=type(error).__name__)
            return False
        for row in rows:
            self._failed.pop(row.id, None)
            self.tried.send(row, now - row.at, True)
        return True

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of timers that are done here; others are a later version's."""
        return tuple(self._handlers)

    async def _do(self, row: TimerRow) -> None:
        handler = self._handlers.get(row.kind)
        if handler is None:
            # A later version's: it is not ours to end.
            self._failed[row.id] = self._clock() + _UNKNOWN
            return
        late = self._clock() - row.at
        with structlog.contextvars.bound_contextvars(source=f"timer:{row.kind}:{row.subject}"):
            done = await self._done(handler, row)
        if done:
            self._failed.pop(row.id, None)
        else:
            self._failed[row.id] = self._clock() + _RETRY
        self.tried.send(row, late, done)

    async def _done(self, handler: TimerHandler, row: TimerRow) -> bool:
        try:
            await handler(DueTimer(row.subject, row.at))
        except (StoreError, Refused) as error:
            log.warning("timer not done", kind=row.kind, subject=row.subject, error=reason(error))
        except Exception:
            log.exception("timer failed", kind=row.kind, subject=row.subject)
        else:
            return True
        return False
