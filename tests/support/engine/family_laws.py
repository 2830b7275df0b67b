"""The slow generator's reading of the games that docs/family.md tells of."""

from __future__ import annotations

from dataclasses import replace

from tests.support.engine.slow_draughts import AHEAD, DIAGONALS, ORTHOGONALS, Law

_DIAGONAL = Law(
    played="a1", men_rows=(1, 2, 3), man_steps=AHEAD, man_jumps=DIAGONALS, king_steps=DIAGONALS, king_jumps=DIAGONALS,
    choice="most", removal="at_end", last_row="passes",
)  # fmt: skip
_AHEAD = replace(_DIAGONAL, man_jumps=AHEAD, last_row="stops", choice="any")
_SHORT = replace(_AHEAD, long_king=False)
_TURKISH_MAN = ((0, 1), (-1, 0), (1, 0))

FAMILY: dict[str, Law] = {
    "brazilian": _DIAGONAL,
    "canadian": replace(_DIAGONAL, size=12, men_rows=(1, 2, 3, 4, 5)),
    "czech": replace(_AHEAD, choice="with a king"),
    "english": _SHORT,
    "international": replace(_DIAGONAL, size=10, men_rows=(1, 2, 3, 4)),
    "italian": replace(_SHORT, played="h1", choice="italian", man_takes_king=False),
    "jamaican": replace(_DIAGONAL, played="h1", choice="any"),
    "pool": replace(_DIAGONAL, choice="any"),
    "portuguese": replace(_AHEAD, played="h1", choice="most, then most kings"),
    "russian": replace(_DIAGONAL, choice="any", last_row="crowns"),
    "thai": replace(_AHEAD, men_rows=(1, 2), removal="at_once", lands_next=True, turn_back=True),
    "turkish": Law(
        played="all", men_rows=(2, 3), man_steps=_TURKISH_MAN, man_jumps=_TURKISH_MAN, king_steps=ORTHOGONALS,
        king_jumps=ORTHOGONALS, choice="most", removal="at_once", last_row="passes",
    ),
}  # fmt: skip
