"""What tournaments, leagues and team matches are made from, and the events of the latter two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bot.engine.variants import OptionValue
from bot.games.model.game import Place


@dataclass(frozen=True, slots=True)
class CompetitionEvent:
    """One event of a competition: its number from 1, when (UTC ms), by whom (0: the service itself), and what."""

    number: int
    at: int
    by: int
    action: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCompetition:
    """What a tournament, a league or a team match is to be."""

    director: int
    name: str
    variant_id: str
    options: Mapping[str, OptionValue]
    clock: str
    rated: bool
    place: Place

    @property
    def columns(self) -> dict[str, Any]:
        """What its row says of it from the beginning."""
        return {
            "guild_id": self.place.guild_id,
            "channel_id": self.place.channel_id,
            "name": self.name,
            "variant_id": self.variant_id,
            "options": dict(self.options),
            "clock": self.clock,
            "rated": self.rated,
            "directors": [self.director],
        }
