"""What a director is shown before it is mended, with the buttons that do it. They carry what is to be done, so that
they work after a restart; who may, and whether anything has happened meanwhile, is asked again at each press."""

from __future__ import annotations

import re
from typing import Any, Self

import discord

from bot.chat.games.button_handlers import replace, source_of
from bot.chat.responses import failed, responding
from bot.chat.services import Services, services_of
from bot.chat.tournaments import preview_texts as texts
from bot.games.model.errors import Refused
from bot.i18n import _, pgettext
from bot.tournaments.model.events import RoundPaired, TablesSeated, Undone
from bot.tournaments.use_cases.change import StoredTournament
from bot.tournaments.use_cases.manual import ManualChange, by_hand
from bot.tournaments.use_cases.results import Overtaken

Press = discord.Interaction[Any]
Mended = RoundPaired | TablesSeated | Undone


class ConfirmButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]],
    template=r"mend:(?P<act>keep|again|cancel):(?P<id>[0-9]+):(?P<last>[0-9]+):(?P<what>event|round):(?P<number>[0-9]+)",
):
    """Does what is shown above it, or drops it. ``last``: the number of the last event when that was shown; ``what``
    and ``number``: the event that is taken back, or the round that is paired as the message says."""

    def __init__(
        self, item: discord.ui.Button[discord.ui.View], act: str, tournament: int, last: int, what: str, number: int
    ) -> None:
        super().__init__(item)
        self.act = act
        self.tournament = tournament
        self.last = last
        self.what = what
        self.number = number

    @classmethod
    def of(
        cls, act: str, tournament: StoredTournament, action: Mended, label: str, style: discord.ButtonStyle
    ) -> ConfirmButton:
        """A new button under what ``action`` changes."""
        what, number = ("event", action.event) if isinstance(action, Undone) else ("round", action.round)
        custom_id = f"mend:{act}:{tournament.row.id}:{tournament.last}:{what}:{number}"
        button: discord.ui.Button[discord.ui.View] = discord.ui.Button(label=label, custom_id=custom_id, style=style)
        return cls(button, act, tournament.row.id, tournament.last, what, number)

    @classmethod
    async def from_custom_id(cls, interaction: Press, item: discord.ui.Item[Any], match: re.Match[str], /) -> Self:
        assert isinstance(item, discord.ui.Button)
        return cls(item, match["act"], int(match["id"]), int(match["last"]), match["what"], int(match["number"]))

    async def callback(self, interaction: Press) -> None:
        services = services_of(interaction)
        try:
            async with responding(interaction, services):
                if self.act == "cancel":
                    await replace(interaction, _("Nothing was changed."))
                else:
                    await self._mend(interaction, services)
        except Exception as error:
            await failed(interaction, error)

    async def _mend(self, interaction: Press, services: Services) -> None:
        me, tournament = interaction.user.id, await services.tournaments.load(self.tournament)
        action = self._action(tournament, interaction)
        try:
            work = services.tournaments.manual.apply(
                self.tournament, me, source_of(interaction), action, again=self.act == "again", last=self.last
            )
            tournament = await services.defer_if_slow(interaction, work)
        except Overtaken:
            tournament = await services.tournaments.load(self.tournament)
            action = self._action(tournament, interaction)
            seen = await services.defer_if_slow(
                interaction, services.tournaments.manual.preview(self.tournament, me, action)
            )
            says = _("Something else has happened in this tournament meanwhile. Nothing is done yet; now it is so:")
            await replace(interaction, texts.mending(tournament, seen, says), mend_view(tournament, seen))
        else:
            await replace(interaction, done(tournament, action))

    def _action(self, tournament: StoredTournament, interaction: Press) -> Mended:
        if self.what == "event":
            return Undone(self.number)
        shown = texts.round_in(interaction.message.content if interaction.message else "")
        if not shown:
            raise Refused(_("This button belongs to an older version of the bot."))
        return by_hand(tournament, shown, self.number)


def mend_view(tournament: StoredTournament, shown: ManualChange) -> discord.ui.View:
    """Under what a mending changes: do it, with later rounds kept or paired again where that is asked; or drop it."""
    view = discord.ui.View(timeout=None)
    action, danger = shown.action, discord.ButtonStyle.danger
    keep, again = pgettext("button", "Confirm"), _("Pair again")
    open_rounds = any(not each.over for each in shown.change.pairings)
    if open_rounds:
        keep = _("Keep the pairings")
    if open_rounds and isinstance(action, TablesSeated):
        keep, again = _("Keep the tables"), _("Seat again")
    view.add_item(ConfirmButton.of("keep", tournament, action, keep, discord.ButtonStyle.primary))
    if open_rounds:
        view.add_item(ConfirmButton.of("again", tournament, action, again, danger))
    cancel = pgettext("button", "Cancel")
    view.add_item(ConfirmButton.of("cancel", tournament, action, cancel, discord.ButtonStyle.secondary))
    return view


def done(tournament: StoredTournament, action: Mended) -> str:
    """That it is mended."""
    if isinstance(action, Undone):
        says = _("Event {number} of **{event}** is taken back. What follows it now waits for you.")
        return says.format(number=action.event, event=tournament.row.name)
    return _("Round {round} is paired as you say; its games are open.").format(round=action.round)
