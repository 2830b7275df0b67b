"""Queries on announcements: what is to be said in the channels, and what was."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from data.connections import AsyncConnection
from data.execution import Prepared
from data.queries.rows import number, numbers
from data.schema.games import announcements, games, mirrors, seats, vacations
from data.shards import EVERYTHING, Shards


class AnnouncementRow(NamedTuple):
    """An announcement that waits, with the message that it edits, where that was posted; ``answers_only``: of a game
    where the bot may only answer."""

    id: int
    game_id: int
    kind: str
    ply: int
    payload: Mapping[str, Any]
    attempts: int
    next_try_at: int
    made_at: int
    edits: int | None
    edits_channel_id: int | None
    edits_message_id: int | None
    answers_only: bool

    @property
    def mirrored(self) -> bool:
        """Whether it is said on the second server of a game of two."""
        return bool(self.payload.get("mirror"))


c = announcements.c
_edited = announcements.alias("edited")
_PENDING_COLUMNS = ("id", "game_id", "kind", "ply", "payload", "attempts", "next_try_at", "made_at", "edits")
_PENDING: sa.Select[Any] = (
    sa.select(*(c[name] for name in _PENDING_COLUMNS), _edited.c.channel_id, _edited.c.message_id, games.c.answers_only)
    .select_from(announcements.join(games, games.c.id == c.game_id).outerjoin(_edited, c.edits == _edited.c.id))
    .where(c.state == "pending")
    .order_by(c.id)
)
_PENDING_OF = Prepared(_PENDING.where(c.game_id == sa.bindparam("game")).add_columns(games.c.guild_id))
_ADD = Prepared(sa.insert(announcements).returning(c.id))


async def add(
    tx: AsyncConnection,
    *,
    game_id: int,
    kind: str,
    ply: int,
    payload: Mapping[str, Any],
    at: int,
    edits: int | None = None,
) -> int:
    """A new announcement, to be sent at once; its id."""
    ((new,),) = await _ADD.rows(tx, _added(game_id, kind, ply, payload, at, edits))
    return int(new)


async def add_later(
    tx: AsyncConnection, *, game_id: int, kind: str, ply: int, payload: Mapping[str, Any], at: int
) -> Callable[[], int | None]:
    """The same with the commit: what tells its id from then on, None where that is not known."""
    added = await _ADD.rows_later(tx, _added(game_id, kind, ply, payload, at, None))
    return lambda: int(added[0][0]) if added else None


def _added(game_id: int, kind: str, ply: int, payload: Mapping[str, Any], at: int, edits: int | None) -> dict[str, Any]:
    about = {"game_id": game_id, "kind": kind, "ply": ply, "payload": dict(payload), "edits": edits}
    return {**about, "state": "pending", "attempts": 0, "next_try_at": at, "made_at": at}


async def pending(
    tx: AsyncConnection, game_id: int | None = None, shards: Shards = EVERYTHING
) -> list[AnnouncementRow]:
    """What waits on the servers of some shards, in order: of one game, or of all."""
    if game_id is not None:
        found = await _PENDING_OF.rows(tx, {"game": game_id})
        return [AnnouncementRow(*row) for *row, guild_id in found if shards.own(guild_id)]
    query = _PENDING if shards.whole else _PENDING.where(shards.owning(games.c.guild_id))
    return [AnnouncementRow(*row) for row in await tx.execute(query)]


async def games_waiting(tx: AsyncConnection, shards: Shards = EVERYTHING) -> list[int]:
    """The games of some shards for which something waits, the oldest first."""
    oldest = sa.func.min(c.id)
    query = sa.select(c.game_id).where(c.state == "pending").group_by(c.game_id).order_by(oldest)
    if not shards.whole:
        query = query.join(games, games.c.id == c.game_id).where(shards.owning(games.c.guild_id))
    return await numbers(tx, query)


async def waiting(tx: AsyncConnection) -> list[tuple[int, int, int]]:
    """Of each game for which something waits: its id, how many announcements, and when the oldest was made."""
    query = sa.select(c.game_id, sa.func.count(), sa.func.min(c.made_at)).where(c.state == "pending")
    return [(int(game), int(many), int(made)) for game, many, made in await tx.execute(query.group_by(c.game_id))]


async def wake(tx: AsyncConnection, at: int, shards: Shards = EVERYTHING, game_id: int | None = None) -> None:
    """Let all that pauses on the servers of some shards, or in one game, be tried from ``at``."""
    theirs = _theirs(shards) if game_id is None else c.game_id == game_id
    paused = sa.and_(c.state == "pending", c.next_try_at > at, theirs)
    await tx.execute(sa.update(announcements).where(paused).values(next_try_at=at))


def _theirs(shards: Shards) -> sa.ColumnElement[bool]:
    if shards.whole:
        return sa.true()
    return c.game_id.in_(sa.select(games.c.id).where(games.c.id == c.game_id, shards.owning(games.c.guild_id)))


_SENT = Prepared(
    sa.update(announcements)
    .where(c.id == sa.bindparam("announcement"), c.state == "pending")
    .values(
        state="sent",
        attempts=c.attempts + 1,
        channel_id=sa.bindparam("said_in"),
        message_id=sa.bindparam("said_by"),
        done_at=sa.bindparam("at"),
        payload={},
    )
)


async def sent(tx: AsyncConnection, announcement_id: int, *, channel_id: int, message_id: int, at: int) -> None:
    """Mark a pending announcement as sent by a message. What it said is kept no longer."""
    about = {"announcement": announcement_id, "said_in": channel_id, "said_by": message_id, "at": at}
    await _SENT.put_off(tx, about)


async def dropped(tx: AsyncConnection, announcement_id: int, at: int) -> None:
    """Give a pending announcement up. What it would have said is kept no longer."""
    await _done(tx, announcement_id, state="dropped", done_at=at, payload={})


async def give_up(tx: AsyncConnection, game_id: int, at: int, kinds: Collection[str]) -> None:
    """Give up what waits in a game and is of these kinds: something newer says it. What is left is tried at once."""
    waiting = sa.and_(c.game_id == game_id, c.state == "pending")
    given_up = sa.and_(waiting, c.kind.in_(kinds))
    await tx.execute(sa.update(announcements).where(given_up).values(state="dropped", done_at=at, payload={}))
    await tx.execute(sa.update(announcements).where(waiting).values(next_try_at=at))


async def rewrite(tx: AsyncConnection, announcement_id: int, payload: Mapping[str, Any]) -> None:
    """Let an announcement that waits say something else."""
    await tx.execute(sa.update(announcements).where(c.id == announcement_id).values(payload=dict(payload)))


async def withdraw(tx: AsyncConnection, announcement_id: int, at: int) -> None:
    """Let an announcement that waits never be said."""
    values = {"payload": {}, "state": "dropped", "done_at": at}
    await tx.execute(sa.update(announcements).where(c.id == announcement_id).values(**values))


async def pause(tx: AsyncConnection, announcement_id: int, until: int) -> None:
    """Note a failed try; the next is due at ``until``."""
    await _done(tx, announcement_id, next_try_at=until)


async def _done(tx: AsyncConnection, announcement_id: int, **values: Any) -> None:
    await tx.execute(
        sa.update(announcements)
        .where(c.id == announcement_id, c.state == "pending")
        .values(attempts=c.attempts + 1, **values)
    )


_BOARDS_AT = (
    sa.select(
        c.made_at, c.done_at, c.state, sa.exists().where(mirrors.c.game_id == sa.bindparam("game")).label("twice")
    )
    .where(c.game_id == sa.bindparam("game"), c.kind == "board", c.ply == sa.bindparam("at_ply"))
    .order_by(c.id)
)


async def unseen(
    tx: AsyncConnection, game_id: int, ply: int, *, second: bool | None = None
) -> list[tuple[int, int | None]]:
    """From when until when (None: still) the board of an entry was made and not posted; those that still are not come
    last; more than one where what was posted is gone and it was made anew. A board that was given up is unseen until
    another is posted. Of a game of two servers on either, or on the ``second`` or the first alone."""
    return _unseen((await tx.execute(_BOARDS_AT, {"game": game_id, "at_ply": ply})).all(), second)


def _unseen(rows: Sequence[Sequence[Any]], second: bool | None = None) -> list[tuple[int, int | None]]:
    parts = [rows]
    if rows and rows[0][3]:
        # Each board was made for the one and then for the other.
        parts = [rows[at::2] for at in (0, 1) if second in (None, bool(at))]
    spans: list[tuple[int, int | None]] = []
    for part in parts:
        since: int | None = None
        for made_at, done_at, state, _twice in part:
            since = int(made_at) if since is None else since
            if state == "sent":
                spans.append((since, int(done_at)))
                since = None
        if since is not None:
            spans.append((since, None))
    return sorted(spans, key=lambda one: (one[1] is None, one))


async def is_given_up(tx: AsyncConnection, game_id: int, ply: int, *, second: bool) -> bool:
    """Whether the newest board of an entry was given up, of a game of two servers on the ``second`` or the first."""
    rows = (await tx.execute(_BOARDS_AT, {"game": game_id, "at_ply": ply})).all()
    of_two = bool(rows) and rows[0].twice
    newest = rows[int(second) :: 2][-1] if of_two else rows[-1]
    return bool(newest.state == "dropped")


_ENTRYS_BOARDS = _BOARDS_AT.order_by(None).add_columns(sa.cast(sa.null(), sa.BigInteger), c.id.label("place"))
_AWAY = (
    sa.select(vacations.c.start, vacations.c.until, sa.literal(""), sa.false(), seats.c.player, vacations.c.start)
    .join(seats, seats.c.player == vacations.c.person)
    .where(seats.c.game_id == sa.bindparam("game"), vacations.c.until > sa.bindparam("after"))
)
_STOPS = Prepared(sa.union_all(_ENTRYS_BOARDS, _AWAY).order_by("place"))


async def stops(
    tx: AsyncConnection, game_id: int, ply: int, after: int
) -> tuple[list[tuple[int, int | None]], dict[int, list[tuple[int, int]]]]:
    """What makes time stand still in a game: ``unseen`` boards of an entry, and by person the vacations of its players
    that end after a time, in order."""
    boards, away = [], dict[int, list[tuple[int, int]]]()
    for *board, person, _place in await _STOPS.rows(tx, {"game": game_id, "at_ply": ply, "after": after}):
        if person is None:
            boards.append(board)
        else:
            away.setdefault(int(person), []).append((int(board[0]), int(board[1])))
    return _unseen(boards), away


_LATELY = 1_000
"""Among so many announcements the last one of a shard is looked for."""


async def last_made(tx: AsyncConnection, shards: Shards = EVERYTHING, after: int = 0) -> int | None:
    """When the last announcement was made on the servers of some shards; every act makes one. Of several shards where
    it was made lately, ``after`` a time."""
    if shards.whole:
        return await number(tx, sa.select(c.made_at).order_by(c.id.desc()).limit(1))
    lately = sa.select(c.game_id, c.made_at).order_by(c.id.desc()).limit(_LATELY).subquery()
    theirs = sa.select(sa.func.max(lately.c.made_at)).join(games, games.c.id == lately.c.game_id)
    return await number(tx, theirs.where(shards.owning(games.c.guild_id), lately.c.made_at > after))


async def newest(tx: AsyncConnection, game_id: int, kind: str) -> int | None:
    """The id of a game's newest announcement of one kind, sent or not."""
    return await number(tx, sa.select(sa.func.max(c.id)).where(c.game_id == game_id, c.kind == kind))


