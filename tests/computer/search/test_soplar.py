"""Soplar played with sense: what the computer does about a neglected capture, and that it neglects none itself."""

from __future__ import annotations

from random import Random

import pytest

from bot.computer.levels import LEVELS, choose
from bot.computer.search.draughts import Searcher, searcher_for
from bot.computer.search.limits import Limit
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState
from bot.engine.registry import rules_for
from tests.support.computer.minimax import minimax, playable
from tests.support.engine import slow_draughts
from tests.support.engine.random_positions import by_placement, by_play
from tests.support.thoroughness import THOROUGH

DEPTH = 2
MOST_KINGS = 3


@pytest.fixture(scope="module")
def searcher() -> Searcher:
    rules = rules_for("americanas")
    assert isinstance(rules, DraughtsRules)
    return searcher_for(rules)


def neglected(rules: DraughtsRules, random: Random) -> DraughtsState | None:
    """A state in which a capture has just been neglected, None where the random position has none."""
    law = slow_draughts.law_for("americanas", {})
    state = playable(rules, slow_draughts.write(random.choice((by_play, by_placement))(law, random)))
    turns = [turn for turn in rules.turns(state) if turn.neglects] if state else []
    if state is None or not turns:
        return None
    following = rules.play(state, random.choice(turns))
    return following if rules.remedies(following) and not following.outcome else None


def worth(rules: DraughtsRules, state: DraughtsState) -> dict[str, int]:
    """What a plain minimax says of everything that may be done in a state."""
    found = {}
    for remedy in rules.remedies(state):
        # After a huff the same player moves on, after an oblige the other has to capture.
        after = rules.play(state, remedy)
        huff = remedy.kind == "huff"
        found[remedy.text] = minimax(rules, after, DEPTH if huff else DEPTH - 1, 1) * (1 if huff else -1)
    for turn in rules.turns(state):
        if not turn.neglects:
            found[turn.text] = -minimax(rules, rules.play(state, turn), DEPTH - 1, 1)
    return found


def test_huff_oblige_or_let_it_pass(searcher: Searcher) -> None:
    """On random positions the best of all three, as a plain minimax has it; each of them is the best somewhere."""
    rules, random, kinds = searcher.rules, Random("soplar"), set[str]()
    checked = 0
    while checked < 24 * THOROUGH:
        state = neglected(rules, random)
        # Among many kings a minimax that follows every capture to its end takes minutes.
        if state is None or sum(piece.kind == "king" for piece in rules.pieces(state).values()) > MOST_KINGS:
            continue
        checked += 1
        found = searcher.think(state, Limit(depth=DEPTH, selective=False))
        if found.depth < DEPTH:
            continue
        expected = worth(rules, state)
        assert max(expected.values()) == found.score == expected[found.turn.text], rules.position(state)
        kinds.add(found.turn.kind)
    assert kinds == {"huff", "oblige", "move"}


@pytest.mark.usefixtures("enough_time")
def test_a_man_left_standing_is_blown() -> None:
    """A piece that could have captured comes off where that costs nothing, at the weakest level too."""
    rules = rules_for("americanas")
    state = rules.start("W:Wb2,c3,d2,g1:Bb8,d4,d8,h8")
    state = rules.play(state, rules.read(state, "g1-h2"))
    for level in (1, 4, 6):
        assert choose(rules, state, level, seed=1).turn.text == "soplar c3"


@pytest.mark.usefixtures("enough_time")
def test_no_level_neglects_a_capture() -> None:
    """Who neglects may be obliged, or lose the piece: it is never better than to capture."""
    rules = rules_for("americanas")
    state = rules.start("W:Wc3,e3,g1:Bd4,h8")
    for level in LEVELS[:6]:
        for seed in range(4):
            assert not choose(rules, state, level, seed, played=0).turn.neglects
