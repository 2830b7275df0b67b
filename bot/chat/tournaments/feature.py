"""Tournaments: from the announcement to the podium."""

from __future__ import annotations

import discord

from bot.background.tournament_runner import TournamentRunner
from bot.chat.features import Feature
from bot.chat.services import Services
from bot.chat.tournaments import buttons, kept_forms
from bot.chat.tournaments.commands import adjudicate
from bot.chat.tournaments.commands.tournament import GROUP
from bot.chat.tournaments.live_messages import TournamentMessages
from bot.chat.tournaments.manage import confirm_buttons, tasks
from bot.chat.tournaments.manage.lost_roles import LostRoles
from bot.tournaments.use_cases.finalise import ARENA, TIMER


def setup(client: discord.Client, services: Services) -> Feature:
    """The feature; what a tournament has to say is said in its channel, and it goes on by itself."""
    tournaments, names, languages = services.tournaments, services.names, services.languages
    wanted, clock = tournaments.messages, services.clock
    messages = TournamentMessages(
        client, wanted, clock, tournaments, languages, names, services.pictures, services.games_may_be_posted
    )
    runner = TournamentRunner(tournaments)
    lost_roles = LostRoles(client, tournaments.registration)
    services.tournament_changed.connect(messages.changed)
    return Feature(
        commands=(GROUP,),
        of_game=(adjudicate.adjudicate,),
        buttons=(buttons.press, confirm_buttons.press, adjudicate.press, tasks.press, kept_forms.change),
        forms=(kept_forms.forms,),
        timers={TIMER: runner.act, ARENA: lambda row: tournaments.arenas.time_passed(row.subject)},
        events={"guild_role_delete": lost_roles.deleted},
        parts=(messages, runner, lost_roles),
    )
