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
from bot.games.persistence.transactions import reading, writing
from bot.games.persistence.unit_of_work import CLOCK
from bot.games.use_cases.challenges import Challenges
from bot.games.use_cases.import_export import Archive
from data.queries import games as game_queries
from data.queries import people as people_queries
from data.queries import timers as timer_queries

SERVER: Final = "server"
GRACE: Final = 30 * DAY
"""How long a server's settings are kept after it has removed the bot."""


class Privacy(Challenges, Archive):
    """Privacy of people and servers."""

    async def data_of(self, person: int) -> dict[str, Any]:
        """All that is kept of a person, for JSON; times are UTC in milliseconds. Of games whose records are damaged
        there are the numbers alone."""
        async with reading(self._store) as tx:
            kept = await people_queries.kept_of(tx, person)
        taken = await self.transcripts(person)
        games = [json.loads(transcripts.dumps(one)) for one in taken.games]
        return {"person": str(person), **kept, "games": games, "damaged_games": list(taken.damaged)}

    async def forget(self, person: int, source: str) -> list[Game]:
        """Resign the running games of ``person``, close its challenges, take its name off everything else, and delete
        what it has chosen. Returns the games that have something to say. All of it happens, or nothing."""
        changed: list[Game] = []
        async with self._writing(source) as tx:
            found = await game_queries.going_on(tx, person)
            for row, _ in found:
                try:
                    loaded = await self._records.load(tx, row.id, to_change=True)
                except Damaged:
                    # Nobody can resign what cannot be replayed. It is called off, and holds nobody's name.
                    over = {"status": "aborted", "to_seat": None, "ended_at": self._clock()}
                    await game_queries.change_game(tx, row.id, over)
                    await timer_queries.drop(tx, CLOCK, row.id)
                    continue
                change = self._change(tx, loaded, f"{source}:{row.id}")
                game, seat = change.game, change.game.seat_of(person)
                if game.status == "running" and seat is not None and seat in game.playing:
                    await change.enter("resign", seat)
                    await change.announce_board("resign", None)
                elif game.status == "open":
                    await self._leave_challenge(change, person)
                changed.append(change.game)
            mine = await people_queries.games_of(tx, person)
            await people_queries.forget(tx, person, mine)
            for game_id in mine:
                self._records.forget(game_id)
        self._wishes.pop(person, None)
        return [replace(game, players=tuple(None if p == person else p for p in game.players)) for game in changed]

    async def server_gone(self, guild_id: int) -> None:
        """A server has removed the bot: its settings are deleted after a while, unless it takes the bot back."""
        async with writing(self._store) as tx:
            at = self._clock() + GRACE
            await timer_queries.put(tx, SERVER, guild_id, at, {})
        self.timer_set(at)

    async def server_back(self, guild_id: int) -> bool:
        """A server has the bot (again): whether it had removed it."""
        async with reading(self._store) as tx:
            if await timer_queries.get(tx, SERVER, guild_id) is None:
                return False
        async with writing(self._store) as tx:
            await timer_queries.drop(tx, SERVER, guild_id)
        return True

    async def servers_changed(self, there: Collection[int]) -> tuple[list[int], list[int]]:
        """The bot is on the servers ``there``: which have removed it unnoticed, and which have taken it back."""
        async with reading(self._store) as tx:
            known = await people_queries.servers_kept(tx) | await game_queries.servers_played_on(tx)
            gone = await timer_queries.subjects(tx, SERVER)
        return sorted(known - gone - set(there)), sorted(gone & set(there))

    async def forget_server(self, guild_id: int) -> None:
        """The time has come: delete a server's settings."""
        async with writing(self._store) as tx:
            await people_queries.forget_server(tx, guild_id)
            await timer_queries.drop(tx, SERVER, guild_id)
        self._servers.pop(guild_id, None)
        return
