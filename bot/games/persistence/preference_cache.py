"""What people have chosen, from memory where it was asked for before."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.model.preferences import Preferences
from data.queries import people as people_queries

_PEOPLE = 10_000


class PreferenceCache:
    """The preferences of those who were asked about lately. Whoever changes some forgets them here."""

    def __init__(self) -> None:
        self._known: dict[int, Preferences] = {}

    def at_hand(self, person: int) -> Preferences | None:
        """What a person has chosen, where that was asked for lately."""
        return self._known.get(person)

    async def of(self, tx: AsyncConnection, person: int) -> Preferences:
        """What a person has chosen."""
        preferences = self._known.get(person)
        if preferences is None:
            preferences = Preferences.of(await people_queries.settings_of(tx, person))
            self._known[person] = preferences
            if len(self._known) > _PEOPLE:
                self._known.pop(next(iter(self._known)))
        return preferences

    def forget(self, person: int) -> None:
        """Ask the store the next time."""
        self._known.pop(person, None)
