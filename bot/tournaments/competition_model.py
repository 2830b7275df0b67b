"""What leagues and team matches are made from, and of: events, kept in order."""

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
    """What a league or a team match is to be."""

    director: int
    name: str
    variant_id: str
    options: Mapping[str, OptionValue]
    clock: str
    rated: bool
    place: Place
