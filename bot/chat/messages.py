"""Typed messages: what a message in a channel leads to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import aiohttp
import discord
import structlog

from bot.chat import permissions
from bot.chat.features import TypedHandler
from bot.chat.responses import TROUBLE, refusal
from bot.chat.services import Services
from bot.chat.typed_text import said
from bot.chat.wording.message_text import fitting
from bot.engine.errors import NotAMove
from bot.games.model.errors import Duplicate, MoveRefused, NotStored, Refused
from bot.i18n import _, speak
from bot.support.bounded import Bounded

log = structlog.get_logger(__name__)

_KEPT = 5_000


class Messages:
    """Hands every message that may mean the bot to the features, of which the first that takes it is the last to be
    asked. Talk is never answered; what is said to the bot always is."""

    def __init__(self, services: Services, handlers: Sequence[TypedHandler]) -> None:
        self._services = services
        self._handlers = handlers
        self._taken: Bounded[int, None] = Bounded(_KEPT)

    async def take(self, message: discord.Message, me: int) -> None:
        """Do what ``message`` may say. ``me`` is the bot's own id."""
        words = said(message, me)
        # Discord may deliver a message twice, and one refusal is enough.
        if words is None or message.id in self._taken:
            return
        self._taken[message.id] = None
        structlog.contextvars.bind_contextvars(source=f"m:{message.id}")
        log.debug("message", channel=message.channel.id)
        try:
            guild = None if message.guild is None else message.guild.id
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
                text, view = await refusal(refused, self._services.links)
                await self._reply(message, text, view)
        except Exception:
            log.exception("message failed", message=message.id, channel=message.channel.id)
            if words.addressed:
                await self._reply(message, _(TROUBLE))

    async def _reply(self, message: discord.Message, text: str, view: discord.ui.View | None = None) -> None:
        """Answer under the message, without a ping."""
        channel = message.channel
        if permissions.missing_in(channel):
            log.info("no permission to answer", channel=channel.id)
            return
        extra: dict[str, Any] = {} if view is None else {"view": view}
        reference = message.to_reference(fail_if_not_exists=False)
        try:
            await channel.send(fitting(text), reference=reference, mention_author=False, **extra)
        except discord.HTTPException as error:
            log.warning("not answered", message=message.id, status=error.status, code=error.code)
        except (aiohttp.ClientError, OSError) as error:
            log.warning("not answered", message=message.id, error=repr(error))


def _worth_a_word(refused: Refused) -> bool:
    """Whether a move that was not addressed to the bot is answered: the rules refuse it, or it could not be stored."""
    if isinstance(refused, MoveRefused):
        return not isinstance(refused.error, NotAMove)
    return isinstance(refused, NotStored)
