"""How a team match stands, for readers of two servers."""

from __future__ import annotations

import discord

from bot.chat.competitions import team_texts
from bot.chat.services import Services
from bot.i18n import _
from bot.tournaments.competitions import Competition
from bot.tournaments.team_matches.model import TeamMatch


async def match_text(client: discord.Client, services: Services, competition: Competition[TeamMatch]) -> str:
    """How a team match stands, with people's names: who reads it may not be on both servers."""
    tournament = await services.team_matches.tournament_of(competition)
    names: dict[int, str] = {}
    if tournament is not None:
        for number, entrant in tournament.state.by_number.items():
            guild = competition.guild_id if number % 2 else competition.other_guild_id
            name = await services.names.of(guild, entrant.person) if entrant.person > 0 else _("a player")
            names[number] = discord.utils.escape_markdown(name)
    return team_texts.match_text(competition, tournament, teams_of(client, competition), names)


def teams_of(client: discord.Client, competition: Competition[TeamMatch]) -> team_texts.Teams:
    """What the two servers are called."""
    return _called(client, competition.guild_id), _called(client, competition.other_guild_id)


def _called(client: discord.Client, guild_id: int | None) -> str:
    guild = None if guild_id is None else client.get_guild(guild_id)
    return _("another server") if guild is None else discord.utils.escape_markdown(guild.name)
