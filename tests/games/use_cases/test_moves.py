"""Turns, resigning, calling off."""

from __future__ import annotations

import pytest

from bot.engine.errors import AmbiguousMove, IllegalMove, NotAMove
from bot.games.model.errors import (
    Duplicate,
    MoveRefused,
    NoSuchGame,
    NotRunning,
    NotSeated,
    NotYourTurn,
    Refused,
    StalePly,
)
from tests.support.games.club import ANA, BEN, CAT, Club, payload


async def test_a_turn(club: Club) -> None:
    """A turn is kept in canonical notation with who, when and where from; the other is to move and is pinged."""
    game = await club.started()
    club.now += 7
    game = await club.games.moves.turn(game.id, ANA, " A3 b4 ", "m:55")
    [entry] = game.entries
    assert (1, "turn", 0, "a3-b4", club.now, "m:55") == (
        entry.number, entry.kind, entry.seat, entry.text, entry.at, entry.source,
    )  # fmt: skip
    assert (1, BEN, ("a3-b4",)) == (game.ply, game.to_move, game.turns)
    assert game == await club.games.game(game.id)
    board = (await club.said(game))[-1]
    assert ("board", 1, {"event": "turn", "by": ANA, "ping": BEN, "lot": False}) == (
        board.kind, board.ply, payload(board),
    )  # fmt: skip


async def test_only_the_player_to_move_moves(club: Club) -> None:
    """Strangers, and the player whose turn it is not, are refused; the sentence says whose turn it is, nameless."""
    game = await club.started()
    before = await club.rows()
    with pytest.raises(NotSeated, match="not playing"):
        await club.games.moves.turn(game.id, CAT, "a3-b4", club.source())
    with pytest.raises(NotYourTurn, match=rf"not your turn: White \(<@{ANA}>\) is to move"):
        await club.games.moves.turn(game.id, BEN, "b6-a5", club.source())
    with pytest.raises(NoSuchGame):
        await club.games.moves.turn(99, ANA, "a3-b4", club.source())
    assert before == await club.rows()


async def test_no_turn_before_the_start(club: Club) -> None:
    """While the challenge is open nobody can move."""
    game = await club.challenge()
    with pytest.raises(NotRunning, match="has not begun"):
        await club.games.moves.turn(game.id, ANA, "a3-b4", club.source())


async def test_what_the_rules_refuse(club: Club) -> None:
    """The engine's three errors come through with the game as it stands; nothing is stored."""
    game = await club.started()
    for text, error in (("hello", NotAMove), ("a3-a5", IllegalMove), ("b4", AmbiguousMove)):
        with pytest.raises(MoveRefused) as refused:
            await club.games.moves.turn(game.id, ANA, text, club.source())
        assert isinstance(refused.value.error, error)
        assert refused.value.error.sentence == refused.value.sentence
        assert 0 == refused.value.game.ply
    assert 0 == await club.count("turns")


async def test_an_old_button(club: Club) -> None:
    """A button of an earlier position does not play on a new one."""
    game = await club.started()
    game = await club.play(game, "a3-b4", "b6-a5")
    with pytest.raises(StalePly) as stale:
        await club.games.moves.turn(game.id, ANA, "c3-d4", club.source(), ply=0)
    assert 2 == stale.value.game.ply
    assert 3 == (await club.games.moves.turn(game.id, ANA, "c3-d4", club.source(), ply=2)).ply


async def test_the_same_message_plays_once(club: Club) -> None:
    """A message that is delivered again says nothing: right away, after the answer, after the end."""
    game = await club.started()
    await club.games.moves.turn(game.id, ANA, "a3-b4", "m:55")
    with pytest.raises(Duplicate):
        await club.games.moves.turn(game.id, ANA, "a3-b4", "m:55")
    await club.games.moves.resign(game.id, BEN, "i:9")
    with pytest.raises(Duplicate):
        await club.games.moves.turn(game.id, ANA, "a3-b4", "m:55")
    with pytest.raises(Duplicate):
        await club.games.moves.resign(game.id, BEN, "i:9")
    assert 2 == await club.count("turns")


async def test_the_same_message_where_its_move_is_legal_again(club: Club) -> None:
    """Even where its move could be played again, a message counts once."""
    game = await club.table(2)
    first, second = game.players
    assert first is not None
    assert second is not None
    await club.games.moves.turn(game.id, first, "1", "m:55")
    await club.games.moves.turn(game.id, second, "1", "m:56")
    with pytest.raises(Duplicate):
        await club.games.moves.turn(game.id, first, "1", "m:55")
    other = await club.started()
    with pytest.raises(Duplicate):
        await club.games.moves.turn(other.id, ANA, "a3-b4", "m:55")


