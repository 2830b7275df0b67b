"""What people and servers have chosen, from memory where it was asked for before."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Generic, Protocol, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.support.bounded import Bounded

_MOST = 10_000


class Kept(Protocol):
    """What can be stored."""

    def kept(self) -> dict[str, Any]:
        """What is to be kept: all that is not as usual."""
        ...


P = TypeVar("P", bound=Kept)


class PreferenceCache(Generic[P]):
    """The preferences of those who were asked about lately, by id. Whoever changes some forgets them here, once that is
    committed. ``read`` and ``write`` go to the store; ``value_of`` makes a value of what is kept there."""

    def __init__(
        self,
        read: Callable[[AsyncConnection, int], Awaitable[Mapping[str, Any]]],
        write: Callable[[AsyncConnection, int, Mapping[str, Any]], Awaitable[None]],
        value_of: Callable[[Mapping[str, Any]], P],
    ) -> None:
        self._read = read
        self._write = write
        self._value_of = value_of
        self._known: Bounded[int, P] = Bounded(_MOST)

    def at_hand(self, whose: int) -> P | None:
        """What somebody has chosen, where that was asked for lately."""
        return self._known.get(whose)

    async def of(self, tx: AsyncConnection, whose: int) -> P:
        """What somebody has chosen."""
        preferences = self._known.get(whose)
        if preferences is None:
            preferences = self._known[whose] = self._value_of(await self._read(tx, whose))
        return preferences

    async def change(self, tx: AsyncConnection, whose: int, change: Callable[[P], P]) -> P:
        """Choose anew. ``change`` may raise Refused."""
        preferences = change(self._value_of(await self._read(tx, whose)))
        await self._write(tx, whose, preferences.kept())
        return preferences

    def forget(self, whose: int) -> None:
        """Ask the store the next time."""
        self._known.pop(whose, None)
