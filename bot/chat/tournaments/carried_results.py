"""What the buttons under the preview of a result carry of it."""

from __future__ import annotations

from dataclasses import dataclass

from bot.tournaments.formats.format import RESULTS

_RESULTS = tuple(RESULTS)
"""Carried by their places in this order, which therefore stays."""


@dataclass(frozen=True, slots=True)
class CarriedResult:
    """What a person did. ``number``: in which round, or in which game of an arena; 0 in an elimination, where ``match``
    says it."""

    person: int
    result: str
    number: int
    match: str

    def encode(self) -> str:
        return f"{self.person}.{_RESULTS.index(self.result)}.{self.number}.{self.match}"


@dataclass(frozen=True, slots=True)
class CarriedPlaces:
    """The places of those at a table, by seat; ``table``: which of its round, from 0."""

    table: int
    places: tuple[int, ...]
    round: int

    def encode(self) -> str:
        return f"t{self.table}.{''.join(map(str, self.places))}.{self.round}."


def decode(text: str) -> CarriedResult | CarriedPlaces:
    """What was encoded."""
    first, second, number, match = text.split(".", 3)
    if first.startswith("t"):
        return CarriedPlaces(int(first[1:]), tuple(map(int, second)), int(number))
    return CarriedResult(int(first), _RESULTS[int(second)], int(number), match)
