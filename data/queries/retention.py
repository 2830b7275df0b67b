"""Queries that throw away what nobody will ask for again."""

from __future__ import annotations

import sqlalchemy as sa

from data.connections import AsyncConnection
from data.queries.rows import number
from data.schema.games import acts, announcements, games, offers, turns

AT_ONCE = 200
"""Rows thrown away in one transaction: others want to write too."""
LOOKED_AT = 1_000
"""Announcements looked at in one transaction."""

said = announcements.c


async def forget_acts(tx: AsyncConnection, before: int) -> int:
    """Throw away some of the marks from before a time by which an act is known when Discord sends it twice. Returns how
    many went; none when all are gone."""
    # A file that was read in is known for ever, so that it is not read in twice. Hints are counted while a game runs.
    over = sa.exists().where(games.c.id == acts.c.game_id, games.c.status != "running")
    old = (
        sa.select(acts.c.source)
        .where(acts.c.at < before, acts.c.what != "import", sa.or_(acts.c.what != "hint", over))
        .limit(AT_ONCE)
    )
    return int((await tx.execute(sa.delete(acts).where(acts.c.source.in_(old)))).rowcount)


async def forget_sources(tx: AsyncConnection, before: int) -> int:
    """The same of the entries of records, which stay: some that were made before a time lose their sources."""
    old = sa.select(turns.c.source).where(turns.c.source.is_not(None), turns.c.at < before).limit(AT_ONCE)
    return int((await tx.execute(sa.update(turns).where(turns.c.source.in_(old)).values(source=None))).rowcount)


async def forget_said(tx: AsyncConnection, before: int, late: int, below: int | None) -> tuple[int, int | None]:
    """Throw away what was said before a time, and what was given up, of some announcements, the newest of those with
    ids ``below`` a number: all of games that ended before it; of running ones the boards that a newer one has followed,
    and what tells a person something.

    What stays: each channel's last board, to which lists link; boards that stopped a clock (given up, or posted after
    more than ``late`` milliseconds); and all of a game in which something waits.

    Returns how many went, and below which id to go on; None when all were looked at."""
    some = sa.select(said.id).order_by(said.id.desc()).limit(LOOKED_AT)
    if below is not None:
        some = some.where(said.id < below)
    lowest = await number(tx, sa.select(sa.func.min(some.subquery().c.id)))
    if lowest is None:
        return 0, None
    looked_at = said.id >= lowest if below is None else sa.and_(said.id >= lowest, said.id < below)

    other = announcements.alias("other")
    others = sa.exists().where(other.c.game_id == said.game_id)
    newer = others.where(other.c.kind == "board", other.c.id > said.id)
    newer_there = newer.where(other.c.state == "sent", other.c.channel_id == said.channel_id)
    stopped = others.where(
        other.c.kind == "board",
        other.c.ply == said.ply,
        sa.or_(other.c.state == "dropped", other.c.done_at - other.c.made_at > late),
    )
    board = said.kind == "board"
    over = sa.and_(games.c.status.not_in(("open", "running")), games.c.changed_at < before)
    followed = sa.and_(
        games.c.status == "running",
        said.done_at < before,
        sa.or_(said.kind.in_(("note", "reminder", "digest")), sa.and_(board, said.ply < games.c.ply, newer)),
    )
    old = (
        sa.select(said.id)
        .join(games, games.c.id == said.game_id)
        .where(looked_at, said.state != "pending", sa.or_(over, followed))
        .where(sa.or_(~board, said.state != "sent", newer_there))
        # The clocks of the record are held against them (damero check-store).
        .where(sa.or_(~board, games.c.clock == "none", ~stopped))
        # What waits may have been posted already, and is looked for among what is not known to be another's post.
        .where(~others.where(other.c.state == "pending"))
        # What another one edits goes after that one. It is of the same game, by which it is found.
        .where(~others.where(other.c.edits == said.id))
        .where(said.id.not_in(sa.select(offers.c.id)))
    )
    return int((await tx.execute(sa.delete(announcements).where(said.id.in_(old)))).rowcount), lowest
