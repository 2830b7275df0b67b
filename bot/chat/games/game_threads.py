"""Where the posts of a game go, in its own thread if need be: the only way by which what is posted changes games."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import field
from typing import Final, Literal

import discord
import structlog

from bot.chat import permissions
from bot.chat.board_pictures import BoardPictures
from bot.chat.wording.links import guild_of
from bot.games.model.game import Game
from bot.games.persistence.outbox import Outbox
from bot.games.service import Games
from bot.support.frozen import frozen
from bot.support.in_turn import InTurn

log = structlog.get_logger(__name__)

_THREAD_EXISTS = 160004
_LONGEST_NAME = 100
# So much of what stands before the players is kept.
_LEAST_HEAD = 30
# Minutes without a message: a week, the longest that there is.
_ARCHIVED_AFTER: Final[Literal[10080]] = 10080


class Outdated(Exception):  # noqa: N818 - nothing is wrong
    """What is to be posted of a game has changed since it was looked at: the game may go on in another channel now."""


@frozen
class GameThreads:
    """Finds the channel of a post, or makes it. ``changed`` is told of a game that has got a channel, or lost one;
    ``event_of`` tells what the tournament of a game is called, "" where it is of none; games that are lined up in
    ``turns`` get their threads in that order."""

    client: discord.Client
    games: Games
    outbox: Outbox
    pictures: BoardPictures
    changed: Callable[[Game], object]
    event_of: Callable[[int], Awaitable[str]]
    turns: InTurn = field(default_factory=InTurn)

    async def channel_of(self, game: Game, *, mirrored: bool) -> int:
        """The channel that a post goes to, on the second server of a game of two where it is ``mirrored``."""
        if mirrored:
            return await self._mirror_channel(game)
        if not game.needs_thread:
            return game.place.channel_id if game.channel_id is None else game.channel_id
        await self.turns.come(game.id)
        # It may have got one since it was looked at.
        now = await self.games.game(game.id)
        if now.channel_id is None:
            now = await self.games.channels.settle_channel(game.id, await self._open(now))
            self.changed(now)
        self.turns.leave(game.id)
        assert now.channel_id is not None
        return now.channel_id

    async def rename(self, game: Game, *, mirrored: bool) -> None:
        """Name the thread of a game after those who play it now, if it is the bot's own. What Discord refuses stays as
        it is."""
        channel_id = game.channel_id if not mirrored else None if game.mirror is None else game.mirror.channel_id
        assert self.client.user is not None
        if channel_id is None:
            # It will be opened with their names.
            return
        try:
            thread = self.client.get_channel(channel_id) or await self.client.fetch_channel(channel_id)
            if not isinstance(thread, discord.Thread) or thread.owner_id != self.client.user.id:
                return
            sign = f" #{game.id}" if thread.name.endswith(f" #{game.id}") else ""
            name = f"{await self._name(game, _LONGEST_NAME - len(sign))}{sign}"
            was_archived = thread.archived
            if name != thread.name:
                thread = await thread.edit(name=name, archived=False)
                if was_archived:
                    await thread.edit(archived=True)
        except discord.HTTPException as error:
            if error.status >= 500:
                raise
            log.info("thread not renamed", game=game.id, code=error.code)

    async def mirror_gone(self, game: Game) -> None:
        """The thread on the other server was deleted: another is opened with the next post."""
        for changed in await self.games.channels.mirror_gone(game.id):
            self.changed(changed)

    async def posted_in(self, game_id: int, channel_id: int) -> None:
        """A game's post in a channel was marked: that may have been deleted meanwhile."""
        for changed in await self.games.channels.posted_in(game_id, channel_id):
            self.changed(changed)

    def messageable(self, channel_id: int, game: Game) -> discord.PartialMessageable:
        """The channel of a game, to be written to."""
        mirrored = game.mirror is not None and channel_id not in (game.channel_id, game.place.channel_id)
        return self.client.get_partial_messageable(channel_id, guild_id=guild_of(game, mirrored=mirrored))

    def check(self, where: discord.PartialMessageable, *, opens_thread: bool = False) -> None:
        """Raises MissingPermissions, without a request, where the bot is known not to be allowed; else it is tried."""
        # By its id alone a channel would be looked for on all servers.
        guild = None if where.guild_id is None else self.client.get_guild(where.guild_id)
        channel = None if guild is None else guild.get_channel_or_thread(where.id)
        if missing := permissions.missing_in(channel, opens_thread=opens_thread):
            raise permissions.MissingPermissions(where.id, missing)

    async def _mirror_channel(self, game: Game) -> int:
        if game.mirror is None or game.mirror.channel_id is None:
            game = await self.games.game(game.id)
        assert game.mirror is not None
        if game.mirror.channel_id is None:
            place = game.mirror.place_channel_id
            game = await self.games.channels.settle_mirror(game.id, await self._open(game, place), place)
            self.changed(game)
        assert game.mirror is not None
        if game.mirror.channel_id is None:
            # It is to be in another channel by now.
            raise Outdated
        return game.mirror.channel_id

    async def _open(self, game: Game, away: int | None = None) -> int:
        """A thread under the challenge's post. Doing it twice gives the same thread: its id is the post's. Or a thread
        in the channel ``away`` of another server."""
        place = game.place.channel_id if away is None else away
        self.check(self.messageable(place, game), opens_thread=True)
        posted = None if away is not None else await self.outbox.posted(game.id, "challenge")
        channel = self.client.get_channel(place) or await self.client.fetch_channel(place)
        if not isinstance(channel, discord.TextChannel):
            raise permissions.MissingPermissions(place, [])
        try:
            if posted is not None:
                message = channel.get_partial_message(posted.message_id)
                name = await self._name(game)
                return (await message.create_thread(name=name, auto_archive_duration=_ARCHIVED_AFTER)).id
        except discord.NotFound:
            # The post was deleted: a thread of its own then.
            pass
        except discord.HTTPException as error:
            if error.code == _THREAD_EXISTS and posted is not None:
                return posted.message_id
            raise
        sign = f" #{game.id}"
        return await self._thread_of(channel, game, f"{await self._name(game, _LONGEST_NAME - len(sign))}{sign}")

    async def _name(self, game: Game, room: int = _LONGEST_NAME) -> str:
        names = [name for name in await self.pictures.names_of(game) if name]
        return thread_name(await self.event_of(game.id) or game.rules.variant.name, names, room)

    async def _thread_of(self, channel: discord.TextChannel, game: Game, name: str) -> int:
        """The thread of a game in a channel; it is made where there is none. Its name ends with the game's number, by
        which it is found again if it was made and the bot ended before its id was kept."""
        assert self.client.user is not None
        sign = f" #{game.id}"
        game_channels = {game.channel_id, None if game.mirror is None else game.mirror.channel_id}
        threads = channel.threads
        if self.client.get_guild(channel.guild.id) is None:
            # Another process acts for the server, so of its threads nothing is known here.
            threads = [each for each in await channel.guild.active_threads() if each.parent_id == channel.id]
        for thread in threads:
            is_own = thread.owner_id == self.client.user.id and thread.name.endswith(sign)
            # A thread that already holds messages belongs to a game of another database: leave it alone.
            # One that is gone is known until Discord tells of it.
            is_there = thread.id not in game_channels and not self.games.channels.is_gone(thread.id)
            if is_own and not thread.message_count and is_there:
                return thread.id
        kind = discord.ChannelType.public_thread
        return (await channel.create_thread(name=name, type=kind, auto_archive_duration=_ARCHIVED_AFTER)).id


def thread_name(head: str, names: Sequence[str], room: int = _LONGEST_NAME) -> str:
    """What a thread is called: the event, or the game that is played, which is shortened first; and who plays it."""
    people = ", ".join(names)
    left = max(_LEAST_HEAD, room - len(people) - 2)
    if len(head) > left:
        head = f"{head[: left - 1].rstrip()}…"
    return f"{head}: {people}"[:room] if names else head
