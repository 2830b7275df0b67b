"""A club that holds a tournament, over a store."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from bot.engine.variants import shipped
from bot.ratings.leaderboards import RatingLists
from bot.tournaments.model.events import TournamentSettings
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.service import Tournaments
from bot.tournaments.use_cases.direction import NewTournament
from bot.tournaments.use_cases.manual import ManualAction
from bot.tournaments.use_cases.work import TournamentWork
from data.store import Store
from tests.support.games.club import HALL, Club

DIRECTOR = 1


async def at_once(work: Callable[[], Any]) -> Any:
    return work()


class Event(Club):
    """A club that holds a tournament."""

    def __init__(self, store: Store) -> None:
        super().__init__(store)
        self.tournaments = Tournaments(TournamentWork(store, self.games, at_once))
        self.ratings = RatingLists(store, self.clock)
        self.games.signals.game_ended.connect(self.tournaments.results.game_ended)
        self.games.signals.thread_opened.connect(self.tournaments.results.thread_opened)
        self.games.signals.outage_noted.connect(self.tournaments.administration.dates_moved)
        self.id = 0
        self.numbers = itertools.count(1)

    async def open(self, plan: TournamentSettings, people: range, **more: Any) -> None:
        values: dict[str, Any] = {
            "variant": "pinoy",
            "options": {},
            "clock": "3d",
            "rated": True,
            "seeding": "entry",
            "place": HALL,
            **more,
        }
        ruleset = shipped(values.pop("variant"))
        new = NewTournament(director=DIRECTOR, name="Autumn", plan=plan, ruleset=ruleset, **values)
        tournament = await self.tournaments.direction.create(new, self.source())
        self.id = tournament.id
        for person in people:
            await self.tournaments.registration.join(self.id, person, self.source())

    async def start(self) -> StoredTournament:
        return await self.tournaments.direction.start(self.id, DIRECTOR, self.source())

    async def pair(self) -> StoredTournament:
        return await self.tournaments.direction.pair(self.id, DIRECTOR, self.source())

    async def load(self) -> StoredTournament:
        return await self.tournaments.load(self.id)

    async def play_out(self, but: frozenset[int] = frozenset()) -> None:
        """All games that are going on: the higher starting number resigns after both have moved."""
        while True:
            tournament = await self.load()
            running = [g for g in tournament.games if g.status == "running" and not {g.white, g.black} & but]
            if not running:
                return
            for link in running:
                await self.resign(link.game_id, max(link.white, link.black))

    async def resign(self, game_id: int, number: int) -> None:
        tournament = await self.load()
        for _ in range(2):
            game = await self.games.game(game_id)
            assert game.to_move is not None
            text = game.rules.turns(game.state)[0].text
            await self.games.moves.turn(game_id, game.to_move, text, self.source())
        await self.games.moves.resign(game_id, tournament.state.by_number[number].person, self.source())


async def apply(event: Event, action: ManualAction, *, again: bool = False) -> None:
    await event.tournaments.manual.apply(event.id, DIRECTOR, event.source(), action, again=again)
