"""Shows a game where the bot may only answer: by the press that is at hand, by the one that showed it last, and, where
there is none, to its players in direct messages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import discord
import structlog

from bot.chat.answer_tokens import AnswerTokens, ShownMessage
from bot.chat.components import GameAction, Press, view_of
from bot.chat.games import reminders
from bot.chat.games.announcer import Announcer
from bot.chat.games.posts import Post
from bot.chat.games.screens import screen
from bot.chat.games.undelivered import NOT_REACHED
from bot.chat.reach import alone_with_me, seen_by_all
from bot.chat.responses import begin_answer, is_private, show_view
from bot.chat.unforeseen import kind_told
from bot.chat.wording.message_text import fitting
from bot.games.model.announcements import BoardPosted
from bot.games.model.computer_seats import persons
from bot.games.model.game import Game
from bot.games.persistence.outbox import Announcement, PostedMessage
from bot.games.service import Games
from bot.i18n import speaking
from bot.support.frozen import frozen

log = structlog.get_logger(__name__)

_Kind = discord.InteractionResponseType
_UPDATES = (None, _Kind.deferred_message_update, _Kind.message_update)

# What Discord says of a token that holds no more, or of a message that is gone: another way is taken.
_NOT_HELD = (discord.NotFound, discord.Forbidden)
_BAD_TOKEN = 401
_TOO_LATE = (10015, 10062, 40060, 50027)


@frozen
class Answering:
    """Shows games by presses. Raises what a request of discord.py raises where Discord is in trouble."""

    client: discord.Client
    games: Games
    announcer: Announcer
    tokens: AnswerTokens

    async def show(self, game_id: int, due: Sequence[Announcement], *, plain: bool = False) -> PostedMessage | None:
        """Show a game as it stands, with what is to be said of it: the message that shows it now. None where nobody
        could be shown it. ``plain``: in words alone, without picture."""
        game = await self.games.game(game_id)
        press = self.tokens.fresh(game_id)
        unreached = await self._greeted(game, due) if _begins(game, due) else []
        with speaking(await self.announcer.languages.of_game(game, game.place.guild_id)):
            post = await self._screen(game, due, unreached)
            post = replace(post, picture=False) if plain else post
            shown = seen = None
            if press is not None:
                await begin_answer(press)
            if press is None:
                shown = await self._changed(game, post)
            elif press.channel_id == channel_of(game):
                shown = await self._shown(press, game, post, anew=not due)
            else:
                seen = await self._beside(press, game, post)
                shown = await self._changed(game, post) if due else None
        if press is not None:
            self.tokens.spend(game_id, press)
        if shown is None and due:
            but = press.user.id if press is not None and seen is not None else None
            shown = await self._written(game, due, but=but)
        return shown or seen

    async def show_nowhere_else(self, game_id: int, due: Sequence[Announcement]) -> None:
        """The messages that showed the game before have no buttons any more. What stands below the one that shows it
        now, where somebody has pressed on an older one, shows the same."""
        now, others = self.tokens.shown(game_id), self.tokens.others(game_id)
        if now is None or not others or not seen_by_all(now.press):
            return
        game = await self.games.game(game_id)
        for other in others:
            change, below = _change_of_shown(other), other.message_id > now.message_id
            try:
                if below:
                    with speaking(await self.announcer.languages.of_game(game, game.place.guild_id)):
                        below = await self._edited(change, game, await self._screen(game, due))
                else:
                    await _tried(change(view=None), game)
            except NOT_REACHED as error:
                # What it offers is refused if it is pressed.
                log.info("buttons stay", game=game.id, message=other.message_id, error=kind_told(error))
            if not below:
                self.tokens.without_buttons(game.id, other.message_id)

    async def _screen(
        self, game: Game, due: Sequence[Announcement], unreached: Sequence[int] = (), *, to_all: bool = True
    ) -> Post:
        then = [(each, await self.announcer.recent.at_ply(game.id, each.ply)) for each in due]
        deadline, huffed = await self.games.timeouts.due(game.id), await self._huffed(game)
        post = screen(game, then, deadline=deadline, unreached=unreached, to_all=to_all, huffed=huffed)
        post = await self.announcer.written_out(post, game, game.place.guild_id)
        await self.announcer.offer_language(post, game)
        return post

    async def _huffed(self, game: Game) -> Game | None:
        """The game as it stood after the huff that came before the last turn; None where it was another turn."""
        turns = [entry for entry in game.line if entry.kind == "turn"][-2:]
        if len({entry.seat for entry in turns}) == len(turns):
            return None
        before = await self.announcer.recent.at_ply(game.id, turns[0].number)
        return before if before.state.last is not None and before.state.last.kind == "huff" else None

    async def _shown(self, press: Press, game: Game, post: Post, *, anew: bool) -> PostedMessage | None:
        """Show it where it is played, for all who are there; ``anew``: in a message of its own."""
        if await self._is_board(press, game):
            return await self._pressed(press, game, post) or await self._changed(game, post)
        if press.message is None or anew:
            # The board belongs below the command.
            return await self._followed(press, game, post) or await self._changed(game, post)
        return await self._changed(game, post) or await self._followed(press, game, post)

    async def _is_board(self, press: Press, game: Game) -> bool:
        """Whether the message with what was pressed is one that shows the game to all, and can still be changed."""
        if press.message is None or press.response.type not in _UPDATES:
            return False
        data: dict[str, Any] = {**(press.data or {})}
        pressed = GameAction.decode(str(data.get("custom_id", "")))
        if pressed is None or pressed.game != game.id:
            # That of the game that this is the rematch of stays.
            return False
        if not is_private(press):
            return True
        # Where Discord shows all answers to the one who pressed alone.
        newest = await self.announcer.outbox.posted(game.id, "board")
        return newest is not None and newest.message_id == press.message.id

    async def _pressed(self, press: Press, game: Game, post: Post) -> PostedMessage | None:
        """Change the message with what was pressed."""
        assert press.message is not None
        if not await self._edited(_change_of(press), game, post):
            return None
        return self._keep(press, game, press.message.id, original=True)

    async def _followed(self, press: Press, game: Game, post: Post) -> PostedMessage | None:
        """Answer with a new message, which shows the game from now on."""
        first = not press.response.is_done()
        message_id = await self._answered(press, game, post)
        return None if message_id is None else self._keep(press, game, message_id, original=first)

    async def _answered(self, press: Press, game: Game, post: Post, *, hidden: bool = False) -> int | None:
        """The id of a new message in answer; ``hidden``: for whoever has pressed alone."""
        if press.response.is_done():
            message = await self._sent(press.followup.send, game, post, wait=True, ephemeral=hidden)
            return None if message is None else int(message.id)
        answer = await self._sent(press.response.send_message, game, post, ephemeral=hidden)
        return None if answer is None else answer.message_id

    async def _changed(self, game: Game, post: Post) -> PostedMessage | None:
        """Change the message that has shown the game last."""
        shown = self.tokens.shown(game.id)
        if shown is None:
            return None
        if not await self._edited(_change_of_shown(shown), game, post):
            self.tokens.forget(game.id)
            return None
        return PostedMessage(channel_of(game), shown.message_id)

    async def _beside(self, press: Press, game: Game, post: Post) -> PostedMessage | None:
        """Show it to a player who has pressed something elsewhere, and to nobody else there."""
        if press.user.id not in persons((*game.players, game.opener)):
            return None
        pressed, alone = press.message, alone_with_me(press)
        changes = alone and not is_private(press) and press.response.type in _UPDATES
        if pressed is not None and changes and await self._edited(_change_of(press), game, post):
            return PostedMessage(press.channel_id or 0, pressed.id)
        message_id = await self._answered(press, game, post, hidden=not alone)
        return None if message_id is None else PostedMessage(press.channel_id or 0, message_id)

    async def _written(
        self, game: Game, due: Sequence[Announcement], *, but: int | None = None
    ) -> PostedMessage | None:
        """Show it to the players in direct messages, but for the one who has seen it just now."""
        shown = None
        for person in persons(game.players if game.started_at is not None else (game.opener,)):
            if person != but:
                with speaking(await self.announcer.languages.of_person(person, None)):
                    shown = await self._direct(game, person, due, await self._screen(game, due, to_all=False)) or shown
        return shown

    async def _greeted(self, game: Game, due: Sequence[Announcement]) -> list[int]:
        """Tell the players in direct messages that reminders come there; those who take none."""
        unreached = []
        for person in persons(game.players):
            with speaking(await self.announcer.languages.of_person(person, None)):
                text = reminders.begun_text(game, person)
                post = Post(text, show_view(game) or view_of([]))
                if await self._direct(game, person, due, post) is None:
                    unreached.append(person)
        return unreached

    async def _direct(self, game: Game, person: int, due: Sequence[Announcement], post: Post) -> PostedMessage | None:
        """A direct message to one player; None where that takes none. A second try of it is known by its nonce."""
        nonce = f"{due[-1].nonce[:20]}.{game.players.index(person)}" if due and person in game.players else None
        try:
            direct = await self.client.create_dm(discord.Object(person))
        except _NOT_HELD as error:
            log.info("no direct message", game=game.id, code=error.code)
            return None
        message = await self._sent(direct.send, game, replace(post, ping=()), nonce=nonce)
        return None if message is None else PostedMessage(direct.id, message.id)

    async def _sent(self, send: Callable[..., Awaitable[Any]], game: Game, post: Post, **how: Any) -> Any | None:
        """What Discord says to a new message; None where it does not take it in this way any more."""
        extra = await self.announcer.picture(game, told=post.told) if post.picture else {}
        if post.view.children:
            extra["view"] = post.view
        return await _tried(send(fitting(post.content), allowed_mentions=post.allowed_mentions, **extra, **how), game)

    async def _edited(self, change: Callable[..., Awaitable[Any]], game: Game, post: Post) -> bool:
        """Whether Discord takes a change of a message."""
        files = list((await self.announcer.picture(game, told=post.told)).values()) if post.picture else []
        view = post.view if post.view.children else None
        content, pings = fitting(post.content), post.allowed_mentions
        changing = change(content=content, attachments=files, view=view, allowed_mentions=pings)
        return await _tried(changing, game) is not None

    def _keep(self, press: Press, game: Game, message_id: int, *, original: bool) -> PostedMessage:
        self.tokens.shows(game.id, press, message_id, original=original)
        return PostedMessage(channel_of(game), message_id)


async def _tried(request: Awaitable[Any], game: Game) -> Any | None:
    try:
        # An answer may say nothing.
        return await request or True
    except discord.HTTPException as error:
        if not isinstance(error, _NOT_HELD) and error.status != _BAD_TOKEN and error.code not in _TOO_LATE:
            raise
        log.info("not shown in this way", game=game.id, status=error.status, code=error.code)
        return None


def _change_of(press: Press) -> Callable[..., Awaitable[Any]]:
    """What changes the message with what was pressed."""
    return press.edit_original_response if press.response.is_done() else press.response.edit_message


def _change_of_shown(shown: ShownMessage) -> Callable[..., Awaitable[Any]]:
    """What changes the message that shows a game."""
    if shown.original:
        return shown.press.edit_original_response
    return partial(shown.press.followup.edit_message, shown.message_id)


def channel_of(game: Game) -> int:
    """Where a game is played, or is going to be."""
    return game.channel_id or game.place.channel_id


def _begins(game: Game, due: Sequence[Announcement]) -> bool:
    """Whether what is to be said is that a game with a clock begins."""
    starts = any(isinstance(each.content, BoardPosted) and each.content.event == "start" for each in due)
    return starts and game.control is not None
