"""What people can do with games. Every method is one transaction: it checks, applies, stores and announces, or it does
nothing.

``source`` names what brought the wish in ("m:<message id>", "i:<interaction id>"); the same source again raises
Duplicate. Everything that is not allowed raises a Refused (bot.games.model.errors), whose sentence is for the person
who asked.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from bot.engine import registry
from bot.games.model.errors import (
    Damaged,
    Duplicate,
    MoveRefused,
    NoSuchGame,
    NoSuchOffer,
    NotOpen,
    NotRunning,
    NotSeated,
    NotStored,
    NotYourTurn,
    Refused,
    StalePly,
    TooMany,
)
from bot.games.model.game import Entry, Game, GameSummary, Offer, Place, Result, Side
from bot.games.persistence.integrity import TimeRecord, problems
from bot.games.persistence.repository import RulesFor
from bot.games.persistence.transactions import reading
from bot.games.persistence.unit_of_work import CLOCK
from bot.games.use_cases.channels import Channels
from bot.games.use_cases.computer import ComputerSeats
from bot.games.use_cases.lists import Lists
from bot.games.use_cases.lobby import Lobby
from bot.games.use_cases.members import Members
from bot.games.use_cases.moves import Moves
from bot.games.use_cases.offers import Offers
from bot.games.use_cases.privacy import Privacy
from bot.games.use_cases.timeouts import Timeouts
from bot.games.use_cases.tournament_games import TournamentGames
from data.queries import announcements as announcement_queries
from data.queries import games as game_queries
from data.queries import timers as timer_queries
from data.store import Store

__all__ = [
    "Damaged",
    "Duplicate",
    "Entry",
    "Game",
    "GameSummary",
    "Games",
    "MoveRefused",
    "NoSuchGame",
    "NoSuchOffer",
    "NotOpen",
    "NotRunning",
    "NotSeated",
    "NotStored",
    "NotYourTurn",
    "Offer",
    "Place",
    "Refused",
    "Result",
    "Side",
    "StalePly",
    "TooMany",
]


class Games(Lobby, ComputerSeats, Moves, Offers, Timeouts, Members, Lists, Privacy, Channels, TournamentGames):
    """The use cases (see the classes that it is made of: challenges and tables, moves, offers) and the questions.

    ``clock`` gives UTC in milliseconds; ``lots`` draws seats; ``max_open_challenges`` is for one person;
    ``cache_size`` is in games kept in memory; ``rules_for`` finds the rules of a variant with one game's options."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], int],
        lots: random.Random,
        *,
        max_open_challenges: int = 5,
        cache_size: int = 256,
        rules_for: RulesFor = registry.rules_for,
    ) -> None:
        super().__init__(store, clock, lots, rules_for, cache_size)
        self.max_open_challenges = max_open_challenges

    async def game(self, game_id: int, ply: int | None = None) -> Game:
        """The game as it stands, or as it stood after entry ``ply`` (without offers; with a result if it had one then).
        Raises NoSuchGame."""
        game = await self._loaded(game_id)
        return game if ply is None else await self._records.earlier(game, ply)

    async def running_in(self, channel_id: int) -> Game | None:
        """The running game of a channel."""
        async with reading(self._store) as tx:
            game_id = await game_queries.running_in(tx, channel_id)
            return None if game_id is None else await self._records.load(tx, game_id)

    async def check(self) -> list[str]:
        """Replay every game; each disagreement is a sentence that names game and entry."""
        found: list[str] = []
        last = 0
        async with reading(self._store) as tx:
            outages = await timer_queries.all_outages(tx)
        while True:
            async with reading(self._store) as tx:
                ids = await game_queries.ids_after(tx, last, 100)
            if not ids:
                return found
            for last in ids:
                async with reading(self._store) as tx:
                    row = await game_queries.game_row(tx, last)
                    seats = await game_queries.seat_rows(tx, last)
                    turns = await game_queries.turn_rows(tx, last)
                    people = [seat.player for seat in seats if seat.player is not None]
                    vacations = {person: await timer_queries.vacations_of(tx, person) for person in people}
                    boards = {ply: await announcement_queries.unseen(tx, last, ply) for ply in range(len(turns) + 1)}
                    time = TimeRecord(outages, vacations, boards, await timer_queries.get(tx, CLOCK, last))
                if row is not None:
                    found += await asyncio.to_thread(
                        lambda *about: list(problems(*about)), row, seats, turns, self._rules_for, time
                    )
