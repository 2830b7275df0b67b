"""What the features of the bot share: the use cases, and what makes words, pictures and links of what they give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, cast

import discord

from bot.background.computer_player import ComputerPlayer
from bot.chat.board_pictures import BoardPictures
from bot.chat.recent_games import RecentGames
from bot.chat.wording.languages import Languages
from bot.chat.wording.links import Links
from bot.chat.wording.names import Names
from bot.computer.workers.pool import Workers
from bot.games.model.game import Game
from bot.games.persistence.outbox import Outbox
from bot.games.service import Games
from bot.ratings.leaderboards import RatingLists
from bot.settings import Settings
from bot.study.analyses import Analyses
from bot.study.puzzles import Puzzles
from bot.support.signals import Signal
from bot.tournaments.leagues.service import Leagues
from bot.tournaments.service import Tournaments
from bot.tournaments.team_matches.service import TeamMatches
from bot.tournaments.use_cases.work import TournamentChanged
from data.store import Store


@dataclass(frozen=True, slots=True)
class Services:
    """Complete at its making (bot.chat.composition), and handed to every way in: message, command, button.

    ``games_changed`` is told of each game that has just changed, ``tournament_changed`` of a tournament that has
    something to say and the games of it that have."""

    settings: Settings
    store: Store
    clock: Callable[[], int]
    games: Games
    outbox: Outbox
    tournaments: Tournaments
    leagues: Leagues
    team_matches: TeamMatches
    analyses: Analyses
    puzzles: Puzzles
    ratings: RatingLists
    workers: Workers
    computer: ComputerPlayer
    languages: Languages
    names: Names
    pictures: BoardPictures
    links: Links
    recent: RecentGames
    games_changed: Signal[[Game]]
    tournament_changed: Signal[[TournamentChanged]]

    async def close(self) -> None:
        """Let go of workers, threads and the store."""
        await self.computer.close()
        self.workers.close()
        self.pictures.close()
        await self.store.close()


class HasServices(Protocol):
    """The client, as those know it to whom an interaction comes."""

    services: Services


def services_of(interaction: discord.Interaction[Any]) -> Services:
    """The services of the bot to which ``interaction`` came."""
    return cast(HasServices, interaction.client).services
