"""What a feature of the bot is made of. Each feature's folder has a ``setup``; the client lists them all
(bot.chat.client) and knows no more of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import discord
from discord import app_commands
from discord.ext import commands

from bot.background.scheduler import TimerHandler
from bot.chat.actions import Handlers
from bot.chat.services import Services
from bot.chat.typed_text import TypedText

TypedHandler = Callable[[discord.Message, TypedText, int, Services], Awaitable[bool]]
"""Does what a typed message says, whose words and the bot's own id come with it. Whether it was meant for this feature;
raises Refused."""


class Part(Protocol):
    """Work that goes on beside all else."""

    async def start(self) -> None:
        """Connected, for the first time or anew: take up what was left."""

    async def close(self) -> None:
        """The bot goes: break off, or let what is under way arrive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A feature's ways in, and what it does by itself.

    ``buttons``, ``forms``, ``typed`` do what is pressed, sent in and written,
    ``timers`` what falls due, by its kind, of which ``nightly`` are set for each night. ``parts`` are started in order
    and closed in reverse."""

    commands: Sequence[app_commands.Command[Any, ..., Any] | app_commands.Group | app_commands.ContextMenu] = ()
    buttons: Sequence[Handlers[Any]] = ()
    forms: Sequence[Handlers[Any]] = ()
    typed: TypedHandler | None = None
    timers: Mapping[str, TimerHandler] = field(default_factory=dict)
    nightly: Sequence[str] = ()
    parts: Sequence[Part] = ()


Setup = Callable[[commands.Bot, Services], Feature]
"""Builds a feature, and connects it to the signals of the services that it listens to. Nothing is opened or started."""
