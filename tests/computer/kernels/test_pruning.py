"""Positions near the horizon that the evaluation settles, and those that it does not."""

from __future__ import annotations

import pytest

from bot.computer.kernels.backends import PLAIN
from bot.computer.kernels.pruning import NEAR, UNSETTLED, settled_by_worth
from bot.computer.kernels.search_room import LENGTHS, Work
from bot.computer.search.draughts import Searcher
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.registry import rules_for


def searcher(game: str) -> Searcher:
    rules = rules_for(game)
    assert isinstance(rules, DraughtsRules)
    return Searcher(rules, PLAIN)


def told(position: str, depth: int) -> int:
    """What is made of a position of Spanish Dama, held against an even one."""
    found = searcher("spanish")
    here = found.node(found.rules.start(position).position)
    nothing = bytearray()
    work = Work([0] * LENGTHS, [], 0, 0, nothing, nothing, found.weights, found.net, found.learned)
    return settled_by_worth(found.plain, work, here.side, *here.sets, here.key, here.kings, here.score, depth, 0)


@pytest.mark.parametrize(
    ("position", "depth", "settled"),
    [
        ("W:Wb1,a2,d1,c2,e2:Ba8,b7", 1, True),
        ("W:Wb1,a2,d1,c2,e2:Ba8,b7", NEAR, True),
        # Black could capture on c4.
        ("W:Wc4,b1,a2,d1,c2,h3:Bd5,a8", 1, False),
        ("B:Wb1,a2,d1,c2,e2:Ba8,b7", 1, True),
        # A ply further away there may be something to find.
        ("B:Wb1,a2,d1,c2,e2:Ba8,b7", 2, False),
        # Nobody is ahead.
        ("W:Wb1,a2:Ba8,b7", 1, False),
        # Who is far behind and cannot move has lost, which is worse.
        ("B:Wb1,a2,d1,c2,g6,f5,e4:Bh7", 1, False),
    ],
)
def test_what_is_far_from_even_is_settled(position: str, depth: int, settled: bool) -> None:
    """Who is far ahead and cannot be captured from is told to be so, who is far behind only just before the horizon."""
    assert settled == (told(position, depth) != UNSETTLED)
