"""Questions about a board, and their answers."""

from __future__ import annotations

import re

import pytest

from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from bot.engine.typed_positions import read
from bot.i18n import LANGUAGES, speaking
from bot.presentation.alt_text import LONGEST, alt_text
from bot.presentation.board_scene import ShownPosition
from bot.presentation.questions import answer, moves_in_words
from tests.support.engine.shipped import EVERY

WHAT_TO_ASK = (
    "Ask me: a1?, row 4, kings, captures, moves, last, board, clock. "
    "To move, press *Move* under the board or write a move such as c3xe5; `/help` tells more."
)


def _asked(text: str, variant: str, position: str | None = None, *moves: str) -> str | None:
    rules = rules_for(variant)
    state: State = rules.start(position)
    for move in moves:
        state = rules.play(state, rules.read(state, move))
    return answer(ShownPosition(rules, state), text, "three days")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("c3", "c3: White man. It may play c3xe5."),
        ("C3?", "c3: White man. It may play c3xe5."),
        ("d4", "d4: Black king."),
        ("a3", "a3: White man. It cannot move now."),
        ("h2", "h2 is empty."),
        ("a2", "a2 is not used in this game."),
        ("z9", "There is no z9 on this board."),
        ("h9?", "There is no h9 on this board."),
        ("resign", "To resign, press *Resign* under the board, or use `/game resign`."),
        ("offer a draw", "To offer a draw, press *Draw* under the board, or use `/game draw`."),
        ("row 3", "Row 3: a3 White man, c3 White man."),
        ("rank 8", "Row 8: empty."),
        ("row ３", "Row 3: a3 White man, c3 White man."),  # noqa: RUF001 - as a phone writes it
        ("column ｃ", "Column c: c3 White man."),  # noqa: RUF001 - as above
        (f"row {'x' * 1900}", f"There is no row {'x' * 39}…; the rows are 1 to 8."),
        ("row 9", "There is no row 9; the rows are 1 to 8."),
        ("column c", "Column c: c3 White man."),
        ("file z", "There is no column z; the columns are a to h."),
        ("kings", "White has no king.\nBlack has 1 king: d4."),
        ("men", "White has 2 men: a3, c3.\nBlack has no man."),
        ("captures", "White may capture: c3xe5."),
        ("moves", "White may play 1 move: c3xe5."),
        ("last", "No move has been made yet."),
        ("board", "White: men a3, c3.\nBlack: king d4.\nWhite to move."),
        ("clock", "three days"),
        ("whose turn?", "White to move."),
        ("pieces", "White: men a3, c3.\nBlack: king d4.\nWhite to move."),
        ("hint", "For a hint in a casual game, use `/game hint`."),
        ("row", "Which row? The rows are 1 to 8."),
        ("column?", "Which column? The columns are a to h."),
        ("help", WHAT_TO_ASK),
        ("Questions?", WHAT_TO_ASK),
    ],
)
def test_answers(text: str, said: str) -> None:
    """Each question about one position."""
    assert said == _asked(text, "pinoy", "W:Wa3,c3:BKd4")


@pytest.mark.parametrize("text", ["c3-d4", "hello", "", "?", "rows", "c", "99", "the kings are strong", "oblige"])
def test_what_is_no_question(text: str) -> None:
    """Moves and talk are answered elsewhere."""
    assert _asked(text, "pinoy") is None


def test_the_last_move_names_what_was_taken() -> None:
    """The squares that a capture has emptied."""
    said = _asked("last", "pinoy", "W:Wa1:Bb2,d4,h8", "a1xc3xe5")
    assert said == "White a1xc3xe5, taking b2 and d4."


def test_in_the_language_that_is_spoken() -> None:
    """Questions are understood in English and in the reader's language, and answered in that."""
    with speaking("es"):
        assert _asked("fila 3", "pinoy", "W:Wa3:Bb8") == _asked("row 3", "pinoy", "W:Wa3:Bb8")
        assert _asked("capturas", "pinoy", "W:Wa3:Bb8") == "Blancas: nada que capturar."


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("es", ["jugadas", "movimientos", "movidas", "moves", "jugadas legales"]),
        ("fil", ["mga tira", "mga galaw", "moves"]),
        ("hy", ["քայլեր", "հնարավոր քայլերը", "moves"]),
    ],
)
def test_what_may_be_played_is_asked_for_in_several_words(language: str, words: list[str]) -> None:
    """Each word that is natural for it, and the English one, gets the same answer, a whole sentence."""
    with speaking(language):
        told = [_asked(word, "americanas", "W:Wa3,c3:Bb8") for word in words]
        assert {_asked("moves", "americanas", "W:Wa3,c3:Bb8")} == set(told)
        if language == "es":
            assert "Rojas, 3 jugadas posibles: a3-b4, c3-b4, c3-d4." == told[0]


