"""Weeks of correspondence at random: moves, offers, takebacks, slips, timeouts, vacations, outages, lost connections
and restarts; by people and by the computer, at two seats and at three."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.background.nightly import tidy
from bot.games.model.clock import CONTROLS
from bot.games.model.computer_seats import computer_of, is_computer
from bot.games.model.errors import Refused
from bot.games.model.game import Game, Place
from bot.support.time_units import DAY, HOUR, MINUTE
from data.store import Store
from tests.support.data.databases import url_of
from tests.support.games.club import ANA, BEN, CAT, Club
from tests.support.thoroughness import THOROUGH

PEOPLE = (ANA, BEN, CAT)
ACTS = (
    *("turn",) * 10, *("time",) * 4, "undo", "ask", "give", "offer", "agree", "resign", "new", "new", "leave", "back",
    "lost", "found",
)  # fmt: skip
CLOCKS = ("1d", "3d", "brisk", "steady", "5+3")


async def act(club: Club, lots: Random, what: str, games: list[int]) -> None:
    """Let somebody do something, or time pass."""
    uses, person, source = club.games, lots.choice(PEOPLE), club.source()
    club.now += lots.choice([0, lots.randrange(MINUTE), lots.randrange(3 * HOUR)])
    if what == "time":
        await club.pass_time(club.now + lots.choice([HOUR, 10 * HOUR, DAY, 3 * DAY]))
    elif what == "leave":
        await uses.vacations.start_vacation(person, source)
    elif what == "back":
        await uses.vacations.stop_vacation(person, source)
    elif what == "lost":
        uses.outages.lost()
    elif what == "found":
        await uses.outages.alive()
    elif what == "new" or not games:
        others = [p for p in PEOPLE if p != person]
        variant = lots.choice(("pinoy", "americanas", "counting-3"))
        opponent = lots.choice([*others, computer_of(3)]) if variant != "counting-3" else None
        game = await uses.challenges.open(
            source=source, opener=person, opponent=opponent, options={}, side=None if opponent is None else "first",
            variant=variant, clock=lots.choice(CLOCKS), place=Place(7, 100 + len(games)),
        )  # fmt: skip
        if opponent is None:
            await uses.computer.seat(game.id, person, 3, club.source())
        if not is_computer(opponent):
            await uses.challenges.accept(game.id, opponent or others[0], club.source())
        games.append(game.id)
    else:
        game = await uses.game(lots.choice(games[-3:]))
        mover = game.to_move or person
        waiter = next((p for p in game.players if p != mover and p is not None), person)
        if what == "turn":
            choices = [*game.rules.turns(game.state), *game.rules.remedies(game.state)]
            await uses.moves.turn(game.id, mover, lots.choice(choices).text if choices else "c3-d4", source)
        elif what in ("undo", "ask", "offer"):
            doing = {"undo": uses.moves.undo, "ask": uses.offers.ask_takeback, "offer": uses.offers.offer_draw}[what]
            await doing(game.id, waiter, source)
        elif what == "give":
            await uses.offers.answer("takeback", game.id, mover, True, source)
        elif what == "agree":
            await uses.offers.answer("draw", game.id, lots.choice([mover, waiter]), lots.random() < 0.2, source)
        elif lots.random() < 0.3:
            await uses.moves.resign(game.id, person, source)


def check_gains(before: Game, after: Game) -> None:
    """No clock shows more than it did, but for the own moves' increments, or after a takeback."""
    control = after.control
    assert control is not None
    new = after.entries[before.ply :]
    old = before.clock
    shown = None if old is None else old.shown
    for entry in new:
        assert entry.shown is not None
        for seat, left in enumerate(entry.shown.left):
            was = None if shown is None else shown.left[seat]
            assert control.cap is None or (left or 0) <= control.cap
            if entry.kind == "takeback":
                continue
            gain = (
                0 if entry.kind != "turn" or seat != entry.seat else control.bank if was is None else control.increment
            )
            assert (left or 0) <= (was or 0) + gain
            assert shown is None or entry.shown.spent[seat] >= shown.spent[seat]
        shown = entry.shown


async def weeks(seed: int, length: int, path: str) -> None:
    lots = Random(seed)
    store = Store(url_of(Path(path) / "weeks.sqlite3"))
    await store.open()
    try:
        club = Club(store, lots, max_open_challenges=50)
        await club.games.outages.resume()
        games: list[int] = []
        for _ in range(length):
            seen = {game_id: await club.games.game(game_id) for game_id in games[-4:]}
            if lots.random() < 0.08:
                # Away for a while, and back with nothing in memory.
                await club.games.outages.alive()
                club.now += lots.choice([MINUTE // 2, HOUR, 4 * DAY])
                club.restart()
                await club.games.outages.resume()
            if lots.random() < 0.05:
                await tidy(club.store, club.clock)
            with contextlib.suppress(Refused):
                await act(club, lots, lots.choice(ACTS), games)
            for game_id, before in seen.items():
                check_gains(before, await club.games.game(game_id))
        # A connection that is lost just now is credited when it is back.
        await club.games.outages.alive()
        assert [] == await club.check()
        club.now += 40 * DAY
        await tidy(club.store, club.clock)
        assert [] == await club.check()
        for game_id in games:
            game = await club.games.game(game_id)
            spent = 0 if game.clock is None else sum(game.clock.spent)
            assert game.started_at is not None
            assert spent <= (game.ended_at or club.now) - game.started_at
            # While a board cannot be posted, time stands still and there is no deadline.
            assert game.status == "running" or await club.games.timeouts.due(game_id) is None
    finally:
        await store.close()


@settings(max_examples=4 * THOROUGH)
@given(st.integers(0, 2**32), st.integers(1, 60))
def test_weeks_of_anything_replay_to_what_is_kept(seed: int, length: int) -> None:
    """Whatever happens, the replay of the record gives the clocks that are kept, no clock gains time from nothing,
    nobody spends more time than there was, and only a game that runs has a deadline."""
    with tempfile.TemporaryDirectory() as path:
        asyncio.run(weeks(seed, length, path))


def test_every_clock_is_tried() -> None:
    """The random games are played by clocks that there are."""
    assert set(CLOCKS) <= set(CONTROLS)
