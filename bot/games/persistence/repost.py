"""For `damero try`, whose simulated Discord forgets its messages: what was posted and still matters is posted anew."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.model.announcements import BoardPosted, Offered, to_json
from bot.games.model.game import OfferKind
from bot.games.model.timers import ClockTimer
from data.queries import announcements, repost
from data.queries.repost import RepostRow


async def post_again(tx: AsyncConnection, place_channel_ids: Collection[int], at: int) -> int:
    """Let the challenges of open games, and the last board and the standing offers of running ones, wait to be posted,
    and nothing else; of games begun in the channels given. A board says again until when its player has time. Returns
    how many wait."""
    count = await repost.let_wait(tx, place_channel_ids, at)
    for row in await repost.waiting(tx):
        content = _content(row)
        if content is not None:
            await announcements.rewrite(tx, row.id, {**to_json(content), **row.payload})
    return count


def _content(row: RepostRow) -> BoardPosted | Offered | None:
    """What an announcement said: it was kept no longer once it had been said, and is made out anew."""
    if row.offer_kind is not None:
        return Offered(offer_kind=cast(OfferKind, row.offer_kind), by=row.by, back_to=row.back_to)
    if row.kind == "board":
        due = None if row.timer is None else ClockTimer.of(row.timer).due
        return BoardPosted(event="turn" if row.ply else "start", due=due)
    return None