def test_games_written_in_numbers() -> None:
    """Where squares are called by numbers, so are they in questions and answers."""
    assert _asked("32", "international", "W:W32:B19") == "32: White man. It may play 32-27, 32-28."


def test_the_star() -> None:
    """Holes and rows of the star have letters first, and it has neither kings nor captures."""
    assert _asked("a1", "chinese-checkers") == "a1: South peg. It cannot move now."
    assert _asked("row q", "chinese-checkers") == "Row q: q1 North peg."
    assert _asked("row 3", "chinese-checkers") == "There is no row 3; the rows are a to q."
    assert _asked("captures", "chinese-checkers") == "Nothing is captured in this game."


def test_huffs_are_no_moves() -> None:
    """What may be done about a neglected capture is told after the moves."""
    said = _asked("moves", "americanas", "W:Wc3,a1:Bd4,h8", "a1-b2")
    assert said is not None
    assert said == "White may play 2 moves: d4-e3, h8-g7. Before moving: soplar c3, oblige."


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("variant", EVERY)
def test_the_words_are_the_position(variant: str, language: str) -> None:
    """Reading the board's sentences back gives the position, in each game and language; all that may be played fits a
    message."""
    rules: Rules = rules_for(variant)
    state = rules.start()
    with speaking(language):
        said = answer(ShownPosition(rules, state), "board", "")
        assert said is not None
        assert len(alt_text(ShownPosition(rules, state))) <= LONGEST
        assert len(moves_in_words(rules, state)) <= 1500
        if rules.variant.family == "draughts":
            assert rules.position(state) == rules.position(read(rules, said))
        holes = set(re.findall(r"\b[a-q]?[0-9]+\b", said))
    assert {rules.board.names[place] for place in rules.pieces(state)} == holes


def test_armenian_asks_within_the_word_and_has_its_own_signs() -> None:
    """A question has its mark on the word that is asked; answers end as Armenian sentences do, and labels too."""
    with speaking("hy"):
        assert "Սպիտակ կողմը դամկա չունի։\nՍև կողմն ունի 1 դամկա՝ d4։" == _asked("Դամկանե՞ր", "pinoy", "W:Wa3,c3:BKd4")
        assert "Շարք 3՝ a3 Սպիտակ քար, c3 Սպիտակ քար։" == _asked("շարք 3։", "pinoy", "W:Wa3,c3:BKd4")
        board = _asked("տախտա՞կ", "pinoy", "W:Wa3,c3:BKd4")
    assert "Սպիտակ՝ քարեր a3, c3։\nՍև՝ դամկա d4։\nՔայլում է Սպիտակ կողմը։" == board


def test_a_hole_as_the_picture_writes_it() -> None:
    """The row l of a star has a sign of its own on pictures."""
    assert _asked("l5", "chinese-checkers") == "l5 is empty."
    assert _asked("\u21135?", "chinese-checkers") == "l5 is empty."


def test_a_position_that_is_no_games_has_no_turn_number() -> None:
    """A lesson's or a hint's last move is told without one."""
    rules = rules_for("spanish")
    state = rules.play(rules.start(), rules.read(rules.start(), "b3-a4"))
    assert "draughts). White b3-a4. " in alt_text(ShownPosition(rules, state))
    assert "draughts). Turn 3: White b3-a4. " in alt_text(ShownPosition(rules, state, turn_number=3))


def test_who_has_left_a_table_is_marked() -> None:
    """In the alt text and in the answer to ``board``, where their pegs stand, and why once."""
    rules = rules_for("chinese-checkers", {"players": 6})
    shown = ShownPosition(rules, rules.leave(rules.start(), 3, "North resigned"))
    for told in (alt_text(shown), answer(shown, "board", "")):
        assert told is not None
        assert ["North (out): pegs n1, n2"] == re.findall(r"\S+ \(out\): pegs \S+ \S+(?=,)", told)
        assert 1 == told.count("Out of the game: North resigned (their pegs only stand there).")
