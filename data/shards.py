"""Which servers' games a process acts for: those of its shards, as Discord deals servers out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

_TIME_OF = 22
"""From which bit on an id tells the time, by which Discord deals servers out (its documentation, "Sharding")."""


@dataclass(frozen=True, slots=True)
class Shards:
    """``ids`` of ``count`` shards. What belongs to nobody's server, such as direct messages, is shard 0's."""

    count: int = 1
    ids: frozenset[int] = frozenset({0})

    @property
    def whole(self) -> bool:
        """Whether these are all shards."""
        return len(self.ids) == self.count

    def of(self, guild_id: int | None) -> int:
        """The shard of a server."""
        return 0 if guild_id is None else (guild_id >> _TIME_OF) % self.count

    def own(self, guild_id: int | None) -> bool:
        """Whether what belongs to a server is done here."""
        return self.of(guild_id) in self.ids

    def only(self, ids: Collection[int]) -> Shards:
        """Those of these that are in ``ids``."""
        return Shards(self.count, self.ids & frozenset(ids))

    def owning(self, guild_id: sa.ColumnElement[Any]) -> sa.ColumnElement[bool]:
        """The same as ``own`` for a query, by the column of the server."""
        if self.whole:
            return sa.true()
        # PostgreSQL shifts by a plain integer alone, which drivers do not send.
        moved = sa.func.coalesce(guild_id, 0).bitwise_rshift(sa.literal_column(str(_TIME_OF)))
        return (moved % self.count).in_(sorted(self.ids))


EVERYTHING = Shards()
"""Of a process that is alone."""


def every(count: int) -> Shards:
    """All of so many shards."""
    return Shards(count, frozenset(range(count)))
