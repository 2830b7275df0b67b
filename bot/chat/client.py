"""The bot as Discord sees it: what it asks to be told, how it starts, and where what it is told goes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from contextvars import Context
from typing import Any

import discord
import structlog
from discord import app_commands

from bot.background.nightly import BACKUP, TIDY, backup_handler, begin_nightly, tidy_handler
from bot.background.scheduler import Scheduler, Sleep, TimerHandler
from bot.chat import command_sync, unforeseen
from bot.chat.command_groups import assembled
from bot.chat.competitions.feature import setup as competitions
from bot.chat.components import ActionButton, ActionMenu, Press
from bot.chat.connection.gateway import Waits, has_session
from bot.chat.departures import Departures
from bot.chat.features import Part, Setup, dispatch
from bot.chat.games.feature import setup as games
from bot.chat.hearing import Hearing
from bot.chat.messages import Messages
from bot.chat.onboarding.feature import setup as onboarding
from bot.chat.positions.feature import setup as positions
from bot.chat.posting.deleted_channels import look_for_channels, look_for_threads, post_missing_boards
from bot.chat.privacy.feature import setup as privacy
from bot.chat.ratings.feature import setup as ratings
from bot.chat.responses import meet, not_done
from bot.chat.services import compose
from bot.chat.settings.feature import setup as settings_of_people
from bot.chat.study.feature import setup as study
from bot.chat.tournaments.feature import setup as tournaments
from bot.chat.wording.languages import Translator
from bot.engine import variants
from bot.engine.errors import VariantError
from bot.games.model.errors import Refused
from bot.i18n import speak
from bot.settings import Settings
from bot.support.signals import Signal
from bot.support.time_units import DAY, SECOND
from data.errors import StoreError, reason
from data.lease import Lease
from data.store import Spent

# A typed message goes to the first feature that takes it: an answer to a puzzle is no move.
FEATURES: tuple[Setup, ...] = (
    study,
    games,
    positions,
    tournaments,
    competitions,
    ratings,
    settings_of_people,
    privacy,
    onboarding,
)

log = structlog.get_logger(__name__)

# Rather a failed request, which is tried again, than one that holds up a game for long.
_LONGEST_WAIT_FOR_RATE_LIMIT = 30.0
# Seconds for which a closing bot waits for its turn to leave a sign of life; for Discord to end the connections.
_LAST_SIGN = 1.0
_GOOD_BYE = 2.0
# Seconds for which it waits for a database that does not answer, and then for people's answers to go out.
_UNDER_WAY = 12.0
_LAST_ANSWERS = 1.0
_A_LIFETIME = 100 * 365 * DAY // SECOND


def utc_milliseconds() -> int:
    """Now, in UTC, as discord.py tells the time."""
    return int(discord.utils.utcnow().timestamp() * SECOND)


class Tree(app_commands.CommandTree["Damero"]):
    """The commands, which answer each in its own language."""

    async def interaction_check(self, interaction: discord.Interaction[Damero], /) -> bool:
        """Called before each command and each of its suggestions, which are not to wait for the store."""
        if interaction.client.ends:
            return False
        if interaction.type is discord.InteractionType.autocomplete:
            speak(interaction.client.services.languages.remembered(interaction))
        else:
            await meet(interaction)
        return True


class Damero(discord.Client):
    """The bot. ``services`` is what all of its parts share; ``asked`` tells of each command, press and form; ``ends``:
    it is being closed, and begins nothing more."""

    ends = False

    def __init__(
        self, settings: Settings, clock: Callable[[], int], lease: Lease | None, sleep: Sleep, **options: Any
    ) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        intents.guild_messages = True
        intents.dm_messages = True
        intents.message_content = settings.message_content
        super().__init__(
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            max_ratelimit_timeout=_LONGEST_WAIT_FOR_RATE_LIMIT,
            **options,
        )
        self.tree = Tree(self)
        self.asked: Signal[[discord.Interaction[Any]]] = Signal()
        self.services = compose(self, settings, clock, lease)
        self.features = tuple(setup(self, self.services) for setup in FEATURES)
        self.messages = Messages(self.services, [each.typed for each in self.features if each.typed is not None])
        store, played = self.services.store, self.services.games
        self._departures = Departures(played, self.services.games_changed.send)
        handlers: dict[str, TimerHandler] = {
            BACKUP: backup_handler(store, clock, settings.backup_keep, settings.backup_folder),
            TIDY: tidy_handler(store, clock),
        }
        for feature in self.features:
            handlers |= feature.timers
        outages = played.outages
        alive, lost = lambda: outages.alive(self.up()), lambda: outages.lost_of(self.up())
        self.timers = Scheduler(store, clock, handlers, alive, self.up, lost, sleep)
        played.signals.timer_set.connect(self.timers.set)
        store.hear(Hearing(self.services, self.timers, self._take_up_missed).hear)
        self._lease = lease
        self._keeper: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None
        self._database_away = False
        store.watch(self._transaction_ended)
        store.watch(unforeseen.note)
        self.tree.error(self._command_failed)

    @property
    def parts(self) -> tuple[Part, ...]:
        """What goes on beside all else, in the order in which it is started."""
        return (self._departures, *(part for feature in self.features for part in feature.parts))

    async def login(self, token: str) -> None:
        """Open the store, before Discord is asked for anything, and log in. Raises StoreError beside the library's own
        errors."""
        await self.services.store.open()
        self._keeper = asyncio.create_task(self._keep_open(), name="store")
        await super().login(token)

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connect, and again when the connection is lost. Raises what does not pass."""
        waits = Waits()
        while not self.is_closed():
            try:
                await super().connect(reconnect=reconnect)
            except AttributeError as error:
                # The very first one failed. The library has logged why, and asks the last one, which is none, where to
                # go on.
                if self.ws is not None or error.name != "sequence":
                    raise
            else:
                return
            await asyncio.sleep(waits.delay())

    async def setup_hook(self) -> None:
        """Before Discord sends anything: the commands, and what the store has to tell."""
        if away := await self.services.games.outages.resume():
            log.info("back", away_seconds=away // SECOND)
        self.add_dynamic_items(ActionButton, ActionMenu)
        for command in assembled(self.features):
            self.tree.add_command(command)
        await self.tree.set_translator(Translator())
        assert self.application_id is not None
        if self.services.store.shards.own(None):
            await command_sync.sync(self.tree, self.services.store, self.application_id)

    async def on_ready(self) -> None:
        """Connected, for the first time or anew, with channels and permissions known: say what was left unsaid."""
        log.info("connected", servers=len(self.guilds))
        try:
            # Else whoever plays first would hold up the loop: for the very first of them a library is imported.
            await asyncio.to_thread(variants.load_shipped)
        except VariantError as error:
            log.error("a game cannot be played", error=error.sentence)
        try:
            nightly = [TIDY, *(kind for feature in self.features for kind in feature.nightly)]
            if self.services.settings.backup_keep:
                nightly.append(BACKUP)
            for kind in nightly if self.services.store.shards.own(None) else ():
                await begin_nightly(self.services.store, self.services.clock, kind)
            left, back = await self.services.games.privacy.servers_changed([guild.id for guild in self.guilds])
            for guild_id in left:
                await self._departures.server_gone(guild_id)
            for guild_id in back:
                await self._departures.server_back(guild_id)
        except (StoreError, Refused) as error:
            # A disk that is full just now: what follows waits for it by itself.
            log.warning("not taken up at the start", error=reason(error))
        await self._take_up()
        await look_for_channels(self, self.services.games.channels, self._departures.channel_gone)
        await post_missing_boards(self, self.services.games.channels, self.services.games_changed.send)
        if self._looking is None or self._looking.done():
            looking = look_for_threads(self, self.services.games.channels, self._departures.channel_gone)
            self._looking = self.services.tasks.begin(looking, "threads at rest", Context())

    async def _take_up(self) -> None:
        """Say and do what was left."""
        try:
            for part in self.parts:
                await part.start()
        except (StoreError, Refused) as error:
            log.warning("not taken up", error=reason(error))
        finally:
            if not self.timers.running:
                self.timers.start()
        self.timers.set(self.services.clock())

    async def _take_up_missed(self) -> None:
        """Say and do what other processes may have left here while nothing was heard of them."""
        if self.connected() and not self.ends:
            await self._take_up()

    def _transaction_ended(self, spent: Spent) -> None:
        """When the database is back after it was out of reach: it may hold what nobody here knows to be stored."""
        was_away, self._database_away = self._database_away, not spent.stored
        if was_away and spent.stored and self.connected() and not self.ends:
            self.services.tasks.begin(self._take_up(), "take up", Context())

    async def on_disconnect(self) -> None:
        """The connection is lost, or could not be had again: nobody can move."""
        self.services.games.outages.lost()

    async def on_resumed(self) -> None:
        """It is back, and nothing was missed."""
        self.timers.set(self.services.clock())

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel was deleted, and the boards in it."""
        await self._departures.channel_gone(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread was deleted, and the boards in it."""
        await self._departures.channel_gone(payload.thread_id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """A server has removed the bot."""
        await self._departures.server_gone(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """A server has taken the bot in, or back."""
        await self._departures.server_back(guild.id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server that was out of reach is there again."""
        await self._departures.server_available(guild.id)

    @property
    def trouble(self) -> str | None:
        """Why this process may not act for its shards just now, where it is one of several."""
        return None if self._lease is None else self._lease.trouble

    @property
    def free_shards(self) -> int:
        """How many shards no process acts for, as this one sees it."""
        return 0 if self._lease is None else len(self._lease.free)

    def connected(self) -> bool:
        """Whether Discord is in reach."""
        # Absent until the first connection, whatever its type says.
        socket = getattr(self, "ws", None)
        return self.is_ready() and getattr(socket, "open", True) and has_session(self, None)

    def up(self) -> Collection[int]:
        """The shards for which Discord is in reach."""
        return self.services.store.shards.ids if self.connected() else ()

    def dispatch(self, event_name: str, /, *args: Any, **kwargs: Any) -> None:
        """What Discord tells a bot that ends is left alone; only what was begun is brought to its end."""
        if not self.ends or event_name == "app_command_completion":
            super().dispatch(event_name, *args, **kwargs)
            for heard in [feature.events[event_name] for feature in self.features if event_name in feature.events]:
                self._schedule_event(heard, f"on_{event_name}", *args)

    async def on_message(self, message: discord.Message, /) -> None:
        """Typed moves. There are no text commands."""
        assert self.user is not None
        await self.messages.take(message, self.user.id)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Forms; commands and buttons find their way by themselves."""
        self.asked.send(interaction)
        if interaction.type is discord.InteractionType.modal_submit:
            sent: dict[str, Any] = {**(interaction.data or {})}
            forms = [form for each in self.features for form in each.forms]
            await dispatch(forms, str(sent.get("custom_id", "")), interaction, self.services)

    async def pressed(self, interaction: Press, custom_id: str) -> None:
        """Do what a button says."""
        if self.ends:
            return
        buttons = [button for each in self.features for button in each.buttons]
        await dispatch(buttons, custom_id, interaction, self.services)

    async def on_app_command_completion(self, interaction: discord.Interaction[Any], _command: object) -> None:
        """A command is done with."""
        self.services.tokens.release(interaction)

    async def _command_failed(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
        try:
            await not_done(interaction, error.__cause__ or error)
        finally:
            self.services.tokens.release(interaction)

    async def close(self) -> None:
        """Begin nothing more, let what is being said arrive, leave the shards to others, then go."""
        if not (self.ends or self.is_closed()):
            self.ends = True
            await self._farewell()
            self.services.store.end()
            # Who has asked already is answered while there is a way to.
            with suppress(TimeoutError):
                async with asyncio.timeout(_UNDER_WAY):
                    await self.services.store.settle()
            await self.services.answers.ended(_LAST_ANSWERS)
            if self._lease is not None:
                await self._lease.release()
        closing = asyncio.create_task(super().close())
        if not (await asyncio.wait({closing}, timeout=_GOOD_BYE))[0]:
            log.warning("Discord does not end the connection")
            await self.http.close()
        await closing
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)

    async def _farewell(self) -> None:
        """Do to its end what is under way, for as long as that may take."""
        was_there = self.timers.running and self.connected() and self.trouble is None
        await self.timers.close()
        for _ in range(2 * was_there):
            # So that the time since the last sign of life does not count as an outage. Whoever asked before to write
            # has done so when it is left; where they are too many they are turned away.
            try:
                async with asyncio.timeout(_LAST_SIGN):
                    await self.services.games.outages.alive(self.up())
                break
            except TimeoutError:
                log.warning("no last sign of life: too much waits to be stored, or the database does not answer")
                self.services.store.turn_away()
            except Exception as error:
                # Whatever it is, the bot goes.
                log.warning("no last sign of life", error=type(error).__name__)
                break
        for part in reversed(self.parts):
            await part.close()
        self.services.tasks.close()

    async def _keep_open(self) -> None:
        """Sleeps while the bot runs. What ends it, ``close()`` or a loop that goes down, closes the store with it."""
        try:
            await asyncio.sleep(_A_LIFETIME)
        finally:
            await self.services.close()
