"""Buttons of leagues. Each carries its league, so that it works after a restart; every press checks anew."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.chat.actions import Handlers
from bot.chat.components import ActionButton, ButtonStyle, CustomId, Press, view_of
from bot.chat.responses import acknowledge, source_of
from bot.chat.services import Services
from bot.i18n import _
from bot.tournaments.competitions import Competition
from bot.tournaments.leagues.model import League


@dataclass(frozen=True, slots=True)
class CompetitionAction(CustomId):
    """A button of a league's post."""

    prefix = "contest"
    act: str
    competition: int


press = Handlers(CompetitionAction)


@press.on("join")
async def _join(button: CompetitionAction, interaction: Press, services: Services) -> None:
    await services.leagues.join(button.competition, interaction.user.id, source_of(interaction))
    await acknowledge(interaction)


@press.on("leave")
async def _leave(button: CompetitionAction, interaction: Press, services: Services) -> None:
    me = interaction.user.id
    await services.leagues.leave(button.competition, me, me, source_of(interaction))
    await acknowledge(interaction)


def league_view(competition: Competition[League]) -> discord.ui.View:
    """Under a league: to join and to leave."""
    if competition.state.closed:
        return view_of([])
    number = competition.id
    return view_of(
        [
            ActionButton.of(CompetitionAction("join", number), _("Join"), ButtonStyle.success),
            ActionButton.of(CompetitionAction("leave", number), _("Leave")),
        ]
    )
