"""Queries that throw away what nobody will ask for again."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.schema.games import acts, announcements, games, offers

AT_ONCE = 200
"""Rows thrown away in one transaction: others want to write too."""


async def tidy(tx: AsyncConnection, before: int, late: int) -> int:
    """Throw away some of what was done before a time: the marks by which an act is known when Discord sends it twice,
    and what was said in games that ended before it, but for the post of the last board, to which lists link, and the
    boards that stopped a clock: given up, or posted after more than ``late`` milliseconds. Returns how many rows went;
    none when all is tidy."""
    # A file that was read in is known for ever, so that it is not read in twice. Hints are counted while a game runs.
    over = sa.exists().where(games.c.id == acts.c.game_id, games.c.status != "running")
    old_acts = (
        sa.select(acts.c.source)
        .where(acts.c.at < before, acts.c.what != "import", sa.or_(acts.c.what != "hint", over))
        .limit(AT_ONCE)
    )
    deleted = (await tx.execute(sa.delete(acts).where(acts.c.source.in_(old_acts)))).rowcount

    board = announcements.alias("board")
    last = (
        sa.select(sa.func.max(board.c.id))
        .where(board.c.kind == "board", board.c.state == "sent", board.c.game_id == games.c.id)
        .correlate(games)
        .scalar_subquery()
    )
    stop = announcements.alias("stop")
    stopped = sa.exists().where(
        stop.c.game_id == announcements.c.game_id,
        stop.c.kind == "board",
        stop.c.ply == announcements.c.ply,
        sa.or_(stop.c.state == "dropped", stop.c.done_at - stop.c.made_at > late),
    )
    edit = announcements.alias("edit")
    old_announcements = (
        sa.select(announcements.c.id)
        .join(games, games.c.id == announcements.c.game_id)
        .where(games.c.status.not_in(("open", "running")), games.c.changed_at < before)
        .where(announcements.c.state != "pending", sa.func.coalesce(last, 0) != announcements.c.id)
        # The clocks of the record are held against them (damero check-store).
        .where(sa.or_(announcements.c.kind != "board", games.c.clock == "none", ~stopped))
        # What another one edits goes after that one. It is of the same game, by which it is found.
        .where(~sa.exists().where(edit.c.game_id == announcements.c.game_id, edit.c.edits == announcements.c.id))
        .where(announcements.c.id.not_in(sa.select(offers.c.id)))
        .limit(AT_ONCE)
    )
    deleted += (await tx.execute(sa.delete(announcements).where(announcements.c.id.in_(old_announcements)))).rowcount
    return int(deleted)
