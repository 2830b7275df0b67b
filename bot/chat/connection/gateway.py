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


FINAL: Final = (4004, 4010, 4011, 4012, 4013, 4014)
"""The codes by which Discord refuses a bot, whenever it comes."""
_NO_SESSION: Final = (4007, 4009)
"""Those by which it refuses to go on with a session; another can be begun."""
RESUMES: Final = 2
"""How many connections in a row may end before they have gone on with a session, until another one is begun."""

_OF_THE_CONNECTION: Final = (ConnectionClosed, ReconnectWebSocket, WebSocketClosure, OSError, aiohttp.ClientError)


class Waits(ExponentialBackoff[Any]):
    """Seconds until the next try, more each time, up to LONGEST_WAIT."""

    def delay(self) -> float:  # type: ignore[override]
        return min(super().delay(), LONGEST_WAIT)


@dataclass
class _Last:
    """The last connection of a shard that there was: since when, whether it has a session (``up``), whether the last
    try since has ``failed``, how many in a row had no session (``empty``), and the waits after those that did not
    last."""

    since: float
    up: bool = False
    failed: bool = False
    empty: int = 0
    waits: Waits = field(default_factory=Waits)


class Beats(KeepAliveHandler):
    """Signs of life of a connection, as often as its gateway asks for them."""

    def __init__(self, *given: Any, interval: float, **named: Any) -> None:
        if not MOST_OFTEN <= interval <= SELDOM:
            raise ConnectionResetError(f"the gateway asks for a sign of life every {interval:g} seconds")
        if (other := named["ws"]._keep_alive) is not None:
            # It has said hello before.
            other.stop()
        super().__init__(*given, interval=interval, **named)


class Gateway(DiscordWebSocket):
    """A connection of one shard."""

    _last: _Last | None = None
    """What is known of it elsewhere, once it has said hello."""
    _answer: asyncio.Future[None] | None = None
    """That a session is taken up, or gone on with, while that is waited for."""
    _answers_by: float | None = None
    """Until when it has time for that."""

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
        if how.get("session") is None or (last is not None and last.empty >= RESUMES):
            # The last one ended before it had a session that could be gone on with, or that is not gone on with.
            how |= {"resume": False, "session": None, "sequence": None, "gateway": None}
        if last is not None and last.failed:
            # The one that is named for going on is asked once: the usual one goes on as well.
            how["gateway"] = None
        if last is not None:
            last.failed, last.up = True, False
        try:
            # Who waits for its turn to identify afterwards may wait longer.
            async with asyncio.timeout(HELLO) as patience:
                opening = _Opening(patience)
                was = _opening.set(opening)
                made = await super().from_client(client, **how)
        except BaseException as error:
            if opening.greeted is not None:
                # It has said hello, and could not be asked for a session.
                await opening.greeted._leave()
            if isinstance(error, ReconnectWebSocket | ValueError):
                # Closed, or no address of a gateway.
                raise ConnectionResetError("it ended before the gateway said hello") from None
            raise
        finally:
            _opening.reset(was)
        last = lasts.setdefault(shard, _Last(0.0))
        last.since, last.failed, last.up = clock(), False, False
        made._wait_for_session(last, clock() + ANSWERS, "RESUMED" if how.get("resume") else "READY")
        return made

    def _wait_for_session(self, last: _Last, until: float, event: str) -> None:
        self._last, self._answers_by = last, until
        self._answer = self.wait_for(event, lambda _: True, lambda _: None)

    async def received_message(self, msg: Any, /) -> None:
        session = self.session_id
        try:
            await super().received_message(msg)
        except _OF_THE_CONNECTION:
            raise
        except Exception as error:
            # Something between here and Discord speaks for it, or Discord says what the library does not know yet: a
            # lost connection. What was read has been counted, so that it is not sent once more where that is resumed.
            if self._keep_alive is None:
                raise ConnectionResetError("it ended before the gateway said hello") from None
            if self.session_id is not session:
                # A READY has named one, if only the same once more: who went on with a session whose beginning could
                # not be read would never be ready.
                self.session_id = None
            log.warning("the gateway sent what cannot be read", shard=self.shard_id, error=type(error).__name__)
            raise WebSocketClosure from None
        if self._last is not None and self._answer is not None and self._answer.done():
            self._answer = self._answers_by = None
            self._last.up, self._last.empty = True, 0

    async def poll_event(self) -> None:
        try:
            async with asyncio.timeout_at(self._answers_by) as answer:
                await super().poll_event()
            if (opening := _opening.get()) is not None:
                opening.greeted = self
                opening.patience.reschedule(None)
        except BaseException as error:
            ended = isinstance(error, ReconnectWebSocket | ConnectionClosed)
            if self._keep_alive is None or (isinstance(error, Exception) and not ended):
                # Nobody else closes it.
                await self._leave()
            self._note_end(error)
            if answer.expired():
                self.session_id = None
                log.warning("the gateway takes up no session", shard=self.shard_id)
                raise ReconnectWebSocket(self.shard_id, resume=False) from None
            raise

    def _note_end(self, error: BaseException) -> None:
        code = self._close_code or self.socket.close_code
        if code in _NO_SESSION:
            self.session_id = None
        if isinstance(error, ConnectionClosed) and error.code in FINAL:
            _refusals[self._connection] = error
        if self._last is not None:
            if self._answer is not None:
                # Another gateway may know of the session.
                self._last.failed, self._last.empty = True, self._last.empty + 1
            self._last.up = False

    async def _leave(self) -> None:
        """Close it, without waiting for an answer."""
        if self._keep_alive is not None:
            self._keep_alive.stop()
            self._keep_alive = None
        with suppress(TimeoutError):
            async with asyncio.timeout(0):
                await self.socket.close()


@dataclass
class _Opening:
    """A connection that is being opened: what ends it, and, once it has said hello, itself."""

    patience: asyncio.Timeout
    greeted: Gateway | None = None


_opening: ContextVar[_Opening | None] = ContextVar("opening", default=None)
_lasts: WeakKeyDictionary[discord.Client, dict[int | None, _Last]] = WeakKeyDictionary()
_refusals: WeakKeyDictionary[Any, ConnectionClosed] = WeakKeyDictionary()


def refusal_of(client: discord.Client) -> ConnectionClosed | None:
    """With what Discord has refused ``client`` for good, where it has: trying again changes nothing."""
    return _refusals.get(client._connection)


def has_session(client: discord.Client, shard: int | None) -> bool:
    """Whether the connection of a shard has a session, as far as is known here."""
    last = _lasts.get(client, {}).get(shard)
    return last is None or last.up


def keep_trying(url: str | None) -> None:
    """From now on the library connects so, with the gateway at ``url`` where one is named."""
    if url is not None:
        # As the library has it.
        DiscordWebSocket.DEFAULT_GATEWAY = type(DiscordWebSocket.DEFAULT_GATEWAY)(url)
    for module in (discord.client, discord.shard):
        vars(module).update(DiscordWebSocket=Gateway, ExponentialBackoff=Waits)
    vars(discord.gateway).update(KeepAliveHandler=Beats)
