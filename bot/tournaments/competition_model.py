"""What leagues and team matches are made of: events, kept in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class CompetitionEvent:
    """One event of a competition: its number from 1, when (UTC ms), by whom (0: the service itself), and what."""

    number: int
    at: int
    by: int
    action: Any
