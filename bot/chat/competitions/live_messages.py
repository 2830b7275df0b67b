"""Keeps the messages of leagues and team matches as they are wanted: each is posted once in each of its channels, and
edited when there is news."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping

import discord

from bot.chat.posting.live_messages import Content, LiveMessages
from bot.chat.text import fitting
from bot.i18n import speaking
from data.queries.competitions import CompetitionPostRow

Wanted = Callable[[int | None], Awaitable[list[CompetitionPostRow]]]
Said = Callable[[CompetitionPostRow, int | None], Awaitable[None]]
WordsAndButtons = Callable[[CompetitionPostRow], Awaitable[tuple[str, discord.ui.View]]]


class CompetitionMessages(LiveMessages[CompetitionPostRow]):
    """The messages of leagues and team matches, in each of their channels. ``wanted`` and ``said`` are the store's;
    ``content`` gives words and buttons of a message by its kind, ``language`` what a server reads; ``is_post`` says
    whether a message is known."""

    owner = "competition"

    def __init__(
        self,
        client: discord.Client,
        wanted: Wanted,
        said: Said,
        content: Mapping[str, WordsAndButtons],
        language: Callable[[int], Awaitable[str]],
        is_post: Callable[[int], Awaitable[bool]],
        clock: Callable[[], int],
    ) -> None:
        super().__init__(client, clock)
        self._wanted = wanted
        self._said = said
        self._content = content
        self._language = language
        self._is_known = is_post

    async def _with_news(self) -> Iterable[int]:
        return [post.contest_id for post in await self._wanted(None)]

    async def _say_all(self, owner: int) -> None:
        failed = None
        for post in await self._wanted(owner):
            try:
                with speaking(await self._language(post.guild_id)):
                    text, view = await self._content[post.kind](post)
                await self._show(owner, post, post.guild_id, post.channel_id, _content(fitting(text), view))
            except discord.HTTPException as error:
                # One server out of reach keeps the other from nothing.
                failed = error
        if failed is not None:
            raise failed

    async def _is_post(self, message_id: int) -> bool:
        return await self._is_known(message_id)

    async def _mark_posted(self, post: CompetitionPostRow, message_id: int | None) -> None:
        await self._said(post, message_id)


def _content(text: str, view: discord.ui.View) -> Content:
    # The first line names the competition, and its season.
    start = text.split("\n", 1)[0]
    return Content(text, view, lambda message: message.content.startswith(start))
