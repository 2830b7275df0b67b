"""Random texts typed in every kind of game: a legal turn or one of the three errors, never anything else.

``DAMERO_THOROUGH=10`` types 100,000 in each.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from bot.engine.errors import AmbiguousMove, IllegalMove, NotAMove
from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from tests.support.engine import slow_draughts
from tests.support.engine.random_positions import by_placement, name_of
from tests.support.engine.shipped import SOME
from tests.support.thoroughness import THOROUGH

TEXTS = 10_000 * THOROUGH
STATES = 50 * THOROUGH

_SIGNS = ["-", "x", ":", " ", "", "--", " x ", "->", "\u2013", "\u00d7", ",", "/", "\uff1a", "\u200b", "\n", "\t"]
_WORDS = ["soplar", "huff", "oblige", "soplo", "SOPLAR", "Oblige", "pass", "resign", "draw", "c3", "the", "to", "e4!"]
_ODD = "abcdefghijklmnopqrstuvwxyzABCH0123456789-x:+#?!.,;()[]{}*_~`'\"\\/ \t\n\r\0\u0660\u0967\u00b2\u2460\uff11\uff43"
_ODD += "\u00df\u0130\u0131\u017f\u212a\u00aa\u0301\u202e\u200d\ufeff\U0001f600\U0001d41c\ud800\udfff"

GAMES: list[tuple[str, dict[str, str | bool]]] = [(name, {}) for name in SOME]


def states(rules: Rules, random: Random) -> list[State]:
    """States that random games pass through, where huffs wait too, and boards with kings put down at random."""
    found: list[State] = []
    if rules.variant.id in slow_draughts.LAWS:
        law = slow_draughts.law_for(rules.variant.id)
        found = [rules.start(slow_draughts.write(by_placement(law, random))) for _ in range(STATES // 2)]
    while len(found) < STATES:
        state = rules.start()
        for _ in range(random.randrange(20, 90)):
            turns = rules.turns(state)
            if not turns:
                break
            if random.random() < 0.15 or rules.remedies(state):
                found.append(state)
            state = rules.play(state, random.choice(turns))
        found.append(state)
    return found[:STATES]


def near_move(turns: list[str], squares: list[str], random: Random) -> str:
    """A legal turn's text with some of it changed, left out, doubled or swapped."""
    text = list(random.choice(turns)) if turns else list(random.choice(squares))
    for _ in range(random.randrange(3)):
        at = random.randrange(len(text) + 1)
        change = random.random()
        if change < 0.3:
            text[at : at + 1] = [random.choice(_ODD)]
        elif change < 0.6:
            text[at : at + random.randint(1, 3)] = []
        elif change < 0.8:
            text[at:at] = [random.choice(_SIGNS)]
        else:
            text[at:at] = list(random.choice(squares))
    return "".join(text)


def any_text(turns: list[str], squares: list[str], random: Random) -> str:
    """A text somewhere between a move and noise."""
    kind = random.random()
    if kind < 0.45:
        return near_move(turns, squares, random)
    if kind < 0.75:
        places = [random.choice(squares) for _ in range(random.choice((1, 1, 2, 2, 2, 3, 3, 4, 8)))]
        return random.choice([*_SIGNS[:5], *_SIGNS]).join(places)
    if kind < 0.84:
        numbers = [str(random.randrange(random.choice((12, 34, 130, 10**6)))) for _ in range(random.randint(1, 5))]
        return random.choice(_SIGNS[:9]).join(numbers)
    if kind < 0.9:
        words = [random.choice((*_WORDS, random.choice(squares))) for _ in range(random.randint(1, 4))]
        return random.choice((" ", "", "  ")).join(words)
    if kind < 0.999:
        return "".join(random.choice(_ODD) for _ in range(random.randrange(14)))
    return "".join(random.choice(_ODD) for _ in range(random.choice((119, 120, 121, 2000, 5000))))


@pytest.mark.parametrize(("game", "options"), GAMES, ids=name_of)
def test_any_text(game: str, options: dict[str, str | bool]) -> None:
    """Never an exception other than the three errors; never a move that is not legal."""
    rules = rules_for(game, options)
    random = Random(f"fuzz {game}")
    squares = [rules.board.names[place] for place in sorted(rules.board.played)]
    counts: Counter[str] = Counter()
    for state in states(rules, random):
        legal = {turn.text: turn for turn in (*rules.turns(state), *rules.remedies(state))}
        texts, where = list(legal), rules.position(state)
        for _ in range(TEXTS // STATES):
            text = any_text(texts, squares, random)
            told = f"{game}, position {where}, typed {text!r}"
            try:
                turn = rules.read(state, text)
            except AmbiguousMove as error:
                counts["ambiguous"] += 1
                found = [candidate.text for candidate in error.candidates]
                ambiguous = len(set(found)) == len(found) > 1 and set(found) <= legal.keys()
                assert ambiguous, told
            except (NotAMove, IllegalMove) as error:
                counts["NotAMove" if isinstance(error, NotAMove) else "IllegalMove"] += 1
                short = 0 < len(error.message) < 400
                assert short, told
            except Exception as error:
                raise AssertionError(told) from error
            else:
                counts["legal"] += 1
                assert legal.get(turn.text) == turn, told
    assert counts.total() == TEXTS
    # The texts are of all kinds: none of them is so rare that it proves nothing.
    assert min(counts[kind] for kind in ("legal", "ambiguous", "NotAMove", "IllegalMove")) > TEXTS // 1000, counts
