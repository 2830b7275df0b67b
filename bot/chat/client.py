"""The bot as Discord sees it: what it asks to be told, how it starts, and where what it is told goes."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.background.scheduler import BACKUP, TIDY, Scheduler, backup_act, begin_nightly, handlers_for, tidy_act
from bot.background.tournament_runner import TournamentRunner, run_with_notice
from bot.chat import command_sync
from bot.chat.competitions.buttons import CompetitionButton
from bot.chat.competitions.posts import CompetitionPosts
from bot.chat.games.button_handlers import pressed
from bot.chat.games.buttons import GameButton
from bot.chat.games.commands.conditional_moves import ConditionalMoveCommands
from bot.chat.games.commands.endings import EndingCommands
from bot.chat.games.commands.hints import HintCommands
from bot.chat.games.commands.info import InfoCommands
from bot.chat.games.commands.lists import ListCommands
from bot.chat.games.commands.moves import MoveCommands
from bot.chat.games.commands.play import PlayCommands
from bot.chat.games.delivery import Delivery
from bot.chat.games.move_modal import sent_in
from bot.chat.games.paging import PageButton, StepButton
from bot.chat.languages import Translator, Tree
from bot.chat.messages import Messages
from bot.chat.posting.deleted_channels import look_for_channels
from bot.chat.privacy.commands import ForgetButton, PrivacyCommands
from bot.chat.ratings.commands import RatingCommands
from bot.chat.responses import failed
from bot.chat.services import Services
from bot.chat.settings.commands import SettingsCommands
from bot.chat.study.analysis_commands import AnalysisCommands, JudgedButton
from bot.chat.study.daily_puzzle import MINE, DailyPuzzle
from bot.chat.study.puzzle_buttons import PuzzleButton, puzzle_sent_in
from bot.chat.study.puzzle_commands import PuzzleCommands
from bot.chat.tournaments.buttons import TournamentButton
from bot.chat.tournaments.commands.adjudicate import AdjudicateButton, AdjudicationCommands
from bot.chat.tournaments.commands.tournament import GROUP
from bot.chat.tournaments.confirm_buttons import ConfirmButton
from bot.chat.tournaments.live_messages import TournamentMessages
from bot.chat.tournaments.pictures import TournamentPictures
from bot.games.model.errors import Refused
from bot.games.persistence.outbox import Outbox
from bot.games.service import Games
from bot.ratings.lists import RatingLists
from bot.settings import Settings
from bot.study.analyses import Analyses
from bot.study.puzzles import DAILY, Puzzles
from bot.tournaments.leagues.service import Leagues
from bot.tournaments.service import Tournaments
from bot.tournaments.team_matches.service import TeamMatches
from bot.tournaments.use_cases.arena_timer import ARENA
from bot.tournaments.use_cases.base import TournamentChanged, TournamentWork
from bot.tournaments.use_cases.finalise import COMPETITION, TIMER
from data.store import Store, StoreError

log = structlog.get_logger(__name__)

# Rather a failed request, which is tried again, than one that holds up a game for long.
_LONGEST_WAIT_FOR_RATE_LIMIT = 30.0
_A_LIFETIME = 100 * 365 * 86_400


def utc_milliseconds() -> int:
    """Now, in UTC, as discord.py tells the time."""
    return int(discord.utils.utcnow().timestamp() * 1000)


class Damero(commands.Bot):
    """The bot. ``services`` is what all of its parts share."""

    def __init__(self, settings: Settings, clock: Callable[[], int]) -> None:
        intents = discord.Intents.none()
        intents.guilds = True
        intents.guild_messages = True
        intents.message_content = settings.message_content
        super().__init__(
            command_prefix=commands.when_mentioned,
            tree_cls=Tree,
            help_command=None,
            intents=intents,
            allowed_mentions=discord.AllowedMentions.none(),
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            max_ratelimit_timeout=_LONGEST_WAIT_FOR_RATE_LIMIT,
        )
        store = Store(settings.database_url)
        games = Games(store, clock, random.SystemRandom(), max_open_challenges=settings.max_open_challenges)
        self.services = Services(settings, store, games, Outbox(store, clock), self)
        self.services.delivery = Delivery(self, self.services, clock)
        self.services.press = pressed
        self.services.ratings = RatingLists(store, clock)
        work = TournamentWork(store, games, asyncio.to_thread, run_with_notice)
        self.services.tournaments = tournaments = Tournaments(work)
        self.services.leagues = Leagues(work, tournaments.reconciler)
        self.services.teams = TeamMatches(work, tournaments.reconciler)
        games.signals.game_ended.connect(tournaments.reconciler.game_ended)
        games.signals.outage_noted.connect(tournaments.administration.dates_moved)
        self.events = TournamentMessages(self, tournaments, TournamentPictures(self.services))
        work.changed.connect(self._tournament_changed)
        self.course = TournamentRunner(tournaments)
        self.messages = Messages(self.services)
        acts = handlers_for(games, self.services.changed)
        acts[TIMER] = self.course.act
        self.contests = CompetitionPosts(self, self.services)
        acts[COMPETITION] = self.contests.act
        acts[ARENA] = lambda row: tournaments.arenas.time_passed(row.subject)
        acts[BACKUP] = backup_act(store, clock, settings.backup_keep, settings.backup_folder)
        self.services.analyses = Analyses(store, games, self.services.workers, clock)
        self.services.puzzles = Puzzles(store, games, self.services.workers, clock)
        self.puzzles = DailyPuzzle(self, self.services, clock)
        acts[DAILY], acts[MINE] = self.puzzles.due, self.puzzles.mine_due
        acts[TIDY] = tidy_act(games, store, clock)
        self.timers = Scheduler(store, clock, acts, games.outages.alive, self._connected, lambda: games.outages.is_lost)
        self._clock = clock
        games.signals.timer_set.connect(self.timers.set)
        self._keeper: asyncio.Task[None] | None = None
        self.tree.error(self._command_failed)

    async def setup_hook(self) -> None:
        """Before Discord sends anything: the store and the commands."""
        await self.services.store.open()
        self._keeper = asyncio.create_task(self._keep_open(), name="store")
        if away := await self.services.games.outages.resume():
            log.info("back", away_seconds=away // 1000)
        self.add_dynamic_items(GameButton, PageButton, StepButton, ForgetButton, TournamentButton, CompetitionButton)
        self.add_dynamic_items(AdjudicateButton, JudgedButton, PuzzleButton, ConfirmButton)
        services = self.services
        for cog in (
            PlayCommands(services),
            MoveCommands(services, self.tree),
            EndingCommands(services),
            HintCommands(services),
            InfoCommands(services),
            ListCommands(services),
            SettingsCommands(services),
            PrivacyCommands(services),
            ConditionalMoveCommands(services),
            AdjudicationCommands(services),
            RatingCommands(services),
            AnalysisCommands(services),
            PuzzleCommands(services, self.puzzles, self._clock),
            *self.contests.cogs(services),
        ):
            await self.add_cog(cog)
        self.tree.add_command(GROUP)
        await self.tree.set_translator(Translator())
        assert self.application_id is not None
        await command_sync.sync(self.tree, self.services.store, self.application_id)

    async def on_ready(self) -> None:
        """Connected, for the first time or anew, with channels and permissions known: say what was left unsaid."""
        try:
            await begin_nightly(self.services.store, self._clock, TIDY)
            await begin_nightly(self.services.store, self._clock, MINE)
            if self.services.settings.backup_keep:
                await begin_nightly(self.services.store, self._clock, BACKUP)
            left, back = await self.services.games.privacy.servers_changed([guild.id for guild in self.guilds])
            for guild_id in left:
                await self._left(guild_id)
            for guild_id in back:
                await self._back(guild_id)
        except (StoreError, Refused) as error:
            # A disk that is full just now: what follows waits for it by itself.
            log.warning("not taken up at the start", error=str(error))
        try:
            await self.services.delivery.start()
            await self.events.start()
            await self.contests.start()
            await self.services.opponents.start()
        finally:
            if not self.timers.running:
                self.timers.start()
        self.timers.set(self._clock())
        await look_for_channels(self, self.services.games, self._gone)

    async def on_disconnect(self) -> None:
        """The connection is lost, or could not be had again: nobody can move."""
        self.services.games.outages.lost()

    async def on_resumed(self) -> None:
        """It is back, and nothing was missed."""
        self.timers.set(self._clock())

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel was deleted, and the boards in it."""
        await self._gone(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread was deleted, and the boards in it."""
        await self._gone(payload.thread_id)

    async def _gone(self, channel_id: int) -> None:
        for game in await self.services.games.channels.channel_gone(channel_id):
            self.services.changed(game)

    def _tournament_changed(self, change: TournamentChanged) -> None:
        """A tournament has something to say, and so have games of it."""
        self.events.wake(change.tournament_id)
        for game_id in change.games:
            self.services.delivery.wake(game_id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """A server has removed the bot."""
        await self._left(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """A server has taken the bot in, or back."""
        await self._back(guild.id)

    async def _left(self, guild_id: int) -> None:
        await self.services.games.privacy.server_gone(guild_id)
        for game in await self.services.games.channels.server_out_of_reach(guild_id):
            self.services.changed(game)

    async def _back(self, guild_id: int) -> None:
        if await self.services.games.privacy.server_back(guild_id):
            for game in await self.services.games.channels.server_in_reach(guild_id):
                self.services.changed(game)

    def _connected(self) -> bool:
        """Whether Discord is in reach."""
        # Absent until the first connection, whatever its type says.
        socket = getattr(self, "ws", None)
        return self.is_ready() and getattr(socket, "open", True)

    async def on_message(self, message: discord.Message, /) -> None:
        """Typed moves. There are no text commands."""
        assert self.user is not None
        await self.messages.take(message, self.user.id)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Forms; commands and buttons find their way by themselves."""
        if interaction.type is discord.InteractionType.modal_submit:
            await sent_in(interaction)
            await puzzle_sent_in(interaction)

    async def _command_failed(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError) -> None:
        await failed(interaction, getattr(error, "original", error))

    async def close(self) -> None:
        """Let what is being said arrive, then go."""
        if not self.is_closed():
            if self.timers.running and self._connected():
                # So that the time since the last sign of life does not count as an outage.
                try:
                    await self.services.games.outages.alive()
                except Exception as error:
                    # Whatever it is, the bot goes.
                    log.warning("no last sign of life", error=repr(error))
            await self.timers.close()
            await self.puzzles.close()
            await self.course.close()
            await self.services.opponents.close()
            await self.services.delivery.close()
            await self.events.close()
            await self.contests.close()
        await super().close()
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)

    async def _keep_open(self) -> None:
        """Sleeps while the bot runs. What ends it, ``close()`` or a loop that goes down, closes the store with it."""
        try:
            await asyncio.sleep(_A_LIFETIME)
        finally:
            await self.services.close()


def create_bot(settings: Settings, *, clock: Callable[[], int] | None = None) -> Damero:
    """The bot, not started. ``clock`` gives UTC in milliseconds; without one it is discord.py's."""
    return Damero(settings, clock or utc_milliseconds)
