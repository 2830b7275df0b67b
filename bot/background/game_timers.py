"""What is done when the timers of games, people and servers fall due."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from bot.background.scheduler import DueTimer, TimerHandler, Together
from bot.games.model.game import Game
from bot.games.model.timers import BACK, CLOCK, DIGEST, PING, SERVER
from bot.games.service import Games


def handlers_for(games: Games, changed: Callable[[Game], None]) -> dict[str, TimerHandler]:
    """A handler for each kind. ``changed`` is told of each game that has something to say."""

    def one(use_case: Callable[[int], Awaitable[Game | None]]) -> TimerHandler:
        async def handle(timer: DueTimer) -> None:
            game = await use_case(timer.subject)
            if game is not None:
                changed(game)

        return handle

    def together(
        use_case: Callable[[int], Awaitable[Game | None]], many: Callable[[Sequence[int]], Awaitable[list[Game]]]
    ) -> Together:
        async def handle(timers: Sequence[DueTimer]) -> None:
            for game in await many([timer.subject for timer in timers]):
                changed(game)

        return Together(one(use_case), handle)

    async def back(timer: DueTimer) -> None:
        for game in await games.vacations.vacation_over(timer.subject):
            changed(game)

    async def forget_server(timer: DueTimer) -> None:
        await games.privacy.forget_server(timer.subject)

    return {
        CLOCK: together(games.timeouts.time_passed, games.timeouts.times_passed),
        PING: together(games.timeouts.held_ping, games.timeouts.held_pings),
        DIGEST: one(games.timeouts.digest),
        BACK: back,
        SERVER: forget_server,
    }
