"""Keeps the messages of leagues and team matches as they are wanted: each is posted once in each of its channels, and
edited when there is news."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

import discord
import structlog

from bot.chat.answers import fitting
from bot.chat.standing_posts import StandingPosts, is_passing
from bot.language import speaking
from data.contests import ContestPostRow

log = structlog.get_logger(__name__)

Wanted = Callable[[int | None], Awaitable[list[ContestPostRow]]]
Said = Callable[[ContestPostRow, int | None], Awaitable[None]]
Content = Callable[[ContestPostRow], Awaitable[tuple[str, discord.ui.View]]]


class ContestPosts(StandingPosts):
    """One for each running bot. ``wanted`` and ``said`` are the store's; ``content`` gives words and buttons of a
    message by its kind, ``language`` what a server reads."""

    owner = "contest"

    def __init__(
        self,
        client: discord.Client,
        wanted: Wanted,
        said: Said,
        content: Mapping[str, Content],
        language: Callable[[int], Awaitable[str]],
    ) -> None:
        super().__init__()
        self._client = client
        self._wanted = wanted
        self._said = said
        self._content = content
        self._language = language

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

    async def _say(self, post: ContestPostRow) -> None:
        with speaking(await self._language(post.guild_id)):
            text, view = await self._content[post.kind](post)
        content = fitting(text)
        channel = self._client.get_partial_messageable(post.channel_id, guild_id=post.guild_id)
        message_id = post.message_id
        try:
            if message_id is not None:
                try:
                    await channel.get_partial_message(message_id).edit(content=content, view=view)
                except discord.NotFound:
                    # It was deleted: it is posted again.
                    message_id = None
            if message_id is None:
                more: dict[str, Any] = {"view": view} if view.children else {}
                message = await channel.send(content, nonce=post.nonce, **more)
                message_id = message.id
        except discord.HTTPException as error:
            if is_passing(error):
                raise
            log.error("contest's post given up", contest=post.contest_id, kind=post.kind, code=error.code)
        await self._said(post, message_id)
