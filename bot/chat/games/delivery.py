"""Says in the channels what the outbox holds: in order for each game, once, and again where Discord was out of reach.

For each game with something to say one task runs, and ends when all is said. Nothing waits in between.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from contextvars import Context, copy_context
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import Any

import aiohttp
import discord
import structlog

from bot.chat import permissions
from bot.chat.games import reminders
from bot.chat.games.mirrored import for_server, guild_of, is_mirrored, plays_away
from bot.chat.games.posts import Post, post_of
from bot.chat.permissions import MissingPermissions
from bot.chat.posting.find_posted import NONCE_HOLDS, carried_by, find_posted
from bot.chat.posting.threads import ARCHIVED_AFTER, thread_of
from bot.chat.services import Services
from bot.chat.text import fitting
from bot.games.model.announcements import Digest, Reminder
from bot.games.model.computer_seats import person_of, persons
from bot.games.model.errors import NotStored
from bot.games.model.game import Game
from bot.games.persistence.outbox import Announcement, PostedMessage
from bot.i18n import _, speaking

log = structlog.get_logger(__name__)

# Seconds until the next try; discord.py has already tried five times over some seconds by itself.
PAUSES = (10, 30, 120, 600, 1800, 3600)
# While a permission lacks, a try costs no request: it is looked up first.
PAUSE_FOR_PERMISSION = (30, 60, 120, 300, 600)
NOTHING_WAITS = -1
# How long a closing bot waits for posts that are under way.
FAREWELL = 5

_UNKNOWN_CHANNEL = 10003
_THREAD_EXISTS = 160004
_THREAD_CLOSED = (50083, 160005)  # archived and locked: as if a permission lacked
_LONGEST_THREAD_NAME = 100

NOT_REACHED = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError)
"""Discord says no, or nothing."""


class Delivery:
    """One for each running bot."""

    nonce_holds = NONCE_HOLDS

    def __init__(self, client: discord.Client, services: Services, clock: Callable[[], int]) -> None:
        self._client = client
        self._services = services
        self._clock = clock
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        self._unmarked: dict[int, PostedMessage] = {}
        self._pausing: set[int] = set()
        self._told: set[tuple[int, int]] = set()
        self._home: Context | None = None

    async def start(self) -> None:
        """Say everything that was stored and not posted, without waiting for the end of pauses."""
        self._home = self._home or copy_context()
        with contextlib.suppress(NotStored):  # then the pauses hold
            await self._services.outbox.wake()
        for game_id in await self._services.outbox.games_waiting():
            self.wake(game_id)

    def wake(self, game_id: int) -> None:
        """A game may have something to say."""
        if game_id in self._pausing:
            # What it pauses for may have been given up.
            self._pausing.discard(game_id)
            self._tasks.pop(game_id).cancel()
        if game_id in self._tasks:
            self._again.add(game_id)
            return
        # Whoever wakes it, a post is nobody's own: nothing of a reader's or of a thinking task's context goes along.
        task = (self._home or copy_context()).run(asyncio.create_task, self._drain(game_id), name=f"deliver-{game_id}")
        self._tasks[game_id] = task
        task.add_done_callback(lambda done: self._ended(game_id, done))

    def _ended(self, game_id: int, task: asyncio.Task[None]) -> None:
        if self._tasks.get(game_id) is task:
            del self._tasks[game_id]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("delivery stopped", game=game_id, exc_info=error)

    async def close(self) -> None:
        """Let posts that are under way arrive; pauses are broken off (the next start tries at once)."""
        for game_id in self._pausing:
            self._tasks[game_id].cancel()
        if self._tasks:
            _done, late = await asyncio.wait(set(self._tasks.values()), timeout=FAREWELL)
            for task in late:
                task.cancel()

    async def _drain(self, game_id: int) -> None:
        """Say what is due until nothing waits, pausing where something must be tried again. Whoever adds something
        wakes the game afterwards, so that nothing is overlooked between the last look and the end."""
        while True:
            self._again.discard(game_id)
            try:
                seconds = await self._say_due(game_id)
            except NotStored:
                log.warning("outbox out of reach", game=game_id, retry_in=PAUSES[0])
                seconds = PAUSES[0]
            if seconds > 0:
                await self._pause(game_id, seconds)
            elif seconds == NOTHING_WAITS and game_id not in self._again:
                # In one step with the look at what was added: a wake from now on starts another task.
                self._tasks.pop(game_id, None)
                return

    async def _say_due(self, game_id: int) -> float:
        """Say what is due. How many seconds to wait before the next look; NOTHING_WAITS when there is to be none."""
        due = await self._services.outbox.due(game_id)
        for announcement in due:
            if not await self._say(announcement):
                break
        else:
            if due:
                # Edits become due when the post that they change has been made. Boards are never edited.
                return 0 if any(said.kind in ("challenge", "offer") for said in due) else NOTHING_WAITS
        next_try = await self._services.outbox.next_try(game_id)
        return NOTHING_WAITS if next_try is None else max(0, next_try - self._clock()) / 1000

    async def _pause(self, game_id: int, seconds: float) -> None:
        self._pausing.add(game_id)
        try:
            await asyncio.sleep(seconds)
        finally:
            self._pausing.discard(game_id)

    async def _say(self, announcement: Announcement) -> bool:
        """Post it, and mark it. False where it must be tried again later: nothing may overtake it."""
        outbox = self._services.outbox
        retry_in: int | None = None
        posted = self._unmarked.get(announcement.id)
        try:
            if posted is None:
                posted = await self._post(announcement)
        except (MissingPermissions, discord.Forbidden) as error:
            retry_in = _seconds(PAUSE_FOR_PERMISSION, announcement)
            await self._tell_lacking(announcement, error)
        except discord.HTTPException as error:
            if error.code in _THREAD_CLOSED:
                retry_in = _seconds(PAUSE_FOR_PERMISSION, announcement)
                await self._tell_lacking(announcement, error)
            elif error.status >= 500 or error.status == 429:
                retry_in = _seconds(PAUSES, announcement)
            _log(announcement, retry_in, status=error.status, code=error.code)
            if error.code == _UNKNOWN_CHANNEL and announcement.mirrored:
                # The thread on the other server was deleted: another is opened, if there is a channel to have it.
                game = await self._services.games.game(announcement.game_id)
                if game.mirror is not None and game.mirror.channel_id is None:
                    await self._tell_gone(announcement)
                await self._services.games.channels.settle_mirror(game.id, None)
                retry_in = _seconds(PAUSES, announcement)
            elif error.code == _UNKNOWN_CHANNEL:
                await self._tell_gone(announcement)
        except NOT_REACHED as error:
            retry_in = _seconds(PAUSES, announcement)
            _log(announcement, retry_in, error=type(error).__name__)
        else:
            if posted is not None:
                # Posted is posted, even if the database cannot take it down just now.
                self._unmarked[announcement.id] = posted
                await outbox.sent(announcement, posted.message_id, posted.channel_id)
                del self._unmarked[announcement.id]
                return True
        await outbox.failed(announcement, None if retry_in is None else self._clock() + retry_in * 1000)
        return retry_in is None

    async def _post(self, announcement: Announcement) -> PostedMessage | None:
        """The message that now says it; None where there is nothing to say any more."""
        if isinstance(announcement.content, Reminder | Digest):
            return await self._remind(announcement, announcement.content)
        game = await self._services.recent.at_ply(announcement.game_id, announcement.ply)
        mirrored = is_mirrored(announcement, game)
        with speaking(await self._services.languages.of_server(guild_of(game, mirrored=mirrored))):
            post = for_server(post_of(announcement, game), game, mirrored=mirrored)
            if announcement.kind in ("challenge_changed", "challenge_closed", "offer_closed"):
                return await self._edit(announcement.edits, game, post)
            if mirrored:
                where = await self._mirror_channel(game)
            else:
                where = game.place.channel_id if announcement.kind == "challenge" else await self._channel(game)
            return await self._send(where, game, post, announcement)

    async def _remind(self, announcement: Announcement, news: Reminder | Digest) -> PostedMessage | None:
        """Tell one person by direct message or, where that is closed, by a post in the game's channel that pings it.
        What no longer holds is not said."""
        game = await self._services.games.game(announcement.game_id)
        if isinstance(news, Reminder) and not reminders.still_holds(news, announcement.ply, game):
            return None
        person = news.to
        away = plays_away(game, person)
        with speaking(await self._services.languages.of_person(person, guild_of(game, mirrored=away))):
            text = await reminders.text_of(news, game, self._services)
        try:
            direct = await self._client.create_dm(discord.Object(person))
            message = await self._said_earlier(direct, announcement, fitting(text))
            if message is None:
                message = await direct.send(fitting(text), nonce=announcement.nonce)
        except (discord.Forbidden, discord.NotFound):
            # Still that person's: nobody else is spoken to.
            post = post_of(announcement, game)
            told = replace(post, content=post.content + text)
            where = await (self._mirror_channel(game) if away else self._channel(game))
            return await self._send(where, game, told, announcement)
        return PostedMessage(direct.id, message.id)

    async def _edit(self, target: PostedMessage | None, game: Game, post: Post) -> PostedMessage | None:
        if target is None:
            return None
        message = self._messageable(target.channel_id, game).get_partial_message(target.message_id)
        try:
            await message.edit(content=fitting(post.content), view=post.view, allowed_mentions=post.allowed_mentions)
        except (discord.NotFound, discord.Forbidden) as error:
            # It was deleted, or is out of reach: the game itself does not depend on it.
            log.info("post not edited", game=game.id, code=error.code)
            return None
        return target

    async def _send(self, channel_id: int, game: Game, post: Post, announcement: Announcement) -> PostedMessage:
        self._check(channel_id, game)
        more: dict[str, Any] = {}
        if post.picture:
            more |= await self._picture(game)
        if post.view.children:
            more["view"] = post.view
        where, content = self._messageable(channel_id, game), fitting(post.content)
        message = await self._said_earlier(where, announcement, content, more.get("file"), carried_by(post.view))
        if message is None:
            more["allowed_mentions"] = post.allowed_mentions
            message = await where.send(content, nonce=announcement.nonce, **more)
        self._told = {(game_id, channel) for game_id, channel in self._told if game_id != game.id}
        return PostedMessage(channel_id, message.id)

    async def _said_earlier(
        self,
        where: discord.abc.Messageable,
        announcement: Announcement,
        content: str,
        file: discord.File | None = None,
        buttons: Sequence[str] = (),
    ) -> discord.Message | None:
        """The post of a try that was broken off, where it lies so far back that the nonce no longer tells."""
        me = self._client.user
        if me is None or self._clock() - announcement.made_at < self.nonce_holds:
            return None
        files = [] if file is None else [file.filename]
        is_known = partial(self._services.outbox.is_post, announcement.game_id)
        return await find_posted(where, me.id, content, files, buttons, announcement.made_at, is_known)

    async def _picture(self, game: Game) -> dict[str, discord.File]:
        try:
            png, alt = await self._services.pictures.board(game)
        except Exception:
            # A game that goes on without a picture is better than one that stands still.
            log.exception("board not drawn", game=game.id, ply=game.ply)
            return {}
        # A name of its own for each position, as clients keep pictures by name.
        return {"file": discord.File(BytesIO(png), f"g{game.id}-m{game.ply}.png", description=alt)}

    def _messageable(self, channel_id: int, game: Game) -> discord.PartialMessageable:
        mirrored = game.mirror is not None and channel_id not in (game.channel_id, game.place.channel_id)
        return self._client.get_partial_messageable(channel_id, guild_id=guild_of(game, mirrored=mirrored))

    def _check(self, channel_id: int, game: Game, *, opens_thread: bool = False) -> None:
        """Raises MissingPermissions, without a request, where the bot is known not to be allowed. An unknown channel
        is tried."""
        channel = self._client.get_channel(channel_id)
        if isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            lacking = permissions.missing_in(channel, opens_thread=opens_thread)
            if lacking:
                raise MissingPermissions(channel_id, lacking)

    # Where a game is played

    async def _channel(self, game: Game) -> int:
        """The channel that a post of ``game`` goes to; a thread is made for a game that needs one."""
        if not game.needs_thread:
            return game.place.channel_id if game.channel_id is None else game.channel_id
        now = await self._services.games.game(game.id)
        if now.channel_id is None:
            now = await self._services.games.channels.settle_channel(game.id, await self._open_thread(now))
            self._services.games_changed.send(now)
        assert now.channel_id is not None
        return now.channel_id

    async def _mirror_channel(self, game: Game) -> int:
        """The thread on the other server; it is made where there is none."""
        mirror = (await self._services.games.game(game.id)).mirror
        assert mirror is not None
        if mirror.channel_id is None:
            thread = await self._open_thread(game, mirror.place_channel_id)
            mirror = (await self._services.games.channels.settle_mirror(game.id, thread)).mirror
            assert mirror is not None
        assert mirror.channel_id is not None
        return mirror.channel_id

    async def _open_thread(self, game: Game, away: int | None = None) -> int:
        """A thread under the challenge's post. Doing it twice gives the same thread: its id is the post's. Or a thread
        in the channel ``away`` of another server."""
        place = game.place.channel_id if away is None else away
        self._check(place, game, opens_thread=True)
        names = [name for name in await self._services.pictures.names_of(game) if name]
        name = f"{game.rules.variant.name}: {', '.join(names)}"[:_LONGEST_THREAD_NAME]
        posted = None if away is not None else await self._services.outbox.challenge_message(game.id)
        channel = self._client.get_channel(place) or await self._client.fetch_channel(place)
        if not isinstance(channel, discord.TextChannel):
            raise MissingPermissions(place, [])
        try:
            if posted is not None:
                message = channel.get_partial_message(posted.message_id)
                return (await message.create_thread(name=name, auto_archive_duration=ARCHIVED_AFTER)).id
        except discord.NotFound:
            # The post was deleted: a thread of its own then.
            pass
        except discord.HTTPException as error:
            if error.code == _THREAD_EXISTS and posted is not None:
                return posted.message_id
            raise
        return await thread_of(channel, game, name)

    async def _tell_gone(self, announcement: Announcement) -> None:
        """The channel of a game was deleted: tell its players, of a game of two servers those of that server, once, how
        to go on. Nobody's time runs meanwhile."""
        game = await self._services.games.game(announcement.game_id)
        mirrored = is_mirrored(announcement, game)
        key = (game.id, game.channel_id or game.place.channel_id)
        if mirrored and game.mirror is not None:
            key = (game.id, game.mirror.place_channel_id)
        if game.status != "running" or key in self._told:
            return
        self._told.add(key)
        for person in persons(game.players):
            if plays_away(game, person) is not mirrored:
                continue
            with speaking(await self._services.languages.of_person(person, guild_of(game, mirrored=mirrored))):
                words = _(
                    "**{game}, game {number}**: its channel was deleted. Go on in another channel of that server: "
                    "`/continue {number}`\nUntil then no time runs."
                ).format(game=game.rules.variant.name, number=game.id)
            try:
                direct = await self._client.create_dm(discord.Object(person))
                await direct.send(words)
            except NOT_REACHED as refused:
                log.info("could not tell that a channel is gone", person=person, error=repr(refused))

    async def _tell_lacking(
        self, announcement: Announcement, error: MissingPermissions | discord.HTTPException
    ) -> None:
        """Tell the person whose act could not be shown, once, by direct message: the channel is closed to the bot."""
        game = await self._services.games.game(announcement.game_id)
        unknown = MissingPermissions(game.channel_id or game.place.channel_id, [])
        lacking = error if isinstance(error, MissingPermissions) else unknown
        log.warning("missing permissions", game=game.id, channel=lacking.channel_id, titles=lacking.titles)
        person = person_of(announcement.by)
        key = (game.id, lacking.channel_id)
        if person is None or key in self._told:
            return
        self._told.add(key)
        with speaking(await self._services.languages.of_person(person, game.place.guild_id)):
            words = permissions.sentence(lacking.channel_id, lacking.titles)
            if isinstance(error, discord.HTTPException) and error.code in _THREAD_CLOSED:
                says = _("The thread {thread} is closed. Please ask a moderator to unlock it.")
                words = says.format(thread=f"<#{lacking.channel_id}>")
            kept = _("What you did is kept, and will be posted once I may.")
        try:
            direct = await self._client.create_dm(discord.Object(person))
            await direct.send(f"{words}\n{kept}")
        except NOT_REACHED as refused:
            log.info("could not tell of missing permissions", person=person, error=repr(refused))


def _seconds(pauses: tuple[int, ...], announcement: Announcement) -> int:
    return pauses[min(announcement.attempts, len(pauses) - 1)]


def _log(announcement: Announcement, retry_in: int | None, **what: Any) -> None:
    say = log.error if retry_in is None else log.warning
    say("not posted", announcement=announcement.id, game=announcement.game_id, retry_in=retry_in, **what)
