"""Questions to the rules that are asked in a thread where they take long: the event loop serves everybody."""

from __future__ import annotations

import asyncio

from bot.engine.rules import Rules, State
from bot.engine.turns import Turn
from bot.games.model.game import Game


async def find_turns(game: Game) -> None:
    """Have the legal turns of a running game found, so that asking for them costs nothing from now on."""
    if game.status == "running" and not game.rules.quick(game.state):
        await asyncio.to_thread(game.rules.turns, game.state)


async def read_turn(rules: Rules, state: State, text: str) -> Turn:
    """``rules.read``. Raises errors.NotAMove, IllegalMove or AmbiguousMove."""
    if rules.quick(state):
        return rules.read(state, text)
    return await asyncio.to_thread(rules.read, state, text)
