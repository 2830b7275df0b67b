"""Many things at one moment: each counts once, in some order."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from bot.games.model.errors import Duplicate, NotOpen, NotRunning, NotYourTurn, TooMany
from bot.games.model.game import Game, Place
from tests.support.games.club import ANA, BEN, CAT, HALL, Club


async def outcomes(*preferences: object) -> Counter[type]:
    """What becomes of wishes that come at one moment, by type."""
    return Counter(type(end) for end in await asyncio.gather(*preferences, return_exceptions=True))  # type: ignore[call-overload]


async def test_two_moves_by_one_person(club: Club) -> None:
    """Two different moves at one moment give one turn and one NotYourTurn."""
    game = await club.started()
    moves = (club.games.moves.turn(game.id, ANA, text, club.source()) for text in ("a3-b4", "c3-d4"))
    assert {Game: 1, NotYourTurn: 1} == await outcomes(*moves)
    assert 1 == await club.count("turns")


async def test_one_message_delivered_many_times(club: Club) -> None:
    """One message delivered ten times at one moment gives one turn and nine Duplicates."""
    game = await club.started()
    moves = (club.games.moves.turn(game.id, ANA, "a3-b4", "m:55") for _ in range(10))
    assert {Game: 1, Duplicate: 9} == await outcomes(*moves)
    assert 1 == await club.count("turns")


async def test_one_message_delivered_many_times_without_a_warm_cache(club: Club) -> None:
    """The same right after a restart, when nothing is in memory."""
    game = await club.play(await club.started(), "a3-b4", "h6-g5")
    fresh = Club(club.store)
    moves = (fresh.games.moves.turn(game.id, ANA, "b2-a3", "m:55") for _ in range(10))
    assert {Game: 1, Duplicate: 9} == await outcomes(*moves)
    assert 3 == await club.count("turns")


async def test_two_people_accept(club: Club) -> None:
    """Of two who accept an open challenge at one moment, one plays and the other is told."""
    game = await club.challenge(opponent=None)
    preferences = (club.games.challenges.accept(game.id, person, club.source()) for person in (BEN, CAT))
    assert {Game: 1, NotOpen: 1} == await outcomes(*preferences)


async def test_two_games_start_in_one_channel(club: Club) -> None:
    """Of two challenges accepted at one moment, one gets the channel and the other needs a thread."""
    games = [await club.challenge(), await club.challenge(ANA, CAT)]
    started = await asyncio.gather(
        *(club.games.challenges.accept(game.id, game.opponent or 0, club.source()) for game in games)
    )
    assert [False, True] == sorted(game.needs_thread for game in started)


async def test_the_end_and_a_move(club: Club) -> None:
    """Agreeing to a draw, resigning and moving at one moment: the record has one end, and nothing after it."""
    game = await club.play(await club.started(), "a3-b4")
    game = await club.games.offers.offer_draw(game.id, ANA, club.source())
    ends = await outcomes(
        club.games.offers.answer("draw", game.id, BEN, True, club.source()),
        club.games.moves.resign(game.id, ANA, club.source()),
        club.games.moves.turn(game.id, BEN, "h6-g5", club.source()),
    )
    assert {Game: 1, NotRunning: 2} == ends
    assert [] == await club.check()


async def test_two_rematches(club: Club) -> None:
    """Both press Rematch at one moment: there is one."""
    game = await club.games.moves.resign((await club.started()).id, ANA, club.source())
    both = await asyncio.gather(
        *(club.games.challenges.rematch(game.id, person, club.source()) for person in (ANA, BEN))
    )
    assert both[0].id == both[1].id
    assert 2 == await club.count("games")


async def test_challenges_at_the_limit(club: Club) -> None:
    """Ten challenges at one moment do not get past the limit."""
    preferences = (club.challenge(opponent=200 + n) for n in range(10))
    assert {Game: 5, TooMany: 5} == await outcomes(*preferences)


async def test_fifty_games_at_once(club: Club) -> None:
    """Fifty games played at one time each get all of their turns."""

    async def whole(number: int) -> Game:
        game = await club.challenge(1000 + number, 2000 + number, place=Place(7, 5000 + number))
        game = await club.games.challenges.accept(game.id, 2000 + number, club.source())
        return await club.play(game, "a3-b4", "h6-g5", "b2-a3", "g7-h6")

    games = await asyncio.gather(*(whole(number) for number in range(50)))
    assert {4} == {game.ply for game in games}
    assert 200 == await club.count("turns")
    assert [] == await club.check()


async def test_fifty_people_at_one_board(club: Club) -> None:
    """Fifty moves at one moment by the player to move, its opponent and others: one turn."""
    game = await club.started()
    preferences = [
        club.games.moves.turn(game.id, person, "a3-b4", club.source()) for person in (ANA, BEN, CAT, ANA, BEN) * 10
    ]
    ends = await outcomes(*preferences)
    assert 1 == ends[Game]
    assert (1, HALL.channel_id) == (await club.count("turns"), game.channel_id)


async def test_cancelled_in_the_middle(club: Club) -> None:
    """Who goes away in the middle of a turn leaves a whole turn or none; the game goes on."""
    game = await club.started()
    for steps in range(40):
        mover = game.to_move
        assert mover is not None
        source = club.source()
        text = game.rules.turns(game.state)[0].text
        task = asyncio.create_task(club.games.moves.turn(game.id, mover, text, source))
        for _ in range(steps):
            await asyncio.to_thread(int)
        task.cancel()
        await asyncio.wait({task})
        game = await club.games.game(game.id)
        assert await club.count("turns") == game.ply
        if game.status == "running" and game.to_move == mover:
            game = await club.games.moves.turn(game.id, mover, text, source)
        else:
            with pytest.raises(Duplicate):
                await club.games.moves.turn(game.id, mover, text, source)
        if game.status != "running":
            break
    assert [] == await club.check()
