"""Keeps the messages of leagues and team matches as they are wanted: each is posted once in each of its channels, and
edited when there is news.

For each contest with something to say one task runs, and ends when all is said.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import aiohttp
import discord
import structlog

from bot.chat.answers import fitting
from bot.games.refused import NotStored
from bot.language import speaking
from data.contests import ContestPostRow

log = structlog.get_logger(__name__)

# Seconds until the next try.
PAUSES = (10, 30, 120, 600, 1800)
_PASSING = (403, 429)

Wanted = Callable[[int | None], Awaitable[list[ContestPostRow]]]
Said = Callable[[ContestPostRow, int | None], Awaitable[None]]
Content = Callable[[ContestPostRow], Awaitable[tuple[str, discord.ui.View]]]


class ContestPosts:
    """One for each running bot. ``wanted`` and ``said`` are the store's; ``content`` gives words and buttons of a
    message by its kind, ``language`` what a server reads."""

    def __init__(
        self,
        client: discord.Client,
        wanted: Wanted,
        said: Said,
        content: Mapping[str, Content],
        language: Callable[[int], Awaitable[str]],
    ) -> None:
        self._client = client
        self._wanted = wanted
        self._said = said
        self._content = content
        self._language = language
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()

    async def start(self) -> None:
        """Say everything that was wanted and not posted."""
        for contest_id in dict.fromkeys(post.contest_id for post in await self._wanted(None)):
            self.wake(contest_id)

    def wake(self, contest_id: int) -> None:
        """A contest may have something to say."""
        self._again.add(contest_id)
        if contest_id not in self._tasks:
            task = asyncio.create_task(self._drain(contest_id), name=f"contest-{contest_id}")
            self._tasks[contest_id] = task
            task.add_done_callback(lambda done: self._ended(contest_id, done))

    def _ended(self, contest_id: int, task: asyncio.Task[None]) -> None:
        if self._tasks.get(contest_id) is task:
            del self._tasks[contest_id]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("contest's posts stopped", contest=contest_id, exc_info=error)

    async def close(self) -> None:
        """Break off; the next start says what is left."""
        tasks = set(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _drain(self, contest_id: int) -> None:
        tries = 0
        while contest_id in self._again:
            self._again.discard(contest_id)
            try:
                failed = None
                for post in await self._wanted(contest_id):
                    try:
                        await self._say(post)
                    except discord.HTTPException as error:
                        # One server out of reach keeps the other from nothing.
                        failed = error
                if failed is not None:
                    raise failed
                tries = 0
            except (aiohttp.ClientError, OSError, TimeoutError, NotStored, discord.HTTPException) as error:
                seconds = PAUSES[min(tries, len(PAUSES) - 1)]
                log.warning("not posted", contest=contest_id, error=str(error), retry_in=seconds)
                tries += 1
                self._again.add(contest_id)
                await asyncio.sleep(seconds)
        # In one step with the look at what was added: a wake from now on starts another task.
        self._tasks.pop(contest_id, None)

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
            if error.status in _PASSING or error.status >= 500:
                raise
            log.error("contest's post given up", contest=post.contest_id, kind=post.kind, code=error.code)
        await self._said(post, message_id)
