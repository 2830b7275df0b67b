"""A turn is played on the game in memory, and stored only where that is how the game stands."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa

from bot.games.model.errors import Duplicate, NotRunning, NotStored, NotYourTurn, Refused, StalePly
from bot.games.model.game import Game
from bot.games.persistence.unit_of_work import GameUnit
from data import aiosqlite_driver
from data.queries import games
from data.store import Store
from tests.support.games.club import ANA, BEN, HALL, Club


async def goes_on_elsewhere(club: Club, game: Game) -> None:
    async with club.store.write() as tx:
        await games.change_game(tx, game.id, channel_id=4711)


Act = Callable[[Club, Game], Awaitable[object]]

ACTS: dict[str, tuple[Act, type[Refused] | None]] = {
    "nothing": (lambda _other, _game: asyncio.sleep(0), None),
    "the same turn": (lambda other, game: other.play(game, "e3-f4"), NotYourTurn),
    "two turns": (lambda other, game: other.play(game, "e3-f4", "f6-g5"), None),
    "an offer": (lambda other, game: other.games.offers.offer_draw(game.id, BEN, "x:1"), None),
    "the other's end": (lambda other, game: other.games.moves.resign(game.id, BEN, "x:1"), NotRunning),
    "one's own end": (lambda other, game: other.games.moves.resign(game.id, ANA, "x:1"), NotRunning),
    "another channel": (goes_on_elsewhere, None),
}


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("ply", [True, False])
@pytest.mark.parametrize("clock", ["none", "3d"])
async def test_what_another_process_has_done(club: Club, act: str, ply: bool, clock: str) -> None:
    """The turn is played, or refused, as the game stands by then, as by somebody who had never seen it."""
    game = await club.play(await club.started(clock=clock), "c3-d4", "b6-a5")
    other = Club(club.store)
    other._sources = itertools.count(1000)
    do, refused = ACTS[act]
    await do(other, game)
    stands = await Club(club.store).games.game(game.id)
    expected = StalePly if ply and stands.ply != game.ply and stands.status == "running" else refused
    turn = "e3-f4" if act != "two turns" else "g3-h4"

    async def play() -> Game:
        return await club.games.moves.turn(game.id, ANA, turn, "y:1", game.ply if ply else None)

    if expected is not None:
        with pytest.raises(expected):
            await play()
        assert stands == await Club(club.store).games.game(game.id)
    else:
        played = await play()
        assert (stands.ply + 1, turn, stands.channel_id) == (played.ply, played.entries[-1].text, played.channel_id)
        assert () == played.offers
        assert played == await Club(club.store).games.game(game.id)
        assert [*range(1, played.ply + 1)] == [entry.number for entry in played.entries]
        boards = [each for each in await club.said(game) if each.kind == "board" and each.ply == played.ply]
        assert 1 == len(boards)
        with pytest.raises(Duplicate):
            await play()
    assert [] == await club.check()


async def test_one_way_to_the_database(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """The turn of a game in memory waits for the database once, when it is stored."""
    if club.store.file is None:
        pytest.skip("PostgreSQL is asked for each statement that finds anything")
    game = await club.play(await club.started(), "c3-d4", "b6-a5")
    ways: list[object] = []
    in_thread = aiosqlite_driver._Connection.in_thread

    async def counted(home: aiosqlite_driver._Connection, run: Callable[..., object], *given: object) -> None:
        ways.append(run)
        await in_thread(home, run, *given)

    monkeypatch.setattr(aiosqlite_driver._Connection, "in_thread", counted)
    await club.play(game, "e3-f4")
    assert 1 == len(ways)


async def test_what_is_known_is_what_stands(club: Club) -> None:
    """After whatever is done to a game here, it is known as it is stored, so that its next turn is not begun twice."""
    repository = club.games._work.repository
    offers = club.games.offers

    async def stands(game: Game) -> None:
        async with club.store.write() as tx:
            known = repository.noted(game.id)
            assert known is not None
            await repository.must_stand(tx, known)

    game = await club.started()
    await stands(game)
    for text in ("c3-d4", "b6-a5", "e3-f4"):
        game = await club.play(game, text)
        await stands(game)
    await offers.ask_takeback(game.id, BEN, club.source())
    await stands(game)
    await offers.answer("takeback", game.id, ANA, True, club.source())
    await stands(game)
    await offers.offer_draw(game.id, ANA, club.source())
    await stands(game)
    await offers.answer("draw", game.id, BEN, False, club.source())
    await club.games.moves.undo((await club.play(game, "b6-a5", "e3-f4", "f6-g5")).id, BEN, club.source())
    await stands(game)
    await club.games.channels.move_here(game.id, ANA, replace(HALL, channel_id=98), club.source(), gone=HALL.channel_id)
    await stands(game)
    table = await club.table(3)
    await offers.offer_draw(table.id, ANA, club.source())
    await offers.answer("draw", table.id, BEN, True, club.source())
    await stands(table)


async def test_offers_that_cannot_be_read(club: Club) -> None:
    """A turn that fails as the game's offers cannot be read holds up nobody who writes next."""
    if club.store.file is None:
        pytest.skip("PostgreSQL takes no such value")
    game = await club.play(await club.started(), "c3-d4")
    await club.games.offers.offer_draw(game.id, BEN, club.source())
    async with club.store.write() as tx:
        await tx.execute(sa.text("UPDATE offers SET agreed = '{'"))
    with pytest.raises(ValueError, match="double quotes"):
        await club.play(game, "b6-a5")
    other = await club.started(place=replace(HALL, channel_id=99))
    assert "running" == other.status


async def test_who_waited_meanwhile(club: Club) -> None:
    """Of several turns that come at once in one process, each is played on what the one before it has left."""
    game = await club.play(await club.started(), "c3-d4", "b6-a5")
    turn = club.games.moves.turn
    ends = await asyncio.gather(
        turn(game.id, ANA, "e3-f4", "y:1"),
        turn(game.id, BEN, "f6-g5", "y:2"),
        turn(game.id, ANA, "g3-h4", "y:3"),
        club.games.moves.resign(game.id, BEN, "y:4"),
        turn(game.id, BEN, "b8-a7", "y:5"),
        return_exceptions=True,
    )
    assert [3, 4, 5, 6, NotRunning] == [end.ply if isinstance(end, Game) else type(end) for end in ends]
    assert [] == await club.check()


async def test_what_failed_did_not_come_twice(club: Club) -> None:
    """Where a use case cannot go on after its entry, that is what is said, not that it was done before."""
    game = await club.started()

    async def resign(unit: GameUnit) -> None:
        await unit.append("resign", 0)
        raise NotStored("the disk is full")

    with pytest.raises(NotStored, match="the disk"):
        await club.games._work.do(game.id, "y:1", resign)
    assert "running" == (await club.games.game(game.id)).status


async def test_what_was_never_stored_is_not_played_on(club: Club, store: Store) -> None:
    """Where a turn could not be stored, the next is played on the game without it."""
    game = await club.play(await club.started(), "c3-d4", "b6-a5")
    await club.started(place=replace(HALL, channel_id=99))
    await store.close()
    with pytest.raises(Refused):
        await club.play(game, "e3-f4")
    await store.open()
    played = await club.play(game, "g3-h4")
    assert ["c3-d4", "b6-a5", "g3-h4"] == [entry.text for entry in played.entries]
    assert [] == await club.check()


async def test_what_stands_on_the_board_is_nobodys_to_change(club: Club) -> None:
    """It is told once for each position, to all who ask."""
    game = await club.started()
    pieces: Any = game.rules.pieces(game.state)
    with pytest.raises(TypeError):
        pieces[0] = None
