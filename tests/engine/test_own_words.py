"""Games whose people call the pieces otherwise than those of other games do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import pytest
from babel.messages.catalog import Message

from bot.cli.catalogues import gathered, in_own_words, vocabularies
from bot.engine import variants
from bot.engine.errors import MoveError
from bot.engine.registry import rules_for
from bot.i18n import ENGLISH, LANGUAGES, _, in_words_of, ngettext, pgettext, said, speaking
from bot.presentation.alt_text import alt_text
from bot.presentation.board_scene import ShownPosition
from tests.support.engine.shipped import DRAUGHTS, EVERY

OTHERS = [language for language in LANGUAGES if language != ENGLISH]
KINDS = (("king {squares}", "kings {squares}"), ("man {squares}", "men {squares}"))


def words(vocabulary: str) -> list[frozenset[str]]:
    """What kings and men are called with this vocabulary, in the language spoken now."""
    with in_words_of(vocabulary):
        told = [[ngettext(one, many, count).format(squares="") for count in (1, 2, 5)] for one, many in KINDS]
    return [frozenset(word.strip().casefold() for word in kind) for kind in told]


def say(text: str, any_of: Iterable[str]) -> bool:
    return any(re.search(rf"\b{re.escape(word)}\b", text.casefold()) for word in any_of)


def spoken(message: Message, vocabulary: str) -> Iterator[str]:
    with in_words_of(vocabulary):
        if isinstance(message.id, str):
            yield pgettext(message.context, message.id) if message.context else _(message.id)
        else:
            one, many = message.id
            yield from (ngettext(one, many, count) for count in (1, 2, 5))


def of_games(vocabulary: str) -> Iterator[Message]:
    """The texts about pieces that are said of games with a vocabulary, but for what people may type."""
    files = {f"data/variants/{name}.toml" for name in EVERY if variants.load(name).tables.vocabulary == vocabulary}
    names = {variants.load(name).tables.name for name in EVERY}
    general = ("bot/engine/draughts", "bot/engine/outcomes", "bot/presentation", "bot/chat/games/commands/hints")
    for message in gathered():
        places = [place for place, _line in message.locations]
        said_here = any(place in files or place.startswith(general) for place in places)
        if message.id and message.id not in names and said_here and not str(message.id).startswith(("kings,", "men,")):
            yield message


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("vocabulary", sorted(vocabularies()))
def test_a_game_never_says_the_others_word(vocabulary: str, language: str) -> None:
    """Where a language has a word of a game's own for a piece, each text that the game may say has it."""
    with speaking(language):
        for usual, own in zip(words(""), words(vocabulary), strict=True):
            if usual != own:
                texts = [text for message in of_games(vocabulary) for text in spoken(message, vocabulary)]
                assert [] == [text for text in texts if say(text, usual - own)]
                elsewhere = [text for message in of_games("") for text in spoken(message, "")]
                assert [] == [text for text in elsewhere if say(text, own - usual)]


def test_own_words_stand_where_a_game_has_them() -> None:
    """A catalogue's texts in a context that is no game's vocabulary would never be said."""
    assert ("pinoy", None) == in_own_words("pinoy")
    assert ("pinoy", "kings") == in_own_words("pinoy:kings")
    assert [(None, "side"), (None, None)] == [in_own_words("side"), in_own_words(None)]


@pytest.mark.parametrize("variant", DRAUGHTS)
@pytest.mark.parametrize("language", OTHERS)
def test_a_board_is_told_in_the_games_own_words(language: str, variant: str) -> None:
    """A king on a board is called as the game calls it, and not otherwise."""
    rules = rules_for(variant)
    pieces = sorted(rules.pieces(rules.start()).items())
    first, second = (next(rules.board.names[p] for p, piece in pieces if piece.owner == seat) for seat in (0, 1))
    keys = [seat.key for seat in rules.seats]
    state = rules.start(f"{keys[0]}:{keys[0]}K{first}:{keys[1]}K{second}")
    with speaking(language):
        told = alt_text(ShownPosition(rules, state)).replace(said(variants.load(variant).name), "")
        (usual, _men), (own, _men) = words(""), words(rules.variant.tables.vocabulary)
    assert say(told, own)
    assert not say(told, usual - own)


def test_kings_of_pinoy_dama_are_reyes_in_spanish() -> None:
    """In rules, counted endings and refusals, as its seed has it; in the Spanish game they are damas."""
    pinoy, spanish = (rules_for(name) for name in ("pinoy", "spanish"))
    with speaking("es"):
        assert "Tres reyes contra uno: tablas tras la 12.ª jugada del rey solo." in pinoy.variant.rules_text
        assert "damas recorren" in " ".join(spanish.variant.rules_text)
        assert "un peón no puede capturar una dama" == _("a man may not capture a king")
        with pytest.raises(MoveError, match="un rey no mueve de"):
            pinoy.read(pinoy.start("W:WKc3:Bh8"), "c3-d6")
    state = pinoy.start("W:WKa1,Kc1,Ke1:BKh8")
    state = pinoy.play(state, pinoy.read(state, "e1-d2"))
    with speaking("es"):
        told = alt_text(ShownPosition(pinoy, state))
    assert "Tres reyes contra uno: tablas tras 12 jugadas del rey solo (van 0)." in told
