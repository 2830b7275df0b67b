"""The messages of tournaments, leagues and team matches that are to be posted or edited."""

from __future__ import annotations

from collections.abc import Collection

from bot.tournaments.use_cases.work import TournamentWork
from data.queries.live_messages import LiveMessage, Posts


class PendingMessages:
    """Which messages say less than they should, and which of them are posted. ``posts``: where they are kept;
    ``source``: what stands before them in the sources of transactions."""

    def __init__(self, work: TournamentWork, posts: Posts, source: str) -> None:
        self._work = work
        self._posts = posts
        self._source = source

    async def pending(self, owner: int | None = None) -> list[LiveMessage]:
        """The messages that are to be posted or edited by this process: of one owner, or of all."""
        async with self._work.reading() as tx:
            return await self._posts.pending(tx, owner, self._work.store.shards)

    async def is_known(self, message_id: int) -> bool:
        """Whether a message is known to be one of these."""
        async with self._work.reading() as tx:
            return await self._posts.is_post(tx, message_id)

    async def mark_posted(self, post: LiveMessage, message_id: int | None) -> None:
        """A message shows what was wanted when ``post`` was read."""
        async with self._work.writing(f"{self._source}:{post.id}:{post.wanted}") as tx:
            await self._posts.mark_posted(tx, post.id, post.wanted, message_id)

    async def awake(self, persons: Collection[int]) -> tuple[int, ...]:
        """Those of ``persons`` who may be pinged now: it is nobody else's quiet hours."""
        return tuple(
            [
                one
                for one in persons
                if (await self._work.games.preferences.load(one)).quiet_until(self._work.now) is None
            ]
        )
