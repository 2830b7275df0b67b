"""What the features share: the use cases, what makes words, pictures and links, and how it is all put together."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast

import discord

from bot.background.computer_player import ComputerPlayer
from bot.background.tournament_runner import run_with_notice
from bot.chat.answer_tokens import AnswerTokens
from bot.chat.board_pictures import BoardPictures
from bot.chat.recent_games import RecentGames
from bot.chat.wording.languages import Languages
from bot.chat.wording.links import Links
from bot.chat.wording.names import Names
from bot.computer.hub.hub_engine import HubEngines
from bot.computer.workers.dask_cluster import executors_on
from bot.computer.workers.pool import Workers
from bot.engine.errors import VariantError
from bot.games.model.game import Game
from bot.games.persistence.outbox import Outbox
from bot.games.service import Games
from bot.ratings.leaderboards import RatingLists
from bot.settings import Settings, SettingsError
from bot.study.analyses import Analyses
from bot.study.puzzles import Puzzles
from bot.support.frozen import frozen
from bot.support.signals import Signal
from bot.support.task_set import TaskSet
from bot.tournaments.leagues.service import Leagues
from bot.tournaments.service import Tournaments
from bot.tournaments.team_matches.service import TeamMatches
from bot.tournaments.use_cases.work import TournamentChanged, TournamentWork
from data.lease import Lease
from data.shards import every
from data.store import Store


@frozen
class Services:
    """Complete at its making (``compose``), and handed to every way in: message, command, button.

    ``games_changed`` is told of each game that has just changed, ``tournament_changed`` of a tournament that has
    something to say and the games of it that have; ``games_may_be_posted`` of its channel and of those games, in
    their order, when the tournament has said its part. ``answers`` are the tasks in which people are answered,
    ``tasks`` what goes on beside them."""

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
    engines: HubEngines
    computer: ComputerPlayer
    languages: Languages
    names: Names
    pictures: BoardPictures
    links: Links
    recent: RecentGames
    tokens: AnswerTokens
    answers: TaskSet
    tasks: TaskSet
    games_changed: Signal[[Game]]
    tournament_changed: Signal[[TournamentChanged]]
    games_may_be_posted: Signal[[int, Sequence[int]]]

    async def close(self) -> None:
        """Let go of workers, threads and the store."""
        await self.computer.close()
        self.workers.close()
        self.engines.close()
        self.pictures.close()
        await self.store.close()


def compose(
    client: discord.Client, settings: Settings, clock: Callable[[], int], lease: Lease | None = None
) -> Services:
    """The services of a bot; nothing is opened or started yet. ``clock`` gives UTC in milliseconds; ``lease``: what
    this process may act for, where there are several."""
    games_changed: Signal[[Game]] = Signal()
    store = Store(settings.database_url, shards=every(settings.shard_count), lease=lease)
    games = Games(store, clock, random.SystemRandom(), max_open_challenges=settings.max_open_challenges)
    work = TournamentWork(store, games, asyncio.to_thread, run_with_notice)
    tournaments = Tournaments(work)
    games.signals.game_ended.connect(tournaments.results.game_ended)
    games.signals.thread_opened.connect(tournaments.results.thread_opened)
    games.signals.outage_noted.connect(tournaments.administration.dates_moved)
    outbox = Outbox(store, clock)
    if store.shards.whole:
        # Else other processes store announcements too.
        outbox.follow(games.signals.announced, games.signals.unsaid)
    leagues, team_matches = Leagues(work), TeamMatches(work)

    def edit(event_ids: Sequence[int], competition_ids: Sequence[int]) -> None:
        for event_id in event_ids:
            work.changed.send(TournamentChanged(event_id))
        for competition_id in competition_ids:
            leagues.competitions.changed.send(competition_id, ())

    games.signals.to_edit.connect(edit)
    workers = workers_for(settings)
    names = Names(client)
    recent = RecentGames(games)
    engines = engines_for(settings)
    computer = ComputerPlayer(games, workers, games_changed.send, engines)
    games_changed.connect(recent.remember)
    return Services(
        settings=settings,
        store=store,
        clock=clock,
        games=games,
        outbox=outbox,
        tournaments=tournaments,
        leagues=leagues,
        team_matches=team_matches,
        analyses=Analyses(store, games, workers, clock),
        puzzles=Puzzles(store, games, workers, clock),
        ratings=RatingLists(store, clock),
        workers=workers,
        engines=engines,
        computer=computer,
        languages=Languages(games, client),
        names=names,
        pictures=BoardPictures(names, settings.render_threads),
        links=Links(outbox),
        recent=recent,
        tokens=AnswerTokens(clock),
        answers=TaskSet(),
        tasks=TaskSet(),
        games_changed=games_changed,
        tournament_changed=work.changed,
        games_may_be_posted=Signal(),
    )


def workers_for(settings: Settings) -> Workers:
    """Where the computer thinks: here or on a cluster, as the settings say."""
    if settings.computer_cluster is None:
        return Workers(settings.computer_workers)
    return Workers(executors=executors_on(settings.computer_cluster, settings.computer_workers))


def engines_for(settings: Settings) -> HubEngines:
    """The engines of others that play here. Raises SettingsError."""
    try:
        return HubEngines(settings.engines())
    except VariantError as error:
        raise SettingsError(f"COMPUTER_HUB is wrong: {error.message}.") from error


class HasServices(Protocol):
    """The client, as those know it to whom an interaction comes."""

    services: Services


def services_of(interaction: discord.Interaction[Any]) -> Services:
    """The services of the bot to which ``interaction`` came."""
    return cast(HasServices, interaction.client).services
