"""What was learned of a position, asked for again and again."""

from __future__ import annotations

import random

from bot.computer.kernels.backends import PLAIN
from bot.computer.kernels.learned_worth import REMEMBERED, WORTH_BITS, learned_worth
from bot.computer.kernels.search_room import Work
from bot.computer.search.draughts import Searcher
from bot.computer.search.limits import Limit
from bot.computer.search.nodes import Node
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import Position
from bot.engine.registry import rules_for
from tests.support.computer.slow_nets import net_worth
from tests.support.computer.slow_patterns import pattern_worth


def searcher() -> Searcher:
    rules = rules_for("spanish")
    assert isinstance(rules, DraughtsRules)
    return Searcher(rules, PLAIN)


def asked(found: Searcher, here: Node, key: int) -> int:
    nothing = bytearray()
    work = Work([], [], 0, 0, nothing, nothing, found.weights, found.net, found.learned)
    return learned_worth(found.plain, work, *here[:5], key)


def test_what_is_remembered_is_what_is_learned() -> None:
    """Positions of a game, each asked of three times in between others, are worth what a slow reading says."""
    found, rng = searcher(), random.Random(4)
    state = found.rules.start()
    seen: list[Position] = []
    while (turns := found.rules.turns(state)) and len(seen) < 60:
        seen.append(state.position)
        state = found.rules.play(state, rng.choice(turns))
    for position in rng.sample(3 * seen, 3 * len(seen)):
        slow = pattern_worth(found.rules, position) + net_worth(found.rules, position)
        here = found.node(position)
        assert asked(found, here, here.key) == slow


def test_positions_that_share_an_entry_are_told_apart() -> None:
    """Two positions whose keys differ above what finds the entry alone are not taken for each other."""
    found = searcher()
    here, there = (found.node(found.rules.start(text).position) for text in ("W:Wb1,a2,d1:Ba8", "W:Wb1:Ba8,b7,d7"))
    key, other = 5 | 7 << WORTH_BITS, 5 | 9 << WORTH_BITS
    assert key % REMEMBERED == other % REMEMBERED
    worth, other_worth = asked(searcher(), here, key), asked(searcher(), there, other)
    assert worth != other_worth
    for _ in range(2):
        assert asked(found, here, key) == worth
        assert asked(found, there, other) == other_worth


def test_a_second_search_finds_the_same() -> None:
    """A search by one that has searched other positions finds what a new one does, position for position."""
    used = searcher()
    start = used.rules.start()
    for turn in used.rules.turns(start):
        used.think(used.rules.play(start, turn), Limit(depth=3))
    again, new = used.think(start, Limit(depth=5)), searcher().think(start, Limit(depth=5))
    assert again == new
