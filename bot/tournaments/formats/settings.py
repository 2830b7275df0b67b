"""Whether a tournament can be held as somebody wishes to hold it, asked before it is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.engine import variants
from bot.engine.errors import VariantError
from bot.engine.variants import OptionValue
from bot.i18n import _
from bot.tournaments.formats.arena import refusal_of_length
from bot.tournaments.model.events import Kind, TournamentSettings
from bot.tournaments.pairing.tables import SIZES

MOST_ROUNDS: Final = 30


def refusal_of_plan(
    plan: TournamentSettings, variant_id: str, options: Mapping[str, OptionValue], clock: str, now: int
) -> str | None:
    """Why a tournament cannot be held so, as a sentence; None: it can. Times are UTC ms."""
    star = variants.load(variant_id).family == "star"
    if plan.kind is Kind.TABLES:
        return _refusal_of_tables(plan, variant_id, options) if star else _no_tables(variant_id)
    if star and options.get("players", 2) not in (2, "2"):
        return _("For tables of three to six choose the kind *Tables*. All other kinds are for games of two.")
    if plan.kind is Kind.SWISS and not 1 <= plan.rounds <= MOST_ROUNDS:
        return _("A Swiss has 1 to {most} rounds. Say how many with `rounds`.").format(most=MOST_ROUNDS)
    if plan.kind is not Kind.SWISS and (plan.rounds or plan.late_until):
        return _("Rounds and late entries are chosen for a Swiss and for tables only. Leave them out.")
    if plan.kind is Kind.ARENA:
        return refusal_of_length(plan, clock, now)
    if plan.minutes or plan.ends_at:
        return _("How long it lasts is chosen for an arena only. Leave that out.")
    return None


def _no_tables(variant_id: str) -> str:
    name = variants.load(variant_id).name
    return _("Tables are for games of three, four or six; {variant} is a game of two.").format(variant=name)


def _refusal_of_tables(plan: TournamentSettings, variant_id: str, options: Mapping[str, OptionValue]) -> str | None:
    if not 1 <= plan.rounds <= MOST_ROUNDS:
        return _("An event of tables has 1 to {most} rounds. Say how many with `rounds`.").format(most=MOST_ROUNDS)
    if plan.table_size not in SIZES:
        return _("Tables are for three, four or six.")
    if plan.minutes or plan.ends_at:
        return _("How long it lasts is chosen for an arena only. Leave that out.")
    if "players" in options:
        return _("How many sit at a table follows from who plays. Leave `players` out of the rules.")
    for size in (*SIZES, 2):
        try:
            variants.load(variant_id, {**options, "players": size, "places": True})
        except VariantError:
            return _("These rules do not go with tables of {count}; there may be such. Leave them out.").format(
                count=size
            )
    return None
