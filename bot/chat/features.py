"""What a feature is made of. The client (bot.chat.client) lists the ``setup`` of each, and knows no more of them."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import field
from typing import Any, Generic, Protocol, TypeVar

import discord
from discord import app_commands

from bot.background.scheduler import TimerHandler
from bot.chat.components import CustomId, Press
from bot.chat.responses import meet, not_done
from bot.chat.services import Services
from bot.chat.typed_text import TypedText
from bot.games.model.errors import Refused
from bot.i18n import N_, _
from bot.support.frozen import frozen

C = TypeVar("C", bound=CustomId)
Handler = Callable[[C, Press, Services], Awaitable[None]]

OLDER = N_("This button belongs to an older version of the bot.")


class Handlers(Generic[C]):
    """The handlers of one kind of custom id. ``older`` is said where a button asks for what is not done any more."""

    def __init__(self, kind: type[C], older: str = OLDER) -> None:
        self.kind = kind
        self._older = older
        self._by_act: dict[str, tuple[re.Pattern[str], Handler[C]]] = {}

    def on(self, *acts: str, arg: str = ".*") -> Callable[[Handler[C]], Handler[C]]:
        """Register a handler for what the field ``act`` says; without ``acts`` for a kind that has no such field.
        ``arg``: how the field ``arg`` is written (a regular expression); one that is not is of another version."""

        def register(handler: Handler[C]) -> Handler[C]:
            self._by_act.update(dict.fromkeys(acts or ("",), (re.compile(arg), handler)))
            return handler

        return register

    async def handle(self, carried: C, interaction: Press, services: Services) -> None:
        """Do what ``carried`` says. Raises Refused where nobody does it any more."""
        written, handler = self._by_act.get(getattr(carried, "act", ""), (None, None))
        if handler is None or written is None or not written.fullmatch(getattr(carried, "arg", "")):
            raise Refused(_(self._older))
        await handler(carried, interaction, services)


async def dispatch(handlers: Sequence[Handlers[Any]], custom_id: str, interaction: Press, services: Services) -> None:
    """Do what ``custom_id`` says, or tell whoever asked why not."""
    for each in handlers:
        if (carried := each.kind.decode(custom_id)) is not None:
            try:
                await meet(interaction)
                await each.handle(carried, interaction, services)
            except Exception as error:
                await not_done(interaction, error)
            finally:
                services.tokens.release(interaction)
            return
    await not_done(interaction, Refused(_(OLDER)))


TypedHandler = Callable[[discord.Message, TypedText, int, Services], Awaitable[bool | str]]
"""Does what a typed message says, whose words and the bot's own id come with it. Whether it was meant for this feature,
or what is answered to it; raises Refused."""


class Part(Protocol):
    """Work that goes on beside all else."""

    async def start(self) -> None:
        """Connected, for the first time or anew: take up what was left."""

    async def close(self) -> None:
        """The bot goes: break off, or let what is under way arrive."""


Subcommand = app_commands.Command[Any, ..., Any] | app_commands.Group
TopLevel = Subcommand | app_commands.ContextMenu


@frozen(kw_only=True)
class Feature:
    """A feature's ways in, and what it does by itself.

    ``commands`` stand at top level, ``of_game``, ``of_me`` and ``of_server`` in the groups of these names, which
    bot.chat.command_groups puts together. ``buttons``, ``forms``, ``typed`` do what is pressed, sent in and written,
    ``timers`` what falls due, by its kind, of which ``nightly`` are set for each night; ``events`` what Discord tells
    of servers, by its name for it. ``parts`` are started in order and closed in reverse."""

    commands: Sequence[TopLevel] = ()
    of_game: Sequence[Subcommand] = ()
    of_me: Sequence[Subcommand] = ()
    of_server: Sequence[Subcommand] = ()
    buttons: Sequence[Handlers[Any]] = ()
    forms: Sequence[Handlers[Any]] = ()
    typed: TypedHandler | None = None
    timers: Mapping[str, TimerHandler] = field(default_factory=dict)
    nightly: Sequence[str] = ()
    events: Mapping[str, Callable[[Any], Coroutine[Any, Any, None]]] = field(default_factory=dict)
    parts: Sequence[Part] = ()


Setup = Callable[[discord.Client, Services], Feature]
"""Builds a feature, and connects it to the signals of the services that it listens to. Nothing is opened or started."""