async def offers_post(tx: AsyncConnection, offer_id: int, *, second: bool, channel_id: int | None) -> int | None:
    """The last announcement of an offer, which goes by the id of its first one. ``channel_id``: of a game of two
    servers the channel on the ``second`` or the first, whose announcement it is to be."""
    query = sa.select(c.id, c.state, c.channel_id, c.payload).where(c.kind == "offer")
    query = query.where(sa.or_(c.id == offer_id, c.edits == offer_id)).order_by(c.id.desc())
    for announcement_id, state, said_in, payload in await tx.execute(query):
        here = said_in == channel_id if state == "sent" else bool(payload.get("mirror")) is second
        if channel_id is None or (here and state != "dropped"):
            return int(announcement_id)
    return None


async def offer_stands(tx: AsyncConnection, offer_id: int, *, second: bool, channel_id: int | None) -> bool:
    """Whether a post of an offer is to be seen in a channel, or waits to be: of a game of two servers on the ``second``
    or the first."""
    query = sa.select(c.state, c.channel_id, c.payload).where(c.kind == "offer")
    return any(
        said_in == channel_id if state == "sent" else state == "pending" and bool(payload.get("mirror")) is second
        for state, said_in, payload in await tx.execute(query.where(sa.or_(c.id == offer_id, c.edits == offer_id)))
    )


