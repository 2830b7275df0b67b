"""Boards on which the endings of five pieces are few, their tables, and random positions of them."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from random import Random

from bot.computer.endgames.outcome_tables import OutcomeLayout
from bot.computer.search.draughts import Searcher
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState, Position
from bot.engine.registry import rules_for
from tests.support.computer.solved_endings import alone, state_of
from tests.support.thoroughness import THOROUGH

BOARDS = {"spanish": (4, 4), "pinoy": (4, 4), "americanas": (4, 4), "tama": (3, 3)}
"""Width and height of boards on which five pieces are few positions. That of tama has a file in the middle."""

GAMES = list(BOARDS) if THOROUGH > 1 or find_spec("numba") else ["spanish"]
"""Those that are looked at: in plain Python their tables take long, and `make test-fast` looks at all."""

HALVED = {"pinoy", "tama"}
"""The games of these whose tables hold one of two classes that differ in who is to move, as those of large ones do."""


def on_a_tiny_board(game: str) -> DraughtsRules:
    width, height = BOARDS[game]
    return alone(rules_for_draughts(game), width=width, height=height)


def rules_for_draughts(game: str) -> DraughtsRules:
    rules = rules_for(game)
    assert isinstance(rules, DraughtsRules)
    return rules


def sets_of(searcher: Searcher, position: Position) -> tuple[tuple[int, int, int, int], int]:
    node = searcher.node(position)
    return node.sets, node.side


def random_states(rules: DraughtsRules, pieces: int, number: int, random: Random) -> Iterator[DraughtsState]:
    """Random positions of so many pieces in which nobody can be captured at once."""
    classes = [material for material in OutcomeLayout(rules.tables, pieces).classes if sum(material) == pieces]
    while number:
        material = random.choice(classes)
        sets = [0, 0, 0, 0]
        groups = [g for g in range(4) for _ in range(material[g])]
        for place, group in zip(random.sample(sorted(rules.board.played), pieces), groups, strict=True):
            sets[group] |= 1 << place
        turn = random.choice((0, 1))
        men, kings = (sets[0], sets[2]), (sets[1], sets[3])
        if any(men[side] & rules.kernel.crown[side] for side in (0, 1)):
            continue
        state = state_of(rules, Position(turn, men, kings))
        turns = rules.turns(state)
        if turns and not any(one.captured for one in turns):
            number -= 1
            yield state
