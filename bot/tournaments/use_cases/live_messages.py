"""The messages of tournaments that are to be posted or edited."""

from __future__ import annotations

from collections.abc import Collection

from bot.tournaments.model.live_messages import LiveMessage
from bot.tournaments.use_cases.work import TournamentWork
from data.queries import tournaments as queries
from data.queries.tournaments import PostRow


class PendingMessages:
    """Which messages say less than they should, and which of them are posted."""

    def __init__(self, work: TournamentWork) -> None:
        self._work = work

    async def pending(self, tournament_id: int | None = None) -> list[LiveMessage]:
        """The messages that are to be posted or edited."""
        async with self._work.reading() as tx:
            rows = await queries.pending(tx, tournament_id)
        return [live_message(row) for row in rows]

    async def is_known(self, message_id: int) -> bool:
        """Whether a message is known to be a tournament's post."""
        async with self._work.reading() as tx:
            return await queries.is_post(tx, message_id)

    async def mark_posted(self, post: LiveMessage, message_id: int | None) -> None:
        """A message shows what was wanted when ``post`` was read."""
        async with self._work.writing(f"post:{post.id}:{post.wanted}") as tx:
            await queries.mark_posted(tx, post.id, post.wanted, message_id)

    async def awake(self, persons: Collection[int]) -> tuple[int, ...]:
        """Those of ``persons`` who may be pinged now: it is nobody else's quiet hours."""
        return tuple(
            [
                one
                for one in persons
                if (await self._work.games.members.preferences(one)).quiet_until(self._work.now) is None
            ]
        )


def live_message(row: PostRow) -> LiveMessage:
    """A message as it is kept; it stands in its tournament's channel."""
    return LiveMessage(
        id=row.id,
        owner=row.tournament_id,
        kind=row.kind,
        number=row.round,
        wanted=row.wanted,
        made_at=row.made_at,
        message_id=row.message_id,
        nonce=row.nonce,
    )
