"""What a posted board costs the store."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from bot.games.model.game import Game
from bot.games.persistence.repository import GameRepository
from data.queries import games as game_queries
from tests.support.discord.world import World


def count(monkeypatch: pytest.MonkeyPatch, loads: Counter[str], where: object, name: str) -> None:
    real: Any = getattr(where, name)

    async def counting(*about: Any, **named: Any) -> Any:
        loads[name] += 1
        return await real(*about, **named)

    monkeypatch.setattr(where, name, counting)


async def turn(here: World, game: Game) -> Game:
    """The game after a turn of which the channel does not know yet."""
    text = game.rules.turns(game.state)[0].text
    return await here.bot.services.games.moves.turn(game.id, here.mover(game).id, text, f"test:{game.ply}")


@pytest.mark.parametrize("number", [1, 2], ids=["in the channel", "in a thread"])
async def test_a_posted_board_loads_its_game_once(here: World, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """The bot that has just played the turn asks for no row of the game again, and where it is told of the game itself
    it does not load it."""
    for _ in range(number):
        await here.start()
    await here.restart()
    services = here.bot.services
    loads: Counter[str] = Counter()
    count(monkeypatch, loads, GameRepository, "load")
    count(monkeypatch, loads, game_queries, "game_row")

    played = await turn(here, await services.games.game(number))
    loads.clear()
    posted = len(here.sent())
    services.games_may_be_posted.send(here.channel.id, (number,))
    await here.env.settle()
    assert posted + 1 == len(here.sent())
    assert {"load": 1} == loads

    played = await turn(here, played)
    loads.clear()
    services.games_changed.send(played)
    await here.env.settle()
    assert posted + 2 == len(here.sent())
    assert not loads
