"""A tournament made of its events alone, without a store."""

from __future__ import annotations

import random

from bot.engine.variants import shipped
from bot.tournaments.model.events import (
    Action,
    Entered,
    Event,
    MatchGame,
    Scored,
    Started,
    TournamentSettings,
)
from bot.tournaments.pairing import elimination
from bot.tournaments.pairing.elimination import BracketGame
from bot.tournaments.pairing.record import Mark
from bot.tournaments.persistence.stored_tournament import StoredTournament, stored_of
from data.queries.tournaments import TournamentRow
from tests.support.tournaments import formats

RESULTS = ((Mark.WIN, Mark.LOSS), (Mark.DRAW, Mark.DRAW), (Mark.LOSS, Mark.WIN), (Mark.FORFEIT_WIN, Mark.FORFEIT_LOSS))


class Cup:
    """A tournament of so many, played by lot; its events one by one. ``first``: the first player's id."""

    def __init__(
        self, plan: TournamentSettings, count: int, seed: int = 1, *, name: str = "Copa de otoño", first: int = 1
    ) -> None:
        self.plan, self.lots, self.name = plan, random.Random(seed), name
        self.events: list[Event] = []
        for number in range(1, count + 1):
            self.add(Entered(first + number - 1, f"player {number}", 2000 - number))
        self.add(Started(tuple(range(first, first + count))))

    def add(self, action: Action) -> None:
        self.events.append(Event(len(self.events) + 1, 0, 0, action))

    @property
    def tournament(self) -> StoredTournament:
        row = TournamentRow(
            id=1,
            guild_id=1,
            channel_id=1,
            name=self.name,
            variant_id="pinoy",
            options={},
            clock="3d",
            rated=True,
            seeding="entry",
            lot="",
            plan=self.plan.to_json(),
            directors=(1,),
            status="running",
            made_at=0,
            source="",
        )
        return stored_of(row, shipped(row.variant_id), tuple(self.events))

    def round(self, *, pending: int = 0) -> None:
        """Pair a round, and score all of its games but some."""
        paired = formats.next_round(self.tournament.state)
        self.add(paired)
        for white, black in paired.games[pending:]:
            self.add(Scored(paired.round, white, black, *self.lots.choice(RESULTS)))

    def matches(self, most: int = 1000) -> None:
        """Play all matches of an elimination, or its first games."""
        plan, games = self.tournament.state.bracket.bracket, list[BracketGame]()
        while (state := elimination.fold(plan, games)).open and len(games) < most:
            match = state.open[0]
            white, black = elimination.colours(state, match)
            winner = self.lots.choice((white, black, None))
            games.append(BracketGame(match.match.key, len(match.games) + 1, white, black, winner))
        for game in games:
            self.add(MatchGame(game.match, game.number, game.white, game.black, game.winner))
