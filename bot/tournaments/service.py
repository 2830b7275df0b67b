"""What people can do with tournaments. Every use case is one transaction, as with games (bot.games.service): it checks,
adds events, makes the games that follow, lets the posts be made, or does nothing.

``source`` names what asked for it; the same source again raises Duplicate. Everything that is not allowed raises
Refused, whose sentence is for the person who asked.
"""

from __future__ import annotations

from dataclasses import replace

from bot.games.model.errors import Refused
from bot.i18n import _
from bot.tournaments.persistence.stored import CANCELLED, Stored, shared
from bot.tournaments.persistence.stored_tournament import StoredTournament, load
from bot.tournaments.use_cases.administration import Administration
from bot.tournaments.use_cases.arenas import Arenas
from bot.tournaments.use_cases.direction import Direction
from bot.tournaments.use_cases.export import Export
from bot.tournaments.use_cases.live_messages import PendingMessages
from bot.tournaments.use_cases.manual import Manual
from bot.tournaments.use_cases.registration import Registration
from bot.tournaments.use_cases.results import Results
from bot.tournaments.use_cases.work import TournamentWork
from data.queries import tournaments as queries


class Tournaments:
    """The use cases of tournaments, by what they are about, and the questions."""

    def __init__(self, work: TournamentWork) -> None:
        self.work = work
        self.registration = Registration(work)
        self.administration = Administration(work)
        self.arenas = Arenas(work)
        self.direction = Direction(work, self.arenas)
        self.results = Results(work)
        self.manual = Manual(work)
        self.messages = PendingMessages(work, queries.posts, "post")
        self.export = Export(work)

    @property
    def now(self) -> int:
        """UTC in milliseconds."""
        return self.work.now

    async def load(self, tournament_id: int) -> StoredTournament:
        """A tournament as it stands. Raises Refused when there is none."""
        return await self.work.load(tournament_id)

    async def newest_in(self, channel_id: int) -> int:
        """The tournament of a channel: the newest that is not over, else the newest. Raises Refused."""
        async with self.work.reading() as tx:
            tournament_id = await queries.newest_in(tx, channel_id)
        if tournament_id is None:
            raise Refused(_("There is no tournament in this channel. Create one with `/tournament create`."))
        return tournament_id

    async def of_server(self, guild_id: int, most: int = 25) -> list[Stored]:
        """The newest tournaments of a server; those that were cancelled have that for their status."""
        async with self.work.reading() as tx:
            rows = [Stored(**shared(row)) for row in await queries.of_server(tx, guild_id, most)]
            cancelled = await queries.cancelled(tx, [row.id for row in rows if row.is_over])
        return [replace(row, status=CANCELLED) if row.id in cancelled else row for row in rows]

    async def of_game(self, game_id: int) -> StoredTournament:
        """The tournament that a game is of. Raises Refused."""
        async with self.work.reading() as tx:
            link = await queries.game_of(tx, game_id)
            if link is None:
                raise Refused(_("That is not a tournament game."))
            return await load(tx, link.tournament_id)
