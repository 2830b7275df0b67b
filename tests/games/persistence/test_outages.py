"""The connection to Discord is lost while the bot runs on: what anybody does meanwhile is reckoned as it is kept."""

from __future__ import annotations

import asyncio

import pytest

from bot.games.model.computer_seats import computer_of
from bot.games.model.game import Game
from bot.support.time_units import HOUR, MINUTE
from tests.support.games.club import ANA, Club


async def against_computer(club: Club) -> Game:
    """A game with a clock in which the computer is to move, and the bot alive."""
    await club.games.outages.resume()
    game = await club.challenge(ANA, computer_of(3), clock="3d")
    await club.deliver()
    game = await club.play(game, "c3-d4")
    await club.deliver()
    return game


async def answered(club: Club, game: Game) -> Game:
    """The computer moves, whether Discord is there or not."""
    return await club.play(game, game.rules.turns(game.state)[0].text)


@pytest.mark.parametrize("before", [30_000, 90_000])
@pytest.mark.parametrize("after", [10_000, 40_000, 20 * MINUTE])
async def test_a_move_within_an_outage(club: Club, before: int, after: int) -> None:
    """The computer moves while Discord is out of reach, soon or late: no clock has run, by the replay neither."""
    game = await against_computer(club)
    club.games.outages.lost()
    club.now += before
    game = await answered(club, game)
    club.now += after
    await club.deliver()
    await club.games.outages.resume()

    clock = game.clock
    assert clock is not None
    assert (0, 0) == clock.spent
    assert [] == await club.check()


async def test_a_crash_within_an_outage(club: Club) -> None:
    """The bot ends while Discord is out of reach, after a move: the next start knows what the move was reckoned with,
    and credits what came after."""
    game = await against_computer(club)
    club.games.outages.lost()
    club.now += 90_000
    game = await answered(club, game)
    await club.deliver()
    moved_at = club.now
    club.now += HOUR
    anew = Club(club.store)
    anew.now = club.now

    assert HOUR == await anew.games.outages.resume()

    assert [] == await anew.check()
    clock = (await anew.games.game(game.id)).clock
    assert clock is not None
    assert moved_at == clock.since
    async with anew.games.transactions.writing() as tx:
        stops = await anew.games._work.unit_in(tx, game, "").stops(clock)
    assert clock.limit == clock.remaining(anew.now, stops)


async def test_a_move_that_is_stored_while_a_resumption_waits_for_its_turn(club: Club) -> None:
    """It is a sign of life, though it is later than the resumption was asked for: no outage covers its time."""
    game = await against_computer(club)
    club.now += 90_000
    async with club.games.transactions.writing():
        moving = asyncio.create_task(answered(club, game))
        await asyncio.sleep(0.05)
        resuming = asyncio.create_task(club.games.outages.resume())
        await asyncio.sleep(0.05)
        club.now += 5_000
    await moving

    assert 0 == await resuming
    assert [] == await club.check()
