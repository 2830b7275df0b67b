"""The star's engine against the slow generator, on random positions and in random games of every choice of options.

DAMERO_THOROUGH=n looks at n times as many; the position of a failure is in its message.
"""

from __future__ import annotations

from random import Random

import pytest

from tests.support.engine import slow_star
from tests.support.engine.star_lockstep import (
    MOVING,
    TABLES,
    Options,
    Pair,
    by_placement,
    by_play,
    name_of,
    near_the_targets,
)
from tests.support.thoroughness import THOROUGH

every_choice = pytest.mark.parametrize("options", MOVING, ids=name_of)


@every_choice
def test_positions_by_play(options: Options) -> None:
    """Positions that random games pass through have the same turns, routes and notation in both."""
    pair, random = Pair(options), Random(f"play {options}")
    for _ in range(2 * THOROUGH):
        if found := by_play(pair, random):
            pair.check_position(*found, random)


@every_choice
def test_positions_by_placement(options: Options) -> None:
    """So have positions with pegs put down anywhere."""
    pair, random = Pair(options), Random(f"placement {options}")
    for _ in range(3 * THOROUGH):
        pair.check_position(*by_placement(pair, random), random)


@every_choice
def test_positions_near_the_targets(options: Options) -> None:
    """So have positions with targets half full, where pegs swap, stay in and fill what is free."""
    pair, random = Pair(options), Random(f"targets {options}")
    for _ in range(4 * THOROUGH):
        pair.check_position(*near_the_targets(pair, random), random)


@pytest.mark.parametrize("places", [False, True])
@pytest.mark.parametrize("table", TABLES, ids=name_of)
def test_games_with_resignations(table: dict[str, int], places: bool) -> None:
    """Whole games agree turn by turn, with players who leave, with turns that pass over them, and to the last place."""
    random = Random(f"games {table} {places}")
    for index in range(THOROUGH):
        blocked = ("swap", "filled", "none")[(TABLES.index(table) + places + index) % 3]
        pair = Pair({**table, "blocked": blocked, "places": places, "unused": random.choice(("empty", "filled"))})
        pair.play_out(random, most_turns=40, leaving=random.choice((0.0, 0.05, 0.2)))


@pytest.mark.parametrize("blocked", ["swap", "filled", "none"])
def test_ends_of_games(blocked: str) -> None:
    """Games from positions near the end agree to the last place, whoever comes home or passes."""
    random = Random(f"ends {blocked}")
    for index in range(2 * THOROUGH):
        pair = Pair({**TABLES[index % len(TABLES)], "blocked": blocked, "places": True})
        board, seat = near_the_targets(pair, random)
        state, game = pair.rules.start(slow_star.write(pair.law, board, seat)), slow_star.Game(pair.law, board, seat)
        for _ in range(40):
            pair.check(state, game, f"{pair.name}, {pair.rules.position(state)}", random)
            if game.over:
                break
            turn = random.choice(pair.rules.ranked(state)[:3])
            game.move(pair.after(state, turn))
            state = pair.rules.play(state, turn)
