"""Use cases: what is kept of a person, and forgetting it; servers that have removed the bot."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final

from bot.engine import transcript as transcripts
from bot.games.model.clock import DAY
from bot.games.model.errors import Damaged
from bot.games.model.game import Game
from bot.games.model.timers import CLOCK, SERVER
from bot.games.persistence.unit_of_work import GameWork
from bot.games.use_cases.challenges import leave_challenge
from bot.games.use_cases.import_export import Archive
from bot.games.use_cases.members import Members
from data.queries import games as game_queries
from data.queries import people as people_queries
from data.queries import timers as timer_queries

GRACE: Final = 30 * DAY
"""How long a server's settings are kept after it has removed the bot."""


class Privacy:
    """Export and deletion of a person's or a server's data."""

    def __init__(self, work: GameWork, members: Members, archive: Archive) -> None:
        self._work = work
        self._members = members
        self._archive = archive

    async def data_of(self, person: int) -> dict[str, Any]:
        """All that is kept of a person, for JSON; times are UTC in milliseconds. Of games whose records are damaged
        there are the numbers alone."""
        async with self._work.reading() as tx:
            kept = await people_queries.kept_of(tx, person)
        taken = await self._archive.transcripts(person)
        games = [json.loads(transcripts.dumps(one)) for one in taken.games]
        return {"person": str(person), **kept, "games": games, "damaged_games": list(taken.damaged)}

    async def forget(self, person: int, source: str) -> list[Game]:
        """Resign the running games of ``person``, close its challenges, take its name off everything else, and delete
        what it has chosen. Returns the games that have something to say. All of it happens, or nothing."""
        changed: list[Game] = []
        async with self._work.writing(source) as tx:
            found = await game_queries.going_on(tx, person)
            for row, _ in found:
                try:
                    loaded = await self._work.repository.load(tx, row.id, to_change=True)
                except Damaged:
                    # Nobody can resign what cannot be replayed. It is called off, and holds nobody's name.
                    over = {"status": "aborted", "to_seat": None, "ended_at": self._work.clock()}
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
        self._members.forget_server(guild_id)
