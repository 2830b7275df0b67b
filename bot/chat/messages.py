"""Typed moves: what a message in a channel leads to."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import aiohttp
import discord
import structlog

from bot.chat import permissions
from bot.chat.games.buttons import move_of, picked_of
from bot.chat.games.typed_text import TypedText, said
from bot.chat.responses import TROUBLE, fitting, refusal
from bot.chat.services import Services
from bot.chat.study.puzzle_buttons import answers_puzzle
from bot.engine.errors import NotAMove
from bot.games.model.errors import Duplicate, MoveRefused, NotStored, Refused
from bot.i18n import N_, _, speak

log = structlog.get_logger(__name__)

_KEPT = 5_000

NO_GAME = N_("No game is running in this channel. Start one with `/play`; `/help` says how.")


class Messages:
    """Takes every message that Discord delivers. Talk is never answered; what is said to the bot always is."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._taken: OrderedDict[int, None] = OrderedDict()

    async def take(self, message: discord.Message, me: int) -> None:
        """Play the move that ``message`` may hold. ``me`` is the bot's own id."""
        words = said(message, me)
        if words is None or not self._first_time(message.id):
            return
        try:
            guild = None if message.guild is None else message.guild.id
            speak(await self._services.speech.of_person(message.author.id, guild))
            await self._play(message, words, me)
        except Duplicate:
            log.info("message came twice", message=message.id)
        except Refused as refused:
            if words.addressed or _worth_a_word(refused):
                text, view = await refusal(refused, self._services)
                await self._reply(message, text, view)
        except Exception:
            log.exception("message failed", message=message.id, channel=message.channel.id)
            if words.addressed:
                await self._reply(message, _(TROUBLE))

    async def _play(self, message: discord.Message, words: TypedText, me: int) -> None:
        services, person = self._services, message.author
        if answers_puzzle(message, me):
            # It is no move in the game that may be going on here.
            raise Refused(_("Press *Answer* under the puzzle and type it there: here everybody would read it."))
        try:
            game = await services.games.running_in(message.channel.id)
        except NotStored:
            if words.addressed:
                raise
            return
        if game is None:
            raise Refused(_(NO_GAME))
        if not words.addressed and game.to_move != person.id:
            return
        services.names.learn(person)
        text, ply = words.text, None
        if words.addressed and (picked := picked_of(message, me)) is not None and picked.game == game.id:
            text, ply = move_of(picked, game), picked.ply
        services.changed(await services.games.moves.turn(game.id, person.id, text, f"m:{message.id}", ply))

    def _first_time(self, message_id: int) -> bool:
        """Whether this message was not taken before: Discord may deliver one twice, and one refusal is enough."""
        if message_id in self._taken:
            return False
        self._taken[message_id] = None
        if len(self._taken) > _KEPT:
            self._taken.popitem(last=False)
        return True

    async def _reply(self, message: discord.Message, text: str, view: discord.ui.View | None = None) -> None:
        """Answer under the message, without a ping."""
        channel = message.channel
        if isinstance(channel, discord.abc.GuildChannel | discord.Thread) and permissions.missing_in(channel):
            log.info("no permission to answer", channel=channel.id)
            return
        more: dict[str, Any] = {} if view is None else {"view": view}
        reference = message.to_reference(fail_if_not_exists=False)
        try:
            await channel.send(fitting(text), reference=reference, mention_author=False, **more)
        except discord.HTTPException as error:
            log.warning("not answered", message=message.id, status=error.status, code=error.code)
        except (aiohttp.ClientError, OSError) as error:
            log.warning("not answered", message=message.id, error=repr(error))


def _worth_a_word(refused: Refused) -> bool:
    """Whether a move that was not addressed to the bot is answered: a move of the player to move, but one that the
    rules refuse, or that could not be stored."""
    if isinstance(refused, MoveRefused):
        return not isinstance(refused.error, NotAMove)
    return isinstance(refused, NotStored)
