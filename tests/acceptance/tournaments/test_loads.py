"""How often a tournament is read and folded for one command, from the press to the last message."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from bot.tournaments.model.fold import folded
from bot.tournaments.persistence.stored_tournament import load
from tests.support.discord.tournament_club import Club
from tests.support.discord.world import World


def count(monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any], counted: Counter[str]) -> None:
    """Count the calls of a function, whichever module of the bot calls it."""

    def calls(*args: Any, **options: Any) -> Any:
        counted[function.__name__] += 1
        return function(*args, **options)

    for name, module in list(sys.modules.items()):
        if name.startswith("bot.") and getattr(module, function.__name__, None) is function:
            monkeypatch.setattr(module, function.__name__, calls)


async def test_a_round_is_paired_and_posted_with_three_loads(here: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """One before the pairing, one in its transaction; the round, the standings with their arrows and the threads are
    posted from what the second led to. The third is for the links of all threads."""
    club = Club(here, 6)
    await club.started("swiss", rounds=3)
    await club.play()
    await club.quiet()
    counted: Counter[str] = Counter()
    count(monkeypatch, load, counted)
    count(monkeypatch, folded, counted)
    assert "round 2 is paired" in await club.direct("pair")
    await club.quiet()
    assert club.post("**Autumn, round 2**")
    assert {"load": 3, "folded": 3} == dict(counted)
