"""Who is told how a move is written is told one that may be played: no example that the game at hand refuses."""

from __future__ import annotations

import random
import re

import pytest
from babel.messages.pofile import read_po

from bot.engine import variants
from bot.engine.errors import MoveError
from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from tests.support.engine.shipped import EVERY
from tests.support.modules import ROOT

MOVE = re.compile(r"(?<![\w:-])(?:[a-q]\d{1,2}(?:[-x:> ]+[a-q]\d{1,2})+|\d{1,2}(?:[-x]\d{1,2})+)(?![\w:-])")
PAGES = ("README.md", "docs/playing.md", "docs/command-line.md", "bot/playground.py")
WRONG = ("bla", "c3", "a1-b1", "a2-a3", "z9", "soplar", "soplar zz", "oblige now", "9-", "99-98", "e5", "-" * 400)
# Rounds of tournaments, written in the players' numbers.
OF_ROUNDS = "1-5"


def refused(rules: Rules, state: State, text: str) -> str:
    """What is said to ``text``; nothing where it may be played."""
    try:
        rules.read(state, text)
    except MoveError as error:
        return error.sentence
    return ""


@pytest.mark.parametrize("name", EVERY)
def test_a_refusal_names_moves_that_may_be_played(name: str) -> None:
    """Whatever was typed, at the start and later on: each example after it is legal, and nonsense gets one."""
    variant = variants.load(name)
    rules, lots = rules_for(variant.ruleset, variant.options), random.Random(name)
    state = rules.start()
    for _ply in range(12):
        for text in WRONG:
            said = refused(rules, state, text)
            _, _, examples = said.partition("Type a move such as ")
            if examples:
                named = re.split(" or ", examples.rstrip("."))
                assert not [move for move in named if refused(rules, state, move)], (text, said)
        assert "such as" in refused(rules, state, "bla")
        if not rules.turns(state):
            break
        state = rules.play(state, lots.choice(rules.turns(state)))


def test_a_square_off_the_board_gets_an_example() -> None:
    """On the Spanish board c3 is not played on: who tries it is told a move that is."""
    variant = variants.load("spanish")
    rules = rules_for(variant.ruleset, variant.options)

    assert "c3 is not used in this game. Type a move such as b3-a4." == refused(rules, rules.start(), "c3-d4")


def test_no_text_names_a_move_of_some_game() -> None:
    """Texts are said in every game: what they name as an example comes from the game that is played."""
    with (ROOT / "data/locales/es.po").open("rb") as file:
        texts = [text for each in read_po(file) for text in ([each.id] if isinstance(each.id, str) else each.id)]
    assert [] == [text for text in texts if MOVE.search(text) and OF_ROUNDS not in text]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_the_game_of_its_examples(page: str) -> None:
    """A line that shows moves either names a game, in which they can be played from the start, or is about notation
    alone: then the line is of ways to write one move."""
    games = {variants.load(name).name.split(" (")[0]: name for name in EVERY} | {name: name for name in EVERY}
    for line in (ROOT / page).read_text("utf-8").splitlines():
        moves = [text for span in re.findall(r"`([^`]+)`|\"([^\"]+)\"", line) for text in span if MOVE.fullmatch(text)]
        name = next((games[title] for title in games if re.search(rf"\b{re.escape(title)}\b", line)), None)
        if moves and name is not None:
            variant = variants.load(name)
            rules = rules_for(variant.ruleset, variant.options)
            state = rules.start()
            for move in " ".join(moves).split():
                state = rules.play(state, rules.read(state, move))
