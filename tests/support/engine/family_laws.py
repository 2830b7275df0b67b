"""The slow generator's reading of the games that docs/family.md tells of."""

from __future__ import annotations

from dataclasses import replace

from tests.support.engine.slow_draughts import AHEAD, DIAGONALS, EVERY_WAY, ORTHOGONALS, Count, IsOne, Law

_TURKISH_MAN = ((0, 1), (-1, 0), (1, 0))


def _against_a_king(least: int, most: int) -> IsOne:
    """A king and others, so many in all, against one king."""
    return lambda men, kings, foes, king, _: kings >= 1 and least <= men + kings <= most and (foes, king) == (0, 1)


def _with_kings(least: int, most: int) -> IsOne:
    """So many pieces of both sides, kings among those of either."""
    return lambda men, kings, foes, king, _: min(kings, king) > 0 and least <= men + kings + foes + king <= most


_DIAGONAL = Law(
    played="a1", men_rows=(1, 2, 3), man_steps=AHEAD, man_jumps=DIAGONALS, king_steps=DIAGONALS, king_jumps=DIAGONALS,
    choice="most", removal="at_end", last_row="passes",
)  # fmt: skip
_AHEAD = replace(_DIAGONAL, man_jumps=AHEAD, last_row="stops", choice="any")
_SHORT = replace(_AHEAD, long_king=False, quiet_moves=40)
_POOL = replace(_DIAGONAL, choice="any", king_endings={(3, 1): 13})
_INTERNATIONAL = replace(_DIAGONAL, ranks=10, files=10, men_rows=(1, 2, 3, 4), quiet_moves=25)
_FMJD = (Count(_against_a_king(3, 3), 16, anew=False), Count(_against_a_king(1, 2), 5, anew=False))
_FRISIAN = replace(
    _INTERNATIONAL, man_jumps=EVERY_WAY, king_jumps=EVERY_WAY, choice="value, then with a king", king_worth=199,
    tires_after=3, quiet_moves=0, king_endings={(2, 1): 7, (1, 1): 0},
)  # fmt: skip
_UNCOUNTED = replace(_DIAGONAL, choice="any", last_row="crowns", quiet_moves=15)
_RUSSIAN = replace(
    _UNCOUNTED,
    counts=(
        Count(lambda men, kings, foes, king, _: (men, foes, king) == (0, 0, 1) and kings >= 3, 15),
        Count(lambda *pieces: _against_a_king(3, 3)(*pieces) and pieces[-1], 5, anew=False),
        Count(_against_a_king(1, 2), 5),
        Count(_with_kings(4, 5), 30),
        Count(_with_kings(6, 7), 60),
    ),
)

FAMILY: dict[str, Law] = {
    "antidraughts": replace(_INTERNATIONAL, wins="who cannot move"),
    "argentinian": replace(_AHEAD, played="h1", choice="argentinian", lands_next=True),
    "brazilian": replace(
        _DIAGONAL, quiet_moves=20,
        counts=(
            Count(_against_a_king(1, 2), 5, anew=False),
            Count(
                lambda men, kings, foes, king, _: (men, kings) == (0, 2) and king >= 1 and foes + king == 2,
                moves=5,
                anew=False,
            ),
        ),
    ),
    "canadian": replace(_INTERNATIONAL, ranks=12, files=12, men_rows=(1, 2, 3, 4, 5), counts=_FMJD),
    "czech": replace(_AHEAD, choice="with a king", quiet_moves=15),
    "frisian": _FRISIAN,
    "frysk": replace(_FRISIAN, men_rows=(1,)),
    "killer": replace(_INTERNATIONAL, halts_behind_king=True, king_endings={(1, 1): 0}),
    "english": replace(_SHORT, first="B"),
    "international": replace(_INTERNATIONAL, counts=_FMJD),
    "italian": replace(_SHORT, played="h1", choice="italian", man_takes_king=False),
    "jamaican": replace(_POOL, played="h1"),
    "poddavki": replace(_UNCOUNTED, wins="who cannot move"),
    "pool": replace(_POOL, first="B"),
    "portuguese": replace(
        _AHEAD, played="h1", choice="most, then most kings", quiet_moves=20, king_endings={(3, 1): 12}
    ),
    "russian": _RUSSIAN,
    "spantsiretti": replace(_RUSSIAN, files=10),
    "thai": replace(_AHEAD, first="B", men_rows=(1, 2), removal="at_once", lands_next=True, turn_back=True),
    "turkish": Law(
        played="all", men_rows=(2, 3), man_steps=_TURKISH_MAN, man_jumps=_TURKISH_MAN, king_steps=ORTHOGONALS,
        king_jumps=ORTHOGONALS, choice="most", removal="at_once", last_row="crowns",
        counts=(
            Count(lambda *pieces: pieces[:4] == (0, 1, 1, 0), 0, captures_first=True, won=True),
            Count(lambda *pieces: pieces[:4] == (0, 1, 0, 1), 0, captures_first=True),
        ),
    ),
}  # fmt: skip