async def said_by(tx: AsyncConnection, announcement_id: int) -> tuple[int, int] | None:
    """Channel and message of an announcement that was sent."""
    query = sa.select(c.channel_id, c.message_id).where(c.id == announcement_id, c.state == "sent")
    row = (await tx.execute(query)).first()
    return None if row is None else (int(row[0]), int(row[1]))


async def posted(tx: AsyncConnection, game_id: int, kind: str, channel_id: int | None = None) -> tuple[int, int] | None:
    """Channel and message of a game's newest announcement of one kind that was sent: anywhere, or in one channel."""
    query = (
        sa.select(c.channel_id, c.message_id)
        .where(c.game_id == game_id, c.kind == kind, c.state == "sent")
        .order_by(c.id.desc())
        .limit(1)
    )
    if channel_id is not None:
        query = query.where(c.channel_id == channel_id)
    row = (await tx.execute(query)).first()
    return None if row is None else (int(row[0]), int(row[1]))


async def is_post(tx: AsyncConnection, game_id: int, message_id: int) -> bool:
    """Whether a message says an announcement of a game, or of another one of its people, which may read the same."""
    others = seats.alias()
    theirs = sa.select(others.c.game_id).join(seats, seats.c.player == others.c.player)
    theirs = theirs.where(seats.c.game_id == game_id, seats.c.player > 0)
    query = sa.select(c.id).where(c.game_id.in_(theirs), c.message_id == message_id).limit(1)
    return (await tx.execute(query)).first() is not None


async def without_board(tx: AsyncConnection, shards: Shards = EVERYTHING) -> list[tuple[int, int]]:
    """The running games of one server whose newest board was given up, each with the channel that it is played in;
    without those in which the bot may only answer."""
    newer = announcements.alias()
    query = (
        sa.select(games.c.id, games.c.channel_id)
        .select_from(announcements.join(games, games.c.id == c.game_id))
        .where(
            c.state == "dropped",
            c.kind == "board",
            games.c.status == "running",
            games.c.channel_id.is_not(None),
            ~games.c.answers_only,
            ~sa.exists().where(newer.c.game_id == c.game_id, newer.c.kind == "board", newer.c.id > c.id),
            ~sa.exists().where(mirrors.c.game_id == games.c.id),
            shards.owning(games.c.guild_id),
        )
        .order_by(games.c.id)
    )
    return [(int(game_id), int(channel_id)) for game_id, channel_id in await tx.execute(query)]
