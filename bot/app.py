"""`damero run` and what belongs to it: the bot on the real Discord, until it is told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import discord
import structlog
from discord.http import Route

from bot import logs
from bot.background.endgame_tables import make_missing
from bot.background.nightly import NOT_COPIED
from bot.chat.client import Damero
from bot.chat.connection.gateway import keep_trying
from bot.chat.connection.rate_limits import look_through_rarely
from bot.chat.permissions import invite, own_invite
from bot.chat.services import engines_for
from bot.chat.sharding import create_bot
from bot.computer.endgames.lookup import look_in
from bot.games.persistence.integrity import check_games, check_rulesets
from bot.health import HealthServer, ask
from bot.settings import Settings, SettingsError, load
from bot.supervisor import Supervisor
from bot.support.complaints import complain
from data.backup import BackupError, must_be_ours, usable
from data.lease import Lease
from data.queries import key_values
from data.store import Misplaced, Store, StoreError, Unavailable

if TYPE_CHECKING:
    from bot.metrics.server import MetricsServer

log = structlog.get_logger(__name__)

DONE = 0
FAILED = 1
# Starting again changes nothing: a setting has to be changed first.
MISCONFIGURED = 2

_SIGNALS = (signal.SIGINT, signal.SIGTERM)

_REFUSED_TOKEN = (
    "Discord refused the token. Take a new one in Discord's developer portal (your application, page Bot, Reset Token) "
    "and set DISCORD_TOKEN to it."
)
_REFUSED_INTENT = (
    "Discord closed the connection (4014): MESSAGE_CONTENT is on, but the application may not read messages. Switch on "
    '"Message Content Intent" in the developer portal (your application, page Bot), or leave MESSAGE_CONTENT out: '
    "players can then answer the board, mention the bot, or use commands and buttons."
)


# What else Discord closes a connection with for good.
_CLOSED_FOR_GOOD = {
    4004: _REFUSED_TOKEN,
    4010: "it does not know this shard. Set SHARD_COUNT to the same number everywhere.",
    4011: "the bot is on too many servers for one connection. Raise SHARD_COUNT.",
    4012: "it does not take this version's connections any more. Update the bot.",
    4013: "it does not know what the bot asks to be told of. Update the bot.",
}


def run(*, check_config: bool = False) -> int:
    """Run the bot until SIGTERM or SIGINT, or only check the settings. Returns the exit status; says what is wrong."""
    try:
        settings = load()
        token = settings.token()
        engines_for(settings)
        if check_config:
            sys.stdout.write(f"The settings are good. {_database_of(settings)}\n")
            return DONE
    except SettingsError as error:
        return _refuse(str(error), MISCONFIGURED)
    except (StoreError, BackupError) as error:
        return _refuse(str(error), MISCONFIGURED if isinstance(error, Misplaced) else FAILED)
    logs.set_up(settings.log_level, settings.log_format)
    return act(settings, token)


def act(settings: Settings, token: str) -> int:
    """Be the bot, in as many processes as are wanted, until all is to end. Returns the exit status."""
    if settings.processes == 1:
        return _act_alone(settings, token)
    # It loads its driver, before the processes part.
    Store(settings.database_url)
    each = [settings.of_process(number) for number in range(settings.processes)]

    def act_as(number: int) -> int:
        logs.set_up(settings.log_level, settings.log_format, process=number)
        return _act_alone(each[number], token, log.error)

    return Supervisor(len(each), act_as, {MISCONFIGURED}).run()


def _act_alone(settings: Settings, token: str, say: Callable[[str], None] = complain) -> int:
    """In this process. Returns the exit status; says what is wrong."""

    def refuse(sentence: str, status: int) -> int:
        say(sentence)
        return status

    try:
        asyncio.run(serve(settings, token))
    except discord.LoginFailure:
        return refuse(_REFUSED_TOKEN, MISCONFIGURED)
    except discord.PrivilegedIntentsRequired:
        return refuse(_REFUSED_INTENT, MISCONFIGURED)
    except (StoreError, BackupError, PortTaken) as error:
        return refuse(str(error), MISCONFIGURED if isinstance(error, Misplaced) else FAILED)
    except discord.ConnectionClosed as error:
        # What may pass is tried again by the library.
        why = _CLOSED_FOR_GOOD.get(error.code, str(error))
        return refuse(f"Discord closed the connection ({error.code}): {why}", MISCONFIGURED)
    except (discord.HTTPException, discord.GatewayNotFound) as error:
        return refuse(f"Discord ended the connection: {error}", FAILED)
    except OSError as error:
        return refuse(f"Discord cannot be reached: {error}.", FAILED)
    return DONE


class PortTaken(Exception):  # noqa: N818 - said of a setting
    """A port of the settings on which the bot cannot listen; the text is a sentence for whoever runs it."""


def _database_of(settings: Settings) -> str:
    """That the database can be used, in a sentence; no file is made. Raises StoreError, BackupError."""
    file = Store(settings.database_url).file
    if file is None:
        asyncio.run(_try_store(settings))
        return "The database answers."
    if usable(file):
        return f"The database {file} is there, and can be used."
    return f"The database {file} will be made."


def health() -> int:
    """Ask the bot that runs here, each of its processes, whether it is well, and say so. Returns the exit status."""
    try:
        settings = load()
        if settings.health_port is None:
            raise SettingsError("HEALTH_PORT is not set: the bot does not answer.")
    except SettingsError as error:
        return _refuse(str(error), MISCONFIGURED)
    ports = range(settings.health_port, settings.health_port + settings.processes)
    with ThreadPoolExecutor(len(ports)) as asking:
        answers = list(asking.map(ask, ports))
    several = settings.processes > 1
    if wrong := [(port, line) for port, (well, line) in zip(ports, answers, strict=True) if not well]:
        return _refuse("\n".join(f"Port {port}: {line}" if several else line for port, line in wrong), FAILED)
    for port, (_, line) in zip(ports, answers, strict=True):
        sys.stdout.write(f"Port {port}: {line}\n" if several else f"{line}\n")
    return DONE


def check_store() -> int:
    """Replay every stored game and say what disagrees with its record. Returns the exit status, 0 for nothing."""
    try:
        problems = asyncio.run(_check(load()))
    except (SettingsError, Misplaced) as error:
        return _refuse(str(error), MISCONFIGURED)
    except (StoreError, BackupError) as error:
        return _refuse(str(error), FAILED)
    for sentence in problems:
        sys.stdout.write(f"{sentence}\n")
    sys.stdout.write(f"Problems: {len(problems)}.\n" if problems else "Every game agrees with its record.\n")
    return FAILED if problems else DONE


async def _check(settings: Settings) -> list[str]:
    store = Store(settings.database_url)
    if store.file is not None:
        # Opening would make one, and all would be well with it.
        must_be_ours(store.file, "DATABASE_URL")
    try:
        await store.open()
        return [*await check_games(store), *await check_rulesets(store)]
    finally:
        await store.close()


async def serve(settings: Settings, token: str) -> None:
    """Connect, and stay until a signal comes. Store and connection are closed at the end, whatever happened. Where
    processes share the shards: wait until some are free, and again where another process has taken them.

    Raises what discord.py and the store raise when they cannot start."""
    if settings.shards_per_process is not None:
        await _try_store(settings)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    # Voice is not used, so nobody needs to hear what it would need.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    look_through_rarely()
    keep_trying(settings.discord_gateway_url)
    if settings.discord_api_url is not None:
        Route.BASE = settings.discord_api_url
    acting: list[Damero] = []
    waiting: list[Lease] = []
    health_server = HealthServer(lambda: wrong_with(acting[-1]) if acting else _standing_by(waiting))

    def end() -> None:
        if not stop.is_set():
            log.info("stopping", why="told to")
        stop.set()

    with contextlib.ExitStack() as undo:
        for number in _SIGNALS:
            loop.add_signal_handler(number, end)
            undo.callback(loop.remove_signal_handler, number)
        look_in(settings.endgames())
        try:
            if settings.health_port is not None:
                with _port("HEALTH_PORT", settings.health_port):
                    await health_server.open(settings.health_port)
            while not stop.is_set():
                await _act_once(settings, token, stop, acting, waiting)
        finally:
            await health_server.close()


async def _act_once(
    settings: Settings, token: str, stop: asyncio.Event, acting: list[Damero], waiting: list[Lease]
) -> None:
    """Wait for shards, where processes share them, and act for these until they are gone or all is to end."""
    if settings.shards_per_process is None:
        await _act(settings, token, None, stop, acting)
        return
    lease = Lease(settings.database_url, settings.shard_count, settings.shards_per_process)
    waiting[:] = [lease]
    try:
        async with _figures_of_waiting(settings):
            taken = await _unless(stop, lease.take())
        if taken:
            await _act(settings, token, lease, stop, acting)
    except Unavailable as error:
        log.warning("begins anew", error=str(error))
    finally:
        await lease.release()


@contextlib.asynccontextmanager
async def _figures_of_waiting(settings: Settings) -> AsyncIterator[None]:
    """Serve what there is to tell of a process that waits for shards, where figures are wanted."""
    if settings.metrics_port is None:
        yield
        return
    from bot.metrics.server import serve_process

    async with contextlib.AsyncExitStack() as served:
        with _port(f"METRICS_HOST {settings.metrics_host}, METRICS_PORT", settings.metrics_port):
            await served.enter_async_context(serve_process(settings.metrics_port, settings.metrics_host))
        yield


async def _act(settings: Settings, token: str, lease: Lease | None, stop: asyncio.Event, acting: list[Damero]) -> None:
    """Be the bot, of the shards of ``lease`` where there is one, until they are another process's or all is to end."""
    bot = create_bot(settings, lease=lease)
    acting.append(bot)
    metrics: MetricsServer | None = None
    beside: list[asyncio.Task[None]] = []
    running = asyncio.create_task(_connect(bot, token, beside), name="bot")
    ends = [asyncio.create_task(stop.wait(), name="stop")]
    if lease is not None:
        ends.append(asyncio.create_task(lease.gone.wait(), name="gone"))
    if bot.services.store.shards.own(None):
        # Processes may share the folder.
        beside.append(asyncio.create_task(make_missing(settings.endgames(), settings.endgames_pieces), name="endgames"))
    try:
        if settings.metrics_port is not None:
            # Imported where it is wanted: a bot that nobody watches does not pay for it.
            from bot.metrics.server import MetricsServer

            metrics = MetricsServer(bot)
            with _port(f"METRICS_HOST {settings.metrics_host}, METRICS_PORT", settings.metrics_port):
                await metrics.open(settings.metrics_port, settings.metrics_host)
        await asyncio.wait({running, *ends}, return_when=asyncio.FIRST_COMPLETED)
        if not stop.is_set():
            gone = lease is not None and lease.gone.is_set()
            log.info("stopping", why="its shards are gone" if gone else "the connection has ended")
    finally:
        acting.clear()
        wanted = any(end.done() for end in ends)
        for task in (*ends, *beside):
            task.cancel()
        if metrics is not None:
            await metrics.close()
        await bot.close()
        if not running.done():
            # It may be in the middle of connecting, where closing does not reach it.
            running.cancel()
        outcome = (await asyncio.gather(running, *ends, *beside, return_exceptions=True))[0]
    if isinstance(outcome, BaseException) and not (wanted or isinstance(outcome, asyncio.CancelledError)):
        raise outcome
    if not wanted:
        # Discord has ended the connection for good.
        stop.set()


