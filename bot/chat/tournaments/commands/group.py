"""What the parts of `/tournament` share."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.chat.services import Services
from bot.games.model.errors import Refused
from bot.i18n import _
from bot.tournaments.formats.settings import MOST_ROUNDS
from bot.tournaments.use_cases.base import StoredTournament

Press = discord.Interaction[Any]
Number = app_commands.Range[int, 1, 2**53 - 1]
Round = app_commands.Range[int, 1, MOST_ROUNDS]
WHICH = "Its number; left out, this channel's"

GROUP = app_commands.Group(name="tournament", description="Swiss, round robin, elimination, arena and table events")


class Part(commands.Cog):
    """A part of the commands. Who directs a tournament is asked at each command."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def _which(self, interaction: Press, number: int | None) -> StoredTournament:
        """The tournament that is meant, of this server. Raises Refused."""
        if number is None:
            channel = interaction.channel
            here = channel.parent_id if isinstance(channel, discord.Thread) else interaction.channel_id
            number = await self.services.tournaments.here(here or 0)
        tournament = await self.services.tournaments.load(number)
        if tournament.row.guild_id != interaction.guild_id:
            raise Refused(_("There is no tournament {number} on this server.").format(number=number))
        return tournament


def number_of(tournament: StoredTournament, person: int) -> int:
    """A player's starting number. Raises Refused."""
    entrant = tournament.state.by_person.get(person)
    if entrant is None or not entrant.number:
        says = _("{player} does not play in this tournament, or it has not begun.")
        raise Refused(says.format(player=f"<@{person}>"))
    return entrant.number
