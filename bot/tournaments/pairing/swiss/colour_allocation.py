"""Colours in a Swiss: what each player is due, and who gets which (C.04.3 of 2026, articles 1.6, 1.7 and 5.2).

The rules E.1 to E.5 of older prints are articles 5.2.1 to 5.2.5 today.
"""

from __future__ import annotations

from enum import IntEnum
from fractions import Fraction

from bot.i18n import N_
from bot.support.frozen import frozen
from bot.tournaments.pairing.record import Colour


class Strength(IntEnum):
    """How much a colour is due."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@frozen
class Due:
    """The colour that a player is due (None: no games yet), how strongly, and white games minus black games."""

    colour: Colour | None
    strength: Strength
    difference: int


@frozen
class ColourHistory:
    """What the allocation of colours needs to know of a player.

    ``order``: the place among those who have entered, from 1: the number whose oddness decides when nothing else does.
    """

    number: int
    order: int
    score: Fraction
    colours: tuple[Colour, ...]

    @property
    def rank(self) -> tuple[Fraction, int]:
        """Smaller is higher: score first, then pairing number (article 1.2)."""
        return -self.score, self.number


def due(colours: tuple[Colour, ...]) -> Due:
    """The colour preference after these games (article 1.7)."""
    if not colours:
        return Due(None, Strength.NONE, 0)
    difference = colours.count(Colour.WHITE) - colours.count(Colour.BLACK)
    missing = Colour.BLACK if difference > 0 else Colour.WHITE
    if abs(difference) > 1:
        return Due(missing, Strength.ABSOLUTE, difference)
    if len(colours) > 1 and colours[-1] is colours[-2]:
        return Due(colours[-1].other, Strength.ABSOLUTE, difference)
    if difference:
        return Due(missing, Strength.STRONG, difference)
    return Due(colours[-1].other, Strength.MILD, difference)


def clash(one: Due, other: Due) -> bool:
    """Whether no colours can be given without breaking an absolute preference (criterion C.3)."""
    return one.strength is other.strength is Strength.ABSOLUTE and one.colour is other.colour


def colour_of(one: ColourHistory, other: ColourHistory, initial: Colour) -> Colour:
    """The colour that ``one`` gets against ``other`` (article 5.2); ``initial``: the colour drawn before round 1."""
    return allocated(one, other, initial)[0]


def allocated(one: ColourHistory, other: ColourHistory, initial: Colour) -> tuple[Colour, str]:
    """The colour that ``one`` gets, and the rule that gave it, in words (a message)."""
    mine, theirs = due(one.colours), due(other.colours)
    # 5.2.1: both as they are due.
    if mine.colour is not theirs.colour or mine.colour is None:
        if mine.colour is not None:
            return mine.colour, N_("each has the colour that is due")
        if theirs.colour is not None:
            return theirs.colour.other, N_("each has the colour that is due")
    # 5.2.2: the stronger; of two absolute ones the wider difference.
    elif mine.strength is not theirs.strength:
        stronger = mine.strength > theirs.strength
        why = N_("both are due the same colour, one of them more strongly")
        return mine.colour if stronger else mine.colour.other, why
    elif mine.strength is Strength.ABSOLUTE and abs(mine.difference) != abs(theirs.difference):
        wider = abs(mine.difference) > abs(theirs.difference)
        return (
            mine.colour if wider else mine.colour.other,
            N_("both must have the same colour, and one has had it less often"),
        )
    else:
        # 5.2.3: swap the colours of the last time when one had white and the other black.
        for my_last, their_last in zip(reversed(one.colours), reversed(other.colours), strict=False):
            if my_last is not their_last:
                return their_last, N_("both are due the same colour: they change what they last had differently")
    higher, preferred = (one, mine.colour) if one.rank < other.rank else (other, theirs.colour)
    why = N_("both are due the same colour: the higher ranked has it")
    if preferred is None:
        # 5.2.5: the initial colour for an odd pairing number.
        preferred = initial if higher.order % 2 else initial.other
        why = N_("neither has played yet: the draw and the starting numbers decide")
    # 5.2.4: what the higher ranked is due.
    return preferred if higher is one else preferred.other, why
