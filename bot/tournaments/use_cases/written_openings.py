"""Openings of tournaments as games' files have them and directors write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.engine import typed_positions
from bot.engine.errors import BadPosition
from bot.engine.rules import Rules
from bot.engine.variants import Variant
from bot.i18n import _
from bot.tournaments.errors import TournamentError
from bot.tournaments.model.openings import Opening

MOST: Final = 300
"""How many openings a tournament can have: three-move ballots are some hundred and sixty."""


def openings_of(variant: Variant) -> tuple[str, ...]:
    """The openings that a game is balloted from, as its file has them; none where it has none."""
    tables = variant.tables
    ballots = tables.ballots if tables.family == "draughts" else None
    written = () if ballots is None else ballots.openings
    return tuple(one if isinstance(one, str) else str(Opening(one.moves, one.name)) for one in written)


def checked(rules: Rules, openings: Sequence[str]) -> tuple[str, ...]:
    """Openings as directors write them, each as it is kept; it takes a while. Raises TournamentError for what no game
    can begin with, and where there are too many or one twice."""
    if len(openings) > MOST:
        raise TournamentError(_("A tournament has at most {most} openings.").format(most=MOST))
    kept = []
    for number, written in enumerate(openings, start=1):
        # One alone may be said in words, which have colons too.
        opening = Opening(written.strip()) if len(openings) == 1 else Opening.of(written)
        try:
            state = typed_positions.opening(rules, opening.text)
        except BadPosition as error:
            if len(openings) == 1:
                raise TournamentError(error.sentence) from error
            template = _("Opening {number}, {text}: {why}")
            raise TournamentError(
                template.format(number=number, text=repr(opening.text[:60]), why=error.sentence)
            ) from error
        moves = typed_positions.is_moves(opening.text)
        text = " ".join(opening.text.split()) if moves else rules.position(state)
        kept.append(str(Opening(text, opening.name)))
    if len(set(kept)) < len(kept):
        raise TournamentError(_("An opening is in the list twice."))
    return tuple(kept)
