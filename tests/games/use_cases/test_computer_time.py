"""Time in games against the computer: people's runs as ever, the computer's never ends a game."""

from __future__ import annotations

from bot.games.model.computer_seats import computer_of
from bot.games.model.game import Game
from bot.support.time_units import DAY, HOUR, MINUTE
from tests.support.games.club import ANA, Club, payload


async def begun(club: Club, clock: str, turns: int = 2) -> Game:
    """A game of Ana against the computer after so many turns."""
    await club.games.outages.resume()
    game = await club.challenge(ANA, computer_of(3), clock=clock)
    for _ in range(turns):
        game = await club.play(game, game.rules.turns(game.state)[0].text)
    return game


async def test_a_first_move_that_is_not_made(club: Club) -> None:
    """After 48 hours the game is called off, as against a person."""
    game = await begun(club, "3d", turns=0)
    await club.pass_time(club.now + 3 * DAY)
    game = await club.games.game(game.id)
    assert "aborted" == game.status
    assert [] == await club.check()


async def test_a_person_runs_out_of_time(club: Club) -> None:
    """Reminded before, Ana loses; nobody else is told of anything."""
    game = await begun(club, "3d")
    await club.pass_time(club.now + 4 * DAY)
    game = await club.games.game(game.id)
    assert game.result is not None
    assert 1 == game.result.winner
    said = await club.said(game)
    assert [ANA] * 3 == [payload(each)["to"] for each in said if each.kind == "reminder"]
    assert [] == await club.check()


async def test_a_computer_that_is_slow(club: Club) -> None:
    """No worker for a week: the game goes on, the computer is woken every hour, reminded of nothing, and may move."""
    for number, (clock, turns) in enumerate((("1d", 1), ("1d", 3), ("5+3", 1), ("5+3", 3))):
        game = await begun(club, clock, turns)
        await club.games.channels.settle_channel(game.id, 200 + number)
        await club.pass_time(club.now + 7 * DAY)
        game = await club.games.game(game.id)
        assert "running" == game.status
        assert "reminder" not in await club.kinds(game)
        assert await club.games.timeouts.time_passed(game.id) is None
        club.now += HOUR + MINUTE
        woken = await club.games.timeouts.time_passed(game.id)
        assert woken is not None
        game = await club.play(game, game.rules.turns(game.state)[0].text)
        assert game.clock is not None
        assert (game.clock.left[1] or 0) >= 0
        assert [] == await club.check()
        await club.games.moves.resign(game.id, ANA, club.source())


async def test_a_vacation_stops_the_clock_against_the_computer(club: Club) -> None:
    """Also there it is Ana's own clock alone."""
    game = await begun(club, "1d")
    await club.deliver()
    await club.games.vacations.start_vacation(ANA, club.source())
    await club.pass_time(club.now + 5 * DAY)
    await club.games.vacations.stop_vacation(ANA, club.source())
    assert "running" == (await club.games.game(game.id)).status
    await club.pass_time(club.now + 2 * DAY)
    assert "finished" == (await club.games.game(game.id)).status
    assert [] == await club.check()


async def test_a_table_with_computers_and_one_who_leaves_by_time(club: Club) -> None:
    """At a table of three the person runs out of time: only computers are left, and the game ends."""
    game = await club.challenge(ANA, None, variant="counting-3", side=None, clock="1d")
    for level in (2, 3):
        game = await club.games.computer.seat(game.id, ANA, level, club.source())
    assert "running" == game.status
    while game.to_move != ANA or game.ply < 3:
        game = await club.play(game, "1")
    await club.pass_time(club.now + 3 * DAY)
    game = await club.games.game(game.id)
    assert game.seat_of(ANA) in game.left
    assert "finished" == game.status
    assert [] == await club.check()
