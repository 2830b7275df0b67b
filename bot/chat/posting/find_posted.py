"""Finds the post of an earlier try whose answer never came, once Discord no longer knows it by its nonce."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from datetime import UTC, datetime, timedelta

import discord

NONCE_HOLDS = 120_000
"""Milliseconds for which a nonce is relied on: Discord compares it with those of "the past few minutes"."""

_MOST = 500
# Discord's clock and this machine's need not agree to the second.
_ASKEW = timedelta(minutes=1)


async def posted_earlier(
    client: discord.Client,
    where: discord.abc.Messageable,
    is_it: Callable[[discord.Message], bool],
    since: int,
    now: int,
    is_known: Callable[[int], Awaitable[bool]] | None = None,
) -> discord.Message | None:
    """The bot's own message that ``is_it``, posted in a channel after ``since`` (UTC, milliseconds), that is not known
    as another's; None as long as its nonce holds, and where there is none among the first five hundred since. Without
    the permission to read a channel's history Discord shows none. Raises what a request of discord.py raises."""
    if client.user is None or now - since < NONCE_HOLDS:
        return None
    moment = datetime.fromtimestamp(since / 1000, UTC) - _ASKEW
    async for message in where.history(limit=_MOST, after=moment, oldest_first=True):
        matches = message.author.id == client.user.id and is_it(message)
        if matches and (is_known is None or not await is_known(message.id)):
            return message
    return None


def same_as(content: str, files: Collection[str], buttons: Collection[str]) -> Callable[[discord.Message], bool]:
    """Whether a message has this content, these files' names and what these ``buttons`` carry."""

    def is_it(message: discord.Message) -> bool:
        names = {file.filename for file in message.attachments}
        same_text = message.content.strip() == content.strip()
        return same_text and names == set(files) and set(custom_ids(message)) == set(buttons)

    return is_it


def with_button(custom_id: str) -> Callable[[discord.Message], bool]:
    """Whether a message has a button that carries this."""
    return lambda message: custom_id in custom_ids(message)


def custom_ids(message: discord.Message) -> list[str]:
    """The custom ids of the buttons under a message."""
    return [button.custom_id for button in buttons_under(message) if button.custom_id]


def buttons_under(message: discord.Message) -> list[discord.Button]:
    """The buttons of a message."""
    return [part for part in _parts(message.components) if isinstance(part, discord.Button)]


def words_of(message: discord.Message) -> str:
    """What a message says: a card's words stand in its components."""
    shown = [part.content for part in _parts(message.components) if isinstance(part, discord.TextDisplay)]
    return "\n".join(shown) if shown else message.content


def _parts(components: Iterable[discord.Component]) -> Iterator[discord.Component]:
    """The components of a message, from top to bottom, with what is in them."""
    for component in components:
        yield component
        yield from _parts(getattr(component, "children", ()))
        if isinstance(component, discord.SectionComponent):
            yield component.accessory


def carried_by(view: discord.ui.View) -> list[str]:
    """The custom ids of a view's buttons."""
    return [custom_id for item in view.children if (custom_id := getattr(item, "custom_id", None))]
