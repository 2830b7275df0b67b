"""The boxes in which directors set what a tournament has: what they are called, and what to write in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from bot.chat.tournaments.kept_forms import Field
from bot.chat.tournaments.new_tournament import ORDERS, SCORINGS, UNFINISHED
from bot.games.model.clock import CONTROLS
from bot.i18n import N_, _, phrase, said

_YES_NO: Final = {"yes": N_("yes"), "no": N_("no")}
_CLOCKS: Final = {name: phrase("{name}: {clock}", name=name, clock=each.text) for name, each in CONTROLS.items()}
_OPENINGS: Final = N_("One for all games, or several to draw from, with ; between; own: the game's own")
_CHECK_IN: Final = N_("Players who do not check in do not play; empty: no check-in")
FIELDS: Final[Mapping[str, Field]] = {
    field.name: field
    for field in (
        Field("name", N_("Name")),
        Field("variant", N_("Game"), N_("Any of its names, such as Pinoy Dama")),
        Field("clock", N_("Clock"), choices=_CLOCKS),
        Field("start", N_("Begins at"), N_("20:00, sat 20:00, 2026-12-24 20:00 or in 2h; empty: when you press Start")),
        Field(
            "check_in",
            N_("Check-in, minutes before"),
            N_("Players who do not check in do not play; empty: no check-in"),
        ),
        Field("break_minutes", N_("Minutes between rounds"), N_("Rounds begin by themselves; empty: you pair them")),
        Field("round_days", N_("Days for a round"), N_("From its pairing to its deadline; empty: no deadline")),
        Field("unfinished", N_("Games not over at the deadline"), choices=UNFINISHED),
        Field("all_rounds_at_once", N_("All rounds at once?"), choices=_YES_NO),
        Field("min_rating", N_("Lowest rating")),
        Field("max_rating", N_("Highest rating")),
        Field("min_games", N_("Rated games played here, at least"), N_("Of this kind of game")),
        Field("roles", N_("Roles"), N_("Players need one of these; empty: everyone may enter"), roles=True),
        Field("min_players", N_("Players needed"), N_("With fewer, it is cancelled at the start time")),
        Field("max_players", N_("Players who can play"), N_("Others wait for a place; empty: no limit")),
        Field("rounds", N_("Rounds"), N_("Empty: as many as suit the number of players")),
        Field("late_join_until", N_("Late entries"), N_("Until this round is paired; empty: none")),
        Field("minutes", N_("Minutes it lasts"), N_("Or say below until when")),
        Field("ends_at", N_("Until when"), N_("Such as 22:30; instead of the minutes")),
        Field("order", N_("Order of the players"), choices=ORDERS),
        Field("scoring", N_("Points for a win, a draw, a loss"), choices={one: one for one in SCORINGS}),
        Field("double", N_("Double?"), choices=_YES_NO),
        Field("table_size", N_("Players at a table"), choices={size: size for size in ("3", "4", "6")}),
        Field("openings", N_("Openings"), _OPENINGS, long=True),
        Field("rules", N_("House rules"), N_("Such as quiet_moves=40; empty: the usual ones")),
        Field("rated", N_("Rated?"), N_("Whether games change ratings"), choices=_YES_NO),
        Field("tie_breaks", N_("Tie-breaks"), N_("In their order, such as PTS,BH-C1,BH,SB,WIN,DE")),
    )
}


def fields_of(names: Iterable[str]) -> list[Field]:
    """The boxes of these settings, in the language spoken now."""
    return [translated(FIELDS[name]) for name in names]


def translated(field: Field) -> Field:
    """A box in the language spoken now."""
    choices = field.choices and {value: said(label) for value, label in field.choices.items()}
    return replace(field, label=_(field.label), about=_(field.about) if field.about else "", choices=choices)
