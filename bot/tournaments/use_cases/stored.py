"""What a tournament, a league and a team match answer of what is kept beside their events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from bot.games.model.game import Place
from data.queries.competitions import CompetitionRow
from data.queries.tournaments import TournamentRow

R = TypeVar("R", TournamentRow, CompetitionRow)

SYSTEM = 0
"""By whom an event is that the service adds by itself."""


@dataclass(frozen=True)
class Stored(Generic[R]):
    """Answers by name what its row says, so that only its own room reads rows."""

    row: R

    @property
    def id(self) -> int:
        return self.row.id

    @property
    def name(self) -> str:
        return self.row.name

    @property
    def guild_id(self) -> int | None:
        return self.row.guild_id

    @property
    def place(self) -> Place:
        return Place(self.row.guild_id, self.row.channel_id)

    @property
    def variant_id(self) -> str:
        return self.row.variant_id

    @property
    def options(self) -> Mapping[str, Any]:
        return self.row.options

    @property
    def clock(self) -> str:
        return self.row.clock

    @property
    def rated(self) -> bool:
        return self.row.rated

    @property
    def directors(self) -> Sequence[int]:
        return self.row.directors

    @property
    def status(self) -> str:
        return self.row.status

    def is_director(self, person: int) -> bool:
        """Whether a person directs it; the service itself may do what a director may."""
        return person in self.row.directors or person == SYSTEM
