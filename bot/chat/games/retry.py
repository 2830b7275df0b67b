"""Whether a post that could not be made is tried again, and when."""

from __future__ import annotations

from enum import Enum

import aiohttp
import discord

from bot.chat.permissions import MissingPermissions

# Seconds until the next try; discord.py has already tried five times over some seconds by itself.
PAUSES = (10, 30, 120, 600, 1800, 3600)
# While a permission lacks, a try costs no request: it is looked up first.
PAUSES_FOR_PERMISSION = (30, 60, 120, 300, 600)

NOT_REACHED = (discord.HTTPException, discord.RateLimited, aiohttp.ClientError, OSError, TimeoutError)
"""Discord says no, or nothing."""

_UNKNOWN_CHANNEL = 10003
_THREAD_CLOSED = (50083, 160005)  # archived and locked: as if a permission lacked


class Trouble(Enum):
    """Why a post could not be made."""

    CLOSED = "the channel is closed to the bot"
    GONE = "the channel was deleted"
    PASSING = "Discord is in trouble, or out of reach"
    REFUSED = "Discord will never take it"


def trouble_of(error: Exception) -> Trouble:
    """What an error means: MissingPermissions, or one of NOT_REACHED."""
    if isinstance(error, MissingPermissions | discord.Forbidden) or is_locked(error):
        return Trouble.CLOSED
    if not isinstance(error, discord.HTTPException) or error.status >= 500 or error.status == 429:
        return Trouble.PASSING
    return Trouble.GONE if error.code == _UNKNOWN_CHANNEL else Trouble.REFUSED


def is_locked(error: Exception) -> bool:
    """Whether what closes the channel is that it is a locked thread."""
    return isinstance(error, discord.HTTPException) and error.code in _THREAD_CLOSED


def retry_in(trouble: Trouble, attempts: int, *, mirrored: bool) -> int | None:
    """Seconds until the next try after so many; None for none. ``mirrored``: on the second server of a game of two,
    another thread is opened where one is gone."""
    if trouble is Trouble.REFUSED or (trouble is Trouble.GONE and not mirrored):
        return None
    pauses = PAUSES_FOR_PERMISSION if trouble is Trouble.CLOSED else PAUSES
    return pauses[min(attempts, len(pauses) - 1)]
