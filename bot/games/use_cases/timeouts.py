"""Use cases of time itself: the player to move is told that it passes, and when it has passed the game ends.

Each is one transaction, in which the timer that fell due is moved on or ends; whatever happens to the process, nothing
of it happens twice.
"""

from __future__ import annotations

import contextlib
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.model import deadlines
from bot.games.model.clock import HOUR, Clock, Stop
from bot.games.model.computer_seats import is_computer
from bot.games.model.errors import Damaged
from bot.games.model.game import Game
from bot.games.model.preferences import Preferences
from bot.games.persistence import quiet_hours
from bot.games.persistence.transactions import reading, writing
from bot.games.persistence.unit_of_work import CLOCK, GameUnit, GameWork
from bot.i18n import phrase
from data.queries import announcements as announcement_queries
from data.queries import games as game_queries
from data.queries import key_values as value_queries
from data.queries import people as people_queries
from data.queries import timers as timer_queries

DIGEST: Final = "digest"
ALIVE: Final = "alive"
DAY: Final = 24 * 3_600_000
MANY: Final = 5
"""From more games than these a person is sent one digest a day, and no reminders."""


class Timeouts(GameWork):
    """What falls due."""

    heartbeat: int = deadlines.HEARTBEAT
    _alive_at: int | None = None

    def lost(self) -> None:
        """Discord is out of reach from now on, until ``resume`` or the next sign of life: nobody's time runs."""
        if self._lost_at is None:
            self._lost_at = self._clock()

    @property
    def is_lost(self) -> bool:
        """Whether Discord was out of reach and nobody has taken up time since."""
        return self._lost_at is not None

    async def resume(self) -> int:
        """Take up time again, at a start or when Discord is in reach again: what has passed since it was lost, or since
        the last sign of life, was an outage, and nobody's time ran. Returns its length in milliseconds."""
        now = self._clock()
        async with self._writing(f"resume:{now}") as tx:
            if self._lost_at is not None:
                away = now - self._lost_at
            else:
                alive = await value_queries.get(tx, ALIVE)
                # Whatever anybody did is a sign of life too: no outage covers it.
                said = await announcement_queries.last_made(tx)
                away = 0 if alive is None else now - max(int(alive), said or 0)
            if away >= deadlines.OUTAGE:
                await timer_queries.add_outage(tx, now - away, now)
                await self.on_outage(tx)
            await value_queries.put(tx, ALIVE, str(now))
            self._outages = list(await timer_queries.all_outages(tx))
        self._alive_at = now
        self._lost_at = None
        return max(0, away)

    async def alive(self) -> None:
        """A sign of life. After a longer silence it counts as a resumption."""
        now = self._clock()
        silent = self._alive_at is not None and now - self._alive_at >= self.heartbeat * 3 // 2
        if silent or self.is_lost:
            await self.resume()
            return
        async with writing(self._store) as tx:
            await value_queries.put(tx, ALIVE, str(now))
        self._alive_at = now

    async def time_passed(self, game_id: int) -> Game | None:
        """A game's timer has fallen due: a reminder, or the end. None where there is nothing to say."""
        async with self._changing(game_id, f"time:{game_id}:{self._clock()}") as change:
            game, clock = change.game, change.game.clock
            timer = await timer_queries.get(change.tx, CLOCK, game_id)
            if timer is None or timer.at > change.now:
                return None
            if game.status != "running" or clock is None:
                await timer_queries.drop(change.tx, CLOCK, game_id)
                return None
            stops = await change.stops(clock)
            due = clock.due(stops)
            if is_computer(game.to_move):
                # It is not reminded and its time never ends the game; it is asked to think again.
                await self._set(change, change.now + HOUR, "end", due)
                return game
            if due is not None and due <= change.now:
                await _time_up(change, clock)
                return change.game
            stage = timer.payload.get("stage", "end")
            if any(at > change.now for at, reached in deadlines.moments(clock, stops) if reached == stage):
                # Time has stood still since the timer was set.
                await change.schedule()
                return None
            said = await self._reminded(change, clock, stops, due, stage)
            return change.game if said else None

    async def _reminded(
        self, change: GameUnit, clock: Clock, stops: list[Stop], due: int | None, stage: deadlines.Stage
    ) -> bool:
        """Remind the player to move, unless that is not wished; set the timer anew."""
        game, tx = change.game, change.tx
        person = game.to_move
        assert person is not None
        preferences = await self._preferences_of(tx, person)
        moment = deadlines.next_moment(clock, stops, change.now)
        away = any(start <= change.now < (until or change.now + 1) for start, until in stops)
        looked = await timer_queries.looked(tx, game.id, person)
        seen = looked is not None and looked >= deadlines.stage_began(clock, stops, stage)
        if stage != "end" and stage not in preferences.muted and not away and not seen:
            until = preferences.quiet_until(change.now)
            if until is not None and moment is not None and until < moment[0]:
                # Said when the quiet hours end: the stage is still the same one then.
                await self._set(change, until, stage, due)
                return False
            if until is None and await self._digested(change, person, preferences) is False:
                await change.schedule()
                payload = {"to": person, "stage": stage, "due": due, "silent": False}
                await change.announce("reminder", payload)
                return True
        await change.schedule()
        return False

    async def _set(self, change: GameUnit, at: int, stage: deadlines.Stage, due: int | None) -> None:
        change.timer_at = at
        await timer_queries.put(change.tx, CLOCK, change.game.id, at, {"stage": stage, "due": due})

    async def _digested(self, change: GameUnit, person: int, preferences: Preferences) -> bool:
        """Whether a person is sent digests instead of reminders; then the next one is set."""
        if len(await self._waiting(change.tx, person)) <= MANY:
            return False
        if "digest" not in preferences.muted and await timer_queries.get(change.tx, DIGEST, person) is None:
            await timer_queries.put(change.tx, DIGEST, person, change.now, {})
            self.timer_set(change.now)
        return True

    async def digest(self, person: int) -> Game | None:
        """A person's daily digest has fallen due: said in the most urgent game that waits. After a day it is due
        again, as long as so many games wait."""
        async with reading(self._store) as tx:
            found = await self._waiting(tx, person)
        waiting = []
        for game_id, due in found:
            with contextlib.suppress(Damaged):
                await self._loaded(game_id)
                waiting.append((game_id, due))
        if len(waiting) <= MANY:
            async with writing(self._store) as tx:
                await timer_queries.drop(tx, DIGEST, person)
            return None
        async with self._changing(waiting[0][0], f"digest:{person}:{self._clock()}") as change:
            timer = await timer_queries.get(change.tx, DIGEST, person)
            if timer is None or timer.at > change.now:
                return None
            preferences = await self._preferences_of(change.tx, person)
            until = preferences.quiet_until(change.now)
            at = change.now + DAY if until is None else until
            await timer_queries.put(change.tx, DIGEST, person, at, {})
            self.timer_set(at)
            if until is not None or "digest" in preferences.muted:
                return None
            games = [{"game": game_id, "due": due} for game_id, due in waiting]
            await change.announce("digest", {"to": person, "games": games[:10], "count": len(games)})
        return change.game

    async def _waiting(self, tx: AsyncConnection, person: int) -> list[tuple[int, int | None]]:
        """The games that wait for a person, the most urgent first; in its vacation those of tournaments alone."""
        now = self._clock()
        away = any(start <= now for start, _ in await timer_queries.vacations_of(tx, person, now))
        return await people_queries.waiting_for(tx, person, casual=not away)

    async def held_ping(self, game_id: int) -> Game | None:
        """The quiet hours of somebody are over in which something was posted without a ping: tell of it, if that is
        still news."""
        async with self._changing(game_id, f"ping:{game_id}:{self._clock()}") as change:
            timer = await timer_queries.get(change.tx, quiet_hours.PING, game_id)
            if timer is None or timer.at > change.now:
                return None
            people = quiet_hours.held(timer.payload, timer.at)
            later = {person: at for person, at in people.items() if at > change.now}
            if later:
                await quiet_hours.keep(change.tx, game_id, later, timer.payload)
                change.timer_at = min(later.values())
            else:
                await timer_queries.drop(change.tx, quiet_hours.PING, game_id)
            said = False
            clock = change.game.clock if change.game.status == "running" else None
            due = None if clock is None else clock.due(await change.stops(clock))
            for person in people.keys() - later.keys():
                what = quiet_hours.news(change.game, person, timer.payload)
                looked = await timer_queries.looked(change.tx, game_id, person)
                if what is not None and (looked is None or looked < timer.payload.get("since", 0)):
                    await change.announce("reminder", {"to": person, "stage": what, "due": due})
                    said = True
        return change.game if said else None

    async def looked_at(self, game_id: int, person: int) -> None:
        """``person`` has opened the board of a game: no reminder is needed of what it has seen."""
        async with writing(self._store) as tx:
            if await game_queries.game_row(tx, game_id) is not None:
                await timer_queries.look(tx, game_id, person, self._clock())

    async def due(self, game_id: int) -> int | None:
        """When the player to move of a running game must have moved; None without a clock."""
        async with reading(self._store) as tx:
            timer = await timer_queries.get(tx, CLOCK, game_id)
        found = None if timer is None else timer.payload.get("due")
        return None if found is None else int(found)


async def _time_up(change: GameUnit, clock: Clock) -> None:
    """End the game: called off where the first move of a casual game is missing, else lost."""
    game = change.game
    late, seat = game.to_move, clock.seat
    change.source = f"time:{game.id}:{game.ply + 1}"
    tell = [player for player in game.players if player is not None]
    if game.casual and clock.left[seat] is None:
        await change.enter("abort", seat)
        sentence = phrase(
            "{player} has not made a first move in time. The game is called off; it does not count.",
            player=f"<@{late}>",
        )
        await change.announce("note", {"sentence": sentence, "ping": None, "tell": tell})
        return
    await change.enter("timeout", seat)
    await change.announce_board("timeout", late, tell=tell)
