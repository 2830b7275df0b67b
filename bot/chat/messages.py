"""Typed messages: what a message in a channel leads to."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import aiohttp
import discord
import structlog

from bot.chat import permissions, unforeseen
from bot.chat.components import game_button, view_of
from bot.chat.features import TypedHandler
from bot.chat.responses import refusal
from bot.chat.services import Services
from bot.chat.typed_text import TypedText, said
from bot.chat.wording.message_text import fitting
from bot.engine.errors import NotAMove
from bot.games.model.errors import Duplicate, MoveRefused, NotStored, Refused
from bot.i18n import pgettext, speak
from bot.support.bounded import Bounded

log = structlog.get_logger(__name__)

NOT_DONE: Final = "\N{CROSS MARK}"
READ_IN: Final = 120.0
"""Seconds after which a refusal is taken away again."""
_UNANSWERED = (discord.HTTPException, aiohttp.ClientError, OSError)
_KEPT = 5_000


class Messages:
    """Hands every message that may mean the bot to the features, of which the first that takes it is the last to be
    asked. Talk is never answered; what is said to the bot always is."""

    def __init__(self, services: Services, handlers: Sequence[TypedHandler]) -> None:
        self._services = services
        self._handlers = handlers
        self._taken: Bounded[int, None] = Bounded(_KEPT)
        self._in_progress: set[tuple[int, int, TypedText]] = set()

    async def take(self, message: discord.Message, me: int) -> None:
        """Do what ``message`` may say. ``me`` is the bot's own id."""
        words = said(message, me)
        # Discord may deliver a message twice, and one refusal is enough.
        if words is None or message.id in self._taken:
            return
        self._taken[message.id] = None
        self._services.answers.join()
        # Who hears nothing says it again, which is answered with what was said before.
        saying = message.channel.id, message.author.id, words
        if saying in self._in_progress:
            return
        self._in_progress.add(saying)
        try:
            await self._take(message, words, me)
        finally:
            self._in_progress.remove(saying)

    async def _take(self, message: discord.Message, words: TypedText, me: int) -> None:
        structlog.contextvars.bind_contextvars(source=f"m:{message.id}")
        log.debug("message", channel=message.channel.id)
        unforeseen.begin()
        try:
            guild = None if message.guild is None else message.guild.id
            await self._services.games.look_up(message.channel.id, message.author.id, guild)
            speak(await self._services.languages.of_person(message.author.id, guild))
            for typed in self._handlers:
                if answer := await typed(message, words, me, self._services):
                    if isinstance(answer, str):
                        await self._reply(message, answer)
                    break
        except Duplicate:
            log.info("message came twice", message=message.id)
        except Refused as refused:
            if words.addressed or _worth_a_word(refused):
                await self._refuse(message, refused)
        except Exception as error:
            log.exception("message failed", message=message.id, channel=message.channel.id)
            if words.addressed:
                await self._reply(message, unforeseen.sentence_for(error))

    async def _refuse(self, message: discord.Message, refused: Refused) -> None:
        """Say why nothing was done, so that nobody else is bothered: without a notification, and no longer than it
        takes to read. What stays is a mark on the message, so that its writer never takes it for done."""
        text, view = await refusal(refused, self._services, message.author.id)
        asks = view is not None
        if isinstance(refused, MoveRefused) and not asks and refused.game.to_move == message.author.id:
            label = pgettext("button", "Move")
            view = view_of([game_button("move", refused.game, label, style=discord.ButtonStyle.primary)])
        answer = await self._reply(message, text, view)
        # A question waits for its answer.
        if answer is not None and not asks and await self._mark(message):
            self._services.tasks.begin(_take_away(answer), f"refusal-{message.id}")

    async def _mark(self, message: discord.Message) -> bool:
        """Whether ``message`` bears the mark of what was not done."""
        guild, channel = message.guild, message.channel
        if guild is None or not channel.permissions_for(guild.me).add_reactions:
            return False
        try:
            await message.add_reaction(NOT_DONE)
        except _UNANSWERED as error:
            log.info("not marked", message=message.id, error=unforeseen.kind_told(error))
            return False
        return True

    async def _reply(
        self, message: discord.Message, text: str, view: discord.ui.View | None = None
    ) -> discord.Message | None:
        """Answer under the message, without a ping; the answer, if it was sent."""
        channel = message.channel
        if permissions.missing_in(channel):
            log.info("no permission to answer", channel=channel.id)
            return None
        extra: dict[str, Any] = {} if view is None else {"view": view}
        reference = message.to_reference(fail_if_not_exists=False)
        try:
            return await channel.send(fitting(text), reference=reference, mention_author=False, silent=True, **extra)
        except discord.HTTPException as error:
            log.warning("not answered", message=message.id, status=error.status, code=error.code)
        except (aiohttp.ClientError, OSError) as error:
            log.warning("not answered", message=message.id, error=unforeseen.kind_told(error))
        return None


async def _take_away(answer: discord.Message) -> None:
    await asyncio.sleep(READ_IN)
    with suppress(*_UNANSWERED):
        await answer.delete()


def _worth_a_word(refused: Refused) -> bool:
    """Whether a move that was not addressed to the bot is answered: the rules refuse it, or it could not be stored."""
    if isinstance(refused, MoveRefused):
        return not isinstance(refused.error, NotAMove)
    return isinstance(refused, NotStored)
