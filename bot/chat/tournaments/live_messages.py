"""Keeps the messages of tournaments as they are wanted: each is posted once, and edited when there is news."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import discord
import structlog

from bot.chat.posting.find_posted import custom_ids, posted_earlier
from bot.chat.posting.live_messages import LiveMessages, is_passing
from bot.chat.responses import fitting
from bot.chat.tournaments import schedule_texts as terms
from bot.chat.tournaments import texts
from bot.chat.tournaments.buttons import announcement_view, check_in_view, picture_view, round_view, standings_view
from bot.chat.tournaments.pictures import Picture, TournamentPictures, brief, digest
from bot.i18n import _, speaking
from bot.tournaments.service import Tournaments
from bot.tournaments.use_cases.change import StoredTournament
from data.queries.tournaments import PostRow

log = structlog.get_logger(__name__)

_KEPT = 500


class TournamentMessages(LiveMessages):
    """One for each running bot."""

    owner = "tournament"

    def __init__(self, client: discord.Client, tournaments: Tournaments, pictures: TournamentPictures) -> None:
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
        tournament = await self._tournaments.load(post.tournament_id)
        with speaking(await self._pictures.language(tournament)):
            await self._say_of(tournament, post)

    async def _say_of(self, tournament: StoredTournament, post: PostRow) -> None:
        marked = await self._tournaments.marked(tournament.state.by_person) if post.kind == "announcement" else {}
        content, view = content_of(tournament, post, marked)
        pictures = await self._pictures.posted(tournament) if post.kind == "standings" else []
        if pictures:
            content, view = brief(tournament), picture_view(tournament)
        shown = digest(pictures)
        channel = self._client.get_partial_messageable(tournament.row.channel_id, guild_id=tournament.row.guild_id)
        message_id = post.message_id or self._unmarked.get(post.id)
        try:
            if message_id is None:
                message_id = await self._posted_earlier(channel, tournament, post)
            if message_id is not None:
                try:
                    await self._edit(channel.get_partial_message(message_id), content, view, pictures)
                except discord.NotFound:
                    # It was deleted: it is posted again.
                    message_id = None
            if message_id is None:
                more: dict[str, Any] = {"view": view} if view.children else {}
                if pictures:
                    more["files"] = [picture.file() for picture in pictures]
                if people := await self._tournaments.awake(terms.called(tournament, post.kind, post.round)):
                    users = [discord.Object(person) for person in people]
                    more["allowed_mentions"] = discord.AllowedMentions(everyone=False, roles=False, users=users)
                message = await channel.send(content, nonce=post.nonce, **more)
                message_id = self._unmarked[post.id] = message.id
                if post.wanted > 1:
                    # An earlier try, by whose nonce Discord may have known this one, said less.
                    await self._edit(message, content, view, pictures)
            if pictures or message_id in self._shown:
                self._keep(message_id, shown)
        except discord.HTTPException as error:
            if is_passing(error):
                raise
            log.error("tournament's post given up", tournament=tournament.row.id, kind=post.kind, code=error.code)
        await self._tournaments.said(post, message_id)
        self._unmarked.pop(post.id, None)

    async def _edit(
        self,
        message: discord.Message | discord.PartialMessage,
        content: str,
        view: discord.ui.View,
        pictures: list[Picture],
    ) -> None:
        edited: dict[str, Any] = {"content": content, "view": view}
        if self._shown.get(message.id, digest([])) != digest(pictures):
            edited["attachments"] = [picture.file() for picture in pictures]
        await message.edit(**edited)

    async def _posted_earlier(
        self, channel: discord.PartialMessageable, tournament: StoredTournament, post: PostRow
    ) -> int | None:
        """The message of a try whose answer never came, where that lies so far back that the nonce no longer tells."""
        me = self._client.user
        if me is None or self._tournaments.now - post.made_at < self.nonce_holds:
            return None
        starts = beginnings(tournament, post)

        def is_it(message: discord.Message) -> bool:
            ids = [found for found in custom_ids(message) if found.startswith("tournament:")]
            return message.content.startswith(starts) and all(int(i.split(":")[2]) == tournament.row.id for i in ids)

        found = await posted_earlier(channel, me.id, is_it, post.made_at, self._tournaments.is_post)
        return None if found is None else found.id

    def _keep(self, message_id: int, shown: bytes) -> None:
        self._shown.pop(message_id, None)
        self._shown[message_id] = shown
        while len(self._shown) > _KEPT:
            del self._shown[next(iter(self._shown))]


def beginnings(tournament: StoredTournament, post: PostRow) -> tuple[str, ...]:
    """What a message may begin with, whatever has happened since it was posted."""
    match post.kind:
        case "announcement":
            return (texts.announcement_beginning(tournament),)
        case "round":
            return (_("**{event}, round {round}**").format(event=tournament.row.name, round=post.round),)
        case "podium":
            return texts.podium_beginnings(tournament)
        case kind if kind in terms.CALLS:
            return terms.call_beginnings(tournament, kind, post.round)
        case _:
            return (f"**{tournament.row.name}: ",)


def content_of(tournament: StoredTournament, post: PostRow, marked: terms.Marks) -> tuple[str, discord.ui.View]:
    """Words and buttons of a message; ``marked``: who did not come to games lately."""
    match post.kind:
        case "announcement":
            return texts.announcement(tournament, marked), announcement_view(tournament)
        case "checkin":
            return fitting(terms.call(tournament, post.kind, post.round)), check_in_view(tournament)
        case kind if kind in terms.CALLS:
            return fitting(terms.call(tournament, kind, post.round)), discord.ui.View(timeout=None)
        case "round":
            return texts.round_text(tournament, post.round), round_view(tournament, post.round)
        case "podium":
            return texts.podium(tournament), discord.ui.View(timeout=None)
        case _:
            return texts.standings(tournament), standings_view(tournament)
