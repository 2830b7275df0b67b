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
from discord.gateway import DiscordWebSocket, KeepAliveHandler, ReconnectWebSocket, WebSocketClosure

log = structlog.get_logger(__name__)

LONGEST_WAIT: Final = 20.0
"""Seconds between two tries."""
HELLO: Final = 20.0
"""Seconds that a gateway has to answer; with a wait before it, less than the library gives for both."""
ANSWERS: Final = 60.0
"""Seconds that a gateway has to take up a session, or to go on with one."""
LASTS: Final = 5.0
"""Seconds after which a connection that is lost was a good one."""
MOST_OFTEN, SELDOM = 1.0, 600.0
"""The fewest and the most seconds between two signs of life; Discord asks for 41."""


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


class Beats(KeepAliveHandler):
    """Signs of life of a connection, as often as its gateway asks for them."""

    def __init__(self, *given: Any, interval: float, **named: Any) -> None:
        if not MOST_OFTEN <= interval <= SELDOM:
            raise ConnectionResetError(f"the gateway asks for a sign of life every {interval:g} seconds")
        super().__init__(*given, interval=interval, **named)


class Gateway(DiscordWebSocket):
    """A connection of one shard."""

    _begun = False
    """Whether there is a session that can be gone on with."""
    _answers_by: float | None = None
    """Until when it has time to take up a session, or to go on with one."""

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
        except ConnectionClosed as closed:
            _refusals[client] = closed
            raise
        finally:
            _patience.reset(was)
        last = lasts.setdefault(shard, _Last(0.0))
        last.since, last.failed = clock(), False
        made._wait_for_session(clock() + ANSWERS, begun=bool(how.get("resume")))
        return made

    def _wait_for_session(self, until: float, *, begun: bool) -> None:
        self._answers_by, self._begun = until, begun

    async def received_message(self, msg: Any, /) -> None:
        known = self.sequence, self.session_id
        try:
            await super().received_message(msg)
        except _OF_THE_CONNECTION:
            raise
        except Exception as error:
            # Something between here and Discord speaks for it, or Discord says what the library does not know yet: a
            # lost connection. What was read has been counted, so that it is not sent once more where that is resumed.
            if self._keep_alive is None:
                raise ConnectionResetError("it ended before the gateway said hello") from None
            if not self._begun:
                # Who went on with a session whose beginning could not be read would never be ready.
                self.session_id = None
            log.warning("the gateway sent what cannot be read", shard=self.shard_id, error=type(error).__name__)
            raise WebSocketClosure from None
        if known != (self.sequence, self.session_id):
            self._begun, self._answers_by = self.session_id is not None, None

    async def poll_event(self) -> None:
        try:
            async with asyncio.timeout_at(self._answers_by) as answer:
                await super().poll_event()
            if (patience := _patience.get()) is not None:
                patience.reschedule(None)
        except BaseException:
            if self._keep_alive is None or answer.expired():
                # Nobody else knows of it before its hello.
                await self._leave()
            if answer.expired():
                self._end_beats()
                self.session_id = None
                log.warning("the gateway takes up no session", shard=self.shard_id)
                raise ReconnectWebSocket(self.shard_id, resume=False) from None
            raise

    async def _leave(self) -> None:
        """Close it, without waiting for an answer."""
        with suppress(TimeoutError):
            async with asyncio.timeout(0):
                await self.socket.close()

    def _end_beats(self) -> None:
        if self._keep_alive is not None:
            self._keep_alive.stop()
            self._keep_alive = None


_patience: ContextVar[asyncio.Timeout | None] = ContextVar("patience", default=None)
"""What ends a connection that is being opened."""
_lasts: WeakKeyDictionary[discord.Client, dict[int | None, _Last]] = WeakKeyDictionary()
_refusals: WeakKeyDictionary[discord.Client, ConnectionClosed] = WeakKeyDictionary()


def refusal_of(client: discord.Client) -> ConnectionClosed | None:
    """With what Discord has refused any connection of ``client``, where it has: trying again changes nothing."""
    return _refusals.get(client)


def keep_trying(url: str | None) -> None:
    """From now on the library connects so, with the gateway at ``url`` where one is named."""
    if url is not None:
        # As the library has it.
        DiscordWebSocket.DEFAULT_GATEWAY = type(DiscordWebSocket.DEFAULT_GATEWAY)(url)
    for module in (discord.client, discord.shard):
        vars(module).update(DiscordWebSocket=Gateway, ExponentialBackoff=Waits)
    vars(discord.gateway).update(KeepAliveHandler=Beats)
