"""Keeps the messages of leagues and team matches as they are wanted: each is posted once in each of its channels, and
edited when there is news."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

import discord
import structlog

from bot.chat.posting.find_posted import posted_earlier
from bot.chat.posting.live_messages import LiveMessages, is_passing
from bot.chat.responses import fitting
from bot.i18n import speaking
from data.queries.competitions import CompetitionPostRow

log = structlog.get_logger(__name__)

Wanted = Callable[[int | None], Awaitable[list[CompetitionPostRow]]]
Said = Callable[[CompetitionPostRow, int | None], Awaitable[None]]
Content = Callable[[CompetitionPostRow], Awaitable[tuple[str, discord.ui.View]]]


class CompetitionMessages(LiveMessages):
    """One for each running bot. ``wanted`` and ``said`` are the store's; ``content`` gives words and buttons of a
    message by its kind, ``language`` what a server reads; ``is_post`` says whether a message is known, ``clock`` UTC in
    milliseconds."""

    owner = "contest"

    def __init__(
        self,
        client: discord.Client,
        wanted: Wanted,
        said: Said,
        content: Mapping[str, Content],
        language: Callable[[int], Awaitable[str]],
        is_post: Callable[[int], Awaitable[bool]],
        clock: Callable[[], int],
    ) -> None:
        super().__init__()
        self._client = client
        self._wanted = wanted
        self._said = said
        self._content = content
        self._language = language
        self._is_post = is_post
        self._clock = clock

    async def _with_news(self) -> Iterable[int]:
        return [post.contest_id for post in await self._wanted(None)]

    async def _say_all(self, owner: int) -> None:
        failed = None
        for post in await self._wanted(owner):
            try:
                await self._say(post)
            except discord.HTTPException as error:
                # One server out of reach keeps the other from nothing.
                failed = error
        if failed is not None:
            raise failed

    async def _say(self, post: CompetitionPostRow) -> None:
        with speaking(await self._language(post.guild_id)):
            text, view = await self._content[post.kind](post)
        content = fitting(text)
        channel = self._client.get_partial_messageable(post.channel_id, guild_id=post.guild_id)
        message_id = post.message_id or self._unmarked.get(post.id)
        try:
            if message_id is None:
                message_id = await self._posted_earlier(channel, post, content)
            if message_id is not None:
                try:
                    await channel.get_partial_message(message_id).edit(content=content, view=view)
                except discord.NotFound:
                    # It was deleted: it is posted again.
                    message_id = None
            if message_id is None:
                more: dict[str, Any] = {"view": view} if view.children else {}
                message = await channel.send(content, nonce=post.nonce, **more)
                message_id = self._unmarked[post.id] = message.id
                if post.wanted > 1:
                    # An earlier try, by whose nonce Discord may have known this one, said less.
                    await message.edit(content=content, view=view)
        except discord.HTTPException as error:
            if is_passing(error):
                raise
            log.error("contest's post given up", contest=post.contest_id, kind=post.kind, code=error.code)
        await self._said(post, message_id)
        self._unmarked.pop(post.id, None)

    async def _posted_earlier(
        self, channel: discord.PartialMessageable, post: CompetitionPostRow, content: str
    ) -> int | None:
        """The message of a try whose answer never came, where that lies so far back that the nonce no longer tells: its
        first line names the contest and its season."""
        me = self._client.user
        if me is None or self._clock() - post.made_at < self.nonce_holds:
            return None
        start = content.split("\n", 1)[0]
        found = await posted_earlier(
            channel, me.id, lambda message: message.content.startswith(start), post.made_at, self._is_post
        )
        return None if found is None else found.id
