"""What patterns of men are worth: learned for the games that are shipped, the same in every form of the search."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from importlib.resources import files
from random import Random

import pytest

from bot.computer.kernels.patterns import OF_EVERY, OF_OTHER, OF_TEN, SETS, pattern_worth
from bot.computer.search import pattern_weights, weight_files
from bot.computer.search.draughts import Searcher, searcher_for
from tests.support.computer import slow_patterns
from tests.support.computer.altered_weights import altered
from tests.support.computer.learned_games import Options, draughts, states_of

LEARNED: list[tuple[str, Options]] = [
    ("spanish", {}), ("spanish", {"mirror": True}), ("pinoy", {}), ("pinoy", {"mirror": True}), ("americanas", {}),
    ("tama", {}), ("russian", {}), ("brazilian", {}), ("english", {}), ("international", {}),
]  # fmt: skip
SIZE = 2 * (16 * 3**8 + 17)
"""Integers of a file with one set for all positions."""


def content(game: str) -> bytes:
    return files("data").joinpath("weights", f"{game}.patterns").read_bytes()


@pytest.mark.parametrize(("game", "options"), LEARNED)
def test_worth_as_the_file_has_it(game: str, options: Options) -> None:
    """Of random positions, the mirror image of the board's among them, the worth is what the file's weights add up to,
    and never the same for all."""
    rules = draughts(game, options)
    searcher, found = searcher_for(rules), set()
    for state in states_of(rules, game, options, 30):
        here = searcher.node(state.position)
        worth = pattern_worth(searcher.plain, searcher.weights, here.side, *here[1:5])
        assert worth == slow_patterns.pattern_worth(rules, state.position), rules.position(state)
        found.add(worth)
    assert len(found) > 5


@pytest.mark.parametrize(("game", "options"), LEARNED)
def test_both_sides_have_the_same_weights(game: str, options: Options) -> None:
    """A position turned about, with colours changed, is worth the same to its mover."""
    rules = draughts(game, options)
    searcher = searcher_for(rules)

    def turned(bits: int) -> int:
        return int(f"{bits:0{searcher.size}b}"[::-1], 2)

    for state in states_of(rules, game, options, 15):
        _, *sets = searcher.node(state.position)[:5]
        side = state.position.turn
        assert pattern_worth(searcher.plain, searcher.weights, side, *sets) == pattern_worth(
            searcher.plain, searcher.weights, 1 - side, *map(turned, sets)
        )


def test_without_patterns() -> None:
    """A game that has none, a board of another size and a search by given piece values go without."""
    assert searcher_for(draughts("canadian", {})).plain.patterns == 0
    rules = draughts("spanish", {})
    assert searcher_for(rules).plain.patterns
    assert Searcher(rules, worth=[0] * (4 * 64)).plain.patterns == 0


def file_of(weights: Iterable[int]) -> bytes:
    return weight_files.written({"game": "spanish", "pieces": 24}, array("h", weights))


def test_the_greatest_weights_stay_apart() -> None:
    """One of each pattern, of kings and of the right to move together fit the bits that they are added up in."""
    assert (max(OF_EVERY, OF_OTHER, OF_TEN) + 2) * pattern_weights.MOST < 1 << 15


@pytest.mark.parametrize("sets", [1, SETS])
def test_a_file_written_is_the_file_read(sets: int) -> None:
    """What is written comes back, with one set for all positions and with one for each answer to who has kings."""
    rules = draughts("spanish", {})
    weights = array(
        "h",
        (
            Random(7).randrange(-pattern_weights.MOST, pattern_weights.MOST + 1)
            for _ in range(2 * (16 * 3**8 * sets + 17))
        ),
    )
    written = file_of(weights)
    assert pattern_weights.weights_of("spanish", rules.board, written) == (24, weights)


@pytest.mark.parametrize(
    "damage",
    [
        lambda good: good[:-1],
        lambda good: altered(good, b'"spanish"', b'"pinoy"'),
        lambda good: good.partition(b"sha256")[0],
        lambda good: b"\xff" + good,
        lambda good: altered(good, b"pieces = 24", b"pieces = 0"),
        lambda good: good.replace(b"pieces = 24", b"pieces = 23"),
        lambda good: file_of([pattern_weights.MOST + 1] * SIZE),
        lambda good: file_of([-1, -32768] * (SIZE // 2)),
        lambda good: file_of([1, 2]),
    ],
    ids=[
        "cut",
        "another game",
        "no digest",
        "no text",
        "no pieces",
        "other pieces",
        "too large",
        "too small",
        "too short",
    ],
)
def test_a_damaged_file(damage: object) -> None:
    """It is refused with one sentence that says what to do."""
    assert callable(damage)
    board = draughts("spanish", {}).board
    with pytest.raises(
        weight_files.WeightFileError, match=r"the learned weights of spanish cannot be used: .*; install"
    ):
        pattern_weights.weights_of("spanish", board, damage(content("spanish")))
