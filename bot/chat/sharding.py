"""The bot with several connections to Discord, and which of the two bots it takes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Any

import discord

from bot.background.scheduler import Sleep
from bot.chat.client import Damero, utc_milliseconds
from bot.chat.connection.gateway import has_session, refusal_of
from bot.settings import Settings
from data.lease import Lease
from data.shards import every


class ShardedDamero(Damero, discord.AutoShardedClient):
    """The bot with several connections to Discord, one for each of its shards."""

    def __init__(self, settings: Settings, clock: Callable[[], int], lease: Lease | None, sleep: Sleep) -> None:
        shards = every(settings.shard_count) if lease is None else lease.shards
        super().__init__(settings, clock, lease, sleep, shard_count=shards.count, shard_ids=sorted(shards.ids))
        self._launching = self._has_turn = False

    async def launch_shard(self, gateway: Any, shard_id: int, *, initial: bool = False) -> None:
        """Called for one shard after the other. Its turn comes before the connection: what Discord sends on one that
        waits is not read, and after a while it would be given up."""
        if self._launching:
            # By the library from within itself, as often as it fails, until calls would lie too deep.
            raise _OnceMore
        self._launching = True
        try:
            while True:
                if self._lease is not None:
                    await self._lease.may_identify()
                    self._has_turn = True
                with suppress(_OnceMore):
                    await super().launch_shard(gateway, shard_id, initial=initial)
                    return
                if (refusal := refusal_of(self)) is not None:
                    raise refusal
                initial = False
        finally:
            self._launching = False

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Discord takes one connection after the other, of whichever process."""
        if self._lease is None:
            await super().before_identify_hook(shard_id, initial=initial)
        elif self._has_turn:
            self._has_turn = False
        else:
            await self._lease.may_identify()

    def up(self) -> Collection[int]:
        if not self.is_ready():
            return ()
        return {number for number, shard in self.shards.items() if not shard.is_closed() and has_session(self, number)}

    def connected(self) -> bool:
        return len(self.up()) == len(self.services.store.shards.ids)

    async def on_disconnect(self) -> None:
        """Of which shard is told too."""

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """One connection is lost: nobody can move on the servers of that shard."""
        self.services.games.outages.lost(shard_id)


class _OnceMore(Exception):  # noqa: N818 - nothing is wrong
    """The library tries to connect a shard again."""


def create_bot(
    settings: Settings,
    *,
    clock: Callable[[], int] | None = None,
    lease: Lease | None = None,
    sleep: Sleep = asyncio.sleep,
) -> Damero:
    """The bot, not started. ``clock`` gives UTC in milliseconds; without one it is discord.py's. ``lease``: what this
    process may act for, where there are several. ``sleep``: how its timers pass so many seconds."""
    kind = Damero if settings.shard_count == 1 else ShardedDamero
    return kind(settings, clock or utc_milliseconds, lease, sleep)
