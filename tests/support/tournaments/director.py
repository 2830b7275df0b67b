"""A tournament as its director writes it down, for tests."""

from __future__ import annotations

import random
from collections.abc import Sequence

from bot.engine.variants import shipped
from bot.tournaments.formats.registry import fold
from bot.tournaments.model.events import (
    Action,
    Entered,
    Event,
    Kind,
    RoundPaired,
    Scored,
    Started,
    TableScored,
    TournamentSettings,
    Undone,
)
from bot.tournaments.model.state import Tournament
from bot.tournaments.model.validation import refusal
from bot.tournaments.pairing.record import Mark
from bot.tournaments.persistence.stored_tournament import StoredTournament
from tests.support.tournaments import formats

MARKS = {"1": (Mark.WIN, Mark.LOSS), "0": (Mark.LOSS, Mark.WIN), "=": (Mark.DRAW, Mark.DRAW)}


class Directed:
    """The plan and the events so far. People are 101, 102, ...; started, they have the numbers 1, 2, ..."""

    def __init__(self, plan: TournamentSettings, players: int) -> None:
        self.plan = plan
        self.events: list[Event] = []
        for person in range(101, 101 + players):
            self(Entered(person, f"P{person - 100}"))
        self(Started(tuple(range(101, 101 + players))))

    def __call__(self, *actions: Action) -> Directed:
        for action in actions:
            assert (reason := refusal(self.state, action)) is None, reason
            self.events.append(Event(len(self.events) + 1, len(self.events) * 1000, 7, action))
        return self

    @property
    def state(self) -> Tournament:
        return fold(self.plan, self.events)

    def pair(self) -> RoundPaired:
        paired = formats.next_round(self.state)
        self(paired)
        return paired

    def score(self, signs: Sequence[str]) -> Directed:
        """White's results of the latest round, board by board."""
        number = self.state.rounds_paired
        for (white, black), sign in zip(self.state.paired[number].games, signs, strict=False):
            self(Scored(number, white, black, *MARKS[sign]))
        return self

    def play(self, count: int, lots: random.Random) -> Directed:
        """So many rounds by lot."""
        for _ in range(count):
            games = self.pair().games
            self.score(lots.choices("1=0", (4, 2, 4), k=len(games)))
        return self

    def play_tables(self, count: int, lots: random.Random) -> Directed:
        for _ in range(count):
            seated = formats.next_tables(self.state)
            self(seated)
            for table in seated.tables:
                places = list(range(1, len(table) + 1))
                lots.shuffle(places)
                self(TableScored(seated.round, table, tuple(places)))
        return self

    def undo(self, action: Action) -> Directed:
        """Take back the latest event with this action."""
        return self(Undone(max(event.number for event in self.events if event.action == action)))


def swiss(players: int, rounds_: int = 5, **options: object) -> Directed:
    return Directed(TournamentSettings(Kind.SWISS, rounds_, **options), players)  # type: ignore[arg-type]  # options of a Plan


def stored_of(directed: Directed) -> StoredTournament:
    """The same as it is loaded from the store."""
    return StoredTournament(
        id=1,
        guild_id=1,
        channel_id=1,
        name="Autumn",
        variant_id="pinoy",
        rules_hash=None,
        ruleset=shipped("pinoy"),
        options={},
        clock="3d",
        rated=True,
        directors=(1,),
        status="running",
        seed="",
        competition_id=None,
        announced=directed.plan,
        events=tuple(directed.events),
        games=(),
        state=directed.state,
    )
