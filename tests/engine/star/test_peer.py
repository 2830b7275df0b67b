"""Chinese checkers against OpenSpiel's ``chinese_checkers``: ``pip install -e '.[test,peers]'``, skipped without it.

OpenSpiel's actions are single hops, with one action to stop: they are folded into whole turns here. What both rules
have in common is compared in full, on every position of random games, with ``blocked=none``: OpenSpiel knows no remedy.
Where they differ, OpenSpiel allows more, and what it alone allows is taken out by the hole, not by the position:

- a hop or a step from a hole of the own target to one outside (a peg may not leave its target again) is not followed;
- a turn that ends in another player's start or target triangle is not counted.

Its star is ours turned about its upright axis: row 0 is row a, and holes are numbered from the right.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from bot.engine.registry import rules_for
from tests.support.engine import slow_star
from tests.support.engine.slow_star import Hole, Law
from tests.support.thoroughness import THOROUGH

pyspiel: Any = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

Holes = dict[Hole, int]  # hole -> the seat whose peg stands there
Turns = dict[frozenset[tuple[Hole, int]], tuple[int, ...]]  # what stands where after a turn -> its actions

ROWS = {
    row: sorted((hole for hole in slow_star.CUBES if hole[0] == row), key=slow_star.by_row)
    for row in "abcdefghijklmnopq"
}
HOLES = [hole for row in ROWS.values() for hole in reversed(row)]
"""Our name of each of OpenSpiel's positions."""

DIRECTIONS = 6
PASS = 121 * DIRECTIONS


def board_of(state: Any) -> Holes:
    """What stands where, read off OpenSpiel's drawing of the board."""
    signs = [sign for line in str(state).splitlines()[:17] for sign in line.split()]
    assert len(signs) == len(HOLES)
    return {hole: int(sign) - 1 for hole, sign in zip(HOLES, signs, strict=True) if sign != "."}


def whole_turns(state: Any, law: Law) -> Turns:
    """OpenSpiel's turns of the player to move, folded from its actions, without those that it alone allows."""
    player = state.current_player()
    peg_set = next(iter(law.table[player]))
    target = slow_star.ACROSS[peg_set]
    found: Turns = {}
    seen: set[frozenset[tuple[Hole, int]]] = set()

    def follow(here: Any, actions: tuple[int, ...]) -> Iterator[tuple[Any, tuple[int, ...]]]:
        """States after the turn, each with the actions that lead there."""
        for action in here.legal_actions():
            if action == PASS and not actions:
                continue
            child = here.child(action)
            if action != PASS and leaves_target(here, child):
                continue
            over = child.is_terminal() or child.current_player() != player or action == PASS
            if over:
                yield child, (*actions, action)
                continue
            held = frozenset(board_of(child).items())
            if held not in seen:
                seen.add(held)
                yield from follow(child, (*actions, action))

    def leaves_target(here: Any, child: Any) -> bool:
        before, after = board_of(here), board_of(child)
        (gone,) = before.keys() - after.keys()
        (come,) = after.keys() - before.keys()
        return slow_star.triangle_of(gone) == target != slow_star.triangle_of(come)

    start = board_of(state)
    for after, actions in follow(state, ()):
        held = board_of(after)
        (end,) = held.keys() - start.keys()
        if law.may_end(player, end):
            found.setdefault(frozenset(held.items()), actions)
    return found


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_random_games(players: int) -> None:
    """Every position of random games has the same whole turns in both, and the same winner at the end."""
    rules = rules_for("chinese-checkers", {"players": players, "blocked": "none"})
    law = Law(players=players, blocked="none")
    names, random = rules.board.names, Random(f"peer {players}")
    game = pyspiel.load_game("chinese_checkers", {"players": players, "max_moves": 100_000})
    compared = 0
    for _ in range(THOROUGH):
        state, theirs = rules.start(), game.new_initial_state()
        for _ in range(60 * players):
            if state.outcome is not None:
                break
            assert board_of(theirs) == {names[hole]: piece.owner for hole, piece in rules.pieces(state).items()}
            assert theirs.current_player() == state.seat
            their_turns = whole_turns(theirs, law)
            our_turns = {
                frozenset(
                    (names[hole], piece.owner) for hole, piece in rules.pieces(rules.play(state, turn)).items()
                ): turn
                for turn in rules.turns(state)
            }
            assert our_turns.keys() == their_turns.keys(), rules.position(state)
            compared += 1
            ranked = rules.ranked(state)
            turn = random.choice(ranked[: random.choice((1, 5, len(ranked)))])
            after = next(held for held, ours in our_turns.items() if ours == turn)
            for action in their_turns[after]:
                theirs.apply_action(action)
            state = rules.play(state, turn)
        assert theirs.is_terminal() == (state.outcome is not None)
        if state.outcome is not None and state.outcome.winner is not None:
            assert theirs.returns()[state.outcome.winner] > 0
    assert compared >= 50 * players