async def _unless(stop: asyncio.Event, work: Coroutine[Any, Any, object]) -> bool:
    """Do ``work``, unless all is to end before it is done: then False."""
    working, stopping = asyncio.create_task(work), asyncio.create_task(stop.wait())
    try:
        await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            working.result()
        return working.done()
    finally:
        working.cancel()
        stopping.cancel()
        await asyncio.gather(working, stopping, return_exceptions=True)


async def _standing_by(waiting: Sequence[Lease]) -> Mapping[str, str | None]:
    """Nothing is wrong with a process that waits for shards, as long as it could take some."""
    return {"stands by": waiting[-1].trouble if waiting else None}


async def _try_store(settings: Settings) -> None:
    """Open the database and let go of it, before there is a wait for shards. Raises StoreError."""
    store = Store(settings.database_url)
    try:
        await store.open()
    finally:
        await store.close()


@contextlib.contextmanager
def _port(name: str, port: int) -> Iterator[None]:
    """Raises PortTaken where nothing can listen on ``port``."""
    try:
        yield
    except OSError as error:
        raise PortTaken(f"{name} {port} cannot be listened on: {error.strerror or error}.") from error


async def _connect(bot: Damero, token: str, beside: list[asyncio.Task[None]]) -> None:
    await bot.login(token)
    assert bot.application_id is not None
    beside.append(asyncio.create_task(begin_workers(bot), name="workers"))
    log.info("to add the bot to a server, open this link", link=invite(bot.application_id))
    log.info("to take the bot along as a person, open this link", link=own_invite(bot.application_id))
    await bot.connect()


