"""A tournament that runs by itself, over a store, on a clock that goes when told."""

from __future__ import annotations

from typing import Any

from bot.background.game_timers import handlers_for
from bot.background.scheduler import DueTimer, Scheduler
from bot.tournaments import automation
from bot.tournaments.model.events import Action, TournamentSettings
from bot.tournaments.use_cases.finalise import TIMER
from data.queries import timers as timer_queries
from tests.support.tournaments.event import Event


async def _nothing() -> None:
    """No sign of life."""


class AutomatedEvent(Event):
    """A club whose tournament runs by itself."""

    def made(self) -> Scheduler:
        """The loop, of which each tick does what is due."""

        async def act(timer: DueTimer) -> None:
            await automation.time_passed(self.tournaments, timer.subject)

        acts = {**handlers_for(self.games, lambda game: None), TIMER: act}
        timers = Scheduler(self.store, self.clock, acts, _nothing, lambda: {0}, lambda: False)
        self.games.signals.timer_set.connect(timers.set)
        return timers

    async def pass_time(self, until: int) -> None:
        while True:
            await self.deliver()
            timers = self.made()
            for _ in range(2):
                await timers.tick()
            async with self.store.read() as tx:
                at = await timer_queries.next_at(tx, self.now)
            if at is None or at > until:
                break
            self.now = at
        self.now = until

    async def planned(self, plan: TournamentSettings, people: range, *first_events: Action, **more: Any) -> None:
        await self.open(plan, people, first_events=first_events, **more)

    async def wanted(self) -> set[tuple[str, int]]:
        """The messages that are to be posted, by kind and round."""
        return {(post.kind, post.number) for post in await self.tournaments.messages.pending(self.id)}

    async def check_in(self, *people: int) -> None:
        for person in people:
            await self.tournaments.registration.check_in(self.id, person, self.source())

    async def round_number(self) -> int:
        return (await self.load()).state.rounds_paired

    async def play_some(self, game_id: int) -> None:
        """Two turns, so that both have come."""
        for _ in range(2):
            game = await self.games.game(game_id)
            await self.play(game, game.rules.turns(game.state)[0].text)
