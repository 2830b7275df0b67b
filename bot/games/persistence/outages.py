"""When the bot was away, or Discord out of its reach: nobody's time ran then."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final

from bot.games.model import deadlines
from bot.games.model.clock import Clock, Stop
from bot.games.model.game import Game
from bot.games.persistence.transactions import Transactions
from bot.support.signals import AwaitedSignal
from data.notifications import Word
from data.queries import announcements, key_values, timers
from data.queries.timers import Outage
from data.store import Transaction

ALIVE: Final = "alive"
"""What the keys begin with under which the last sign of life of each shard is kept."""


class Outages:
    """The outages that are over, those that last, and the signs of life that tell when one began: of each shard its
    own. ``noted`` is sent in the transaction in which an outage is stored. ``heartbeat``: milliseconds between signs of
    life."""

    def __init__(
        self, transactions: Transactions, clock: Callable[[], int], noted: AwaitedSignal[[Transaction]]
    ) -> None:
        self._transactions, self._clock, self._noted = transactions, clock, noted
        self._shards = transactions.shards
        self._over: list[Outage] = []
        self._lost_at: dict[int, int] = {}
        self._alive_at: int | None = None
        self.heartbeat = deadlines.HEARTBEAT

    def lost(self, shard: int | None = None) -> None:
        """Discord is out of reach from now on, of one shard or all, until ``resume`` or the next sign of life: nobody's
        time runs."""
        for each in self._shards.ids if shard is None else (shard,):
            self._lost_at.setdefault(each, self._clock())

    @property
    def is_lost(self) -> bool:
        """Whether Discord was out of reach and nobody has taken up time since."""
        return bool(self._lost_at)

    def stops(self, guild_id: int | None, since: int, now: int) -> list[Stop]:
        """The outages of a server that reach into the time from ``since``, with the one that lasts ``now``."""
        lost_at = self._lost_at.get(self._shards.of(guild_id))
        lasting = [] if lost_at is None else [(lost_at, now)]
        return [*deadlines.overlapping(timers.stops_of(self._over, guild_id), since), *lasting]

    async def keep_lasting(self, tx: Transaction, guild_id: int | None, now: int) -> None:
        """Store the outage of a server that lasts ``now``, if any: what an entry is reckoned with is kept, however that
        ends."""
        shard = self._shards.of(guild_id)
        lost_at = self._lost_at.get(shard, now)
        if lost_at < now:
            await timers.add_outage(tx, Outage(lost_at, now, shard, self._shards.count))

    def lost_of(self, shards: Collection[int]) -> bool:
        """The same of some shards."""
        return not self._lost_at.keys().isdisjoint(shards)

    async def resume(self, shards: Collection[int] | None = None) -> int:
        """Take up time again, at a start or when Discord is in reach again, of some ``shards`` or all: what has passed
        since it was lost, or since the last sign of life, was an outage, and nobody's time ran. Returns the length of
        the longest in milliseconds."""
        resumed = self._shards.ids if shards is None else shards
        longest = 0
        async with self._transactions.writing(f"resume:{self._clock()}") as tx:
            # Only now: what was stored while this waited for its turn is a sign of life.
            now = self._clock()
            for shard in sorted(resumed):
                since = self._lost_at.get(shard) or await self._last_sign(tx, shard, now)
                away = 0 if since is None else now - since
                if away >= deadlines.OUTAGE:
                    await timers.add_outage(tx, Outage(now - away, now, shard, self._shards.count))
                    self._transactions.tell(tx, Word("outages"))
                longest = max(longest, away)
                await key_values.put(tx, self._key(shard), str(now))
            if longest >= deadlines.OUTAGE:
                await self._noted.send(tx)
            self._over = await timers.all_outages(tx)
        self._alive_at = now
        for shard in resumed:
            self._lost_at.pop(shard, None)
        return longest

    async def read(self) -> None:
        """Another process has noted an outage."""
        async with self._transactions.reading() as tx:
            self._over = await timers.all_outages(tx)

    async def look_back(self, tx: Transaction) -> None:
        """Know the outages without taking up time: what has passed since the last sign of life is one that lasts."""
        now = self._clock()
        self._over = await timers.all_outages(tx)
        for shard in self._shards.ids:
            since = await self._last_sign(tx, shard, now)
            if since is not None and now - since >= deadlines.OUTAGE:
                self._lost_at[shard] = since

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
        stops = self.stops(game.place.guild_id, clock.since, now) + deadlines.unseen(boards)
        player = game.players[clock.seat]
        if game.casual and player is not None and not clock.control.live:
            stops += [(start, until) for start, until in away.get(player, ()) if until > clock.since]
        return stops

    async def alive(self, shards: Collection[int] | None = None) -> None:
        """A sign of life of some ``shards``, or all. After a longer silence it counts as a resumption."""
        shards = self._shards.ids if shards is None else shards
        now = self._clock()
        silent = self._alive_at is not None and now - self._alive_at >= self.heartbeat * 3 // 2
        if silent or self.lost_of(shards):
            await self.resume(shards)
            return
        async with self._transactions.writing() as tx:
            for shard in sorted(shards):
                await key_values.put(tx, self._key(shard), str(now))
        self._alive_at = now

    def _key(self, shard: int) -> str:
        return ALIVE if self._shards.count == 1 else f"{ALIVE} {shard} of {self._shards.count}"

    async def _last_sign(self, tx: Transaction, shard: int, now: int) -> int | None:
        """When there was last a sign of life of a shard; None where none was ever left. Whatever anybody did is one
        too: no outage covers it. So is one of when there were other shards: then nobody was as now."""
        own, as_many = self._key(shard), self._key(shard).removeprefix(f"{ALIVE} {shard}")
        left = await key_values.beginning(tx, ALIVE)
        signs = [int(at) for key, at in left.items() if key == own or not key.endswith(as_many)]
        if not signs:
            return None
        made = await announcements.last_made(tx, self._shards.only({shard}), max(signs))
        # A clock that was set back has left some that are still to come: they tell nothing.
        return max((at for at in (*signs, made) if at is not None and at <= now), default=None)
