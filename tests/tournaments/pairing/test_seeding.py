"""The order of the players at the start, by rating and by lot."""

from __future__ import annotations

from bot.tournaments.pairing import seeding
from bot.tournaments.pairing.record import Colour


def test_seeding() -> None:
    """By rating, and by a lot that anybody can check with SHA-256."""
    assert (3, 1, 2) == seeding.by_rating({1: 1500, 2: 1400, 3: 1600})
    drawn = seeding.by_lot(range(1, 9), "2026-11-21 noon")
    assert list(range(1, 9)) == sorted(drawn)
    assert drawn == seeding.by_lot(reversed(range(1, 9)), "2026-11-21 noon")
    assert drawn != seeding.by_lot(range(1, 9), "another")
    # printf a:1 | sha256sum begins with 2b2c, a:2 with d860, a:3 with 579d.
    assert (1, 3, 2) == seeding.by_lot([1, 2, 3], "a")
    assert {Colour.WHITE, Colour.BLACK} == {seeding.colour_by_lot(str(seed)) for seed in range(9)}
