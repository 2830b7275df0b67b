"""The database: one writer in a fair queue, readers on their own connections."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncConnection


class StoreError(Exception):
    """The database cannot be used; the text is a sentence for whoever runs the bot."""


class Unavailable(StoreError):
    """This transaction was not stored (disk full, read-only, locked). Nothing is half done; a later one may succeed."""


class Store:
    """A database by its URL (``sqlite+aiosqlite:///file`` or ``postgresql+asyncpg://...``)."""

    def __init__(self, database_url: str) -> None:
        raise NotImplementedError

    async def open(self) -> None:
        """Connect, and bring the schema up to date. Raises StoreError."""
        raise NotImplementedError

    async def close(self) -> None:
        """Wait for the transaction under way, then let go of every connection."""
        raise NotImplementedError

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """One transaction that may write: committed at the end, rolled back on any exception."""
        raise NotImplementedError
        yield

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """One transaction that only reads, of one moment."""
        raise NotImplementedError
        yield
