"""What pieces are worth: tuned tables for the games that are shipped, terms for every other."""

from __future__ import annotations

import pytest

from bot.computer.kernels.lookup_tables import squares_of
from bot.computer.search import evaluation
from bot.computer.search.draughts import searcher_for
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.registry import rules_for
from tests.support.engine.game_files import rules_of_file
from tests.support.engine.shipped import DRAUGHTS, FIRST

TUNED = [name for name in DRAUGHTS if name in FIRST]


def table(rules: DraughtsRules) -> list[int]:
    return evaluation.worth(rules.variant, rules.board, squares_of(rules.board))


@pytest.mark.parametrize("name", TUNED)
def test_tuned_tables(name: str) -> None:
    """Every game that is offered first has tables as large as its board, in which each square played on has a worth."""
    rules = rules_for(name)
    assert isinstance(rules, DraughtsRules)
    tuned = evaluation.weights(name)
    assert tuned is not None
    board = rules.board
    for men_or_kings in tuned:
        played = {
            (x, board.height - 1 - y) for y, row in enumerate(men_or_kings) for x, worth in enumerate(row) if worth > 0
        }
        assert played == {board.places[place] for place in board.played}
    assert table(rules) != evaluation.derived(rules.tables, board, squares_of(board))


@pytest.mark.parametrize(("name", "options"), [(name, {}) for name in DRAUGHTS] + [("pinoy", {"mirror": True})])
def test_both_sides_see_the_same_board(name: str, options: dict[str, bool]) -> None:
    """The set-up is worth the same to both, on the squares of the other colour too."""
    rules = rules_for(name, options)
    assert isinstance(rules, DraughtsRules)
    searcher = searcher_for(rules)
    assert searcher.node(rules.start().position).score == 0
    # Where who loses all wins, a piece is a burden.
    sign = -1 if rules.tables.outcome.wins == "lose-all" else 1
    assert all(sign * table(rules)[kind * searcher.size + searcher.squares.of_place[place]] > 0
               for kind in range(4) for place in rules.board.played)  # fmt: skip


@pytest.mark.parametrize("name", ["italian", "thai", "turkish"])
def test_a_game_that_is_only_a_file(name: str) -> None:
    """It is played by the terms that follow from its rules: a king is worth more than a man."""
    rules = rules_of_file(name)
    assert evaluation.weights(rules.variant.id) is None
    found, size = table(rules), len(squares_of(rules.board).place_of)
    assert found == evaluation.derived(rules.tables, rules.board, squares_of(rules.board))
    squares = [squares_of(rules.board).of_place[place] for place in rules.board.played]
    assert sum(found[size + square] for square in squares) > sum(found[square] for square in squares)
