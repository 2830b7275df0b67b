"""What the rules say, in another language than the one in which they are written."""

from __future__ import annotations

import pytest

from bot.engine import variants
from bot.engine.errors import MoveError
from bot.engine.outcomes import reason_of
from bot.engine.registry import rules_for
from bot.i18n import said, speaking
from bot.presentation import alt_text
from bot.presentation.board_scene import ShownPosition


def refusal(variant: str, position: str, text: str) -> str:
    rules = rules_for(variant)
    with speaking("es"), pytest.raises(MoveError) as refused:
        rules.read(rules.start(position), text)
    return refused.value.message


@pytest.mark.parametrize(
    ("variant", "position", "text", "sentence"),
    [
        ("pinoy", "W:Wc3:Bd4,f6", "c3-b4", "debes capturar: c3xe5xg7 captura 2 piezas; tu jugada no captura nada"),
        ("pinoy", "W:Wc3:Bd8", "c3-b2", "un peón no mueve hacia atrás"),
        ("tama", "W:Wc3:Bc6", "c6-c5", "la pieza de c6 no es tuya: juegas con Blancas"),
        ("tama", "W:Wd4:Bd8", "e4-e5", "e4 está vacía"),
        ("chinese-checkers", "1:S=a1:N=q1", "a1-a1", "un turno no puede acabar en el hueco donde empezó"),
        ("pinoy", "W:Wc3:Bd8", "hello", "No entiendo esa jugada. Escribe una jugada como c3-b4"),
    ],
)
def test_refusals_teach_in_the_readers_language(variant: str, position: str, text: str, sentence: str) -> None:
    """The rule's own reason, with the squares that were typed."""
    assert refusal(variant, position, text).startswith(sentence)


@pytest.mark.parametrize("word", ["soplar c3", "huff c3"])
def test_typed_words_are_understood_in_every_language(word: str) -> None:
    """A reader of Spanish may type the English word, and the other way round."""
    rules = rules_for("americanas")
    state = rules.start("W:Wc3,g1:Bd4,h8")
    state = rules.play(state, rules.read(state, "g1-h2"))
    for language in ("en", "es"):
        with speaking(language):
            assert "soplar c3" == rules.read(state, word).text


def test_what_was_kept_before_is_said_in_any_language() -> None:
    """Of a game that is over its reason is stored in English: it is known again, and what is not stays as it is."""
    found = {
        "White resigned": "abandono de Blancas",
        "South ran out of time": "fin del tiempo de Sur",
        "draw by agreement": "tablas de común acuerdo",
        "two kings against one after 5 moves each": "dos damas contra una tras 5 jugadas de cada bando",
        "40 moves each without a capture or a man's move": "40 jugadas de cada bando sin captura ni movimiento de peón",
        "South came home first, and the others agreed to a draw": "la primera meta completa fue la de Sur, y los demás "
        "acordaron tablas",
        "somebody's own words": "somebody's own words",
    }
    with speaking("es"):
        assert list(found.values()) == [said(reason_of(text)) for text in found]
    assert list(found) == [str(reason_of(text)) for text in found]


@pytest.mark.parametrize("variant", variants.names())
def test_pictures_are_described_in_the_readers_language(variant: str) -> None:
    """The description of the first board has no English word left, and says no less."""
    rules = rules_for(variant)
    state = rules.start()

    english = alt_text.alt_text(ShownPosition(rules, state))
    with speaking("es"):
        spanish = alt_text.alt_text(ShownPosition(rules, state))
    assert "to move." in english
    assert spanish.split(" ")[-3:-1] == ["Turno", "de"]
    assert not {"men", "pegs", "White", "Red", "South", "draughts"} & set(spanish.replace(":", " ").split())


@pytest.mark.parametrize("variant", variants.names())
def test_rules_and_options_have_no_english_line_left(variant: str) -> None:
    """What `/rules` shows is translated to the last line."""
    made = variants.load(variant)
    with speaking("es"):
        assert not set(made.rules_text) & {line if isinstance(line, str) else line.says for line in made.tables.says}
        assert all(said(spec.says) != spec.says for spec in made.option_specs.values())
