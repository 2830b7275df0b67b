"""Leagues, and team matches between two servers."""

from __future__ import annotations

import discord

from bot.background.scheduler import DueTimer
from bot.chat.competitions.league_commands import LEAGUE, press
from bot.chat.competitions.live_messages import CompetitionMessages
from bot.chat.competitions.team_commands import TEAMS
from bot.chat.features import Feature
from bot.chat.services import Services
from bot.tournaments.use_cases.finalise import COMPETITION


def setup(client: discord.Client, services: Services) -> Feature:
    """The feature; what a league or a match has to say is said in its channels."""
    leagues, team_matches = services.leagues, services.team_matches
    # The messages of team matches are kept beside those of leagues.
    wanted, names, languages = leagues.competitions.messages, services.names, services.languages
    messages = CompetitionMessages(
        client, wanted, services.clock, leagues, team_matches, languages, names, services.tournament_changed
    )
    leagues.competitions.changed.connect(messages.changed)
    team_matches.competitions.changed.connect(messages.changed)

    async def time_passed(timer: DueTimer) -> None:
        if await leagues.competitions.exists(timer.subject):
            await leagues.time_passed(timer.subject)
        elif await team_matches.competitions.exists(timer.subject):
            await team_matches.time_passed(timer.subject)

    return Feature(commands=(LEAGUE, TEAMS), buttons=(press,), timers={COMPETITION: time_passed}, parts=(messages,))
