"""What is thrown away, and what is not."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sqlalchemy as sa

from bot.background.nightly import tidy
from bot.games.model.errors import Duplicate, NotYourTurn
from bot.games.model.game import Game
from bot.support.time_units import DAY, HOUR
from data.queries import announcements, games, retention
from data.schema.games import announcements as announced
from tests.support.games.club import ANA, BEN, HALL, Club


async def test_what_is_over_is_thrown_away(club: Club) -> None:
    """A day after the end of a game its acts and posts are gone but for the last board, and the game is whole."""
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

    club.now += DAY
    assert 0 == await tidy(club.store, club.clock)
    club.now += 1
    gone = await tidy(club.store, club.clock)

    assert 0 == await club.count("acts")
    assert gone == acts + said - await club.count("announcements") + await club.count("turns")
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


async def test_a_message_is_known_for_a_day(club: Club) -> None:
    """A turn's source is remembered that long: what comes again is a duplicate. The turn stays."""
    game = await club.started()
    source = club.source()
    await club.games.moves.turn(game.id, ANA, "c3-d4", source)
    club.now += DAY
    await tidy(club.store, club.clock)
    with pytest.raises(Duplicate):
        await club.games.moves.turn(game.id, ANA, "c3-d4", source)

    club.now += 1
    await tidy(club.store, club.clock)

    async with club.store.read() as tx:
        assert [("c3-d4", None)] == [(turn.text, turn.source) for turn in await games.turn_rows(tx, game.id)]
    club.restart()
    with pytest.raises(NotYourTurn):
        await club.games.moves.turn(game.id, ANA, "c3-d4", source)
    assert [] == await club.check()


async def test_boards_that_were_followed_go(club: Club) -> None:
    """Of a game that goes on, the last board, the challenge and a standing offer stay, and what is younger than a
    day."""
    game = await club.started(clock="7d")
    await post(club, game)
    for _ in range(3):
        club.now += DAY // 2
        game = await club.play(game, game.rules.turns(game.state)[0].text)
        await post(club, game)
    await post(club, await club.games.offers.offer_draw(game.id, ANA, club.source()))

    await tidy(club.store, club.clock)
    assert [("challenge", 0), ("board", 1), ("board", 2), ("board", 3), ("offer", 3)] == await kept(club)
    assert [] == await club.check()

    club.now += 2 * DAY
    await tidy(club.store, club.clock)
    assert [("challenge", 0), ("board", 3), ("offer", 3)] == await kept(club)
    assert [] == await club.check()


async def test_a_game_in_which_something_waits_keeps_all(club: Club) -> None:
    """What waits may have been posted long ago: it is looked for among the posts that are not known."""
    game = await club.started()
    await post(club, game)
    game = await club.play(game, "c3-d4")
    await post(club, game)
    await club.play(game, game.rules.turns(game.state)[0].text)
    before = await kept(club)
    club.now += 8 * DAY

    await tidy(club.store, club.clock)

    assert before == await kept(club)


async def test_a_board_on_each_server_stays(club: Club) -> None:
    """The last board of each channel is what its lists link to."""
    game = await club.started()
    for channel_id in (1, 2):
        for _ in range(2):
            (again,) = await club.games.channels.post_again(game.id)
            await post(club, again, channel_id)
    posted = [await club.outbox.posted(game.id, "board", channel_id) for channel_id in (1, 2)]
    await post(club, await club.games.moves.resign(game.id, ANA, club.source()), 2)
    club.now += 2 * DAY

    assert 0 < await tidy(club.store, club.clock)

    assert posted[0] == await club.outbox.posted(game.id, "board", 1)
    assert posted[1] != await club.outbox.posted(game.id, "board", 2)
    assert 2 == len(await kept(club))


async def test_many_are_looked_at_a_little_at_a_time(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few are looked at in one transaction, the same goes."""
    monkeypatch.setattr(retention, "LOOKED_AT", 2)
    over = [await club.started(place=replace(HALL, channel_id=channel)) for channel in range(100, 104)]
    for game in over:
        await post(club, await club.play(game, "c3-d4"))
        await post(club, await club.games.moves.resign(game.id, ANA, club.source()))
    club.now += DAY + 1

    await tidy(club.store, club.clock)

    assert [("board", 2)] * 4 == await kept(club)
    assert 0 == await tidy(club.store, club.clock)


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
        await announcements.give_up(tx, game.id, club.now, ["board"])
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


async def post(club: Club, game: Game, channel_id: int = 1) -> None:
    """All that waits in a game is posted in a channel."""
    while due := await club.outbox.due(game.id):
        for each in due:
            await club.outbox.sent(each, 10 * each.id, channel_id)


async def kept(club: Club) -> list[tuple[str, int]]:
    """The kind of each announcement that is kept, and the entry after which it was made."""
    async with club.store.read() as tx:
        query = sa.select(announced.c.kind, announced.c.ply).order_by(announced.c.id)
        edits = announced.c.kind.in_(("challenge_changed", "challenge_closed", "offer_closed"))
        return [(kind, ply) for kind, ply in await tx.execute(query.where(~edits))]
