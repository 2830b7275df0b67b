"""How much room a game takes."""

from __future__ import annotations

import sqlite3

import pytest

from bot.background.nightly import tidy
from bot.support.time_units import DAY, HOUR
from data.store import Store
from tests.support.games.club import ANA, Club

GAMES, TURNS = 10, 20
MOST_FRESH, MOST_KEPT = 5_800, 2_800


@pytest.mark.only("sqlite")
async def test_a_games_bytes(store: Store) -> None:
    """A game of ten days with a clock and a post for each turn takes no more bytes, indices included, than it is known
    to: when all of it is remembered, and when what nobody asks for again is forgotten."""
    club = Club(store, max_open_challenges=GAMES)
    club.now = 1_790_000_000_000
    empty = used(store)
    games = [await club.started(clock="3d") for _ in range(GAMES)]
    for turn in range(TURNS):
        club.now += 12 * HOUR
        for game in games:
            at = await club.games.game(game.id)
            assert at.to_move is not None
            # As long as Discord's ids make it.
            source = f"m:{10**18 + turn * GAMES + game.id}"
            await club.games.moves.turn(at.id, at.to_move, at.rules.turns(at.state)[0].text, source)
            await post(club, game.id)
    for game in games:
        await club.games.moves.resign(game.id, ANA, f"i:{10**18 + game.id}")
        await post(club, game.id)
    fresh = (used(store) - empty) / GAMES

    club.now += DAY + 1
    await tidy(store, club.clock)

    kept = (used(store) - empty) / GAMES
    assert 0.9 * MOST_FRESH < fresh <= MOST_FRESH
    assert 0.9 * MOST_KEPT < kept <= MOST_KEPT


async def post(club: Club, game_id: int) -> None:
    while due := await club.outbox.due(game_id):
        for each in due:
            await club.outbox.sent(each, 10**18 + each.id, 10**18)


def used(store: Store) -> int:
    """The bytes of all rows of a store, without what is free in pages."""
    assert store.file is not None
    connection = sqlite3.connect(store.file)
    try:
        return int(connection.execute("SELECT sum(pgsize - unused) FROM dbstat").fetchone()[0])
    except sqlite3.OperationalError:
        pytest.skip("this SQLite does not count its pages")
    finally:
        connection.close()
