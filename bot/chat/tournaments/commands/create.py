"""`/tournament create`, a subcommand for each format. What is asked for less often, *Manage* offers until it begins."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from discord import app_commands

from bot.chat.components import Press, sent_in
from bot.chat.games.choices import TIMED_CHOICES
from bot.chat.games.variant_option import TypedVariant, typed_variant
from bot.chat.responses import open_form, reply_privately
from bot.chat.services import Services
from bot.chat.tournaments.format_texts import TEXTS
from bot.chat.tournaments.group import GROUP
from bot.chat.tournaments.kept_forms import KeptForm, change, form, forms, kept_in, refuse, values_of
from bot.chat.tournaments.manage.setting_fields import fields_of
from bot.chat.tournaments.new_tournament import MOST_BREAK, OWN, announce, check_may_create
from bot.chat.tournaments.schedule_texts import many_rounds
from bot.chat.wording.dates import moment
from bot.games.model.errors import Refused
from bot.i18n import N_, _, ngettext
from bot.tournaments.formats.format import LEAST_MINUTES, MOST_MINUTES, MOST_ROUNDS
from bot.tournaments.model.schedule import starts_at
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.use_cases.registration import MOST_PLAYERS
from bot.tournaments.use_cases.written_openings import openings_of

CREATE = app_commands.Group(
    name="create", description="Announce a tournament in this channel; you direct it", parent=GROUP
)

_FORM: Final = "create"
_REST: Final = ".rest"
_CREATIONS: Final = f"({'|'.join(dict.fromkeys(texts.creation for texts in TEXTS.values()))})({re.escape(_REST)})?"
_FIRST: Final = ("name", "variant", "clock", "start", "max_players")
"""What the first part of the form asks for; the other has what else the subcommand asks for."""
_TOLD: Final[dict[str, str]] = {
    "name": N_("Its name"),
    "variant": N_("The game"),
    "clock": N_("How much time there is to move"),
    "start": N_("When it starts: 20:00, sat 20:00, 2026-12-24 20:00, in 2h"),
    "max_players": N_("How many can play; others wait for a place"),
    "openings": N_("One for all games, or several to draw from, with ; between them, or own"),
    "rules": N_("House rules such as quiet_moves=40"),
    "rated": N_("Whether games change ratings"),
}


_Name: TypeAlias = app_commands.Range[str, 1, 80]
_When: TypeAlias = app_commands.Range[str, 1, 40]
_Players: TypeAlias = app_commands.Range[int, 2, MOST_PLAYERS]
_Rounds: TypeAlias = app_commands.Range[int, 1, MOST_ROUNDS]
_Openings: TypeAlias = app_commands.Range[str, 1, 6000]
_Rules: TypeAlias = app_commands.Range[str, 1, 200]


@CREATE.command(name="swiss", description="A set number of rounds; players with similar scores meet, never twice")
@app_commands.describe(
    **_TOLD,
    rounds="How many rounds (default: as many as suit the number of players at the start)",
    break_minutes="Rounds start by themselves, this many minutes after the last one",
)
@app_commands.choices(clock=TIMED_CHOICES)
async def swiss(
    interaction: Press,
    name: _Name,
    variant: TypedVariant,
    clock: str | None = None,
    rounds: _Rounds | None = None,
    start: _When | None = None,
    break_minutes: app_commands.Range[int, 0, MOST_BREAK] | None = None,
    max_players: _Players | None = None,
    openings: _Openings | None = None,
    rules: _Rules | None = None,
    rated: bool | None = None,
) -> None:
    await _create(interaction, "swiss", locals())


@CREATE.command(name="roundrobin", description="Everyone plays everyone")
@app_commands.describe(
    **_TOLD,
    double="Everyone plays everyone twice",
    all_rounds_at_once="All games of all rounds begin together; needs max_players",
)
@app_commands.choices(clock=TIMED_CHOICES)
async def roundrobin(
    interaction: Press,
    name: _Name,
    variant: TypedVariant,
    clock: str | None = None,
    double: bool | None = None,
    all_rounds_at_once: bool | None = None,
    start: _When | None = None,
    max_players: _Players | None = None,
    openings: _Openings | None = None,
    rules: _Rules | None = None,
    rated: bool | None = None,
) -> None:
    await _create(interaction, "roundrobin", locals())


@CREATE.command(name="knockout", description="Matches; the loser is out, until one player is left")
@app_commands.describe(**_TOLD, double="Out after the second loss, not the first")
@app_commands.choices(clock=TIMED_CHOICES)
async def knockout(
    interaction: Press,
    name: _Name,
    variant: TypedVariant,
    clock: str | None = None,
    double: bool | None = None,
    start: _When | None = None,
    max_players: _Players | None = None,
    openings: _Openings | None = None,
    rules: _Rules | None = None,
    rated: bool | None = None,
) -> None:
    await _create(interaction, "knockout", locals())


@CREATE.command(name="arena", description="Play as many games as you can until time is up")
@app_commands.describe(
    **{name: told for name, told in _TOLD.items() if name != "max_players"},
    minutes="How many minutes it lasts (default: 60)",
    ends_at="When it ends, such as 22:30 (instead of minutes)",
)
@app_commands.choices(clock=TIMED_CHOICES)
async def arena(
    interaction: Press,
    name: _Name,
    variant: TypedVariant,
    clock: str | None = None,
    minutes: app_commands.Range[int, LEAST_MINUTES, MOST_MINUTES] | None = None,
    ends_at: _When | None = None,
    start: _When | None = None,
    openings: _Openings | None = None,
    rules: _Rules | None = None,
    rated: bool | None = None,
) -> None:
    await _create(interaction, "arena", locals())


@CREATE.command(name="tables", description="Rounds at tables of three, four or six; every place counts")
@app_commands.describe(
    **{name: told for name, told in _TOLD.items() if name != "openings"},
    rounds="How many rounds (default: 3)",
    table_size="How many sit at a table where possible (default: four)",
    late_join_until="Players can join until this round is paired",
)
@app_commands.choices(clock=TIMED_CHOICES)
async def tables(
    interaction: Press,
    name: _Name,
    variant: TypedVariant,
    clock: str | None = None,
    rounds: _Rounds | None = None,
    table_size: Literal[3, 4, 6] | None = None,
    start: _When | None = None,
    max_players: _Players | None = None,
    late_join_until: _Rounds | None = None,
    rules: _Rules | None = None,
    rated: bool | None = None,
) -> None:
    await _create(interaction, "tables", locals())


async def _create(interaction: Press, creation: str, options: Mapping[str, Any]) -> None:
    given = {name: value for name, value in options.items() if name != "interaction" and value is not None}
    words = {True: "yes", False: "no"}
    typed = {name: words[value] if isinstance(value, bool) else str(value) for name, value in given.items()}
    await _announced(interaction, creation, typed)


async def _announced(interaction: Press, creation: str, typed: Mapping[str, str]) -> None:
    check_may_create(interaction)
    try:
        tournament = await announce(interaction, creation, typed)
    except Refused as error:
        fields = fields_of(_asked(creation))
        buttons = (
            (KeptForm(_FORM, 0, creation), _("Change name, game, times")),
            (KeptForm(_FORM, 0, f"{creation}{_REST}"), _("Change the rest")),
        )
        await refuse(interaction, error, typed, fields, buttons)
        return
    await reply_privately(interaction, announced_text(tournament))


def _asked(creation: str) -> list[str]:
    """What a subcommand asks for."""
    command = CREATE.get_command(creation)
    assert isinstance(command, app_commands.Command)
    return [option.name for option in command.parameters]


def _part(arg: str) -> tuple[str, list[str]]:
    """The subcommand that a form is of, and what this part of it asks for: a form has five boxes at most."""
    creation = arg.removesuffix(_REST)
    return creation, [name for name in _asked(creation) if (name in _FIRST) == (creation == arg)]


@change.on(_FORM, arg=_CREATIONS)
async def _change(button: KeptForm, interaction: Press, services: Services) -> None:
    check_may_create(interaction)
    _creation, names = _part(button.arg)
    kept = values_of(kept_in(interaction), lambda: fields_of(names))
    await open_form(interaction, form(button, _("New tournament"), fields_of(names), kept))


@forms.on(_FORM, arg=_CREATIONS)
async def _sent(sent: KeptForm, interaction: Press, services: Services) -> None:
    """What this part of the form says, and what the message under which it was opened keeps of the other."""
    creation, names = _part(sent.arg)
    kept = values_of(kept_in(interaction), lambda: fields_of(_asked(creation)))
    typed = sent_in(interaction)
    await _announced(interaction, creation, kept | {name: typed.get(name, "") for name in names})


def announced_text(tournament: StoredTournament) -> str:
    """What its director is told when a tournament has been created."""
    least = tournament.format.least_players
    text = ngettext(
        "**{event}** is announced below. *Start* appears under it as soon as {count} player has joined.",
        "**{event}** is announced below. *Start* appears under it as soon as {count} players have joined.",
        least,
    )
    if tournament.state.timing.start:
        text = _("**{event}** is announced below, and begins {date}. *Manage* under it changes that.")
    date = moment(starts_at(tournament.state, tournament.events), "f")
    return " ".join([text.format(event=tournament.name, date=date, count=least), many_rounds(tournament)]).rstrip()


async def _suggested(interaction: Press, current: str) -> list[app_commands.Choice[str]]:
    variant = await typed_variant(interaction)
    count = 0 if variant is None else len(openings_of(variant))
    if not count or current.strip():
        return []
    name = ngettext("own: the {count} opening of the game", "own: the {count} openings of the game", count)
    return [app_commands.Choice(name=name.format(count=count), value=OWN)]


swiss.autocomplete("openings")(_suggested)
roundrobin.autocomplete("openings")(_suggested)
knockout.autocomplete("openings")(_suggested)
