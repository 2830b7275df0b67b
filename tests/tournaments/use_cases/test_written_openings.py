"""Openings of tournaments: which are taken, and how they are kept."""

from __future__ import annotations

import pytest

from bot.engine.registry import rules_for
from bot.engine.variants import load
from bot.tournaments.errors import TournamentError
from bot.tournaments.model.openings import Opening
from bot.tournaments.use_cases.written_openings import MOST, checked, openings_of

THREE = ("9-13 22-18", "Single: 10-14 22-18", "W:Wc3:Bb8")


def test_openings_are_kept_as_they_are_meant() -> None:
    """Moves as moves, a position as a position string, and names with either; one alone may be said in words, or be a
    handicap."""
    rules = rules_for("pinoy")
    assert checked(rules, ["9-13  22-18", " Single: 10-14 22-18", "W:W c3:Bb8"]) == THREE
    assert checked(rules, ["white: c3; black: b8; white to move"]) == ("W:Wc3:Bb8",)
    assert checked(rules, ["white 9"]) == ("W:Wc3,e3,g3:Ba7,b6,b8,c7,d6,d8,e7,f6,f8,g7,h6,h8",)
    assert Opening.of(THREE[1]) == Opening("10-14 22-18", "Single")
    assert Opening.of(THREE[2]) == Opening("W:Wc3:Bb8")


@pytest.mark.parametrize(
    ("openings", "why"),
    [
        (["9-13 22-18", "9-14"], "Opening 2, '9-14': Move 1 of this opening"),
        (["9-14"], "^Move 1 of this opening"),
        (["white 0"], "^Take at least one piece off. Write a handicap like"),
        (["9-13", "9-13"], "An opening is in the list twice"),
        (["9-13"] * (MOST + 1), f"{MOST} openings"),
    ],
)
def test_openings_that_are_none(openings: list[str], why: str) -> None:
    """The one that cannot be begun with is named with the reason."""
    with pytest.raises(TournamentError, match=why):
        checked(rules_for("pinoy"), openings)


def test_the_ballots_of_a_game() -> None:
    """English draughts has its three-move ballots, each of which can be played; most games have none."""
    variant = load("english")
    openings = openings_of(variant)
    assert len(openings) > 100
    assert checked(rules_for("english"), openings) == openings
    assert openings_of(load("pinoy")) == openings_of(load("chinese-checkers")) == ()
