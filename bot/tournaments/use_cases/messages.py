"""The messages of tournaments that are to be posted or edited."""

from __future__ import annotations

from collections.abc import Collection

from bot.tournaments.use_cases.base import TournamentWork
from data.queries import tournaments as queries
from data.queries.tournaments import PostRow


class PendingMessages:
    """Which messages say less than they should, and which of them are posted."""

    def __init__(self, work: TournamentWork) -> None:
        self._work = work

    async def pending(self, tournament_id: int | None = None) -> list[PostRow]:
        """The messages that are to be posted or edited."""
        async with self._work.reading() as tx:
            return await queries.wanted(tx, tournament_id)

    async def is_known(self, message_id: int) -> bool:
        """Whether a message is known to be a tournament's post."""
        async with self._work.reading() as tx:
            return await queries.is_post(tx, message_id)

    async def mark_posted(self, post: PostRow, message_id: int | None) -> None:
        """A message shows what was wanted when ``post`` was read."""
        async with self._work.writing(f"post:{post.id}:{post.wanted}") as tx:
            await queries.said(tx, post, message_id)

    async def awake(self, persons: Collection[int]) -> tuple[int, ...]:
        """Those of ``persons`` who may be pinged now: it is nobody else's quiet hours."""
        return tuple(
            [
                one
                for one in persons
                if (await self._work.games.members.preferences(one)).quiet_until(self._work.now) is None
            ]
        )
