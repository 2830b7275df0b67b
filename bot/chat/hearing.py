"""What other processes on the same database tell: caches forget what is old, and what is this one's to do is done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextvars import Context

import structlog

from bot.background.scheduler import Scheduler
from bot.chat.services import Services
from bot.games.model.errors import Refused
from bot.support.frozen import frozen
from bot.tournaments.use_cases.work import TournamentChanged
from data.notifications import EVERYTHING_MISSED, Word
from data.store import StoreError

log = structlog.get_logger(__name__)


@frozen
class Hearing:
    """Does what follows here from what was stored elsewhere. ``take_up``: say and do all that was left."""

    services: Services
    timers: Scheduler
    take_up: Callable[[], Awaitable[None]]

    def hear(self, word: Word) -> None:
        """Another process has told that something has changed."""
        services = self.services
        services.games.heard(word)
        if word.about == "forgotten":
            services.names.forget(word.id)
            services.recent.forget(word.id)
        if word.about in ("game", "tournament", "competition", "outages") or word == EVERYTHING_MISSED:
            services.tasks.begin(self._follow(word), f"heard {word.about} {word.id}", Context())
        elif word.about == "timers":
            self.timers.set(services.clock())

    async def _follow(self, word: Word) -> None:
        services = self.services
        try:
            match word.about:
                case "game":
                    game = await services.games.game(word.id)
                    if not services.games.owns(game):
                        return
                    services.games_changed.send(game)
                case "tournament":
                    services.tournament_changed.send(TournamentChanged(word.id))
                case "competition":
                    services.leagues.competitions.changed.send(word.id, ())
                case "outages":
                    await services.games.outages.read()
                case _:
                    await services.games.outages.read()
                    await self.take_up()
        except (StoreError, Refused) as error:
            # What waits in the store is found at the next look.
            log.warning("not followed", about=word.about, id=word.id, error=str(error))
        self.timers.set(services.clock())
