"""Buttons of leagues. Each carries its contest, so that it works after a restart; every press checks anew."""

from __future__ import annotations

import re
from typing import Any, Self

import discord

from bot.chat.games.button_handlers import source_of
from bot.chat.responses import acknowledge, failed, responding
from bot.chat.services import services_of
from bot.games.model.errors import Refused
from bot.i18n import _
from bot.tournaments.competitions import Competition
from bot.tournaments.leagues.model import League

Press = discord.Interaction[Any]


class CompetitionButton(
    discord.ui.DynamicItem[discord.ui.Button[discord.ui.View]], template=r"contest:(?P<act>[a-z]+):(?P<id>[0-9]+)"
):
    """A button of a contest's post."""

    def __init__(self, item: discord.ui.Button[discord.ui.View], act: str, contest: int) -> None:
        super().__init__(item)
        self.act = act
        self.contest = contest

    @classmethod
    def of(
        cls, act: str, contest: int, label: str, style: discord.ButtonStyle = discord.ButtonStyle.secondary
    ) -> CompetitionButton:
        """A new button."""
        custom_id = f"contest:{act}:{contest}"
        return cls(discord.ui.Button(label=label, custom_id=custom_id, style=style), act, contest)

    @classmethod
    async def from_custom_id(cls, interaction: Press, item: discord.ui.Item[Any], match: re.Match[str], /) -> Self:
        assert isinstance(item, discord.ui.Button)
        return cls(item, match["act"], int(match["id"]))

    async def callback(self, interaction: Press) -> None:
        services = services_of(interaction)
        me, source = interaction.user.id, source_of(interaction)
        try:
            async with responding(interaction, services):
                match self.act:
                    case "join":
                        await services.leagues.join(self.contest, me, source)
                    case "leave":
                        await services.leagues.leave(self.contest, me, me, source)
                    case _other:
                        raise Refused(_("This button belongs to an older version of the bot."))
                await acknowledge(interaction)
        except Exception as error:
            await failed(interaction, error)


def league_view(contest: Competition[League]) -> discord.ui.View:
    """Under a league: to join and to leave."""
    view = discord.ui.View(timeout=None)
    if not contest.state.closed:
        number = contest.row.id
        view.add_item(CompetitionButton.of("join", number, _("Join"), discord.ButtonStyle.success))
        view.add_item(CompetitionButton.of("leave", number, _("Leave")))
    return view
