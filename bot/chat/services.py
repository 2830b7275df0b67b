"""What every way in (message, command, button) shares: the use cases, what there is to deliver, names and pictures."""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TYPE_CHECKING, Any, TypeVar, cast

import discord

import render
from bot.background.computer_player import ComputerPlayer
from bot.chat.languages import Languages
from bot.chat.names import Names
from bot.computer.workers.dask_cluster import places_on
from bot.computer.workers.pool import Workers
from bot.games.model.errors import Refused
from bot.games.model.game import Game
from bot.games.persistence.outbox import Outbox, PostedMessage
from bot.games.service import Games
from bot.i18n import _
from bot.presentation import alt_text, board_scene
from bot.ratings.lists import RatingLists
from bot.settings import Settings
from bot.study.analyses import Analyses
from bot.study.puzzles import Puzzles
from bot.tournaments.leagues.service import Leagues
from bot.tournaments.service import Tournaments
from bot.tournaments.team_matches.service import TeamMatches
from data.store import Store

if TYPE_CHECKING:
    from bot.chat.client import Damero
    from bot.chat.competitions.posts import CompetitionPosts
    from bot.chat.games.buttons import GameButton
    from bot.chat.games.delivery import Delivery

T = TypeVar("T")

_KEPT = 2_000
# Discord waits 3 seconds for a first answer. What takes longer than this gets an "I am at it" first.
PATIENCE = 1.5


