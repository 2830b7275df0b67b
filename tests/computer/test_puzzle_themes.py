"""What puzzles are about, told by positions in which it is so and by others that are near it."""

from __future__ import annotations

import pytest

from bot.computer.puzzle_themes import THEMES, themes_of
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.errors import EngineError
from bot.engine.registry import rules_for


def themes(variant: str, line: str) -> set[str]:
    position, *solution = line.split()
    rules = rules_for(variant)
    assert isinstance(rules, DraughtsRules)
    return set(themes_of(rules, position, solution))


@pytest.mark.parametrize(
    ("variant", "line", "expected"),
    [
        # Given, and taken back with three; seventeen pieces less a few are no endgame.
        (
            "spanish",
            "B:Wb3,d5,f1,g2,h3,h5:Ba6,b7,e4,f7,g8,h7 f7-g6 h5xf7 g8xe6xc4xa2",
            {"sacrifice", "long-capture"},
        ),
        # Two men given, a king taken.
        (
            "pinoy",
            "W:Wa3,d2,d6,e1,e3:Ba5,d8,Kh6,h8 d6-c7 d8xb6 d2-c3 h6xd2xb4 a3xc5xa7",
            {"sacrifices", "king-caught"},
        ),
        # A man walks, the other side may do what it likes.
        ("pinoy", "W:Wa3,c3,d4:Ba5,b6,f6 a3-b4 f6-g5 b4-c5 g5-h4 c5xa7", {"quiet-move", "endgame"}),
        # A man is crowned, and captures as a king.
        ("pinoy", "B:Wb4,c3,c5,d4,f2:Ba5,a7,f6,h2 h2-g1 c5-b6 g1xe3xc5xa3", {"crowning", "long-capture"}),
        # A king is given away and another caught.
        ("spanish", "W:WKa6,d5,h1:BKh3 a6-c8 h3-f1 h1-g2 f1xh3 d5-e6", {"sacrifice", "quiet-move", "endgame"}),
    ],
)
def test_themes_are_told_by_positions(variant: str, line: str, expected: set[str]) -> None:
    """These and no others."""
    assert expected == themes(variant, line)


def test_the_rule_of_choice_is_a_theme_where_it_decides() -> None:
    """The answer has to take two, where it could take one elsewhere; where there is nothing else to take it is none."""
    rest = "Wa2,b1,b3,c2,c4,d1,d3,f1,g2,g4,h1,h3:Ba6,a8,b7,c6,d7,e6,e8,f5,f7,g6,g8,h7 c4-d5 e6xc4xe2 g4xe6xc8"
    assert "choice-rule" in themes("spanish", f"W:{rest}")
    assert "choice-rule" not in themes("spanish", f"W:{rest.replace(',c6', '')}")


def test_who_is_shut_in_has_pieces_left() -> None:
    """Won by the last move, with nothing taken; who has taken all has shut nobody in."""
    assert {"quiet-move", "shut-in", "endgame"} == themes("spanish", "W:WKf3:Bb3 f3-e4 b3-a2 e4-b1")
    assert "shut-in" not in themes("pinoy", "W:WKa3,Kb8,g5:BKd2 a3-c1 d2xh6 b8-f4")


def test_themes_are_told_in_one_order_and_of_legal_solutions_alone() -> None:
    """The order of the list; a solution that is not legal has none."""
    rules = rules_for("pinoy")
    assert isinstance(rules, DraughtsRules)
    told = themes_of(rules, "W:Wa3,d2,d6,e1,e3:Ba5,d8,Kh6,h8", ("d6-c7", "d8xb6", "d2-c3", "h6xd2xb4", "a3xc5xa7"))
    assert list(told) == [theme for theme in THEMES if theme in told]
    with pytest.raises(EngineError):
        themes_of(rules, "W:Wa3,d2,d6,e1,e3:Ba5,d8,Kh6,h8", ("a3-b8",))
