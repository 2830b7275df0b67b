"""What a director mends in the panel: a round paired by hand, an event taken back; each seen before it is done."""

from __future__ import annotations

import re

import discord

from bot.chat.components import ActionButton, ActionMenu, ButtonStyle, Press, sent_in
from bot.chat.responses import defer_if_slow, open_form, replace
from bot.chat.services import Services
from bot.chat.tournaments import preview_texts as texts
from bot.chat.tournaments.event_texts import sentence
from bot.chat.tournaments.kept_forms import Field, KeptForm, again, change, form, forms, kept_in, refuse, values_of
from bot.chat.tournaments.manage.confirm_buttons import manual_view
from bot.chat.tournaments.manage.manage_panel import (
    MOST_LISTED,
    PanelAction,
    chosen_value,
    directed_by,
    is_running,
    on,
    paging,
    show,
    task,
)
from bot.games.model.errors import Refused
from bot.i18n import N_, _
from bot.tournaments.model.events import Undone
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.use_cases.manual import ManualAction, as_text, by_hand, to_undo

_FORM = "pairings"


def _in_rounds(tournament: StoredTournament) -> bool:
    return is_running(tournament) and tournament.format.in_rounds


@task("byhand", N_("Pair by hand"), N_("Write a round's pairings yourself"), _in_rounds)
async def _by_hand(_action: PanelAction, interaction: Press, _services: Services, tournament: StoredTournament) -> None:
    text = texts.by_numbers(tournament, as_text(tournament, tournament.state.rounds_paired))
    button = ActionButton.of(PanelAction("write", tournament.id), _("Write the pairings"), ButtonStyle.primary)
    await show(interaction, tournament, text, [button])


@on("write")
async def _write(_action: PanelAction, interaction: Press, _services: Services, tournament: StoredTournament) -> None:
    state = tournament.state
    playing = any(game.round == state.rounds_paired for game in tournament.open_games)
    number = state.rounds_paired if playing else state.rounds_paired + 1
    values = {"round": str(number), "pairings": as_text(tournament, number)}
    await open_form(interaction, _form(tournament.id, values))


def _form(tournament: int, values: dict[str, str]) -> discord.ui.Modal:
    return form(KeptForm(_FORM, tournament), _("Pair by hand"), _fields(), values)


def _fields() -> list[Field]:
    about = _("By starting numbers, White first: 1-5, 3-2, 4 (4 has the bye)")
    return [Field("round", _("Round")), Field("pairings", _("Pairings"), about, long=True)]


@change.on(_FORM)
async def _change(button: KeptForm, interaction: Press, _services: Services) -> None:
    await open_form(interaction, _form(button.tournament, values_of(kept_in(interaction), _fields)))


@forms.on(_FORM)
async def _sent(sent: KeptForm, interaction: Press, services: Services) -> None:
    tournament, typed = await directed_by(interaction, sent.tournament), sent_in(interaction)
    number = typed.get("round", "").strip()
    try:
        if not number.isdecimal():
            raise Refused(_("Say which round, as a number."))
        action = by_hand(tournament, typed.get("pairings", ""), int(number[:4]))
        await _preview(interaction, services, tournament, action)
    except Refused as error:
        await refuse(interaction, error, typed, _fields(), again(KeptForm(_FORM, tournament.id)))


def _has_events(tournament: StoredTournament) -> bool:
    return bool(to_undo(tournament))


@task("undo", N_("Undo something"), N_("Take back a pairing, an entry, a result or the end"), _has_events)
async def _undo(action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    options, events = [], to_undo(tournament)
    page = int(action.arg) if re.fullmatch("[0-9]{1,3}", action.arg) else 0
    for event in events[page * MOST_LISTED : (page + 1) * MOST_LISTED]:
        label = f"{event.number}. {await _without_mentions(services, tournament, sentence(tournament, event))}"
        options.append(discord.SelectOption(label=label[:100], value=str(event.number)))
    if not options:
        raise Refused(_("There is nothing left to undo."))
    menu = ActionMenu.of(PanelAction("undoes", tournament.id), _("Choose what to undo"), options)
    items: list[ActionButton | ActionMenu] = [menu, *paging(tournament, "undo", page, len(events))]
    await show(interaction, tournament, _("What do you want to undo? You will see what changes first."), items)


async def _without_mentions(services: Services, tournament: StoredTournament, text: str) -> str:
    """A text with names for the mentions, which lists cannot show."""
    for person in sorted(set(re.findall("<@([0-9]+)>", text))):
        text = text.replace(f"<@{person}>", await services.names.of(tournament.guild_id, int(person)))
    return text


@on("undoes")
async def _undoes(_action: PanelAction, interaction: Press, services: Services, tournament: StoredTournament) -> None:
    await _preview(interaction, services, tournament, Undone(int(chosen_value(interaction, "[0-9]{1,9}"))))


async def _preview(interaction: Press, services: Services, tournament: StoredTournament, action: ManualAction) -> None:
    manual = services.tournaments.manual
    shown = await defer_if_slow(interaction, manual.preview(tournament.id, interaction.user.id, action))
    await replace(interaction, texts.manual_preview(tournament, shown), manual_view(tournament, shown))
