"""Posts an announcement: finds out of which game, where and in which language, then writes, draws and sends."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import discord
import structlog

from bot.chat.board_pictures import BoardPictures
from bot.chat.components import view_of
from bot.chat.games import reminders
from bot.chat.games.buttons import language_button
from bot.chat.games.game_threads import GameThreads, Outdated
from bot.chat.games.posts import Post, post_of, with_board
from bot.chat.posting.find_posted import carried_by, posted_earlier, same_as, with_button
from bot.chat.recent_games import RecentGames
from bot.chat.responses import show_view
from bot.chat.wording.languages import Languages
from bot.chat.wording.links import Links, guild_of, plays_away
from bot.chat.wording.message_text import LONGEST, fitting
from bot.chat.wording.players import mention
from bot.games.model.announcements import (
    BoardPosted,
    ChallengeChanged,
    ChallengeClosed,
    Challenged,
    Digest,
    OfferClosed,
    PlayersChanged,
    Reminder,
)
from bot.games.model.computer_seats import is_computer, persons
from bot.games.model.game import Game
from bot.games.persistence.off_loop import find_turns
from bot.games.persistence.outbox import Announcement, Outbox, PostedMessage
from bot.games.service import Games
from bot.i18n import LANGUAGES, speaking, spoken
from bot.support.frozen import frozen

log = structlog.get_logger(__name__)


@frozen
class Announcer:
    """Makes one message of an announcement, or changes one. Raises MissingPermissions, and what Discord raises.
    ``events`` tells what the tournaments are called that games are of, by game."""

    client: discord.Client
    games: Games
    outbox: Outbox
    recent: RecentGames
    threads: GameThreads
    languages: Languages
    pictures: BoardPictures
    links: Links
    clock: Callable[[], int]
    events: Callable[[Sequence[int]], Awaitable[Mapping[int, str]]]

    async def post(self, announcement: Announcement, *, plain: bool = False) -> PostedMessage | None:
        """The message that now says it; None where there is nothing to say any more. ``plain``: in words alone, without
        picture and buttons."""
        if isinstance(announcement.content, Reminder | Digest):
            return await self._remind(announcement, announcement.content)
        game = await self.recent.at_ply(announcement.game_id, announcement.ply)
        mirrored = game.mirror is not None and announcement.mirrored
        with speaking(await self.languages.of_game(game, guild_of(game, mirrored=mirrored))):
            if isinstance(announcement.content, PlayersChanged):
                await self.threads.rename(game, mirrored=mirrored)
                return None
            post = await self._readable(post_of(announcement, game, mirrored=mirrored), game, mirrored=mirrored)
            if plain:
                post = replace(post, view=view_of([]), picture=False)
            words = post.content
            post = await self.written_out(post, game, guild_of(game, mirrored=mirrored))
            if isinstance(announcement.content, ChallengeChanged | Challenged | BoardPosted):
                await self.offer_language(post, game)
            if isinstance(announcement.content, ChallengeChanged | ChallengeClosed | OfferClosed):
                return await self._edit(announcement.edits, game, post)
            if isinstance(announcement.content, Challenged) and not mirrored:
                channel_id = game.place.channel_id
            else:
                channel_id = await self.threads.channel_of(game, mirrored=mirrored)
            return await self._send(channel_id, game, post, words, announcement)

    async def _readable(self, post: Post, game: Game, *, mirrored: bool) -> Post:
        """``post`` with the names of those who play on the other server: Discord shows none of who is not a member."""
        if game.mirror is None:
            return post
        content = post.content
        for person, name in zip(game.players, await self.pictures.names_of(game), strict=True):
            if person is not None and plays_away(game, person) is not mirrored:
                content = content.replace(mention(person), discord.utils.escape_markdown(name))
        return replace(post, content=content)

    async def written_out(self, post: Post, game: Game, guild: int | None) -> Post:
        """``post``, with its board in words too where one of the players or the whole server wants that."""
        if not post.picture or not await self._wants_words(game, guild):
            return post
        await find_turns(game)
        content = with_board(post.content, game)
        return replace(post, content=content, told=len(content) <= LONGEST)

    async def offer_language(self, post: Post, game: Game) -> None:
        """Where a game begins whose people have a language that Discord does not speak, it stands under the ``post``,
        if that is in another one and somebody who plays, or may, has chosen none yet."""
        offered = game.rules.variant.tables.language
        if offered not in LANGUAGES or offered == spoken() or game.entries or not post.view.children:
            return
        known = {person for person in (*game.players, *game.invited) if person is not None and not is_computer(person)}
        free = (None, None) in zip(game.players, game.invited, strict=True)
        if free or None in [(await self.games.preferences.load(person)).language for person in known]:
            post.view.add_item(language_button(game, offered))

    async def _wants_words(self, game: Game, guild: int | None) -> bool:
        if await self.languages.written_out(guild):
            return True
        for person in persons(game.players):
            if (await self.games.preferences.load(person)).words:
                return True
        return False

    async def _remind(self, announcement: Announcement, news: Reminder | Digest) -> PostedMessage | None:
        """Tell one person by direct message or, where that is closed, by a post in the game's channel that pings them.
        What no longer holds is not said."""
        game = await self.games.game(announcement.game_id)
        if isinstance(news, Reminder) and not reminders.still_holds(news, announcement.ply, game):
            return None
        away = plays_away(game, news.to)
        with speaking(await self.languages.of_person(news.to, guild_of(game, mirrored=away))):
            text = await self._reminder_text(news, game)
            try:
                direct = await self.client.create_dm(discord.Object(news.to))
                view = show_view(game)
                reminder = same_as(fitting(text), [], [] if view is None else carried_by(view))
                message = await self._posted_earlier(direct, announcement, reminder)
                if message is None:
                    button: dict[str, Any] = {} if view is None else {"view": view}
                    message = await direct.send(fitting(text), nonce=announcement.nonce, **button)
            except (discord.Forbidden, discord.NotFound) as error:
                if game.place.answers_only:
                    # The player was told at the beginning that no reminder comes.
                    log.info("reminder not taken", game=game.id, code=error.code)
                    return None
                # Still that person's: nobody else is spoken to.
                post = post_of(announcement, game, mirrored=away)
                post = replace(post, content=post.content + text)
                channel_id = await self.threads.channel_of(game, mirrored=away)
                return await self._send(channel_id, game, post, post.content, announcement)
        return PostedMessage(direct.id, message.id)

    async def _reminder_text(self, news: Reminder | Digest, game: Game) -> str:
        if isinstance(news, Reminder):
            link = await (self.links.challenge(game) if game.status == "open" else self.links.board(game, news.to))
            event = (await self.events([game.id])).get(game.id)
            return reminders.reminder_text(news, game, event, link)
        events = await self.events([game_id for game_id, _ in news.games])
        waiting = []
        for game_id, due in news.games:
            game = await self.games.game(game_id)
            # Of the games of a digest those that still wait for its reader.
            if game.to_move == news.to:
                link = await self.links.board(game, news.to)
                waiting.append(reminders.digest_line(news, game, events.get(game_id), due, link))
        return reminders.digest_text(news, waiting)

    async def _edit(self, target: PostedMessage | None, game: Game, post: Post) -> PostedMessage | None:
        if target is None:
            return None
        message = self.threads.messageable(target.channel_id, game).get_partial_message(target.message_id)
        try:
            await message.edit(content=fitting(post.content), view=post.view, allowed_mentions=post.allowed_mentions)
        except (discord.NotFound, discord.Forbidden) as error:
            # It was deleted, or is out of reach: the game itself does not depend on it.
            log.info("post not edited", game=game.id, code=error.code)
            return None
        return target

    async def _send(
        self, channel_id: int, game: Game, post: Post, words: str, announcement: Announcement
    ) -> PostedMessage:
        """Post it, unless that has been done. ``words``: all that it said where it was posted in words alone. Raises
        Outdated where something of what waits in the game was taken back meanwhile, such as this."""
        where, content = self.threads.messageable(channel_id, game), fitting(post.content)
        self.threads.check(where)
        extra: dict[str, Any] = await self.picture(game, told=post.told) if post.picture else {}
        if post.view.children:
            extra["view"] = post.view
        file, buttons = extra.get("file"), carried_by(post.view)
        in_full = same_as(content, [] if file is None else [file.filename], buttons)
        if isinstance(announcement.content, Challenged) and buttons:
            # Somebody may have taken a seat since: it reads otherwise, and its first button is still its own.
            in_full = with_button(buttons[0])
        message = await self._posted_earlier(where, announcement, in_full, same_as(fitting(words), [], []))
        if message is None:
            if self.outbox.is_stale(announcement.game_id):
                raise Outdated
            extra["allowed_mentions"] = post.allowed_mentions
            message = await where.send(content, nonce=announcement.nonce, **extra)
        return PostedMessage(channel_id, message.id)

    async def _posted_earlier(
        self, where: discord.abc.Messageable, announcement: Announcement, *forms: Callable[[discord.Message], bool]
    ) -> discord.Message | None:
        """The post of a try that was broken off, in any of its forms, where it lies so far back that the nonce no
        longer tells."""
        is_known = partial(self.outbox.is_post, announcement.game_id)
        return await posted_earlier(
            self.client,
            where,
            lambda message: any(is_it(message) for is_it in forms),
            announcement.made_at,
            self.clock(),
            is_known,
        )

    async def picture(self, game: Game, *, told: bool = False) -> dict[str, Any]:
        """The board of ``game``, as what is sent with a message, which has ``told`` what it shows or not; nothing where
        it cannot be drawn."""
        try:
            return {"file": (await self.pictures.posted(game)).file(told=told)}
        except Exception:
            # A game that goes on without a picture is better than one that stands still.
            log.exception("board not drawn", game=game.id, ply=game.ply)
            return {}
