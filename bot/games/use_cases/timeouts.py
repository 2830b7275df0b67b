"""Use cases of time itself: the player to move is told that it passes, and when it has passed the game ends.

Each is one transaction, in which the timer that fell due is moved on or ends; whatever happens to the process, nothing
of it happens twice.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from bot.games.model import deadlines
from bot.games.model.announcements import Digest, Note, Reminder
from bot.games.model.clock import Clock, Stop
from bot.games.model.computer_seats import is_computer
from bot.games.model.errors import Damaged
from bot.games.model.game import Game
from bot.games.model.preferences import Preferences
from bot.games.model.timers import CLOCK, DIGEST, PING, ClockTimer, HeldBack
from bot.games.persistence import quiet_hours
from bot.games.persistence.game_work import GameWork
from bot.games.persistence.unit_of_work import GameUnit
from bot.games.use_cases.computer import end_among_computers
from bot.i18n import phrase
from bot.support.time_units import DAY, HOUR
from data.queries import games, people, timers
from data.store import Transaction

MANY: Final = 5
"""From more games than these a person is sent one digest a day, and no reminders."""


class Timeouts:
    """Does what falls due in games: reminds and sends digests, tells what quiet hours held back, ends games by time."""

    def __init__(self, work: GameWork) -> None:
        self._work = work

    async def time_passed(self, game_id: int) -> Game | None:
        """A game's timer has fallen due: a reminder, or the end. None where there is nothing to say."""
        async with self._work.unit(game_id, self._time_source(game_id)) as unit:
            return await self._time_passed(unit)

    async def times_passed(self, game_ids: Sequence[int]) -> list[Game]:
        """The same of many games in one transaction. Returns those that have something to say. Raises what any of them
        raises: then nothing is done."""
        sources = {game_id: self._time_source(game_id) for game_id in game_ids}
        return [game for game in await self._work.each(sources, self._time_passed) if game is not None]

    def _time_source(self, game_id: int) -> str:
        return f"time:{game_id}:{self._work.clock()}"

    async def _time_passed(self, unit: GameUnit) -> Game | None:
        game, clock = unit.game, unit.game.clock
        timer = await timers.get(unit.tx, CLOCK, game.id)
        if timer is None or timer.at > unit.now:
            return None
        if game.status != "running" or clock is None:
            await timers.drop(unit.tx, CLOCK, game.id)
            return None
        stops = await unit.stops(clock)
        due = clock.due(stops)
        if is_computer(game.to_move):
            # It is not reminded and its time never ends the game; it is asked to think again.
            await unit.set_clock(unit.now + HOUR, ClockTimer("end", due))
            return game
        if due is not None and due <= unit.now:
            await _time_up(unit, clock)
            return unit.game
        stage = ClockTimer.of(timer.payload).stage
        if all(at > unit.now for at, reached in await unit.moments(clock) if reached == stage):
            # Time has stood still since the timer was set, or there are other quiet hours.
            await unit.schedule()
            return None
        return unit.game if await self._reminded(unit, clock, stops, due, stage) else None

    async def _reminded(
        self, unit: GameUnit, clock: Clock, stops: list[Stop], due: int | None, stage: deadlines.Stage
    ) -> bool:
        """Remind the player to move, unless that is not wished; set the timer anew."""
        game, tx = unit.game, unit.tx
        person = game.to_move
        assert person is not None
        preferences = await self._work.preferences.of(tx, person)
        moments = await unit.moments(clock)
        moment = deadlines.next_moment(moments, unit.now)
        away = any(start <= unit.now < (until or unit.now + 1) for start, until in stops)
        looked = await timers.looked(tx, game.id, person)
        has_looked = looked is not None and looked >= deadlines.stage_began(clock, moments, stage)
        # What comes before quiet hours stands for all that would come in them.
        said = {reached for at, reached in moments if at > unit.now} - {"end"} if stage == "quiet" else {stage}
        if stage != "end" and not said <= preferences.muted and not away and not has_looked:
            until = preferences.quiet_until(unit.now)
            if until is not None and moment is not None and until < moment[0]:
                # Said when the quiet hours end: the stage is still the same one then.
                await unit.set_clock(until, ClockTimer(stage, due))
                return False
            if until is None and await self._digested(unit, person, preferences) is False:
                await unit.schedule()
                await unit.announce(Reminder(person, stage, due))
                return True
        await unit.schedule()
        return False

    async def _digested(self, unit: GameUnit, person: int, preferences: Preferences) -> bool:
        """Whether a person is sent digests instead of reminders; then the next one is set."""
        if len(await self._waiting(unit.tx, person)) <= MANY:
            return False
        if "digest" not in preferences.muted and await timers.get(unit.tx, DIGEST, person) is None:
            await timers.put(unit.tx, DIGEST, person, unit.now, {})
            self._work.timer_set(unit.tx, unit.now)
        return True

    async def digest(self, person: int) -> Game | None:
        """A person's daily digest has fallen due: said in the most urgent game that waits. After a day it is due
        again, as long as so many games wait."""
        async with self._work.reading() as tx:
            every = await self._waiting(tx, person)
        waiting = []
        for game_id, due in every:
            with contextlib.suppress(Damaged):
                await self._work.loaded(game_id)
                waiting.append((game_id, due))
        if len(waiting) <= MANY:
            async with self._work.writing() as tx:
                await timers.drop(tx, DIGEST, person)
            return None
        async with self._work.unit(waiting[0][0], f"digest:{person}:{self._work.clock()}") as unit:
            timer = await timers.get(unit.tx, DIGEST, person)
            if timer is None or timer.at > unit.now:
                return None
            preferences = await self._work.preferences.of(unit.tx, person)
            until = preferences.quiet_until(unit.now)
            at = unit.now + DAY if until is None else until
            await timers.put(unit.tx, DIGEST, person, at, {})
            self._work.timer_set(unit.tx, at)
            if until is not None or "digest" in preferences.muted:
                return None
            await unit.announce(Digest(person, tuple(waiting[:10]), len(waiting)))
        return unit.game

    async def _waiting(self, tx: Transaction, person: int) -> list[tuple[int, int | None]]:
        """The games that wait for a person, the most urgent first; during a vacation, tournament games only."""
        now = self._work.clock()
        away = any(start <= now for start, _ in await timers.vacations_of(tx, person, now))
        rows = [row for row in await people.waiting_for(tx, person) if not (away and row.casual)]
        dues = [None if row.timer is None else ClockTimer.of(row.timer).due for row in rows]
        waiting = sorted(zip(rows, dues, strict=True), key=lambda one: (one[1] is None, one[1] or one[0].changed_at))
        return [(row.game_id, due) for row, due in waiting]

    async def held_ping(self, game_id: int) -> Game | None:
        """Quiet hours are over in which something was posted without a ping: tell of it, if it is still news."""
        async with self._work.unit(game_id, f"ping:{game_id}:{self._work.clock()}") as unit:
            return await self._held_ping(unit)

    async def held_pings(self, game_ids: Sequence[int]) -> list[Game]:
        """The same of many games in one transaction, as with ``times_passed``."""
        sources = {game_id: f"ping:{game_id}:{self._work.clock()}" for game_id in game_ids}
        return [game for game in await self._work.each(sources, self._held_ping) if game is not None]

    async def _held_ping(self, unit: GameUnit) -> Game | None:
        game_id = unit.game.id
        timer = await timers.get(unit.tx, PING, game_id)
        if timer is None or timer.at > unit.now:
            return None
        held = HeldBack.of(timer.payload, timer.at)
        later = {person: at for person, at in held.people.items() if at > unit.now}
        if later:
            await quiet_hours.keep(unit.tx, game_id, replace(held, people=later))
            self._work.timer_set(unit.tx, min(later.values()))
        else:
            await timers.drop(unit.tx, PING, game_id)
        announced = False
        clock = unit.game.clock if unit.game.status == "running" else None
        due = None if clock is None else clock.due(await unit.stops(clock))
        for person in held.people.keys() - later.keys():
            what = quiet_hours.news(unit.game, person, held)
            looked = await timers.looked(unit.tx, game_id, person)
            if what is not None and (looked is None or looked < held.since):
                await unit.announce(Reminder(person, what, due))
                announced = True
        return unit.game if announced else None

    async def quiet_hours_changed(self, person: int) -> None:
        """``person`` has chosen other quiet hours: where they call for a reminder before the next, it is set."""
        async with self._work.writing() as tx:
            for row in await people.waiting_for(tx, person):
                timer = await timers.get(tx, CLOCK, row.game_id)
                if timer is None:
                    continue
                with contextlib.suppress(Damaged):
                    game = await self._work.repository.load(tx, row.game_id, to_change=True)
                    assert game.clock is not None
                    unit = self._work.unit_in(tx, game, f"quiet:{game.id}:{self._work.clock()}")
                    moment = deadlines.next_moment(await unit.moments(game.clock), unit.now)
                    if moment is not None and moment[0] < timer.at:
                        await unit.schedule()

    async def looked_at(self, game_id: int, person: int) -> None:
        """``person`` has opened the board of a game: no reminder is needed of what they have seen."""
        async with self._work.writing() as tx:
            if await games.game_row(tx, game_id) is not None:
                await timers.look(tx, game_id, person, self._work.clock())

    async def due(self, game_id: int) -> int | None:
        """When the player to move of a running game must have moved; None without a clock."""
        async with self._work.reading() as tx:
            timer = await timers.get(tx, CLOCK, game_id)
        return None if timer is None else ClockTimer.of(timer.payload).due


async def _time_up(unit: GameUnit, clock: Clock) -> None:
    """End the game: called off where the first move of a casual game is missing, else lost."""
    game = unit.game
    late, seat = game.to_move, clock.seat
    source = f"time:{game.id}:{game.ply + 1}"
    tell = tuple(player for player in game.players if player is not None)
    if game.casual and clock.left[seat] is None:
        await unit.append("abort", seat, source=source)
        sentence = phrase(
            "{player} has not made a first move in time. The game is called off; it does not count.",
            player=f"<@{late}>",
        )
        await unit.announce(Note(sentence=sentence, tell=tell))
        return
    await unit.append("timeout", seat, source=source)
    await end_among_computers(unit)
    await unit.announce_board("timeout", late, tell=tell)
