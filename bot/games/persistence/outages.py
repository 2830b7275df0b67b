"""When the bot was away, or Discord out of its reach: nobody's time ran then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bot.games.model import deadlines
from bot.games.model.clock import Stop
from bot.games.persistence.transactions import Transactions
from bot.support.signals import AwaitedSignal
from data.queries import announcements, key_values, timers
from data.store import Transaction

ALIVE: Final = "alive"
"""The key under which the last sign of life is kept."""


class Outages:
    """The outages that are over, the one that lasts, and the signs of life that tell when one began. ``noted`` is sent
    in the transaction in which an outage is stored. ``heartbeat``: milliseconds between signs of life."""

    def __init__(
        self, transactions: Transactions, clock: Callable[[], int], noted: AwaitedSignal[[Transaction]]
    ) -> None:
        self._transactions, self._clock, self._noted = transactions, clock, noted
        self._over: list[Stop] = []
        self._lost_at: int | None = None
        self._alive_at: int | None = None
        self.heartbeat = deadlines.HEARTBEAT

    def lost(self) -> None:
        """Discord is out of reach from now on, until ``resume`` or the next sign of life: nobody's time runs."""
        if self._lost_at is None:
            self._lost_at = self._clock()

    @property
    def is_lost(self) -> bool:
        """Whether Discord was out of reach and nobody has taken up time since."""
        return self._lost_at is not None

    def stops(self, since: int, now: int) -> list[Stop]:
        """The outages that reach into the time from ``since``, with the one that lasts ``now``."""
        lasting = [] if self._lost_at is None else [(self._lost_at, now)]
        return [*deadlines.overlapping(self._over, since), *lasting]

    async def keep_lasting(self, tx: Transaction, now: int) -> None:
        """Store the outage that lasts ``now``, if any: what an entry is reckoned with is kept, however that ends."""
        if self._lost_at is not None and self._lost_at < now:
            await timers.add_outage(tx, self._lost_at, now)

    async def resume(self) -> int:
        """Take up time again, at a start or when Discord is in reach again: what has passed since it was lost, or since
        the last sign of life, was an outage, and nobody's time ran. Returns its length in milliseconds."""
        now = self._clock()
        async with self._transactions.writing(f"resume:{now}") as tx:
            if self._lost_at is not None:
                away = now - self._lost_at
            else:
                alive = await key_values.get(tx, ALIVE)
                # Whatever anybody did is a sign of life too: no outage covers it.
                last_act = await announcements.last_made(tx)
                # A clock that was set back has left some that are still to come: they tell nothing.
                signs = [at for at in (last_act, None if alive is None else int(alive)) if at is not None and at <= now]
                away = 0 if alive is None or not signs else now - max(signs)
            if away >= deadlines.OUTAGE:
                await timers.add_outage(tx, now - away, now)
                await self._noted.send(tx)
            await key_values.put(tx, ALIVE, str(now))
            self._over = list(await timers.all_outages(tx))
        self._alive_at = now
        self._lost_at = None
        return max(0, away)

    async def alive(self) -> None:
        """A sign of life. After a longer silence it counts as a resumption."""
        now = self._clock()
        silent = self._alive_at is not None and now - self._alive_at >= self.heartbeat * 3 // 2
        if silent or self.is_lost:
            await self.resume()
            return
        async with self._transactions.writing() as tx:
            await key_values.put(tx, ALIVE, str(now))
        self._alive_at = now
