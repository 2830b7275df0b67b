"""What a run of the kill test has come to."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Report:
    """What happened. ``wrong`` is empty when nothing was lost, doubled or out of order."""

    rounds: int = 0
    turns: int = 0
    games: int = 0
    posts: int = 0
    deduplicated: int = 0
    taken_back: int = 0
    planned: int = 0
    rematches: int = 0
    days: int = 0
    """Nights and more for which people slept."""
    reminders: int = 0
    out_of_time: int = 0
    storms: int = 0
    two_at_once: int = 0
    updates: int = 0
    """Processes of the newer version that were begun."""
    computers_turns: int = 0
    tournaments: int = 0
    entries: int = 0
    seasons: int = 0
    """Of leagues."""
    rounds_paired: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    troubles: dict[str, int] = field(default_factory=dict)
    takeovers: list[float] = field(default_factory=list)
    """Seconds from the death of a process that had shards until another acted for them."""
    wrong: list[str] = field(default_factory=list)
