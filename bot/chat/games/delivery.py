"""Says in the channels what the outbox holds: in order for each game, once, and again where Discord was out of reach.

For each game with something to say one task runs, and ends when all is said. Nothing waits in between.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import discord
import structlog

from bot.chat.games.announcer import Announcer
from bot.chat.games.answering import Answering
from bot.chat.games.game_threads import GameThreads, Outdated
from bot.chat.games.undelivered import NOT_REACHED, PAUSES, ChannelNotices, Trouble, retry_in, trouble_of
from bot.chat.permissions import MissingPermissions
from bot.chat.posting.deleted_channels import is_gone
from bot.chat.unforeseen import kind_told
from bot.games.model.announcements import Digest, Editable, Offered, Reminder
from bot.games.model.errors import NotStored
from bot.games.persistence.outbox import Announcement, Outbox, PostedMessage
from bot.games.service import Games
from bot.support.keyed_tasks import KeyedTasks
from bot.support.time_units import SECOND

log = structlog.get_logger(__name__)

FAREWELL: Final = 5
"""Seconds for which a closing bot waits for posts that are under way."""


@dataclass(eq=False)
class Delivery:
    """Empties the outbox, game by game. Whoever adds something to it wakes the game afterwards."""

    games: Games
    outbox: Outbox
    announcer: Announcer
    answering: Answering
    threads: GameThreads
    notices: ChannelNotices
    clock: Callable[[], int]
    tasks: KeyedTasks = field(init=False)
    # Posted is posted, even if the database cannot take it down just now.
    _unmarked: dict[int, PostedMessage] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        # What is paused for may have been given up: whoever wakes a game ends its pause.
        self.tasks = KeyedTasks("deliver", self._say_due, breaks_pauses=True)

    async def start(self) -> None:
        """Say everything that was stored and not posted, without waiting for the end of pauses."""
        self.tasks.open()
        with contextlib.suppress(NotStored):  # then the pauses hold
            await self.outbox.wake()
        for game_id in await self.outbox.games_waiting():
            self.wake(game_id)

    def wake(self, game_id: int) -> None:
        """A game may have something to say."""
        self.tasks.wake(game_id)

    async def close(self) -> None:
        """Let posts that are under way arrive; pauses are broken off (the next start tries at once)."""
        await self.tasks.close(FAREWELL)

    async def _say_due(self, game_id: int) -> float | None:
        """Say what is due. How many seconds to wait before the next look; None when there is to be none."""
        try:
            due = await self.outbox.due(game_id)
            if due and due[0].answers_only:
                return await self._answer(game_id, due)
            if not due and self.answering.tokens.is_wanted(game_id):
                await self._answer(game_id, due)
            # Of a game of two servers the one goes on where nothing can be posted on the other.
            waits: set[bool] = set()
            for announcement in due:
                if self.outbox.is_stale(game_id):
                    # It may have been given up.
                    return 0
                if announcement.mirrored not in waits and not await self._say(announcement):
                    waits.add(announcement.mirrored)
            if due and not waits:
                if any(isinstance(each.content, Editable) for each in due):
                    # Edits become due when the post that they change has been made. Boards are never edited.
                    return 0
                if self.outbox.is_said(game_id):
                    return None
            next_try = await self.outbox.next_try(game_id)
        except Outdated:
            return 0
        except NotStored:
            log.warning("outbox out of reach", game=game_id, retry_in=PAUSES[0])
            return PAUSES[0]
        finally:
            self.threads.turns.leave(game_id)
        return None if next_try is None else max(0, next_try - self.clock()) / SECOND

    async def _answer(self, game_id: int, due: Sequence[Announcement]) -> float | None:
        """Say what is due of a game where the bot may only answer: at once, in one message. How many seconds to wait
        before the next look."""
        if self.answering.tokens.is_handled(game_id):
            # Its end wakes the game.
            return PAUSES[0]
        for_one = [each for each in due if isinstance(each.content, Reminder | Digest)]
        for announcement in for_one:
            if not await self._say(announcement):
                return PAUSES[0]
        board = [each for each in due if each not in for_one]
        try:
            posted = await self._shown(game_id, board) if board or not due else None
        except NOT_REACHED as error:
            attempts = max((each.attempts for each in board), default=0)
            seconds = retry_in(trouble_of(error), attempts, mirrored=False)
            log.warning("not shown", game=game_id, retry_in=seconds, error=kind_told(error))
            for announcement in board:
                await self.outbox.failed(announcement, None if seconds is None else self.clock() + seconds * SECOND)
            return seconds
        for announcement in board:
            if posted is not None:
                await self.outbox.sent(announcement, posted.message_id, posted.channel_id)
            else:
                # The next press of a player shows it: no time runs until then.
                log.info("shown to nobody", game=game_id, announcement=announcement.id)
                await self.outbox.failed(announcement, None)
        await self.answering.show_nowhere_else(game_id, board)
        return 0

    async def _shown(self, game_id: int, due: Sequence[Announcement]) -> PostedMessage | None:
        try:
            return await self.answering.show(game_id, due)
        except discord.HTTPException as error:
            if trouble_of(error) is not Trouble.REFUSED:
                raise
            log.exception("shown in words alone", game=game_id)
            return await self.answering.show(game_id, due, plain=True)

    async def _say(self, announcement: Announcement) -> bool:
        """Post it, and mark it. False where it must be tried again later: nothing may overtake it."""
        with structlog.contextvars.bound_contextvars(source=announcement.source):
            return await self._say_once(announcement)

    async def _say_once(self, announcement: Announcement) -> bool:
        seconds, closed = None, False
        posted = self._unmarked.get(announcement.id)
        try:
            if posted is not None and await is_gone(self.threads.client, posted.channel_id):
                # As long as it was not marked nobody noted that it went with its channel.
                posted = None
            if posted is None:
                posted = await self._posted(announcement)
        except (MissingPermissions, *NOT_REACHED) as error:
            if self.outbox.is_stale(announcement.game_id):
                # The game may go on elsewhere by now: nobody is told of the channel that it has left.
                raise Outdated from error
            seconds = await self._not_posted(announcement, error)
            closed = trouble_of(error) is Trouble.CLOSED
        else:
            if posted is not None:
                self.notices.forget(announcement.game_id, mirrored=announcement.mirrored)
                self._unmarked[announcement.id] = posted
                await self.outbox.sent(announcement, posted.message_id, posted.channel_id)
                del self._unmarked[announcement.id]
                await self.threads.posted_in(announcement.game_id, posted.channel_id)
                log.debug("posted", announcement=announcement.id, game=announcement.game_id, message=posted.message_id)
                return True
        retry_at = None if seconds is None else self.clock() + seconds * SECOND
        await self.outbox.failed(announcement, retry_at, closed=closed)
        return seconds is None

    async def _posted(self, announcement: Announcement) -> PostedMessage | None:
        """Post it; in words alone where Discord takes it in no other way."""
        try:
            return await self.announcer.post(announcement)
        except discord.HTTPException as error:
            edits = announcement.edits is not None and not isinstance(announcement.content, Offered)
            if trouble_of(error) is not Trouble.REFUSED or edits:
                raise
            log.exception("posted in words alone", announcement=announcement.id, game=announcement.game_id)
            return await self.announcer.post(announcement, plain=True)

    async def _not_posted(self, announcement: Announcement, error: Exception) -> int | None:
        """Tell those who can put it right, or go on elsewhere. How many seconds until the next try, None for none."""
        trouble, mirrored = trouble_of(error), announcement.mirrored
        seconds = retry_in(trouble, announcement.attempts, mirrored=mirrored)
        if not isinstance(error, MissingPermissions | discord.Forbidden):
            # Nobody can mend that a channel was deleted.
            say = log.error if seconds is None and trouble is not Trouble.GONE else log.warning
            about = {"announcement": announcement.id, "game": announcement.game_id, "retry_in": seconds}
            code = error.code if isinstance(error, discord.HTTPException) else None
            say("not posted", **about, error=type(error).__name__, code=code)
        if trouble in (Trouble.CLOSED, Trouble.GONE):
            game = await self.games.game(announcement.game_id)
            if trouble is Trouble.CLOSED:
                await self.notices.closed(game, announcement.by, error, mirrored=mirrored)
            elif not mirrored or (game.mirror is not None and game.mirror.channel_id is None):
                await self.notices.gone(game, mirrored=mirrored and game.mirror is not None)
            if trouble is Trouble.GONE and mirrored:
                await self.threads.mirror_gone(game)
        return seconds
