"""People who play: the use cases over a store, with a clock that goes when told and sources that never repeat."""

from __future__ import annotations

import itertools
from functools import partial
from random import Random
from typing import Any

import sqlalchemy as sa

from bot.background.game_timers import handlers_for
from bot.background.scheduler import Scheduler
from bot.engine.variants import OptionValue
from bot.games.model.announcements import to_json
from bot.games.model.game import Game, Place, Side
from bot.games.persistence.integrity import check_games
from bot.games.persistence.outbox import Announcement, Outbox, announcement_of
from bot.games.service import Games
from data.queries import announcements
from data.queries import timers as timer_queries
from data.store import Store
from tests.support.games.counting_game import rules_for

ANA, BEN, CAT, DAN = 11, 12, 13, 14
HALL = Place(guild_id=7, channel_id=70)


async def _nothing() -> None:
    """No sign of life."""


def payload(announcement: Announcement) -> dict[str, Any]:
    """What is kept of what is said."""
    return to_json(announcement.content)


class Club:
    """A bot without Discord. ``now`` is the time in milliseconds."""

    def __init__(self, store: Store, lots: Random | None = None, **settings: Any) -> None:
        self.store = store
        self.now = 1_000_000
        self._make = partial(Games, store, self.clock, lots or Random(5), rules_for=rules_for)
        self._settings = {"max_open_challenges": 5, **settings}
        self.restart()
        self.outbox = Outbox(store, self.clock)
        self._sources = itertools.count(1)

    def restart(self, **settings: Any) -> None:
        """The process ends, and another one takes up the store, with other ``settings`` if there are any."""
        self._settings |= settings
        self.games = self._make(**self._settings)

    async def check(self) -> list[str]:
        """What disagrees in the store, as ``damero check-store`` says it."""
        return await check_games(self.store, rules_for)

    def clock(self) -> int:
        return self.now

    def source(self) -> str:
        """What no message had before."""
        return f"m:{next(self._sources)}"

    async def challenge(
        self,
        opener: int = ANA,
        opponent: int | None = BEN,
        variant: str = "pinoy",
        *,
        side: Side | None = "first",
        place: Place = HALL,
        clock: str = "none",
        **options: OptionValue,
    ) -> Game:
        return await self.games.challenges.open(
            source=self.source(),
            opener=opener,
            opponent=opponent,
            variant=variant,
            options=options,
            side=side,
            place=place,
            clock=clock,
        )

    async def started(
        self, variant: str = "pinoy", *, place: Place = HALL, clock: str = "none", **options: OptionValue
    ) -> Game:
        """A running game of Ana, who begins, and Ben."""
        game = await self.challenge(ANA, BEN, variant, side="first", place=place, clock=clock, **options)
        return await self.games.challenges.accept(game.id, BEN, self.source())

    async def table(self, seats: int) -> Game:
        """A running counting game of as many people as seats; ``players`` says who sits where."""
        game = await self.challenge(opponent=None, variant=f"counting-{seats}", side=None)
        for player in range(BEN, ANA + seats):
            game = await self.games.challenges.accept(game.id, player, self.source())
        return game

    async def play(self, game: Game, *texts: str) -> Game:
        """Turns by whoever is to move."""
        for text in texts:
            assert game.to_move is not None
            game = await self.games.moves.turn(game.id, game.to_move, text, self.source())
        return game

    async def deliver(self) -> None:
        """All boards that wait are posted now."""
        async with self.store.write() as tx:
            await tx.execute(
                sa.text(
                    "UPDATE announcements SET state = 'sent', done_at = :now, message_id = id, channel_id = 1"
                    " WHERE kind = 'board' AND state = 'pending'"
                ),
                {"now": self.now},
            )

    async def pass_time(self, until: int) -> None:
        """Let time pass until ``until``, and what is due in it happen when it is due."""
        timers = Scheduler(
            self.store, self.clock, handlers_for(self.games, lambda game: None), _nothing, lambda: {0}, lambda: False
        )
        self.games.signals.timer_set.connect(timers.set)
        while True:
            await self.deliver()
            for _ in range(2):  # what falls due at once by what was due
                await timers.tick()
            async with self.store.read() as tx:
                at = await timer_queries.next_at(tx, self.now)
            if at is None or at > until:
                break
            self.now = at
        self.now = until

    async def said(self, game: Game) -> list[Announcement]:
        """What the game has to say, as if each were sent at once; none of it is."""
        async with self.store.read() as tx:
            return [announcement_of(row) for row in await announcements.pending(tx, game.id)]

    async def kinds(self, game: Game) -> list[str]:
        return [announcement.kind for announcement in await self.said(game)]

    async def count(self, table: str) -> int:
        """The rows of a table."""
        async with self.store.read() as tx:
            return int((await tx.execute(sa.text(f"SELECT count(*) FROM {table}"))).scalar_one())

    async def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """Everything that is stored."""
        tables = ("games", "seats", "turns", "acts", "offers", "announcements")
        async with self.store.read() as tx:
            return {t: [tuple(r) for r in await tx.execute(sa.text(f"SELECT * FROM {t}"))] for t in tables}
