"""What a director is shown before it is mended, with the buttons that do it. They carry what is to be done, so that
they work after a restart; who may, and whether anything has happened meanwhile, is asked again at each press."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import discord

from bot.chat.actions import Handlers
from bot.chat.components import ActionButton, ButtonStyle, CustomId, Press, view_of
from bot.chat.responses import defer_if_slow, replace, source_of
from bot.chat.services import Services
from bot.chat.tournaments import preview_texts as texts
from bot.games.model.errors import Refused
from bot.i18n import _, pgettext
from bot.tournaments.model.events import RoundPaired, TablesSeated, Undone
from bot.tournaments.use_cases.change import StoredTournament
from bot.tournaments.use_cases.manual import ManualChange, by_hand
from bot.tournaments.use_cases.results import Overtaken

Act = Literal["keep", "again", "cancel"]
Mended = RoundPaired | TablesSeated | Undone


@dataclass(frozen=True, slots=True)
class Confirmation(CustomId):
    """Does what is shown above it, or drops it. ``last``: the number of the last event when that was shown; ``what``
    and ``number``: the event that is taken back, or the round that is paired as the message says."""

    prefix = "mend"
    act: Act
    tournament: int
    last: int
    what: Literal["event", "round"]
    number: int


press = Handlers(Confirmation)


@press.on("cancel")
async def _cancel(_button: Confirmation, interaction: Press, _services: Services) -> None:
    await replace(interaction, _("Nothing was changed."))


@press.on("keep", "again")
async def _mend(button: Confirmation, interaction: Press, services: Services) -> None:
    me, tournament = interaction.user.id, await services.tournaments.load(button.tournament)
    action = _action(button, tournament, interaction)
    try:
        work = services.tournaments.manual.apply(
            button.tournament, me, source_of(interaction), action, again=button.act == "again", last=button.last
        )
        tournament = await defer_if_slow(interaction, work)
    except Overtaken:
        tournament = await services.tournaments.load(button.tournament)
        action = _action(button, tournament, interaction)
        seen = await defer_if_slow(interaction, services.tournaments.manual.preview(button.tournament, me, action))
        says = _("Something else has happened in this tournament meanwhile. Nothing is done yet; now it is so:")
        await replace(interaction, texts.mending(tournament, seen, says), mend_view(tournament, seen))
    else:
        await replace(interaction, done(tournament, action))


def _action(button: Confirmation, tournament: StoredTournament, interaction: Press) -> Mended:
    if button.what == "event":
        return Undone(button.number)
    shown = texts.round_in(interaction.message.content if interaction.message else "")
    if not shown:
        raise Refused(_("This button belongs to an older version of the bot."))
    return by_hand(tournament, shown, button.number)


def mend_view(tournament: StoredTournament, shown: ManualChange) -> discord.ui.View:
    """Under what a mending changes: do it, with later rounds kept or paired again where that is asked; or drop it."""
    action = shown.action
    keep, again = pgettext("button", "Confirm"), _("Pair again")
    open_rounds = any(not each.over for each in shown.change.pairings)
    if open_rounds:
        keep = _("Keep the pairings")
    if open_rounds and isinstance(action, TablesSeated):
        keep, again = _("Keep the tables"), _("Seat again")
    labels: dict[Act, tuple[str, ButtonStyle]] = {
        "keep": (keep, ButtonStyle.primary),
        "again": (again, ButtonStyle.danger),
        "cancel": (pgettext("button", "Cancel"), ButtonStyle.secondary),
    }
    return view_of(
        ActionButton.of(_confirmation(act, tournament, action), label, style)
        for act, (label, style) in labels.items()
        if act != "again" or open_rounds
    )


def _confirmation(act: Act, tournament: StoredTournament, action: Mended) -> Confirmation:
    if isinstance(action, Undone):
        return Confirmation(act, tournament.row.id, tournament.last, "event", action.event)
    return Confirmation(act, tournament.row.id, tournament.last, "round", action.round)


def done(tournament: StoredTournament, action: Mended) -> str:
    """That it is mended."""
    if isinstance(action, Undone):
        says = _("Event {number} of **{event}** is taken back. What follows it now waits for you.")
        return says.format(number=action.event, event=tournament.row.name)
    return _("Round {round} is paired as you say; its games are open.").format(round=action.round)
