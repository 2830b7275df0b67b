"""Positions of draughts as a search takes them."""

from __future__ import annotations

from typing import NamedTuple


class Node(NamedTuple):
    """A position from its mover's side, with its Zobrist key; ``score``: what its pieces are worth to the mover, less
    those of the other side."""

    side: int
    men: int
    kings: int
    foe_men: int
    foe_kings: int
    key: int
    score: int

    @property
    def sets(self) -> tuple[int, int, int, int]:
        """Own men, own kings, foreign men, foreign kings."""
        return self.men, self.kings, self.foe_men, self.foe_kings
