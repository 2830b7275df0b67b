"""What is done when the timers of games, people and servers fall due."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.background.scheduler import TimerHandler
from bot.games.model.game import Game
from bot.games.model.timers import BACK, CLOCK, DIGEST, PING, SERVER
from bot.games.service import Games
from data.queries.timers import TimerRow


def handlers_for(games: Games, changed: Callable[[Game], None]) -> dict[str, TimerHandler]:
    """A handler for each kind. ``changed`` is told of each game that has something to say."""

    def one(use_case: Callable[[int], Awaitable[Game | None]]) -> TimerHandler:
        async def handle(row: TimerRow) -> None:
            game = await use_case(row.subject)
            if game is not None:
                changed(game)

        return handle

    async def back(row: TimerRow) -> None:
        for game in await games.vacations.vacation_over(row.subject):
            changed(game)

    async def forget_server(row: TimerRow) -> None:
        await games.privacy.forget_server(row.subject)

    return {
        CLOCK: one(games.timeouts.time_passed),
        PING: one(games.timeouts.held_ping),
        DIGEST: one(games.timeouts.digest),
        BACK: back,
        SERVER: forget_server,
    }
