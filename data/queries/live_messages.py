"""Queries shared by tournaments, leagues and team matches: messages to post or to edit. Each takes the transaction in
which it works."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import sqlalchemy as sa

from data.connections import AsyncConnection
from data.shards import EVERYTHING, Shards


class LiveMessage(NamedTuple):
    """A message that is to be posted, or edited where it has its ``message_id``.

    ``owner``: the tournament, league or team match that it shows; ``number``: its round, season or part; ``guild_id``
    and ``channel_id``: where it stands, if not where its owner does; ``wanted``: how often it was to be posted or
    edited; ``made_at``: when that was first (UTC, milliseconds); ``nonce``: what Discord recognises a second try by."""

    id: int
    owner: int
    kind: str
    number: int = 0
    guild_id: int | None = None
    channel_id: int = 0
    wanted: int = 1
    made_at: int = 0
    message_id: int | None = None
    nonce: str = ""


@dataclass(frozen=True)
class Posts:
    """The messages of one table. ``owner`` and ``number`` are the names of its columns for whose a message is and for
    its round, season or part; ``sign`` begins its nonces; ``lasting`` are the kinds that show how things stand, where
    others call somebody once. Where it has no places, a message stands with its owner."""

    table: sa.Table
    owner: str
    number: str
    sign: str
    lasting: tuple[str, ...]

    async def request(
        self,
        tx: AsyncConnection,
        owner_id: int,
        kind: str,
        at: int,
        number: int = 0,
        *,
        place: tuple[int | None, int] | None = None,
    ) -> int:
        """Let a message show how things stand: the one that is there, in its channel, edited, or a new one. How often
        that has been wanted by now. ``place``: server and channel, where the table has them."""
        c = self.table.c
        key: dict[str, Any] = {self.owner: owner_id, "kind": kind, self.number: number}
        where = {} if place is None else {"guild_id": place[0], "channel_id": place[1]}
        of = [c[name] == value for name, value in (key | where).items() if name != "guild_id"]
        edited = sa.update(self.table).where(*of).values(wanted=c.wanted + 1).returning(c.wanted)
        wanted = (await tx.execute(edited)).scalar()
        if wanted is None:
            await tx.execute(sa.insert(self.table).values(wanted=1, said=0, made_at=at, **key, **where))
            return 1
        return int(wanted)

    async def edit_all(
        self, tx: AsyncConnection, owner_ids: Sequence[int], kinds: Sequence[str] = (), *, every: bool = False
    ) -> None:
        """Let what is posted of some owners show how things stand: of all ``kinds`` that last, if none are named, or
        of ``every`` kind."""
        c = self.table.c
        of = [c[self.owner].in_(owner_ids), c.message_id.is_not(None)]
        of += [] if every else [c.kind.in_(kinds or self.lasting)]
        await tx.execute(sa.update(self.table).where(*of).values(wanted=c.wanted + 1))

    async def pending(
        self, tx: AsyncConnection, owner_id: int | None = None, shards: Shards = EVERYTHING
    ) -> list[LiveMessage]:
        """The messages that say less than is wanted, in order: of one owner, or of all that belong to the servers of
        some shards."""
        c = self.table.c
        query = sa.select(self.table).where(c.wanted > c.said).order_by(c.id)
        if owner_id is not None:
            query = query.where(c[self.owner] == owner_id)
        if not shards.whole:
            (owners,) = (key.column.table for key in c[self.owner].foreign_keys)
            theirs = sa.select(owners.c.id).where(shards.owning(owners.c.guild_id))
            query = query.where(c[self.owner].in_(theirs))
        return [self.read(row) for row in (await tx.execute(query)).mappings()]

    def read(self, row: sa.RowMapping) -> LiveMessage:
        """A message as it is kept."""
        return LiveMessage(
            id=row["id"],
            owner=row[self.owner],
            kind=row["kind"],
            number=row[self.number],
            guild_id=row.get("guild_id"),
            channel_id=row.get("channel_id", 0),
            wanted=row["wanted"],
            made_at=row["made_at"],
            message_id=row["message_id"],
            nonce=f"{self.sign}{row['id']}.{row['made_at']:x}"[:25],
        )

    async def is_wanted(self, tx: AsyncConnection, owner_id: int, kind: str, number: int) -> bool:
        """Whether a message of that kind was ever to be posted."""
        c = self.table.c
        query = sa.select(sa.func.count()).where(c[self.owner] == owner_id, c.kind == kind, c[self.number] == number)
        return bool((await tx.execute(query)).scalar_one())

    async def is_post(self, tx: AsyncConnection, message_id: int) -> bool:
        """Whether a message is kept as one of these."""
        query = sa.select(self.table.c.id).where(self.table.c.message_id == message_id).limit(1)
        return (await tx.execute(query)).first() is not None

    async def mark_posted(self, tx: AsyncConnection, post_id: int, wanted: int, message_id: int | None) -> None:
        """Note that a message shows what was wanted when the post was read."""
        values = {"said": wanted, "message_id": message_id}
        await tx.execute(sa.update(self.table).where(self.table.c.id == post_id).values(**values))
