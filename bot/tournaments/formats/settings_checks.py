"""What the formats share in saying whether a tournament can be held as somebody wishes to hold it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine import variants
from bot.engine.variants import OptionValue
from bot.i18n import _
from bot.tournaments.model.events import TournamentSettings

MOST_ROUNDS: Final = 30


def is_star(variant_id: str) -> bool:
    """Whether a variant is a game of the star, which three, four and six can play too."""
    return variants.load(variant_id).family == "star"


def refusal_of_seats(variant_id: str, options: Mapping[str, OptionValue]) -> str | None:
    """Why a format of games of two cannot be held with these rules."""
    if is_star(variant_id) and options.get("players", 2) not in (2, "2"):
        return _("For tables of three to six choose the kind *Tables*. All other kinds are for games of two.")
    return None


def refusal_of_rounds(settings: TournamentSettings) -> str | None:
    """Why a format whose rounds follow from the field cannot be held so."""
    if settings.rounds or settings.late_until:
        return _("Rounds and late entries are chosen for a Swiss and for tables only. Leave them out.")
    return None


def refusal_of_length(settings: TournamentSettings) -> str | None:
    """Why a format that lasts as long as its games do cannot be held so."""
    if settings.minutes or settings.ends_at:
        return _("How long it lasts is chosen for an arena only. Leave that out.")
    return None