async def begin_workers(bot: Damero, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
    """Have a worker ready before anybody waits for it, but not at the cost of those who wait for the bot: to start one
    takes the processor for seconds. Whoever needs one earlier starts it; where many processes share the servers, only
    who needs one has one."""
    await bot.wait_until_ready()
    if not await bot.services.games.computer.with_computers():
        if not bot.services.store.shards.whole:
            return
        await sleep(_QUIET)
    await bot.services.workers.start()


_QUIET = 60.0
"""Seconds after which a worker is begun, though the computer plays nowhere."""


_TRIED = 3.0
"""Seconds that the database has for the health check's question, less than the check as a whole."""


async def wrong_with(bot: Damero) -> Mapping[str, str | None]:
    """The parts that the health check names, each with what is wrong, None where nothing is."""
    trying = bot.services.tasks.begin(_database_and_copies(bot), "health")
    # Who is out of reach may take long to be left alone, too: that is not waited for. Nor is a bot that ends.
    tried, _ = await asyncio.wait({trying}, timeout=_TRIED)
    if tried and not trying.cancelled():
        database, copies = trying.result()
    else:
        trying.cancel()
        # Why may have become known meanwhile.
        database, copies = bot.trouble or f"no answer within {_TRIED:g} seconds", None
    return {
        "discord": None if bot.connected() else "not connected",
        "database": database,
        "copies": copies,
        "timers": None if bot.timers.running else "not running",
    }


async def _database_and_copies(bot: Damero) -> tuple[str | None, str | None]:
    """What is wrong with the database, and with its copies."""
    if wrong := bot.trouble or await key_values.unwritable(bot.services.store):
        return wrong, None
    async with bot.services.store.read() as tx:
        return None, await key_values.get(tx, NOT_COPIED) or None


def _refuse(sentence: str, status: int) -> int:
    complain(sentence)
    return status
