"""Links to the threads of games, as long as a message has room for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from bot.i18n import _

ThreadLink: TypeAlias = Callable[[int | None, int], str]
"""Makes a link of the ids of a server and of a thread."""


def named_link(guild_id: int | None, channel_id: int) -> str:
    """A link that says what it opens."""
    return f"[{_('game')}](https://discord.com/channels/{guild_id or '@me'}/{channel_id})"


def short_link(guild_id: int | None, channel_id: int) -> str:
    """A link for where many must fit."""
    return f"<#{channel_id}>"


def no_link(guild_id: int | None, channel_id: int) -> str:
    """For where no link fits."""
    return ""


LINKS: tuple[ThreadLink, ...] = (named_link, short_link, no_link)
"""From the clearest to the shortest."""
