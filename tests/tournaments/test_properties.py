"""Whatever people wish of a tournament, in whatever order: it is done or refused, and games and events agree."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.games.model.errors import Duplicate, Refused
from bot.support.time_units import DAY, HOUR
from bot.tournaments import automation
from bot.tournaments.formats.format import RESULTS
from bot.tournaments.formats.registry import fold, format_of
from bot.tournaments.model.events import ByeAsked, Forbade, Kind, Scheduled, Substituted, TournamentSettings, Undone
from bot.tournaments.model.state import Phase
from bot.tournaments.pairing.record import Mark
from bot.tournaments.persistence.game_links import open_game_of
from bot.tournaments.persistence.stored_tournament import StoredTournament
from bot.tournaments.use_cases.manual import by_hand
from bot.tournaments.use_cases.work import TournamentChanged
from data.store import Store
from tests.support.data.databases import url_of
from tests.support.thoroughness import THOROUGH
from tests.support.tournaments.event import DIRECTOR, Event

STEPS = 40
BEFORE = 6
"""How many of them before the start."""


class Wishes:
    """Wishes by lot of five players, two strangers and the director."""

    def __init__(self, club: Event, kind: Kind, lots: random.Random) -> None:
        self.club = club
        self.kind = kind
        self.lots = lots

    async def one(self, tournament: StoredTournament) -> None:
        """Any wish. Raises what a use case raises."""
        club, lots, me = self.club, self.lots, self.club.id
        tournaments = club.tournaments
        who = lots.choice(range(11, 18))
        by = lots.choice((DIRECTOR, DIRECTOR, DIRECTOR, who))
        numbers = sorted(tournament.state.by_number) or [1, 2]
        decided: list[Substituted | ByeAsked | Forbade] = [
            Substituted(who, lots.randrange(11, 20)),
            ByeAsked(lots.choice(numbers), lots.randint(1, 3), lots.choice((Mark.HALF_BYE, Mark.ZERO_BYE))),
            Forbade(lots.choice(numbers), lots.choice(numbers)),
        ]
        preferences: list[Callable[[], Awaitable[Any]]] = [
            lambda: tournaments.registration.join(me, who, club.source()),
            lambda: tournaments.registration.leave(me, who, by, club.source()),
            lambda: tournaments.direction.start(me, by, club.source()),
            lambda: tournaments.direction.pair(me, by, club.source()),
            lambda: tournaments.direction.finish(me, by, club.source()),
            lambda: tournaments.direction.decide(me, by, club.source(), lots.choice(decided)),
            lambda: self.result(tournament, who, by),
            lambda: self.mended(tournament, by, numbers),
            lambda: self.adjudicated(tournament, by),
            self.time,
            *(lambda: self.played(tournament),) * 5,
        ]
        await lots.choice(preferences)()

    async def result(self, tournament: StoredTournament, who: int, by: int) -> None:
        tournaments, lots = self.club.tournaments, self.lots
        if self.kind is Kind.TABLES:
            places = lots.sample((1, 2, 3), k=3)
            shown = await tournaments.results.preview_table(
                self.club.id, by, lots.randint(1, 2), lots.randint(0, 1), places
            )
        else:
            match = lots.choice((None, "W1-1")) if format_of(TournamentSettings(self.kind)).has_bracket else None
            result, number = lots.choice(list(RESULTS)), lots.choice((None, 1, 2))
            shown = await tournaments.results.preview(self.club.id, by, who, result, number, match)
        await tournaments.results.write_down(self.club.id, by, self.club.source(), shown, again=lots.random() < 0.5)

    async def mended(self, tournament: StoredTournament, by: int, numbers: list[int]) -> None:
        lots = self.lots
        action: Any = Undone(lots.randint(1, max(1, tournament.last)))
        if lots.random() < 0.5:
            mixed = lots.sample(numbers, k=len(numbers))
            size = 3 if self.kind is Kind.TABLES else 2
            groups = ("-".join(map(str, mixed[at : at + size])) for at in range(0, len(mixed), size))
            action = by_hand(tournament, ", ".join(groups), lots.choice((None, 1, 2)))
        await self.club.tournaments.manual.preview(self.club.id, by, action)
        again = lots.random() < 0.5
        await self.club.tournaments.manual.apply(
            self.club.id, by, self.club.source(), action, again=again, last=tournament.last
        )

    async def adjudicated(self, tournament: StoredTournament, by: int) -> None:
        for link in tournament.games[-1:]:
            winner = self.lots.choice((None, 0, 1))
            await self.club.tournaments.administration.adjudicate(
                self.club.id, by, self.club.source(), link.game_id, winner
            )

    async def played(self, tournament: StoredTournament) -> None:
        games = self.club.games
        for link in [each for each in tournament.games if each.status == "running"][:1]:
            for _ in range(self.lots.choice((0, 2))):
                game = await games.game(link.game_id)
                assert game.to_move is not None
                turn = self.lots.choice(game.rules.turns(game.state))
                await games.moves.turn(game.id, game.to_move, turn.text, self.club.source())
            game = await games.game(link.game_id)
            await games.moves.resign(game.id, game.players[self.lots.choice(game.playing)] or 0, self.club.source())

    async def time(self) -> None:
        club = self.club
        club.now += self.lots.choice((HOUR, DAY, 4 * DAY))
        for said in await club.outbox.due():
            await club.outbox.sent(said, 500 + said.id, 70)
        for link in (await club.load()).games:
            if link.status == "running":
                await club.games.timeouts.time_passed(link.game_id)
        if self.kind is Kind.ARENA:
            await club.tournaments.arenas.time_passed(club.id)
        await automation.time_passed(club.tournaments, club.id)


@pytest.mark.parametrize("seed", range(1, 1 + THOROUGH))
@pytest.mark.parametrize("kind", list(Kind))
async def test_games_and_events_agree_whatever_is_wished(kind: Kind, seed: int, tmp_path: Path) -> None:
    """After each wish the state is the fold of all events, every game that is being played is to be played, once, and
    every game that is to be played is there."""
    lots = random.Random(f"{kind} {seed}")
    store = Store(url_of(tmp_path / "damero.sqlite3"), patience_ms=50)
    await store.open()
    club = Event(store)
    in_rounds = kind in (Kind.SWISS, Kind.TABLES)
    plan = TournamentSettings(kind, rounds=3 * in_rounds, late_until=2 * in_rounds, minutes=60 * (kind is Kind.ARENA))
    more: dict[str, Any] = {"variant": "chinese-checkers"} if kind is Kind.TABLES else {}
    more |= {"clock": "5+3"} if kind is Kind.ARENA else {}
    more |= {"first_events": [Scheduled(days=3, carry=seed == 1)]} if kind is Kind.SWISS else {}
    await club.open(plan, range(11, 16), **more)
    preferences = Wishes(club, kind, lots)
    changes: list[TournamentChanged] = []
    club.tournaments.work.changed.connect(changes.append)
    done = 0
    for step in range(STEPS):
        try:
            await (club.start() if step == BEFORE else preferences.one(await club.load()))
            done += 1
        except (Refused, Duplicate):
            pass
        tournament = await club.load()
        assert fold(tournament.settings, tournament.events) == tournament.state
        # What the messages are handed is what they would load, and what the arrows of the standings are reckoned from.
        told = changes[-1].tournament if changes else None
        assert told is None or tournament == told
        if told is not None and told.before_round is not None:
            at = [e.number for e in told.events if getattr(e.action, "round", 0) == told.state.rounds_paired]
            assert fold(told.settings, [event for event in told.events if event.number < min(at)]) == told.before_round
        playing = [open_game_of(g).key for g in tournament.games if g.status == "running"]
        over = {open_game_of(g).key for g in tournament.games if g.status == "finished"}
        wanted = {game.key for game in tournament.open_games}
        assert len(playing) == len(set(playing))
        assert set(playing) <= wanted
        # A result that was taken back waits for the director: the game has been played.
        assert tournament.state.phase is not Phase.RUNNING or wanted <= set(playing) | over
    assert tournament.state.by_number
    assert done > BEFORE
    await store.close()
