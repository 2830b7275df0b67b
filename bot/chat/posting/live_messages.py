"""Messages kept as they are wanted: posted once, edited when there is news, tried again over Discord's outages.

For each owner (a tournament, a league, a team match) with something to say one task runs, and ends when all is said.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar
from weakref import WeakValueDictionary

import aiohttp
import discord
import structlog

from bot.chat.components import view_of
from bot.chat.posting.cards import Card
from bot.chat.posting.deleted_channels import UNKNOWN_CHANNEL
from bot.chat.posting.find_posted import posted_earlier
from bot.games.model.errors import NotStored
from bot.games.persistence.outbox import PostOutcome
from bot.support.frozen import frozen
from bot.support.keyed_tasks import KeyedTasks
from bot.support.signals import Signal
from bot.tournaments.use_cases.live_messages import PendingMessages
from data.queries.live_messages import LiveMessage

log = structlog.get_logger(__name__)

# Seconds until the next try.
PAUSES = (10, 30, 120, 600, 1800)
# Discord says that it will not take a request, however often it is made.
FINAL_STATUSES = (400, 404, 413)


@frozen
class Content:
    """What a message is to show now: a ``card``, or else ``text`` and ``view``; the text alone where Discord takes
    neither. A new one notifies ``people``; ``is_it`` knows one of an earlier try, whatever has happened since."""

    text: str
    view: discord.ui.View
    is_it: Callable[[discord.Message], bool]
    card: Card | None = None
    people: Sequence[int] = ()


@dataclass(eq=False)
class LiveMessages(ABC):
    """Keeps the messages of one kind of owners, which the log calls ``owner``, as ``posts`` wants them. ``clock`` gives
    UTC in milliseconds."""

    owner: ClassVar[str]
    client: discord.Client
    posts: PendingMessages
    clock: Callable[[], int]
    tasks: KeyedTasks = field(init=False)
    tried: Signal[[PostOutcome]] = field(init=False)
    """What became of a try to show one."""
    _tries: dict[int, int] = field(init=False, default_factory=dict)
    # The message of each post that the database could not take down: posted is posted.
    _unmarked: dict[int, int] = field(init=False, default_factory=dict)
    _channels: WeakValueDictionary[int, asyncio.Lock] = field(init=False, default_factory=WeakValueDictionary)

    def __post_init__(self) -> None:
        self.tasks = KeyedTasks(self.owner, self._say_wanted)
        self.tried: Signal[[PostOutcome]] = Signal()

    @abstractmethod
    async def _say_all(self, owner: int) -> None:
        """Say all that is wanted for an owner. What it raises is tried again after a pause."""

    async def start(self) -> None:
        """Say everything that was wanted and not posted."""
        self.tasks.open()
        for owner in dict.fromkeys([post.owner for post in await self.posts.pending()]):
            self.wake(owner)

    def wake(self, owner: int) -> None:
        """An owner may have something to say."""
        self.tasks.wake(owner)

    async def close(self) -> None:
        """Break off; the next start says what is left."""
        await self.tasks.close()

    async def _say_wanted(self, owner: int) -> float | None:
        try:
            await self._say_all(owner)
        except (aiohttp.ClientError, OSError, TimeoutError, NotStored, discord.HTTPException) as error:
            tries = self._tries.get(owner, 0)
            seconds = PAUSES[min(tries, len(PAUSES) - 1)]
            log.warning("not posted", owner=f"{self.owner} {owner}", error=str(error), retry_in=seconds)
            self._tries[owner] = tries + 1
            self.tried.send(PostOutcome.PUT_OFF)
            return seconds
        self._tries.pop(owner, None)
        return None

    async def _show(self, post: LiveMessage, guild_id: int | None, channel_id: int, content: Content) -> None:
        """Post a message or edit it, once, and mark it posted; where Discord will never take it, give it up."""
        channel, outcome = self.client.get_partial_messageable(channel_id, guild_id=guild_id), PostOutcome.SENT
        message_id = post.message_id or self._unmarked.get(post.id)
        try:
            # What reads the same is told apart by what is known to be posted: one after the other.
            async with self._channels.setdefault(channel_id, asyncio.Lock()):
                if message_id is None:
                    # Of a try whose answer never came, where that lies so far back that the nonce no longer tells.
                    earlier = await posted_earlier(
                        self.client, channel, content.is_it, post.made_at, self.clock(), self._is_known
                    )
                    if earlier is not None:
                        message_id = self._unmarked[post.id] = earlier.id
                if message_id is not None:
                    try:
                        await self._edit(channel.get_partial_message(message_id), content)
                    except discord.NotFound:
                        # It was deleted: it is posted again.
                        message_id = None
                if message_id is None:
                    message = await self._sent(channel, post, content)
                    message_id = self._unmarked[post.id] = message.id
                    if post.wanted > 1:
                        # An earlier try, by whose nonce Discord may have known this one, said less.
                        await self._edit(message, content)
        except discord.HTTPException as error:
            if error.status not in FINAL_STATUSES:
                # A permission may be given back, Discord's trouble ends.
                raise
            # Nobody can mend that a channel was deleted.
            say = log.warning if error.code == UNKNOWN_CHANNEL else log.error
            say(f"{self.owner}'s post given up", **{self.owner: post.owner}, kind=post.kind, code=error.code)
            outcome = PostOutcome.GIVEN_UP
        await self.posts.mark_posted(post, message_id)
        self._unmarked.pop(post.id, None)
        self.tried.send(outcome)

    async def _is_known(self, message_id: int) -> bool:
        """Whether a message is another post, marked already or not yet: those of two owners may read the same."""
        return message_id in self._unmarked.values() or await self.posts.is_known(message_id)

    async def _sent(self, channel: discord.PartialMessageable, post: LiveMessage, content: Content) -> discord.Message:
        """A new message; in words alone where Discord takes it in no other way."""
        try:
            return await self._send(channel, post, content)
        except discord.HTTPException as error:
            if error.status != 400:
                raise
            log.exception("posted in words alone", owner=f"{self.owner} {post.owner}", kind=post.kind)
            return await self._send(channel, post, replace(content, card=None, view=view_of([])))

    async def _send(self, channel: discord.PartialMessageable, post: LiveMessage, content: Content) -> discord.Message:
        options: dict[str, Any] = {"nonce": post.nonce}
        if content.people:
            users = [discord.Object(person) for person in content.people]
            options["allowed_mentions"] = discord.AllowedMentions(everyone=False, roles=False, users=users)
        if content.card is not None:
            return await channel.send(view=content.card.view(), files=content.card.files(), **options)
        if content.view.children:
            options["view"] = content.view
        return await channel.send(content.text, **options)

    async def _edit(self, message: discord.Message | discord.PartialMessage, content: Content) -> None:
        if content.card is None:
            await message.edit(content=content.text, view=content.view)
            return
        try:
            await _show_card(message, content.card)
        except discord.HTTPException as error:
            if error.status != 400:
                raise
            # New pictures in a card that is edited have been seen to be refused (discord-api-docs 7529).
            log.warning("edited in words alone", owner=self.owner, code=error.code, error=error.text)
            await _show_card(message, replace(content.card, parts=[content.text]))


async def _show_card(message: discord.Message | discord.PartialMessage, card: Card) -> None:
    """Make ``card`` of a message, also of an ordinary one, whose content must go then. Pictures are sent each time, as
    a gallery names files of the same request."""
    await message.edit(content=None, view=card.view(), attachments=card.files())
