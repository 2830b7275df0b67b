"""The machine's clock is set back while games run: nobody pays for time that never was."""

from __future__ import annotations

from itertools import pairwise

from bot.games.model.game import Game
from bot.support.time_units import DAY, HOUR, MINUTE
from tests.support.games.club import Club


async def correspondence(club: Club) -> Game:
    """A game of a day for each move in which the banks are open, with the bot alive."""
    club.now += 10 * DAY
    await club.games.outages.resume()
    game = await club.started(clock="1d")
    for text in ("c3-d4", "b6-a5"):
        await club.deliver()
        game = await club.play(game, text)
    await club.deliver()
    return game


async def test_a_move_while_the_clock_is_behind(club: Club) -> None:
    """A day back, a move, and forward again: the opponent has all its time, and no entry is earlier than another."""
    game = await correspondence(club)
    club.now -= DAY
    game = await club.play(game, "b2-c3")
    await club.deliver()
    club.now += DAY + MINUTE
    game = await club.play(game, "a7-b6")

    times = [entry.at for entry in game.entries]
    assert times == sorted(times)
    assert game.clock is not None
    assert game.clock.spent[1] <= MINUTE
    assert [] == await club.check()


async def test_a_clock_that_stays_behind(club: Club) -> None:
    """A day back for good: moves go on, none is earlier than the one before it, and nobody's time has run."""
    game = await correspondence(club)
    spent = game.clock.spent if game.clock else ()
    club.now -= DAY
    for text in ("b2-c3", "a7-b6", "a1-b2"):
        club.now += MINUTE
        game = await club.play(game, text)
        await club.deliver()

    assert all(before.at <= after.at for before, after in pairwise(game.entries))
    assert game.clock is not None
    assert spent == game.clock.spent
    assert [] == await club.check()


async def test_outages_are_counted_when_the_clock_is_right_again(club: Club) -> None:
    """The clock was ahead for a while, and something was done then: an outage after that is one nevertheless."""
    game = await correspondence(club)
    club.now += 2 * DAY
    await club.games.outages.resume()
    game = await club.play(game, "b2-c3")
    await club.deliver()
    club.now -= 2 * DAY
    await club.games.outages.alive()
    club.now += HOUR
    club.restart()

    assert HOUR == await club.games.outages.resume()
