"""Games that are files beside the tests, and the slow generator's reading of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from bot.engine import variants
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.registry import rules_of
from tests.support.engine.slow_draughts import AHEAD, DIAGONALS, EVERY_WAY, ORTHOGONALS, Count, IsOne, Law

FILES = Path(__file__).parents[2] / "engine" / "variants"

_DIAGONAL = Law(
    played="a1", men_rows=(1, 2, 3), man_steps=AHEAD, man_jumps=DIAGONALS, king_steps=DIAGONALS, king_jumps=DIAGONALS,
    choice="most", removal="at_end", last_row="passes",
)  # fmt: skip
_SHORT = replace(_DIAGONAL, man_jumps=AHEAD, long_king=False, last_row="stops")
FRISIAN = replace(
    _DIAGONAL, size=10, men_rows=(1, 2, 3, 4), man_jumps=EVERY_WAY, king_jumps=EVERY_WAY,
    choice="value, then with a king", king_worth=199, tires_after=3,
)  # fmt: skip
_TURKISH_MAN = ((0, 1), (-1, 0), (1, 0))


def _against_a_king(pieces: int) -> IsOne:
    """A king and others, so many in all, against one king."""
    return lambda men, kings, foes, king, _: kings >= 1 and men + kings == pieces and (foes, king) == (0, 1)


def _with_kings(least: int, most: int) -> IsOne:
    """So many pieces of both sides, kings among those of either."""
    return lambda men, kings, foes, king, _: min(kings, king) > 0 and least <= men + kings + foes + king <= most


LAWS: dict[str, Law] = {
    "international": replace(
        _DIAGONAL, size=10, men_rows=(1, 2, 3, 4), quiet_moves=25,
        counts=(
            Count(_against_a_king(3), 16, anew=False),
            Count(_against_a_king(2), 5, anew=False),
            Count(lambda *pieces: pieces[:4] == (0, 1, 0, 1), 0, captures_first=True),
        ),
    ),
    "brazilian": _DIAGONAL,
    "russian": replace(
        _DIAGONAL, choice="any", last_row="crowns", quiet_moves=15,
        counts=(
            Count(lambda men, kings, foes, king, _: (men, foes, king) == (0, 0, 1) and kings >= 3, 15),
            Count(lambda *pieces: _against_a_king(3)(*pieces) and pieces[-1], 5, anew=False),
            Count(_with_kings(2, 3), 5),
            Count(_with_kings(4, 5), 30),
            Count(_with_kings(6, 7), 60),
        ),
    ),
    "english": replace(_SHORT, choice="any", first="B"),
    "give-away": replace(_DIAGONAL, wins="who cannot move"),
    "breakthrough": replace(_DIAGONAL, wins="the first king"),
    "last-piece": replace(
        _DIAGONAL, wins="who leaves one piece", men_rows=(),
        set_up=(("a1", "c1", "e1", "g1", "d2"), ("b8", "d8", "f8", "h8", "e7")),
    ),
    "italian": replace(_SHORT, played="h1", choice="italian", man_takes_king=False),
    "frisian": FRISIAN,
    "killer": replace(_DIAGONAL, size=10, men_rows=(1, 2, 3, 4), halts_behind_king=True),
    "thai": replace(
        _DIAGONAL, men_rows=(1, 2), man_jumps=AHEAD, choice="any", removal="at_once", last_row="stops", lands_next=True
    ),
    "turkish": Law(
        played="all", men_rows=(2, 3), man_steps=_TURKISH_MAN, man_jumps=_TURKISH_MAN, king_steps=ORTHOGONALS,
        king_jumps=ORTHOGONALS, choice="most", removal="at_once", last_row="passes",
        counts=(
            Count(lambda *pieces: pieces[:4] == (0, 1, 1, 0), 0, captures_first=True, won=True),
            Count(lambda *pieces: pieces[:4] == (0, 1, 0, 1), 0, captures_first=True),
        ),
    ),
}  # fmt: skip


def text_of(name: str) -> str:
    """The file of a game."""
    return (FILES / f"{name}.toml").read_text("utf-8")


def rules_of_file(name: str, **changed: str) -> DraughtsRules:
    """The rules of a game that is a file; ``changed``: keys that have these values instead."""
    text = text_of(name)
    for key, value in changed.items():
        (line,) = (line for line in text.splitlines() if line.startswith(f"{key} = "))
        text = text.replace(line, f"{key} = {value}")
    rules = rules_of(variants.read(text, f"{name}.toml"))
    assert isinstance(rules, DraughtsRules)
    return rules
