"""The connection to Discord's gateway, tried again until it stays. discord.py does not try again whatever befalls a new
one, waits for up to a quarter of an hour where others fail, and not at all where each is closed at once."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakKeyDictionary

import aiohttp
import discord
import structlog
from discord import ConnectionClosed
from discord.backoff import ExponentialBackoff
from discord.gateway import DiscordWebSocket, ReconnectWebSocket, WebSocketClosure

log = structlog.get_logger(__name__)

LONGEST_WAIT: Final = 20.0
"""Seconds between two tries."""
HELLO: Final = 20.0
"""Seconds that a gateway has to answer; with a wait before it, less than the library gives for both."""
LASTS: Final = 5.0
"""Seconds after which a connection that is lost was a good one."""


_OF_THE_CONNECTION: Final = (ConnectionClosed, ReconnectWebSocket, WebSocketClosure, OSError, aiohttp.ClientError)


class Waits(ExponentialBackoff[Any]):
    """Seconds until the next try, more each time, up to LONGEST_WAIT."""

    def delay(self) -> float:  # type: ignore[override]
        return min(super().delay(), LONGEST_WAIT)


@dataclass
class _Last:
    """The last connection of a shard that there was: since when, whether the last try since has ``failed``, and the
    waits after those that did not last."""

    since: float
    failed: bool = False
    waits: Waits = field(default_factory=Waits)


class Gateway(DiscordWebSocket):
    """A connection of one shard."""

    @classmethod
    async def from_client(cls, client: discord.Client, **how: Any) -> Gateway:
        """Connect a shard of ``client``, as the library asks for it. Raises ConnectionClosed where Discord will have
        none; OSError, aiohttp.ClientError or TimeoutError where it may be tried again."""
        shard, clock = how.get("shard_id"), asyncio.get_running_loop().time
        lasts = _lasts.setdefault(client, {})
        last = lasts.get(shard)
        if last is not None and clock() - last.since < LASTS:
            seconds = last.waits.delay()
            log.warning("disconnected at once", shard=shard, retry_in=round(seconds, 1))
            await asyncio.sleep(seconds)
        elif last is not None:
            last.waits = Waits()
        if how.get("session") is None:
            # The last one ended before it had a session that could be gone on with.
            how["resume"] = False
        if last is not None and last.failed:
            # The one that is named for going on is asked once: the usual one goes on as well.
            how["gateway"] = None
        if last is not None:
            last.failed = True
        try:
            # Who waits for its turn to identify afterwards may wait longer.
            async with asyncio.timeout(HELLO) as patience:
                was = _patience.set(patience)
                made = await super().from_client(client, **how)
        except (ReconnectWebSocket, ValueError):
            # Closed, or no address of a gateway.
            raise ConnectionResetError("it ended before the gateway said hello") from None
        finally:
            _patience.reset(was)
        last = lasts.setdefault(shard, _Last(0.0))
        last.since, last.failed = clock(), False
        return made

    async def received_message(self, msg: Any, /) -> None:
        try:
            await super().received_message(msg)
        except _OF_THE_CONNECTION:
            raise
        except Exception as error:
            # Something between here and Discord speaks for it, or Discord says what the library does not know yet: a
            # lost connection. What was read has been counted, so that it is not sent once more where that is resumed.
            if self._keep_alive is None:
                raise ConnectionResetError("it ended before the gateway said hello") from None
            log.warning("the gateway sent what cannot be read", shard=self.shard_id, error=type(error).__name__)
            raise WebSocketClosure from None

    async def poll_event(self) -> None:
        try:
            await super().poll_event()
            if (patience := _patience.get()) is not None:
                patience.reschedule(None)
        except BaseException:
            if self._keep_alive is None:
                # Nobody else knows of it before its hello. Its answer is not waited for.
                with suppress(TimeoutError):
                    async with asyncio.timeout(0):
                        await self.socket.close()
            raise


_patience: ContextVar[asyncio.Timeout | None] = ContextVar("patience", default=None)
"""What ends a connection that is being opened."""
_lasts: WeakKeyDictionary[discord.Client, dict[int | None, _Last]] = WeakKeyDictionary()


def keep_trying(url: str | None) -> None:
    """From now on the library connects so, with the gateway at ``url`` where one is named."""
    if url is not None:
        # As the library has it.
        DiscordWebSocket.DEFAULT_GATEWAY = type(DiscordWebSocket.DEFAULT_GATEWAY)(url)
    for module in (discord.client, discord.shard):
        vars(module).update(DiscordWebSocket=Gateway, ExponentialBackoff=Waits)
