"""Whose weights count for whom, and what becomes of files of weights that are damaged."""

from __future__ import annotations

import json
import lzma
import re
import tracemalloc
from array import array
from collections.abc import Mapping

import pytest

from bot.computer.kernels.backends import PLAIN
from bot.computer.kernels.patterns import pattern_worth
from bot.computer.search import evaluation, pattern_weights, weight_files
from bot.computer.search.draughts import Searcher
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.registry import rules_for, rules_of
from bot.engine.ruleset import shipped
from bot.engine.variants import OptionValue, read
from tests.support.computer import slow_patterns
from tests.support.computer.altered_weights import altered, with_digest
from tests.support.computer.learned_games import draughts

OWN_OPTION = """
[options.own]
sets = "{sets}"
values = {values}
says = "Something else."
"""
GOOD = weight_files.shipped("spanish", "patterns") or b""
HEAD, _, BODY = GOOD.partition(weight_files.PARTED)


def is_learned(text: str, options: Mapping[str, OptionValue], name: str = "spanish") -> bool:
    """Whether a game by these rules has patterns; so has the worth of its pieces then."""
    rules = rules_of(read(text, f"{name}.toml", options))
    assert isinstance(rules, DraughtsRules)
    searcher = Searcher(rules, PLAIN)
    table = evaluation.worth(rules.variant, rules.board, searcher.squares)
    assert (searcher.plain.patterns > 0) == (table != evaluation.derived(rules.tables, rules.board, searcher.squares))
    return searcher.plain.patterns > 0


@pytest.mark.parametrize(
    ("sets", "default", "other"),
    [
        ("outcome.wins", "no-move", "lose-all"),
        ("king.reach", "long", "short"),
        ("board.squares", "diagonal", "all"),
        ("man.captures_kings", True, False),
    ],
)
def test_the_rules_in_force_count(sets: str, default: OptionValue, other: OptionValue) -> None:
    """An option of a file that is called as a shipped one makes it another game, or the shipped one again."""
    spanish = re.sub("game_type = .*", "", shipped("spanish").text)
    table, key = sets.split(".")
    if f"{key} = " not in spanish:
        spanish = spanish.replace(f"[{table}]", f"[{table}]\n{key} = {json.dumps(default)}", 1)
    if f"[{table}]" not in spanish:
        spanish = spanish.replace("[draws]", f"[{table}]\n{key} = {json.dumps(default)}\n\n[draws]", 1)
    spanish += OWN_OPTION.format(sets=sets, values=json.dumps([default, other]))
    assert is_learned(spanish, {})
    assert not is_learned(spanish, {"own": other})
    turned = spanish.replace(f"{key} = {json.dumps(default)}", f"{key} = {json.dumps(other)}", 1)
    assert not is_learned(turned, {})
    assert is_learned(turned, {"own": default})
    assert not is_learned(spanish, {}, "another")


def test_the_order_of_directions_is_no_rule() -> None:
    """A king that moves backward and forward moves as one that moves forward and backward."""
    text = shipped("spanish").text
    turned = text.replace('"forward-diagonal", "backward-diagonal"', '"backward-diagonal", "forward-diagonal"')
    assert turned != text
    assert is_learned(turned, {})


def test_options_of_a_shipped_game() -> None:
    """A house rule that changes neither pieces nor aim leaves what was learned."""
    assert is_learned(shipped("spanish").text, {"mirror": True})
    longer = shipped("spanish").text.replace("range = [10, 100]", "range = [10, 200]")
    assert is_learned(longer, {"mirror": True, "quiet_moves": 200})
    assert is_learned(shipped("americanas").text, {"neglect": "compulsory"}, "americanas")


def test_a_star_has_no_weights() -> None:
    """Nothing was learned for Chinese checkers."""
    assert not weight_files.is_learned(rules_for("chinese-checkers").variant)


def test_more_pieces_than_a_game_has() -> None:
    """They count as those of a full board."""
    rules = draughts("tama", {})
    own, foe = (",".join(f"{file}{row}" for row in rows for file in "abcdefgh") for rows in ("1234", "678"))
    position = rules.start(f"W:W{own}:B{foe}").position
    assert sum(position.material()) > sum(rules.start().position.material())
    searcher = Searcher(rules, PLAIN)
    node = searcher.node(position)
    worth = pattern_worth(searcher.plain, searcher.weights, node.side, *node[1:5])
    assert worth == slow_patterns.pattern_worth(rules, position) != 0


@pytest.mark.parametrize(
    "bad",
    [
        b"a." * 20_000 + b"b = 1" + weight_files.PARTED + BODY,
        altered(GOOD, b"pieces = 24", b"pieces = 0"),
        altered(GOOD, b"pieces = 24", b"pieces = 33"),
        altered(GOOD, b"pieces = 24", b"pieces = 1" + b"0" * 30),
    ],
    ids=["a long head", "no pieces", "more pieces than squares", "many pieces"],
)
def test_a_damaged_head(bad: bytes) -> None:
    """It is refused in one sentence, without much memory."""
    tracemalloc.start()
    try:
        with pytest.raises(weight_files.WeightFileError, match=r"of spanish cannot be used: .*; install"):
            pattern_weights.weights_of("spanish", draughts("spanish", {}).board, bad)
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()


def test_no_file_asks_for_more_memory_than_it_may() -> None:
    """What was packed to be read with much memory is refused before any is taken."""
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 28}]
    body = lzma.compress(array("h", [0]).tobytes(), filters=filters)
    with pytest.raises(weight_files.WeightFileError, match="damaged"):
        weight_files.read("spanish", with_digest(b'game = "spanish"\npieces = 24', body))


@pytest.mark.parametrize(
    "bad", ["man = [[1]]", "king = ", 'man = [["1"]]\nking = [[1]]', "man = [[1.5]]\nking = [[1]]", "man = 1\nking = 2",
            "man = [[100000]]\nking = [[1]]", "man = []\nking = []", "man = [[]]\nking = [[]]",
            "man = [[1]]\nking = [[1], [1]]",
            "man = [[1, 2], [3]]\nking = [[1, 2], [3, 4]]", "a." * 16_000 + "b = 1"]
)  # fmt: skip
def test_damaged_tables(bad: str) -> None:
    """So are tables of the worth of pieces that are none."""
    with pytest.raises(weight_files.WeightFileError, match=r"of spanish cannot be used: .*; install"):
        evaluation.tables_of("spanish", bad.encode())