async def test_a_game_that_ends_by_its_rules(club: Club) -> None:
    """The last turn finishes the game, keeps the result and pings the one who did not make it."""
    game = await club.table(2)
    winner = game.players[1]
    club.now += 3
    game = await club.play(game, "3", "3", "3", "3")
    assert ("finished", None, club.now) == (game.status, game.to_move, game.ended_at)
    assert game.result is not None
    assert (1, "12 is reached") == (game.result.winner, game.result.reason)
    assert game == await club.games.game(game.id)
    assert {"event": "turn", "by": winner, "ping": game.players[0], "lot": False} == payload(
        (await club.said(game))[-1]
    )
    with pytest.raises(NotRunning, match="over"):
        await club.games.moves.turn(game.id, game.players[0] or 0, "1", club.source())
    assert await club.games.running_in(70) is None


async def test_resigning(club: Club) -> None:
    """A player may resign at any time, also when it is the other's turn."""
    game = await club.started()
    game = await club.games.moves.resign(game.id, BEN, club.source())
    assert game.result is not None
    assert ("finished", 0, "Black resigned") == (game.status, game.result.winner, game.result.reason)
    assert {"event": "resign", "by": BEN, "ping": ANA, "lot": False} == payload((await club.said(game))[-1])
    with pytest.raises(NotRunning):
        await club.games.moves.resign(game.id, ANA, club.source())
    with pytest.raises(NotSeated):
        await club.games.moves.resign(game.id, CAT, club.source())


async def test_calling_off(club: Club) -> None:
    """Until both have moved either may call the game off; there is no result, and the channel is free."""
    game = await club.started()
    game = await club.play(game, "a3-b4")
    game = await club.games.moves.abort(game.id, BEN, club.source())
    assert ("aborted", None, None) == (game.status, game.result, game.to_move)
    assert game == await club.games.game(game.id)
    note = (await club.said(game))[-1]
    assert ("note", ANA) == (note.kind, payload(note)["ping"])
    game = await club.started()
    game = await club.play(game, "a3-b4", "b6-a5")
    with pytest.raises(Refused, match="Everyone has moved"):
        await club.games.moves.abort(game.id, ANA, club.source())


async def test_soplar_and_oblige_are_turns(club: Club) -> None:
    """A huff is an entry after which the same player moves; oblige is one after which the other must capture."""
    neglected = ("c3-d4", "f6-e5", "g3-h4")
    game = await club.started("americanas")
    game = await club.play(game, *neglected)
    assert game.rules.remedies(game.state)
    game = await club.play(game, "soplar d4")
    assert (4, BEN) == (game.ply, game.to_move)
    game = await club.play(game, "e5-d4")
    assert ANA == game.to_move
    game = await club.games.moves.resign(game.id, ANA, club.source())
    other = await club.started("americanas")
    other = await club.play(other, *neglected, "oblige")
    assert (4, ANA) == (other.ply, other.to_move)
    assert [] == await club.check()


async def test_the_game_as_it_stood(club: Club) -> None:
    """A game can be asked for as it stood after any entry, for posts that come late."""
    game = await club.started()
    first = await club.play(game, "a3-b4")
    second = await club.play(first, "b6-a5")
    for fresh in (False, True):
        if fresh:
            club = Club(club.store)
        assert first == await club.games.game(game.id, 1)
        assert second == await club.games.game(game.id, 2)
        assert game.state == (await club.games.game(game.id, 0)).state
    with pytest.raises(NoSuchGame, match="no entry 3"):
        await club.games.game(game.id, 3)
    ended = await club.games.moves.resign(game.id, ANA, "i:1")
    before_the_end = await club.games.game(ended.id, 2)
    assert ("running", None, None) == (before_the_end.status, before_the_end.result, before_the_end.ended_at)


async def test_a_long_game_is_replayed_beside_the_event_loop(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a restart the fold of a record runs in a thread, once; then the game is at hand."""
    import asyncio

    game = await club.table(2)
    game = await club.play(game, "1", "1", "1", "1", "1", "1")
    threads: list[str] = []
    to_thread = asyncio.to_thread

    async def counted(function, *arguments):  # type: ignore[no-untyped-def]
        threads.append(function.__name__)
        return await to_thread(function, *arguments)

    monkeypatch.setattr(asyncio, "to_thread", counted)
    fresh = Club(club.store)
    assert game == await fresh.games.game(game.id)
    assert game == await fresh.games.game(game.id)
    assert ["fold"] == threads


async def test_a_slip_is_undone_within_a_minute(club: Club) -> None:
    """The mover alone, once nobody has done anything since; a minute later it stands."""
    game = await club.play(await club.started(clock="3d"), "c3-d4")
    with pytest.raises(Refused, match="You have not moved yet"):
        await club.games.moves.undo(game.id, BEN, club.source())
    club.now += 60_000
    game = await club.games.moves.undo(game.id, ANA, club.source())
    assert (ANA, ()) == (game.to_move, game.turns)

    game = await club.play(game, "c3-d4")
    club.now += 60_001
    with pytest.raises(Refused, match="A move can be undone only within a minute"):
        await club.games.moves.undo(game.id, ANA, club.source())
    game = await club.play(game, "b6-a5")
    with pytest.raises(Refused, match="own last move"):
        await club.games.moves.undo(game.id, ANA, club.source())
    assert [] == await club.check()
