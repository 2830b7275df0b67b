"""The order of the players at the start: by rating, or by lot.

A lot is drawn from a seed that is published before entries close, by a way that anybody can check with any tool:
players are sorted by the SHA-256 of ``seed:id``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from bot.tournaments.pairing.record import Colour


def by_rating(ratings: Mapping[int, float]) -> tuple[int, ...]:
    """The best first; equal ratings in the order of entry."""
    return tuple(sorted(ratings, key=lambda person: -ratings[person]))


def by_lot(entered: Iterable[int], seed: str) -> tuple[int, ...]:
    """An order that nobody can foresee without the seed, and everybody can check with it."""
    return tuple(sorted(entered, key=lambda person: (hashlib.sha256(f"{seed}:{person}".encode()).hexdigest(), person)))


def colour_by_lot(seed: str) -> Colour:
    """The initial colour from the same seed: white where the hash of ``seed:colour`` is even."""
    digest = hashlib.sha256(f"{seed}:colour".encode()).digest()
    return Colour.BLACK if digest[-1] % 2 else Colour.WHITE


def with_places(order: Sequence[int], places: Mapping[int, int]) -> tuple[int, ...]:
    """An order in which some have the places (from 1) that a director gave them; a place beyond the end is the last."""
    placed = {person: place for person, place in places.items() if person in order}
    placed_in = [person for person in order if person not in placed]
    for person, place in sorted(placed.items(), key=lambda each: each[1]):
        placed_in.insert(place - 1, person)
    return tuple(placed_in)
