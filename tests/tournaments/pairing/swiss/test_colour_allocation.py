"""Colours of a Swiss: what is due, and the five rules that decide, each in its place."""

from __future__ import annotations

from fractions import Fraction

import pytest

from bot.tournaments.pairing.record import Colour
from bot.tournaments.pairing.swiss.colour_allocation import ColourHistory, Strength, clash, colour_of, due

W, B = Colour.WHITE, Colour.BLACK


def games(text: str) -> tuple[Colour, ...]:
    return tuple(Colour(sign) for sign in text)


@pytest.mark.parametrize(
    ("played", "colour", "strength"),
    [
        ("", None, Strength.NONE),
        ("w", B, Strength.STRONG),
        ("b", W, Strength.STRONG),
        ("wb", W, Strength.MILD),
        ("bw", B, Strength.MILD),
        ("bwb", W, Strength.STRONG),
        ("ww", B, Strength.ABSOLUTE),
        ("bww", B, Strength.ABSOLUTE),
        ("wbb", W, Strength.ABSOLUTE),
        ("bbww", B, Strength.ABSOLUTE),
        ("bbwb", W, Strength.ABSOLUTE),
    ],
)
def test_what_is_due(played: str, colour: Colour | None, strength: Strength) -> None:
    """Absolute after two games alike or a difference of two, strong after one of one, mild after none (1.7)."""
    found = due(games(played))
    assert (colour, strength) == (found.colour, found.strength)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        # E.1: both as they are due, or the one who is due something.
        ("w", "b", B),
        ("", "w", W),
        ("b", "", W),
        # E.2: the stronger; of two absolute ones the wider difference.
        ("bwb", "wb", W),
        ("ww", "bwbwbw", B),
        ("www", "wbww", B),
        ("wbww", "www", W),
        # E.3: against the last round when their colours differed.
        ("wbwb", "bwwb", W),
        ("bwwb", "wbwb", B),
        # E.4: the higher ranked as is due.
        ("wb", "wb", W),
        ("w", "bwbww", W),
    ],
)
def test_who_gets_which(one: str, other: str, expected: Colour) -> None:
    """Rules E.1 to E.4 in their order, whichever of the two is asked first."""
    higher, lower = ColourHistory(1, 1, Fraction(2), games(one)), ColourHistory(2, 2, Fraction(2), games(other))
    assert expected is colour_of(higher, lower, W)
    assert expected.other is colour_of(lower, higher, W)


@pytest.mark.parametrize(("order", "initial", "expected"), [(1, W, W), (2, W, B), (3, B, B), (4, B, W)])
def test_without_any_preference(order: int, initial: Colour, expected: Colour) -> None:
    """E.5: the higher ranked has the initial colour with an odd number, the other with an even one."""
    higher, lower = ColourHistory(7, order, Fraction(1), ()), ColourHistory(3, 9, Fraction(0), ())
    assert expected is colour_of(higher, lower, initial)
    assert expected is colour_of(lower, higher, initial).other


def test_score_goes_before_number() -> None:
    """The higher ranked is the one with more points, not the one with the lower number (1.2)."""
    leader, first = ColourHistory(9, 9, Fraction(3), games("wb")), ColourHistory(1, 1, Fraction(2), games("wb"))
    assert W is colour_of(leader, first, W)
    assert B is colour_of(first, leader, W)


def test_two_absolute_preferences_clash() -> None:
    """Two who must both have white cannot meet (C.3)."""
    assert clash(due(games("bb")), due(games("wbb")))
    assert not clash(due(games("bb")), due(games("ww")))
    assert not clash(due(games("bb")), due(games("b")))
