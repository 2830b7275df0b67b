"""Channels that are deleted, and servers that remove the bot or take it back. Discord tells of each once: what follows
is stored in that order, and tried again where the database cannot take it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Final

import structlog

from bot.games.model.errors import NotStored
from bot.games.model.game import Game
from bot.games.service import Games
from bot.support.keyed_tasks import KeyedTasks

log = structlog.get_logger(__name__)

_PAUSE: Final = 10.0
"""Seconds until what could not be stored is tried again, unless the database is known to be back sooner."""


class Departures:
    """Stores what Discord tells of its channels and servers; ``changed`` is called with each game that this changes."""

    def __init__(self, games: Games, changed: Callable[[Game], object]) -> None:
        self._games, self._changed = games, changed
        self._told: deque[Callable[[], Awaitable[Iterable[Game]]]] = deque()
        self._gone: set[int] = set()
        self._logged = 0
        self._turn = asyncio.Lock()
        self._again = KeyedTasks("departures", self._try_again, breaks_pauses=True)

    async def channel_gone(self, channel_id: int) -> None:
        """A channel or thread was deleted, and the boards in it."""
        await self._take(partial(self._games.channels.channel_gone, channel_id))

    async def server_gone(self, guild_id: int) -> None:
        """A server has removed the bot."""
        self._gone.add(guild_id)
        await self._take(partial(self._left, guild_id))

    async def server_back(self, guild_id: int) -> None:
        """A server has taken the bot in, or back."""
        self._gone.discard(guild_id)
        await self._take(partial(self._returned, guild_id))

    async def server_available(self, guild_id: int) -> None:
        """A server is in reach again; where it was said to have removed the bot, it has taken it back."""
        if guild_id in self._gone:
            await self.server_back(guild_id)

    async def start(self) -> None:
        """Connected, or the database is back."""
        self._again.open()
        if self._told:
            self._again.wake(0)

    async def close(self) -> None:
        """What is not stored by now is found at the next start."""
        await self._again.close()

    async def _take(self, told: Callable[[], Awaitable[Iterable[Game]]]) -> None:
        self._told.append(told)
        if not await self._stored():
            self._again.wake(0)

    async def _try_again(self, _key: int) -> float | None:
        return None if await self._stored() else _PAUSE

    async def _stored(self) -> bool:
        """Store what was told. Whether all of it is."""
        async with self._turn:
            while self._told:
                try:
                    changed = await self._told[0]()
                except NotStored as error:
                    # Not with each try: it may take hours.
                    if self._logged != (waiting := len(self._told)):
                        self._logged = waiting
                        log.warning("not stored yet", waiting=waiting, error=error.sentence)
                    return False
                except Exception:
                    self._told.popleft()
                    raise
                self._told.popleft()
                for game in changed:
                    self._changed(game)
            self._logged = 0
        return True

    async def _left(self, guild_id: int) -> Iterable[Game]:
        await self._games.privacy.server_gone(guild_id)
        return await self._games.channels.server_out_of_reach(guild_id)

    async def _returned(self, guild_id: int) -> Iterable[Game]:
        if not await self._games.privacy.server_back(guild_id):
            return ()
        return await self._games.channels.server_in_reach(guild_id)
