"""Counts of positions reached by whole turns: the known ones of the first games, and of positions of others.

Deeper by hand: ``damero perft spanish 9`` (about ten seconds) must end in 3860866; with ``DAMERO_THOROUGH=2`` or more
the deeper counts below run too. The counts of docs/family.md are in tests/engine/draughts/test_family.py.
"""

from __future__ import annotations

import pytest

from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from tests.support.engine import slow_draughts, slow_games
from tests.support.engine.family_laws import FAMILY
from tests.support.engine.game_files import rules_of_file
from tests.support.engine.random_positions import Options
from tests.support.thoroughness import THOROUGH

KNOWN: list[tuple[str, Options, list[int]]] = [
    ("spanish", {}, [7, 49, 302, 1469, 7361]),
    ("spanish", {"mirror": True}, [7, 49, 302, 1469, 7361]),
    ("pinoy", {"removal": "at_end"}, [7, 49, 302, 1469, 7473]),
    ("pinoy", {"removal": "at_end", "mirror": True}, [7, 49, 302, 1469, 7473]),
    ("americanas", {"neglect": "compulsory"}, [7, 49, 302, 1469, 7361]),
    ("tama", {}, [22, 484, 12174, 268670]),
]

# Only with DAMERO_THOROUGH: minutes.
DEEPER: list[tuple[str, Options, int, int]] = [
    ("spanish", {}, 8, 828783),
    ("spanish", {}, 9, 3860866),
    ("pinoy", {"removal": "at_end"}, 9, 4431766),
    ("tama", {}, 5, 6280482),
]

thorough = pytest.mark.skipif(THOROUGH < 2, reason="takes minutes: set DAMERO_THOROUGH to 2 or more")


def counted_by_playing(rules: Rules, state: State, depth: int) -> int:
    """The count through the public interface: every turn is played."""
    turns = rules.turns(state)
    if depth == 1:
        return len(turns)
    return sum(counted_by_playing(rules, rules.play(state, turn), depth - 1) for turn in turns)


@pytest.mark.parametrize(("game", "options", "counts"), KNOWN)
def test_known_counts(game: str, options: Options, counts: list[int]) -> None:
    """The counts of docs/rules.md from the start, at each depth."""
    rules = rules_for(game, options)
    start = rules.start()
    assert [rules.perft(start, depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.parametrize(("game", "options", "counts"), KNOWN)
def test_known_counts_by_playing(game: str, options: Options, counts: list[int]) -> None:
    """The same counts by listing and playing every turn."""
    rules = rules_for(game, options)
    depth = 3 if game == "tama" else 4
    assert counted_by_playing(rules, rules.start(), depth) == counts[depth - 1]


@pytest.mark.parametrize(
    ("position", "counts"),
    [
        # Two well-known test positions with kings and with long captures by many routes.
        ("B:Wa1,a9,b2,b6,b8,c3,d2,d6,f2,f4,f6,g9,h2,i5,i7,i9,Kb4:BKc7,Kh6", [14, 55, 1168, 5432]),
        ("W:Wc3,c5,d4,e3,e5,f4,h4,i5,j4,j6:Ba5,a7,b6,d8,e7,f6,f8,g7,h6,h8", [6, 12, 30, 73, 215, 590, 1944, 6269]),
    ],
    ids=["random-178", "woldouby"],
)
def test_published_counts_of_positions(position: str, counts: list[int]) -> None:
    """International draughts from positions that the field publishes counts for."""
    rules = rules_of_file("international")
    state = rules.start(position)
    assert [rules.perft(state, depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.parametrize(("position", "depth"), [("W:Wb8,c9,Ka9:Bj8", 8), ("W:Wa7,b8,c9,Ka9:Bj8", 8)])
def test_kings_that_rest_are_counted(position: str, depth: int) -> None:
    """Where the run of a king comes to its end the moves that it may not make are not counted."""
    state = rules_of_file("frisian").start(position)
    endless = rules_of_file("frisian", run="0")
    expected = slow_games.perft(FAMILY["frisian"], slow_draughts.parse(position), depth)
    assert expected == rules_of_file("frisian").perft(state, depth)
    assert expected < endless.perft(endless.start(position), depth)


@thorough
@pytest.mark.parametrize(("game", "options", "depth", "count"), DEEPER)
def test_deeper(game: str, options: Options, depth: int, count: int) -> None:
    """Deeper counts of the shipped games."""
    rules = rules_for(game, options)
    assert rules.perft(rules.start(), depth) == count


def test_soplar_counts_the_neglecting_moves_too() -> None:
    """With soplar the ordinary moves beside a capture are counted: both kinds, each position once."""
    rules = rules_for("americanas")
    state = rules.start("W:Wc3,e3,g1:Bd4,h8")
    assert rules.perft(state, 1) == 6
    assert rules.perft(state, 2) == sum(len(rules.moves(rules.play(state, turn))) for turn in rules.moves(state))
