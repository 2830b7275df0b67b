"""When the bot was away, or Discord out of its reach: nobody's time ran then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from bot.games.model import deadlines
from bot.games.model.clock import Clock, Stop
from bot.games.model.game import Game
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
            since = await _last_sign(tx, now) if self._lost_at is None else self._lost_at
            away = 0 if since is None else now - since
            if away >= deadlines.OUTAGE:
                await timers.add_outage(tx, now - away, now)
                await self._noted.send(tx)
            await key_values.put(tx, ALIVE, str(now))
            self._over = list(await timers.all_outages(tx))
        self._alive_at = now
        self._lost_at = None
        return max(0, away)

    async def look_back(self, tx: Transaction) -> None:
        """Know the outages without taking up time: what has passed since the last sign of life is one that lasts."""
        now = self._clock()
        self._over = list(await timers.all_outages(tx))
        since = await _last_sign(tx, now)
        if since is not None and now - since >= deadlines.OUTAGE:
            self._lost_at = since

    def standstills(
        self,
        game: Game,
        clock: Clock,
        now: int,
        boards: Iterable[tuple[int, int | None]],
        away: Mapping[int, Iterable[tuple[int, int]]],
    ) -> list[Stop]:
        """When the time of the player to move stands still: while the bot is away, while the board cannot be posted
        (``boards``: when each was made and posted), and, in a casual game, in that player's own vacations (``away``: by
        person)."""
        stops = self.stops(clock.since, now) + deadlines.unseen(boards)
        player = game.players[clock.seat]
        if game.casual and player is not None and not clock.control.live:
            stops += [(start, until) for start, until in away.get(player, ()) if until > clock.since]
        return stops

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


async def _last_sign(tx: Transaction, now: int) -> int | None:
    """When there was last a sign of life; None where none was ever left. Whatever anybody did is one too: no outage
    covers it."""
    alive = await key_values.get(tx, ALIVE)
    if alive is None:
        return None
    # A clock that was set back has left some that are still to come: they tell nothing.
    signs = [at for at in (await announcements.last_made(tx), int(alive)) if at is not None and at <= now]
    return max(signs, default=None)
