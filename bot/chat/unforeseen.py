"""What somebody is told after an error that nobody foresaw: that nothing has changed, where that is known."""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final

import aiohttp
import discord

from bot.i18n import N_, _
from data.store import Spent

LOST: Final = (aiohttp.ClientError, OSError, discord.DiscordServerError)
"""The connection broke, or Discord is in trouble: whether it has taken what was sent is not known."""
_UNCERTAIN = N_("Something went wrong. Please check whether it went through before trying again.")
_NOTHING_DONE = N_("Something went wrong on our side; nothing has changed. Please try again.")

_stored: ContextVar[list[bool]] = ContextVar("stored")


def kind_told(error: BaseException) -> str:
    """What the log says of a request that failed: not what the error says, which may be what people wrote, or name an
    address that holds a token."""
    told = type(error).__name__
    return f"{told} {error.status} ({error.code})" if isinstance(error, discord.HTTPException) else told


def begin() -> None:
    """From here on it is known whether anything was stored, by whatever this task does or waits for."""
    _stored.set([])


def note(spent: Spent) -> None:
    """A transaction has ended."""
    if spent.writes and spent.kept:
        _stored.get([]).append(True)


def sentence_for(error: BaseException) -> str:
    """What is said of an error. What Discord refuses is an answer: what was asked for may have been done before."""
    done = _stored.get([]) or isinstance(error, (*LOST, discord.HTTPException))
    return _(_UNCERTAIN if done else _NOTHING_DONE)
