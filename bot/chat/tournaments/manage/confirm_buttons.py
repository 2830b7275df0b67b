"""What a director is shown before a change by hand, with the buttons that do it. They carry what is to be done, so that
they work after a restart; who may, and whether anything has happened meanwhile, is asked again at each press."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Literal

import discord

from bot.chat.components import ActionButton, ButtonStyle, CustomId, Press, view_of
from bot.chat.features import OLDER, Handlers
from bot.chat.posting.find_posted import custom_ids
from bot.chat.responses import defer_if_slow, replace, source_of
from bot.chat.services import Services
from bot.chat.tournaments import preview_texts as texts
from bot.chat.tournaments import round_code
from bot.chat.tournaments.manage.manage_panel import directed_by
from bot.chat.tournaments.manage.manage_panel import done as panel_after
from bot.chat.visibility import visible_tournament
from bot.games.model.errors import Refused
from bot.i18n import _, pgettext
from bot.support.frozen import frozen
from bot.tournaments.model.events import PairedRound, Undone
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.use_cases.manual import ManualAction, ManualChange, by_hand
from bot.tournaments.use_cases.work import Overtaken

Act = Literal["keep", "again", "cancel"]


@frozen
class Confirmation(CustomId):
    """Does what is shown above it, or drops it. ``last``: the number of the last event when that was shown; ``what``
    and ``number``: the event that is taken back, or the round that is paired by hand. How it is paired they carry
    together, each its part of a ``code`` (bot.chat.tournaments.round_code)."""

    prefix = "mend"
    act: Act
    tournament: int
    last: int
    what: Literal["event", "round"]
    number: int
    code: str = ""


press = Handlers(Confirmation)


@press.on("cancel")
async def _cancel(button: Confirmation, interaction: Press, _services: Services) -> None:
    tournament = await directed_by(interaction, button.tournament)
    await panel_after(interaction, tournament, _("Nothing has changed."))


@press.on("keep", "again")
async def _apply(button: Confirmation, interaction: Press, services: Services) -> None:
    me, tournament = interaction.user.id, await visible_tournament(interaction, button.tournament)
    action = _action(button, tournament, interaction)
    try:
        source, again = source_of(interaction), button.act == "again"
        work = services.tournaments.manual.apply(tournament.id, me, source, action, again=again, last=button.last)
        tournament = await defer_if_slow(interaction, work)
    except Overtaken:
        tournament = await services.tournaments.load(button.tournament)
        action = _action(button, tournament, interaction)
        if _was_done(tournament, button.last, me, action):
            await panel_after(interaction, tournament, done(tournament, action))
            return
        shown = await defer_if_slow(interaction, services.tournaments.manual.preview(button.tournament, me, action))
        text = texts.manual_preview(tournament, shown, texts.overtaken(tournament, button.last))
        await replace(interaction, text, manual_view(tournament, shown))
    else:
        await panel_after(interaction, tournament, done(tournament, action))


def _was_done(tournament: StoredTournament, last: int, by: int, action: ManualAction) -> bool:
    """Whether the first thing since the event ``last`` was that this person paired that round so: who presses twice."""
    since = next((event for event in tournament.events if event.number > last), None)
    if since is None or since.by != by or isinstance(action, Undone) or not isinstance(since.action, PairedRound):
        return False
    stands = since.action
    return (stands.round, stands.groups, stands.bye) == (action.round, action.groups, action.bye)


def _action(button: Confirmation, tournament: StoredTournament, interaction: Press) -> ManualAction:
    if button.what == "event":
        return Undone(button.number)
    message = interaction.message
    assert message is not None
    pairings = round_carried_by(custom_ids(message)) or texts.round_of_older_preview(message.content)
    if not pairings:
        raise Refused(_(OLDER))
    return by_hand(tournament, pairings, button.number)


def manual_view(tournament: StoredTournament, shown: ManualChange) -> discord.ui.View:
    """Under the preview: do it, with later rounds kept or paired again where that is asked; or drop it."""
    action = shown.action
    buttons: list[tuple[Act, str, ButtonStyle]] = [("keep", pgettext("button", "Confirm"), ButtonStyle.primary)]
    if shown.change.open_rounds:
        keep, again = _("Keep the pairings"), _("Pair again")
        if tournament.format.by_places and not isinstance(action, Undone):
            keep, again = _("Keep the tables"), _("Seat again")
        buttons = [("keep", keep, ButtonStyle.primary), ("again", again, ButtonStyle.danger)]
    buttons.append(("cancel", pgettext("button", "Back"), ButtonStyle.secondary))
    what: Literal["event", "round"]
    if isinstance(action, Undone):
        what, number, code = "event", action.event, ""
    else:
        what, number = "round", action.round
        code = round_code.encode([*action.groups, *(() if action.bye is None else ((action.bye,),))])
    return view_of(
        ActionButton.of(Confirmation(act, tournament.id, tournament.last, what, number, part), label, style)
        for (act, label, style), part in zip(buttons, round_code.parts(code, len(buttons)), strict=True)
    )


def round_carried_by(ids: Iterable[str]) -> str:
    """The round by hand that buttons carry together, as ``by_hand`` reads it; "" where they carry none."""
    code = "".join(button.code for button in map(Confirmation.decode, ids) if button is not None)
    with suppress(ValueError):
        return ", ".join("-".join(map(str, group)) for group in round_code.decode(code)) if code else ""
    return ""


def done(tournament: StoredTournament, action: ManualAction) -> str:
    """That it is done."""
    if isinstance(action, Undone):
        return texts.undone_text(tournament, action.event)
    text = _("**{event}**: round {round} is paired as you wrote it; its games are open.")
    return text.format(event=tournament.name, round=action.round)
