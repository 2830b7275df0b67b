"""How far each seat has come in a game on the star."""

from __future__ import annotations

from bot.study.analyses import race
from data.store import Store
from tests.support.games.club import ANA, BEN, Club


async def test_a_step_ahead_is_one_row_of_all(store: Store) -> None:
    """Ten pegs have twelve rows to go, on the average; a draughts game has nothing of that."""
    club = Club(store)
    game = await club.started("chinese-checkers")
    first = game.state.seat
    players = (ANA, BEN) if game.players[0] == ANA else (BEN, ANA)
    ahead = {0: "d1-e5", 1: "n1-m5"}[first]
    game = await club.games.moves.turn(game.id, players[first], ahead, club.source())
    values = race(game)
    assert (0.0, 0.0) == values[0]
    assert 1 / 120 == values[1][first]
    assert 0.0 == values[1][1 - first]
    assert () == race(await club.started("spanish"))
