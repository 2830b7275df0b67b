"""Use cases: what is kept of a person, and forgetting it; servers that have removed the bot."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.engine import transcript as transcripts
from bot.games.model.announcements import content_of, to_json, without
from bot.games.model.errors import Damaged
from bot.games.model.game import Game
from bot.games.model.timers import BACK, CLOCK, DIGEST, PING, SERVER, HeldBack
from bot.games.persistence import quiet_hours
from bot.games.persistence.unit_of_work import GameWork
from bot.games.use_cases.challenges import leave_challenge
from bot.games.use_cases.import_export import Archive
from bot.support.time_units import DAY
from data.queries import announcements as announcement_queries
from data.queries import games as game_queries
from data.queries import people as people_queries
from data.queries import timers as timer_queries
from data.queries.games import GameChange
from data.queries.timers import TimerRow

GRACE: Final = 30 * DAY
"""How long a server's settings are kept after it has removed the bot."""


class Privacy:
    """Export and deletion of a person's or a server's data."""

    def __init__(self, work: GameWork, archive: Archive) -> None:
        self._work = work
        self._archive = archive

    async def data_of(self, person: int) -> dict[str, Any]:
        """All that is kept of a person, for JSON; times are UTC in milliseconds. Of games whose records are damaged
        there are the numbers alone."""
        async with self._work.reading() as tx:
            kept = await people_queries.kept_of(tx, person, await _timers_of(tx, person))
        taken = await self._archive.transcripts(person)
        games = [json.loads(transcripts.dumps(one)) for one in taken.games]
        return {"person": str(person), **kept, "games": games, "damaged_games": list(taken.damaged)}

    async def forget(self, person: int, source: str) -> list[Game]:
        """Resign the running games of ``person``, close its challenges, take its name off everything else, and delete
        what it has chosen. Returns the games that have something to say. All of it happens, or nothing."""
        changed: list[Game] = []
        async with self._work.writing(source) as tx:
            rows = await game_queries.going_on(tx, person)
            for row, _ in rows:
                try:
                    loaded = await self._work.repository.load(tx, row.id, to_change=True)
                except Damaged:
                    # Nobody can resign what cannot be replayed. It is called off, and holds nobody's name.
                    over: GameChange = {"status": "aborted", "to_seat": None, "ended_at": self._work.clock()}
                    await game_queries.change_game(tx, row.id, over)
                    await timer_queries.drop(tx, CLOCK, row.id)
                    continue
                unit = self._work.unit_in(tx, loaded, f"{source}:{row.id}")
                game, seat = unit.game, unit.game.seat_of(person)
                if game.status == "running" and seat is not None and seat in game.playing:
                    await unit.append("resign", seat)
                    await unit.announce_board("resign", None)
                elif game.status == "open":
                    await leave_challenge(unit, person)
                changed.append(unit.game)
            mine = await people_queries.games_of(tx, person)
            await people_queries.forget(tx, person, mine)
            await _unsay(tx, person)
            await _release(tx, person)
            for game_id in mine:
                self._work.repository.forget(game_id)
        self._work.preferences.forget(person)
        return [replace(game, players=tuple(None if p == person else p for p in game.players)) for game in changed]

    async def server_gone(self, guild_id: int) -> None:
        """A server has removed the bot: its settings are deleted after a while, unless it takes the bot back."""
        async with self._work.writing() as tx:
            at = self._work.clock() + GRACE
            await timer_queries.put(tx, SERVER, guild_id, at, {})
            self._work.timer_set(tx, at)

    async def server_back(self, guild_id: int) -> bool:
        """A server has the bot (again): whether it had removed it."""
        async with self._work.reading() as tx:
            if await timer_queries.get(tx, SERVER, guild_id) is None:
                return False
        async with self._work.writing() as tx:
            await timer_queries.drop(tx, SERVER, guild_id)
        return True

    async def servers_changed(self, there: Collection[int]) -> tuple[list[int], list[int]]:
        """The bot is on the servers ``there``: which have removed it unnoticed, and which have taken it back."""
        async with self._work.reading() as tx:
            known = await people_queries.servers_kept(tx) | await game_queries.servers_played_on(tx)
            gone = await timer_queries.subjects(tx, SERVER)
        return sorted(known - gone - set(there)), sorted(gone & set(there))

    async def forget_server(self, guild_id: int) -> None:
        """The time has come: delete a server's settings."""
        async with self._work.writing() as tx:
            await people_queries.forget_server(tx, guild_id)
            await timer_queries.drop(tx, SERVER, guild_id)
        self._work.servers.forget(guild_id)


async def _timers_of(tx: AsyncConnection, person: int) -> list[dict[str, Any]]:
    """What is to happen for a person alone: the daily list, the end of a vacation, news that is held back."""
    own = [await timer_queries.get(tx, kind, person) for kind in (DIGEST, BACK)]
    timers = [timer for timer in own if timer is not None]
    timers += [timer for timer in await timer_queries.of_kind(tx, PING) if person in _held(timer).people]
    return [
        {"kind": timer.kind, "at": timer.at} | ({"game": timer.subject} if timer.kind == PING else {})
        for timer in sorted(timers, key=lambda timer: timer.at)
    ]


async def _unsay(tx: AsyncConnection, person: int) -> None:
    """Take a person out of all that is still to be said, in whichever game; what is for it alone is not said."""
    for row in await announcement_queries.pending(tx):
        content = content_of(row.kind, row.payload)
        anonymous = without(content, person)
        if anonymous is None:
            await announcement_queries.withdraw(tx, row.id, row.made_at)
        elif anonymous != content:
            await announcement_queries.rewrite(tx, row.id, {**row.payload, **to_json(anonymous)})


async def _release(tx: AsyncConnection, person: int) -> None:
    """Take a person out of the timers of notifications that are held back."""
    for timer in await timer_queries.of_kind(tx, PING):
        held = _held(timer)
        rest = {one: until for one, until in held.people.items() if one != person}
        if not rest:
            await timer_queries.drop(tx, PING, timer.subject)
        elif len(rest) < len(held.people):
            await quiet_hours.keep(tx, timer.subject, replace(held, people=rest))


def _held(timer: TimerRow) -> HeldBack:
    return HeldBack.of(timer.payload, timer.at)
