"""What people can do with games. Every method is one transaction: it checks, applies, stores and announces, or it does
nothing.

``source`` names what brought the request in ("m:<message id>", "i:<interaction id>"); the same source again raises
Duplicate. Everything that is not allowed raises a Refused (bot.games.model.errors), whose sentence is for the person
who asked.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress

from bot.engine import registry
from bot.games.model.computer_seats import persons
from bot.games.model.errors import Damaged, NotStored
from bot.games.model.game import Game
from bot.games.persistence.game_work import GameWork
from bot.games.persistence.kept_rules import RulesFor
from bot.games.persistence.unit_of_work import GameSignals
from bot.games.use_cases.challenges import Challenges
from bot.games.use_cases.channels import Channels
from bot.games.use_cases.computer import ComputerSeats
from bot.games.use_cases.conditional_moves import ConditionalMoves
from bot.games.use_cases.fair_play import FairPlay
from bot.games.use_cases.import_export import Archive
from bot.games.use_cases.lists import Lists
from bot.games.use_cases.lobby import Lobby
from bot.games.use_cases.moves import Moves
from bot.games.use_cases.offers import Offers
from bot.games.use_cases.privacy import Privacy
from bot.games.use_cases.server_variants import ServerVariants
from bot.games.use_cases.timeouts import Timeouts
from bot.games.use_cases.tournament_games import TournamentGames
from bot.games.use_cases.vacations import Vacations
from data.notifications import EVERYTHING_MISSED, Word
from data.store import Store


class Games:
    """The use cases by what they are about, and the questions about single games.

    ``clock`` gives UTC in milliseconds; ``rng`` draws seats; ``max_open_challenges`` is for one person; ``cache_size``
    is in games kept in memory; ``rules_for`` finds the rules of a ruleset with one game's options."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], int],
        rng: random.Random,
        *,
        max_open_challenges: int,
        cache_size: int = 256,
        rules_for: RulesFor = registry.rules_for,
    ) -> None:
        self.signals = GameSignals()
        work = GameWork(store, clock, rng, signals=self.signals, rules_for=rules_for, cache_size=cache_size)
        self._work = work
        self.transactions, self.outages = work.transactions, work.outages
        self.preferences, self.servers = work.preferences, work.servers
        self.variants = ServerVariants(work)
        self.challenges = Challenges(work, max_open_challenges, self.variants)
        self.lobby = Lobby(work)
        self.computer = ComputerSeats(work, max_open_challenges)
        self.fair_play = FairPlay(work)
        self.conditional_moves = ConditionalMoves(work)
        self.moves = Moves(work, self.conditional_moves)
        self.offers = Offers(work)
        self.timeouts = Timeouts(work)
        self.vacations = Vacations(work)
        self.lists = Lists(work)
        self.channels = Channels(work)
        self.archive = Archive(work)
        self.privacy = Privacy(work, self.archive)
        self.tournament_games = TournamentGames(work)

    @property
    def now(self) -> int:
        """UTC in milliseconds."""
        return self._work.clock()

    def owns(self, game: Game) -> bool:
        """Whether this process acts for a game by itself; else another does, which hears of what is stored."""
        return self.transactions.shards.own(game.place.guild_id)

    def heard(self, word: Word) -> None:
        """Another process has told what it has stored: nothing older is remembered here."""
        work, about = self._work, word.about
        missed = word == EVERYTHING_MISSED
        if about in ("people", "forgotten"):
            work.preferences.forget(word.id)
        if about == "servers":
            work.servers.forget(word.id)
            work.server_variants.forget(word.id)
        if missed:
            for cache in (work.preferences, work.servers, work.server_variants):
                cache.clear()
            self.conditional_moves.heard(None)
        if about == "game":
            # It may be over, and the next one be played in its channel.
            work.repository.forget(word.id)
            self.conditional_moves.heard(word.id)
        if missed or about == "forgotten":
            # Who was forgotten sits in games of which it is not said which.
            work.repository.clear()

    async def game(self, game_id: int, ply: int | None = None) -> Game:
        """The game as it stands, or as it stood after entry ``ply`` (without offers; with a result if it had one then).
        Raises NoSuchGame."""
        game = await self._work.loaded(game_id)
        return game if ply is None else await self._work.repository.earlier(game, ply)

    async def running_in(self, channel_id: int) -> Game | None:
        """The running game of a channel."""
        known = self._work.repository.running_in(channel_id)
        if known is not None:
            return known
        async with self._work.reading() as tx:
            return await self._work.repository.load_running(tx, channel_id)

    async def look_up(self, channel_id: int, person: int, guild_id: int | None) -> None:
        """Read at once what is asked for when ``person`` says something in a channel: the game that runs there, and
        what they, its players and the server have chosen. What is not in memory then could not be read."""
        game = self._work.repository.running_in(channel_id)
        people = persons((person, *(() if game is None else game.players)))
        server = () if guild_id is None else (guild_id,)
        if game is not None and self.preferences.remembers(people) and self.servers.remembers(server):
            return
        with suppress(NotStored, Damaged):
            async with self._work.reading() as tx:
                if game is None and (game := await self._work.repository.load_running(tx, channel_id)) is not None:
                    people = persons((person, *game.players))
                for each in people:
                    await self.preferences.of(tx, each)
                for each in server:
                    await self.servers.of(tx, each)
