"""What people and servers have chosen, from memory where it was asked for before."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Generic, TypeVar

import sqlalchemy as sa

from bot.games.model.preferences import Preferences, ServerPreferences
from bot.games.persistence.transactions import Transactions
from bot.support.bounded import Bounded
from data.notifications import Word
from data.queries import people
from data.store import Transaction

_MOST = 10_000

P = TypeVar("P", bound=Preferences | ServerPreferences)


class PreferenceCache(Generic[P]):
    """The preferences of people, or of servers, by id: of those who were asked about lately from memory. ``table`` is
    where they are kept; ``value_of`` makes a value of what is kept there."""

    def __init__(self, transactions: Transactions, table: sa.Table, value_of: Callable[[Mapping[str, Any]], P]) -> None:
        self._transactions, self._table, self._value_of = transactions, table, value_of
        self._known: Bounded[int, P] = Bounded(_MOST)
        self._changes = 0

    def remembered(self, whose: int) -> P | None:
        """What somebody has chosen, where that was asked for lately."""
        return self._known.get(whose)

    def remembers(self, many: Iterable[int]) -> bool:
        """Whether all of them are in memory."""
        return all(each in self._known for each in many)

    async def load(self, whose: int | None) -> P:
        """What somebody has chosen; what is usual where it is nobody's to choose."""
        if whose is None:
            return self._value_of({})
        if whose in self._known:
            return self._known[whose]
        async with self._transactions.reading(once=True) as tx:
            return await self.of(tx, whose)

    async def of(self, tx: Transaction, whose: int) -> P:
        """The same in a transaction that is open already."""
        preferences = self._known.get(whose)
        if preferences is None:
            changes = self._changes
            preferences = self._value_of(await people.settings_of(tx, self._table, whose))
            if changes == self._changes:
                self._known[whose] = preferences
        return preferences

    async def remember(self, tx: Transaction, many: Collection[int]) -> None:
        """Ask at once for what many have chosen, so that it is in memory when it is asked for."""
        unknown, changes = [each for each in many if each not in self._known], self._changes
        settings = await people.settings_of_many(tx, self._table, unknown) if unknown else {}
        if changes == self._changes:
            for each in unknown:
                self._known[each] = self._value_of(settings.get(each, {}))

    async def change(self, whose: int, change: Callable[[P], P], source: str) -> P:
        """Choose anew. ``change`` may raise Refused."""
        async with self._transactions.writing(source) as tx:
            preferences = change(self._value_of(await people.settings_of(tx, self._table, whose)))
            await people.put_settings(tx, self._table, whose, preferences.to_json())
            self._transactions.tell(tx, Word(self._table.name, whose))
        self.forget(whose)
        return preferences

    def forget(self, whose: int) -> None:
        """Ask the store the next time."""
        self._changes += 1
        self._known.pop(whose, None)

    def clear(self) -> None:
        """Ask the store the next time, about everybody."""
        self._changes += 1
        self._known.clear()
