"""The engine against the slow generator, on random positions and in random games of every game and option.

DAMERO_THOROUGH=n looks at n times as many; the position of a failure is in its message.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.engine import slow_draughts
from tests.support.engine.lockstep import Pair
from tests.support.engine.random_positions import (
    GAMES,
    Options,
    by_placement,
    by_play,
    crowded,
    endings,
    name_of,
    placements,
)
from tests.support.thoroughness import THOROUGH

every_game = pytest.mark.parametrize(("game", "options"), GAMES, ids=name_of)


@every_game
def test_positions_by_play(game: str, options: Options) -> None:
    """Positions that random games pass through have the same moves, routes and notation in both."""
    pair, random = Pair.of(game, options), Random(f"play {game} {options}")
    for _ in range(12 * THOROUGH):
        pair.check_position(by_play(pair.law, random), random)


@every_game
def test_positions_by_placement(game: str, options: Options) -> None:
    """So have positions with men and kings put down anywhere."""
    pair, random = Pair.of(game, options), Random(f"placement {game} {options}")
    for _ in range(60 * THOROUGH):
        pair.check_position(by_placement(pair.law, random), random)


@every_game
def test_long_captures(game: str, options: Options) -> None:
    """So have positions made for long captures by many routes."""
    pair, random = Pair.of(game, options), Random(f"crowded {game} {options}")
    for _ in range(30 * THOROUGH):
        pair.check_position(crowded(pair.law, random), random)


@every_game
def test_smallest_counter_example(game: str, options: Options) -> None:
    """Hypothesis finds no position on which the two differ, and would make one small."""
    pair = Pair.of(game, options)

    @settings(max_examples=25 * THOROUGH, database=None)
    @given(placements(pair.law))
    def agree(position: slow_draughts.Position) -> None:
        pair.check_position(position)

    agree()


@every_game
def test_games(game: str, options: Options) -> None:
    """Whole random games agree turn by turn, with their draws, huffs and obliged captures."""
    random = Random(f"games {game} {options}")
    for index in range(2 * THOROUGH):
        quiet_moves = random.choice((0, 0, 10))
        pair = Pair.of(game, {**options, "quiet_moves": quiet_moves})
        start = slow_draughts.start(pair.law) if index % 2 == 0 else by_placement(pair.law, random, 10)
        pair.play_out(start, random, 120)


@every_game
def test_endings(game: str, options: Options) -> None:
    """Endings of kings agree turn by turn, with the counts that draw them and without the draw by repetition."""
    random = Random(f"endings {game} {options}")
    for _ in range(4 * THOROUGH):
        repetition: dict[str, str | bool | int] = {} if game == "spanish" else {"repetition": random.random() < 0.3}
        pair = Pair.of(game, {**options, **repetition})
        pair.play_out(endings(pair.law, random), random, 60)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=20)
def test_position_strings_of_the_slow_generator(seed: int) -> None:
    """The slow generator reads back what it writes."""
    position = by_placement(slow_draughts.TAMA, Random(seed))
    assert slow_draughts.parse(slow_draughts.write(position)) == position
