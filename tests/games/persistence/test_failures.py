"""When something breaks in the middle: nothing is half done, people are told, and the next try succeeds."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.games.model.errors import NotStored
from bot.games.model.game import Game, Place
from data.queries import announcements, games, offers
from data.store import Store, Unavailable
from tests.support.data.databases import POSTGRESQL, url_of
from tests.support.games.club import ANA, BEN, HALL, Club

Wish = Callable[[Club, Game, str], Awaitable[Any]]

# Use cases on a game in which Ana has moved, offered a draw, and Ben is to move.
ON_A_RUNNING_GAME: dict[str, Wish] = {
    "turn": lambda club, game, source: club.games.moves.turn(game.id, BEN, "h6-g5", source),
    "resign": lambda club, game, source: club.games.moves.resign(game.id, ANA, source),
    "abort": lambda club, game, source: club.games.moves.abort(game.id, ANA, source),
    "agree": lambda club, game, source: club.games.offers.answer("draw", game.id, BEN, True, source),
    "decline": lambda club, game, source: club.games.offers.answer("draw", game.id, BEN, False, source),
    "ask": lambda club, game, source: club.games.offers.ask_takeback(game.id, ANA, source),
}
ON_A_CHALLENGE: dict[str, Wish] = {
    "accept": lambda club, game, source: club.games.challenges.accept(game.id, BEN, source),
    "decline": lambda club, game, source: club.games.challenges.decline(game.id, BEN, source),
    "withdraw": lambda club, game, source: club.games.challenges.withdraw(game.id, ANA, source),
    "open": lambda club, game, source: club.games.challenges.open(
        source=source, opener=ANA, opponent=None, variant="tama", options=None, side=None, place=HALL
    ),
}
WRITES = {
    games: ("add_game", "change_game", "add_turn", "add_act", "reseat"),
    offers: ("add", "close", "agree"),
    announcements: ("add",),
}


class BrokenOffError(Exception):
    """What happens in the middle."""


@pytest.mark.parametrize("wish", [*ON_A_RUNNING_GAME.values()], ids=[*ON_A_RUNNING_GAME])
async def test_broken_off_anywhere_in_a_running_game(club: Club, monkeypatch: pytest.MonkeyPatch, wish: Wish) -> None:
    """An exception after any of a use case's writes leaves everything as it was; then the same wish is granted."""
    game = await club.play(await club.started(), "a3-b4")
    game = await club.games.offers.offer_draw(game.id, ANA, club.source())
    await broken_off_anywhere(club, monkeypatch, game, wish)


@pytest.mark.parametrize("wish", [*ON_A_CHALLENGE.values()], ids=[*ON_A_CHALLENGE])
async def test_broken_off_anywhere_in_a_challenge(club: Club, monkeypatch: pytest.MonkeyPatch, wish: Wish) -> None:
    """The same for a challenge."""
    await broken_off_anywhere(club, monkeypatch, await club.challenge(), wish)


async def broken_off_anywhere(club: Club, monkeypatch: pytest.MonkeyPatch, game: Game, wish: Wish) -> None:
    before = await club.rows()
    source = club.source()
    for at in range(1, 30):
        writes = 0

        def counted(query: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
            async def run(*arguments: Any, **named: Any) -> Any:
                nonlocal writes
                writes += 1
                result = await query(*arguments, **named)
                if writes == at:  # noqa: B023 - the count of this round
                    raise BrokenOffError
                return result

            return run

        with monkeypatch.context() as patch:
            for module, names in WRITES.items():
                for name in names:
                    patch.setattr(module, name, counted(getattr(module, name)))
            try:
                await wish(club, game, source)
            except BrokenOffError:
                assert before == await club.rows()
                assert game == await club.games.game(game.id)
                continue
        assert at > 2, "a use case writes at least an entry or act, and an announcement"
        assert before != await club.rows()
        assert [] == await club.check()
        return
    pytest.fail("the use case never ended")


@pytest.mark.skipif(POSTGRESQL, reason="the disk is the server's")
async def test_full_disk(club: Club, store: Store) -> None:
    """A full disk is told in words; with space again the same message is played."""
    game = await club.play(await club.started(), "a3-b4")
    async with store.write() as tx:
        pages = (await tx.execute(sa.text("PRAGMA page_count"))).scalar_one()
        await tx.execute(sa.text(f"PRAGMA max_page_count = {pages}"))
    club.restart(max_open_challenges=1000)

    async def until_full() -> None:
        for number in range(1000):
            await club.challenge(opponent=None, place=Place(7, number))

    with pytest.raises(NotStored, match="Please try again in a moment"):
        await until_full()
    kinds = [told.kind for told in await club.outbox.due()]
    assert await club.count("games") == kinds.count("challenge") == await club.count("acts") - 1
    game = await club.play(game, "h6-g5")
    assert 2 == game.ply
    assert [] == await club.check()


async def test_read_only(club: Club, store: Store) -> None:
    """A database that cannot be written to is told in words, and changes nothing in memory either."""
    game = await club.play(await club.started(), "a3-b4")
    async with store.write() as tx:
        await tx.execute(sa.text("SET default_transaction_read_only = on" if POSTGRESQL else "PRAGMA query_only = ON"))
    source = club.source()
    with pytest.raises(NotStored, match="Please try again"):
        await club.games.moves.turn(game.id, BEN, "h6-g5", source)
    assert game == await club.games.game(game.id)
    assert 2 == (await club.games.moves.turn(game.id, BEN, "h6-g5", source)).ply


async def test_closed_store(club: Club, store: Store) -> None:
    """While the store is closed every wish and question is refused in words; opened again, all is there."""
    game = await club.play(await club.started(), "a3-b4")
    await store.close()
    for wish in (
        club.games.moves.turn(game.id, BEN, "h6-g5", "m:1000"),
        club.games.game(game.id),
        club.outbox.due(game.id),
        club.outbox.wake(),
    ):
        with pytest.raises(NotStored):
            await wish
    await store.open()
    assert game == await club.games.game(game.id)


async def test_a_restart_in_the_middle(club: Club, store: Store, tmp_path: Path) -> None:
    """Another process that opens the file finds the games, what is still to be said, and plays on."""
    game = await club.play(await club.started(), "a3-b4")
    told = await club.said(game)
    await store.close()
    again = Store(url_of(tmp_path / "damero.sqlite3"))
    await again.open()
    fresh = Club(again)
    fresh.source = lambda: "m:1000"  # type: ignore[method-assign]
    assert told == await fresh.said(game)
    game = await fresh.play(game, "h6-g5")
    assert (2, ("a3-b4", "h6-g5")) == (game.ply, game.turns)
    assert [] == await fresh.check()
    await again.close()


async def test_what_is_in_doubt_is_said_to_be(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that was lost while a turn was being stored: nobody is told that it was not."""
    game = await club.started()

    @asynccontextmanager
    async def lost(**_how: bool) -> AsyncIterator[None]:
        raise Unavailable("lost", in_doubt=True)
        yield

    monkeypatch.setattr(club.store, "write", lost)
    with pytest.raises(NotStored, match="not sure that this was saved"):
        await club.play(game, "c3-d4")
