"""What is thrown away, and what is not."""

from __future__ import annotations

import pytest

from bot.background.nightly import tidy
from bot.games.model.errors import Duplicate
from bot.support.time_units import DAY, HOUR
from data.queries import announcements, games
from tests.support.games.club import ANA, BEN, Club


async def test_what_is_long_over_is_thrown_away(club: Club) -> None:
    """A month after the end of a game its acts and posts are gone but for the last board, and the game is whole."""
    over = await club.started()
    over = await club.play(over, "c3-d4")
    await club.deliver()
    await club.games.moves.resign(over.id, BEN, club.source())
    await club.deliver()
    running = await club.started()
    running = await club.play(running, "c3-d4")
    await club.deliver()
    posted = await club.outbox.posted(over.id, "board")
    acts, said = await club.count("acts"), await club.count("announcements")
    assert 0 == await tidy(club.store, club.clock)

    club.now += 30 * DAY
    assert 0 == await tidy(club.store, club.clock)
    club.now += 1
    gone = await tidy(club.store, club.clock)

    assert 0 == await club.count("acts")
    assert gone == acts + said - await club.count("announcements")
    assert posted == await club.outbox.posted(over.id, "board")
    assert None is not await club.outbox.posted(running.id, "board")
    assert 0 == await tidy(club.store, club.clock)
    assert [] == await club.check()


async def test_what_waits_to_be_said_stays(club: Club) -> None:
    """A post that could not be sent for a month is still to be sent."""
    game = await club.started()
    await club.games.moves.resign(game.id, BEN, club.source())
    club.now += 31 * DAY
    waiting = [said.id for said in await club.outbox.due(game.id)]

    await tidy(club.store, club.clock)

    assert waiting == [said.id for said in await club.outbox.due(game.id)]
    assert waiting


async def test_a_turn_is_known_for_ever(club: Club) -> None:
    """Turns are the record: their sources are not thrown away."""
    game = await club.started()
    source = club.source()
    await club.games.moves.turn(game.id, ANA, "c3-d4", source)
    club.now += 31 * DAY
    await tidy(club.store, club.clock)

    with pytest.raises(Duplicate):
        await club.games.moves.turn(game.id, ANA, "c3-d4", source)


async def test_boards_that_stopped_a_clock_stay(club: Club) -> None:
    """What was posted hours late, or given up and posted anew, is what the record's clocks are held against."""
    game = await club.started(clock="3d")
    await club.deliver()
    game = await club.play(game, "c3-d4")
    club.now += 5 * HOUR
    await club.deliver()
    game = await club.play(game, game.rules.turns(game.state)[0].text)
    club.now += 2 * HOUR
    async with club.store.write() as tx:
        await announcements.give_up(tx, game.id, club.now)
    (_,) = await club.games.channels.server_in_reach(7)
    await club.deliver()
    game = await club.play(game, game.rules.turns(game.state)[0].text)
    await club.deliver()
    await club.games.moves.resign(game.id, ANA, club.source())
    await club.deliver()
    assert [] == await club.check()
    club.now += 31 * DAY

    assert 0 < await tidy(club.store, club.clock)

    assert [] == await club.check()
    assert 0 == await tidy(club.store, club.clock)


async def test_hints_are_counted_for_as_long_as_the_game_runs(club: Club) -> None:
    """A game may last for longer than a month."""
    game = await club.started()
    await club.games.computer.hint(game.id, ANA, club.source())
    club.now += 31 * DAY
    await tidy(club.store, club.clock)
    async with club.store.read() as tx:
        assert 1 == await games.hints(tx, game.id, ANA)
    await club.games.moves.resign(game.id, ANA, club.source())
    club.now += 31 * DAY
    await tidy(club.store, club.clock)
    assert 0 == await club.count("acts")
