"""Keeps the messages of tournaments as they are wanted: each is posted once, and edited when there is news.

For each tournament with something to say one task runs, and ends when all is said.
"""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import discord
import structlog

from bot.chat import event_terms as terms
from bot.chat import event_texts as texts
from bot.chat.event_buttons import announcement_view, check_in_view, picture_view, round_view, standings_view
from bot.chat.event_pictures import EventPictures, brief, digest
from bot.games.refused import NotStored
from bot.language import speaking
from bot.tournaments.desk import Held
from bot.tournaments.service import Tournaments
from data.tournaments import PostRow

log = structlog.get_logger(__name__)

# Seconds until the next try.
PAUSES = (10, 30, 120, 600, 1800)
_PASSING = (403, 429)
_KEPT = 500


class EventPosts:
    """One for each running bot."""

    def __init__(self, client: discord.Client, tournaments: Tournaments, pictures: EventPictures) -> None:
        self._client = client
        self._tournaments = tournaments
        self._pictures = pictures
        # Of what a message shows now: what has not changed is not sent again.
        self._shown: dict[int, bytes] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()

    async def start(self) -> None:
        """Say everything that was wanted and not posted."""
        for tournament_id in dict.fromkeys(post.tournament_id for post in await self._tournaments.wanted()):
            self.wake(tournament_id)

    def wake(self, tournament_id: int) -> None:
        """A tournament may have something to say."""
        self._again.add(tournament_id)
        if tournament_id not in self._tasks:
            task = asyncio.create_task(self._drain(tournament_id), name=f"tournament-{tournament_id}")
            self._tasks[tournament_id] = task
            task.add_done_callback(lambda done: self._ended(tournament_id, done))

    def _ended(self, tournament_id: int, task: asyncio.Task[None]) -> None:
        if self._tasks.get(tournament_id) is task:
            del self._tasks[tournament_id]
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("tournament's posts stopped", tournament=tournament_id, exc_info=error)

    async def close(self) -> None:
        """Break off; the next start says what is left."""
        tasks = set(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _drain(self, tournament_id: int) -> None:
        tries = 0
        while tournament_id in self._again:
            self._again.discard(tournament_id)
            try:
                for post in await self._tournaments.wanted(tournament_id):
                    await self._say(post)
                tries = 0
            except (aiohttp.ClientError, OSError, TimeoutError, NotStored, discord.HTTPException) as error:
                seconds = PAUSES[min(tries, len(PAUSES) - 1)]
                log.warning("not posted", tournament=tournament_id, error=str(error), retry_in=seconds)
                tries += 1
                self._again.add(tournament_id)
                await asyncio.sleep(seconds)
        # In one step with the look at what was added: a wake from now on starts another task.
        self._tasks.pop(tournament_id, None)

    async def _say(self, post: PostRow) -> None:
        held = await self._tournaments.held(post.tournament_id)
        with speaking(await self._pictures.language(held)):
            await self._say_of(held, post)

    async def _say_of(self, held: Held, post: PostRow) -> None:
        marked = await self._tournaments.marked(held.state.by_person) if post.kind == "announcement" else {}
        content, view = content_of(held, post, marked)
        pictures = await self._pictures.posted(held) if post.kind == "standings" else []
        if pictures:
            content, view = brief(held), picture_view(held)
        shown = digest(pictures)
        channel = self._client.get_partial_messageable(held.row.channel_id, guild_id=held.row.guild_id)
        message_id = post.message_id
        try:
            if message_id is not None:
                try:
                    edited: dict[str, Any] = {"content": content, "view": view}
                    if self._shown.get(message_id, digest([])) != shown:
                        edited["attachments"] = [picture.file() for picture in pictures]
                    await channel.get_partial_message(message_id).edit(**edited)
                except discord.NotFound:
                    # It was deleted: it is posted again.
                    message_id = None
            if message_id is None:
                more: dict[str, Any] = {"view": view} if view.children else {}
                if pictures:
                    more["files"] = [picture.file() for picture in pictures]
                if people := await self._tournaments.awake(terms.called(held, post.kind, post.round)):
                    users = [discord.Object(person) for person in people]
                    more["allowed_mentions"] = discord.AllowedMentions(everyone=False, roles=False, users=users)
                message = await channel.send(content, nonce=post.nonce, **more)
                message_id = message.id
            if pictures or message_id in self._shown:
                self._keep(message_id, shown)
        except discord.HTTPException as error:
            if error.status in _PASSING or error.status >= 500:
                raise
            log.error("tournament's post given up", tournament=held.row.id, kind=post.kind, code=error.code)
        await self._tournaments.said(post, message_id)

    def _keep(self, message_id: int, shown: bytes) -> None:
        self._shown.pop(message_id, None)
        self._shown[message_id] = shown
        while len(self._shown) > _KEPT:
            del self._shown[next(iter(self._shown))]


def content_of(held: Held, post: PostRow, marked: terms.Marks) -> tuple[str, discord.ui.View]:
    """Words and buttons of a message; ``marked``: who did not come to games lately."""
    match post.kind:
        case "announcement":
            return texts.announcement(held, marked), announcement_view(held)
        case "checkin":
            return terms.call(held, post.kind, post.round), check_in_view(held)
        case kind if kind in terms.CALLS:
            return terms.call(held, kind, post.round), discord.ui.View(timeout=None)
        case "round":
            return texts.round_text(held, post.round), round_view(held, post.round)
        case "podium":
            return texts.podium(held), discord.ui.View(timeout=None)
        case _:
            return texts.standings(held), standings_view(held)
