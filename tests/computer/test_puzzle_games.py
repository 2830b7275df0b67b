"""Puzzles out of games of careless players: the same ones for a seed, and no two alike."""

from __future__ import annotations

import pytest

from bot.computer.puzzle_games import SelfPlay, Varied, is_promising, play_for_puzzles
from bot.computer.puzzles import Puzzle
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.registry import rules_for
from bot.engine.rules import Rules

SOLUTION = ("d6-c7", "d8xb6", "d2-c3", "h6xd2xb4", "a3xc5xa7")
SHOT = Puzzle("pinoy", {}, "W:Wa3,d2,d6,e1,e3:Ba5,d8,Kh6,h8", SOLUTION, 1500)


def test_self_play_gives_the_same_puzzles_for_the_same_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the files can be made again; of another seed they are others."""
    monkeypatch.setattr("bot.computer.puzzles.SEARCHED", 2_500)
    first, again, other = (play_for_puzzles(SelfPlay("english", {}, 2, seed)) for seed in (3, 3, 2))
    assert first == again != other
    assert first


def test_a_glance_tells_what_is_worth_a_long_look() -> None:
    """It sees a combination of three turns; the set-up has none."""
    rules = rules_for("pinoy")
    assert isinstance(rules, DraughtsRules)
    assert is_promising(rules, rules.start(SHOT.position))
    assert not is_promising(rules, rules.start())


def turned(rules: Rules, text: str) -> str:
    """A position or a turn with the board turned half round."""
    assert isinstance(rules, DraughtsRules)
    last = len(rules.board.names) - 1
    return rules.board.renamed(text, lambda place: rules.board.names[last - place])


def mirrored(rules: Rules, text: str) -> str:
    """A position or a turn as a mirror shows it."""
    assert isinstance(rules, DraughtsRules)
    width, names = rules.board.width, rules.board.names
    return rules.board.renamed(text, lambda place: names[place + width - 1 - 2 * (place % width)])


def test_the_board_turned_round_is_no_other_puzzle() -> None:
    """For the other colour; nor is a position with one man elsewhere that has the same solution, nor the same position
    with another."""
    varied, rules = Varied("pinoy", {}), rules_for("pinoy")
    assert varied.takes(SHOT)
    _, white, black = turned(rules, SHOT.position).split(":")
    solution = tuple(turned(rules, text) for text in SHOT.solution)
    for like in (
        SHOT,
        SHOT._replace(position=f"B:W{black[1:]}:B{white[1:]}", solution=solution),
        SHOT._replace(position=SHOT.position.replace("h8", "g7")),
        SHOT._replace(solution=SOLUTION[:2]),
        SHOT._replace(position=SHOT.position.replace("e3", "g1"), solution=SOLUTION[:3]),
    ):
        assert not varied.takes(like)


def test_a_mirror_shows_no_other_puzzle_where_men_go_straight() -> None:
    """On a diagonal board the mirrored squares are not even played on."""
    varied, rules = Varied("tama", {}), rules_for("tama")
    position, solution = "B:Wa4,Ka8,d2,d3,f2,h2:Bb7,c7,d6,f7,h5,Kh6,h7", ("b7-a6", "a8xa5", "h5-g5")
    puzzle = Puzzle("tama", {}, position, solution, 1258)
    shown = tuple(mirrored(rules, text) for text in solution)
    assert varied.takes(puzzle._replace(position=mirrored(rules, position), solution=shown))
    assert not varied.takes(puzzle)