class Services:
    """One for each running bot. ``press`` does what a button says."""

    delivery: Delivery
    ratings: RatingLists
    tournaments: Tournaments
    leagues: Leagues
    analyses: Analyses
    puzzles: Puzzles
    teams: TeamMatches
    contests: CompetitionPosts
    press: Callable[[GameButton, discord.Interaction[Any]], Awaitable[None]]
    puzzle_press: Callable[[discord.Interaction[Any], int, str], Awaitable[None]]
    puzzle_answer: Callable[[discord.Interaction[Any], int, str, int | None], Awaitable[None]]

    def __init__(self, settings: Settings, store: Store, games: Games, outbox: Outbox, client: discord.Client) -> None:
        self.settings = settings
        self.store = store
        self.games = games
        self.outbox = outbox
        self.names = Names(client)
        self.speech = Languages(games, client)
        self._latest: OrderedDict[int, Game] = OrderedDict()
        self._channels: dict[int, int] = {}
        self.workers = workers_for(settings)
        self.opponents = ComputerPlayer(games, self.workers, self.changed)
        self._pictures = ThreadPoolExecutor(settings.render_threads, thread_name_prefix="pictures")

    def changed(self, game: Game) -> None:
        """Take note of a game that has just changed, and send what it has to say; the computer may have to move."""
        self.remember(game)
        self.delivery.wake(game.id)
        self.opponents.look(game)

    def remember(self, game: Game) -> None:
        """Keep ``game`` in mind, as the one of its channel."""
        self._latest[game.id] = game
        self._latest.move_to_end(game.id)
        if game.channel_id is not None:
            self._channels[game.channel_id] = game.id
        if len(self._latest) > _KEPT:
            _, gone = self._latest.popitem(last=False)
            if gone.channel_id is not None and self._channels.get(gone.channel_id) == gone.id:
                del self._channels[gone.channel_id]

    def seen(self, channel_id: int) -> Game | None:
        """The game of a channel as this process last saw it, without asking the store. Good for suggestions only."""
        return self._latest.get(self._channels.get(channel_id, 0))

    async def at_ply(self, game_id: int, ply: int) -> Game:
        """A game as it stood after entry ``ply``; from memory where that is how it was last seen."""
        latest = self._latest.get(game_id)
        return latest if latest is not None and latest.ply == ply else await self.games.game(game_id, ply)

    def forget(self, person: int) -> None:
        """Keep nothing in mind of ``person``."""
        self.names.forget(person)
        gone = [game_id for game_id, game in self._latest.items() if person in (*game.players, *game.invited)]
        for game_id in gone:
            del self._latest[game_id]

    async def looked(self, game: Game, person: int) -> None:
        """``person`` has the board of ``game`` before its eyes, so that no reminder is needed for a while."""
        if game.control is not None and game.to_move == person:
            with contextlib.suppress(Refused):
                await self.games.timeouts.looked_at(game.id, person)

    async def here(self, channel_id: int | None) -> Game:
        """The running game of a channel. Raises Refused where there is none."""
        game = None if channel_id is None else await self.games.running_in(channel_id)
        if game is None:
            raise Refused(_("No game is running in this channel. Start one with `/play`, or see yours with `/games`."))
        return game

    async def act(self, interaction: discord.Interaction[Any], work: Coroutine[Any, Any, Game]) -> Game:
        """Do ``work``, a use case that ``interaction`` asked for; what it changed is announced."""
        game = await self.defer_if_slow(interaction, work)
        self.changed(game)
        return game

    async def defer_if_slow(self, interaction: discord.Interaction[Any], work: Coroutine[Any, Any, T]) -> T:
        """Do ``work``. Where it takes long, ``interaction`` is acknowledged first, so that Discord does not call it
        failed."""
        task = asyncio.ensure_future(work)
        await asyncio.wait({task}, timeout=PATIENCE)
        if not task.done() and not interaction.response.is_done():
            await interaction.response.defer(ephemeral=True, thinking=interaction.type is _COMMAND)
        return await task

    async def picture(
        self, game: Game, *, turned: bool = False, numbers: bool = False, targets: Sequence[int] = ()
    ) -> tuple[bytes, str]:
        """The board of ``game`` as a PNG, drawn off the event loop, and its alt text."""
        names = await self.names_of(game)
        scene = board_scene.scene_of(game, names, turned=turned, numbers=numbers, targets=targets)
        png = await asyncio.get_running_loop().run_in_executor(self._pictures, render.draw, scene)
        return png, alt_text.alt_text(game, names)

    async def drawn(self, draw: Callable[[], T]) -> T:
        """What ``draw`` gives, done off the event loop, in the language spoken now."""
        return await asyncio.get_running_loop().run_in_executor(self._pictures, copy_context().run, draw)

    async def names_of(self, game: Game) -> tuple[str, ...]:
        """What the players of ``game`` are called, by seat; a free seat is ""."""
        guild = game.place.guild_id
        return tuple(["" if player is None else await self.names.of(guild, player) for player in game.players])

    async def link(self, game: Game, person: int | None = None) -> str | None:
        """The address of the newest board of ``game``, None where none was posted; of a game of two servers on that
        of ``person``."""
        mirror = game.mirror
        if mirror is None:
            posted = await self.outbox.board_message(game.id)
            return None if posted is None else address(game.place.guild_id, posted)
        away = person is not None and game.players[mirror.seat] == person
        posted = await self.outbox.board_message(game.id, mirror.channel_id if away else game.channel_id)
        return None if posted is None else address(mirror.guild_id if away else game.place.guild_id, posted)

    async def close(self) -> None:
        """Let go of workers, threads and the store."""
        await self.opponents.close()
        self.workers.close()
        self._pictures.shutdown(wait=False)
        await self.store.close()


def workers_for(settings: Settings) -> Workers:
    """Where the computer thinks: here or on a cluster, as the settings say."""
    if settings.computer_cluster is None:
        return Workers(settings.computer_workers)
    return Workers(places=places_on(settings.computer_cluster, settings.computer_workers))


_COMMAND = discord.InteractionType.application_command


def address(guild_id: int | None, posted: PostedMessage) -> str:
    """A link that opens a message in Discord."""
    return f"https://discord.com/channels/{guild_id or '@me'}/{posted.channel_id}/{posted.message_id}"


def services_of(interaction: discord.Interaction[Any]) -> Services:
    """The services of the bot to which ``interaction`` came."""
    return cast("Damero", interaction.client).services
