"""The games of docs/family.md: published counts, and random positions against the slow generator.

``DAMERO_THOROUGH=n`` looks at n times as many positions, and from 2 on counts to the deep counts of the page.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.engine.registry import rules_for
from tests.support.engine import family_page, slow_draughts
from tests.support.engine.family_laws import FAMILY
from tests.support.engine.lockstep import Pair
from tests.support.engine.random_positions import by_placement, by_play, crowded, few
from tests.support.thoroughness import THOROUGH

COUNTS, DEEP = family_page.counts(), family_page.deep_counts()


@pytest.mark.parametrize("game", COUNTS)
def test_known_counts(game: str) -> None:
    """The counts of the page from the start, at each depth."""
    rules = rules_for(game)
    start = rules.start()
    assert COUNTS[game] == [rules.perft(start, depth + 1) for depth in range(len(COUNTS[game]))]


@pytest.mark.skipif(THOROUGH < 2, reason="takes minutes: set DAMERO_THOROUGH to 2 or more")
@pytest.mark.parametrize("game", DEEP)
def test_deep_counts(game: str) -> None:
    """The deep counts of the page."""
    rules, (depth, count) = rules_for(game), DEEP[game]
    assert count == rules.perft(rules.start(), depth)


@pytest.mark.parametrize("game", FAMILY)
def test_random_positions(game: str) -> None:
    """Moves, routes and notation are those of the slow generator."""
    rules = rules_for(game)
    pair, random = Pair(game, FAMILY[game], rules), Random(game)
    assert pair.parsed(rules.start()) == slow_draughts.start(pair.law)
    # In eight directions the slow generator is slower still.
    for index in range((25 if len(pair.law.king_jumps) < 8 else 4) * THOROUGH):
        make = by_play if index % 10 == 0 else crowded if index % 3 == 0 else by_placement
        pair.check_position(make(pair.law, random), random)


def test_turkish_men_that_pass_the_last_row() -> None:
    """The house rule by which a man is crowned only where its capture ends."""
    law, rules = replace(FAMILY["turkish"], last_row="passes"), rules_for("turkish", {"crowning": "passes"})
    pair, random = Pair("turkish", law, rules), Random("crowning")
    for _ in range(30 * THOROUGH):
        pair.check_position(by_placement(law, random), random)


@pytest.mark.parametrize("game", FAMILY)
def test_games(game: str) -> None:
    """Whole games agree turn by turn, with what wins and what is counted."""
    pair, random = Pair(game, FAMILY[game], rules_for(game)), Random(f"games {game}")
    for index in range(2 * THOROUGH):
        start = slow_draughts.start(pair.law) if index % 2 == 0 else few(pair.law, random)
        pair.play_out(start, random, 40 if index % 2 == 0 else 100)
