"""The store's transactions, with its failures told in words for people."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.model.errors import NotStored
from bot.i18n import _
from data.store import Store, Unavailable


@asynccontextmanager
async def writing(store: Store) -> AsyncIterator[AsyncConnection]:
    """A transaction that may write, with the store's failures told to people. Raises NotStored."""
    try:
        async with store.write() as tx:
            yield tx
    except Unavailable as error:
        raise NotStored(_("That was not stored. Please try again in a moment.")) from error


@asynccontextmanager
async def reading(store: Store) -> AsyncIterator[AsyncConnection]:
    """A transaction that reads. Raises NotStored."""
    try:
        async with store.read() as tx:
            yield tx
    except Unavailable as error:
        raise NotStored(_("The games cannot be read just now. Please try again in a moment.")) from error
