"""The search of Chinese checkers, compiled, does what the plain one does, position for position."""

from __future__ import annotations

from random import Random

import pytest

from bot.computer.kernels.backends import PLAIN, Backend, backend_for
from bot.computer.search.limits import Limit
from bot.computer.search.star import StarSearch
from bot.computer.search.star_positions import StarPositions
from bot.engine.registry import rules_for
from bot.engine.star.rules import StarRules
from bot.engine.variants import OptionValue

TABLES: list[dict[str, OptionValue]] = [
    {"players": 2},
    {"players": 2, "blocked": "filled"},
    {"players": 2, "sets": 3},
    {"players": 3, "sets": 2, "places": True},
    {"players": 6, "unused": "filled"},
]
"""With swaps, but for the second."""


@pytest.fixture(scope="module")
def compiled() -> Backend:
    pytest.importorskip("numba")
    found = backend_for(1)
    if found is PLAIN:
        pytest.skip("DAMERO_PLAIN is set")
    return found


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_same_turns_scores_and_nodes(options: dict[str, OptionValue], compiled: Backend) -> None:
    """In games played forward at random both find the same turns with the same scores after as many positions."""
    rules, random = rules_for("chinese-checkers", options), Random(f"compiled {options}")
    assert isinstance(rules, StarRules)
    fast, plain = StarPositions(rules, compiled), StarPositions(rules, PLAIN)
    state = rules.start()
    for turn in range(100):
        if turn % 10 == 0:
            limit = Limit(nodes=1500, selective=random.random() < 0.8, margin=random.choice((0, 80)))
            found = [StarSearch(positions, state, limit).result() for positions in (fast, plain)]
            assert found[0] == found[1], rules.position(state)
            assert fast.following(state.pegs, state.seat) == plain.following(state.pegs, state.seat)
        state = rules.play(state, random.choice(rules.ranked(state)[:5]))
        if state.outcome:
            state = rules.start()
