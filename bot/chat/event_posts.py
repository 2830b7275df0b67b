"""Keeps the messages of tournaments as they are wanted: each is posted once, and edited when there is news."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import discord
import structlog

from bot.chat import event_terms as terms
from bot.chat import event_texts as texts
from bot.chat.answers import fitting
from bot.chat.event_buttons import announcement_view, check_in_view, picture_view, round_view, standings_view
from bot.chat.event_pictures import EventPictures, brief, digest
from bot.chat.standing_posts import StandingPosts, is_passing
from bot.language import speaking
from bot.tournaments.desk import Held
from bot.tournaments.service import Tournaments
from data.tournaments import PostRow

log = structlog.get_logger(__name__)

_KEPT = 500


class EventPosts(StandingPosts):
    """One for each running bot."""

    owner = "tournament"

    def __init__(self, client: discord.Client, tournaments: Tournaments, pictures: EventPictures) -> None:
        super().__init__()
        self._client = client
        self._tournaments = tournaments
        self._pictures = pictures
        # Of what a message shows now: what has not changed is not sent again.
        self._shown: dict[int, bytes] = {}

    async def _with_news(self) -> Iterable[int]:
        return [post.tournament_id for post in await self._tournaments.wanted()]

    async def _say_all(self, owner: int) -> None:
        for post in await self._tournaments.wanted(owner):
            await self._say(post)

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
            if is_passing(error):
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
            return fitting(terms.call(held, post.kind, post.round)), check_in_view(held)
        case kind if kind in terms.CALLS:
            return fitting(terms.call(held, kind, post.round)), discord.ui.View(timeout=None)
        case "round":
            return texts.round_text(held, post.round), round_view(held, post.round)
        case "podium":
            return texts.podium(held), discord.ui.View(timeout=None)
        case _:
            return texts.standings(held), standings_view(held)
