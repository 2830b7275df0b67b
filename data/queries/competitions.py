"""Queries on leagues and team matches: their events, tournaments, posts; games that are played on two servers. Each
takes the transaction in which it works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.queries import event_lists, live_messages
from data.queries.rows import new, number, numbers
from data.schema import contest_events, contest_posts, contests, tournaments


@dataclass(frozen=True, slots=True, kw_only=True)
class CompetitionRow:
    """A row of ``contests``, as data.schema.tournaments says."""

    id: int = 0
    kind: str
    guild_id: int
    channel_id: int
    other_guild_id: int | None = None
    other_channel_id: int | None = None
    name: str
    variant_id: str
    options: Mapping[str, Any]
    clock: str
    rated: bool
    plan: Mapping[str, Any]
    code: str | None
    directors: Sequence[int]
    status: str
    made_at: int
    source: str


@dataclass(frozen=True, slots=True)
class CompetitionEventRow:
    """A row of ``contest_events``."""

    number: int
    at: int
    by: int
    action: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CompetitionPostRow:
    """A row of ``contest_posts``: a message that is to show how a competition stands."""

    id: int
    contest_id: int
    kind: str
    number: int
    guild_id: int
    channel_id: int
    wanted: int
    said: int
    made_at: int
    message_id: int | None

    @property
    def nonce(self) -> str:
        """What Discord recognises a second try by."""
        return f"c{self.id}.{self.made_at:x}"[:25]


async def add(tx: AsyncConnection, row: CompetitionRow) -> int:
    """A new competition; its id. IntegrityError when its source or its code is there already."""
    result = await tx.execute(sa.insert(contests).values(**new(row)).returning(contests.c.id))
    return int(result.scalar_one())


async def get(tx: AsyncConnection, contest_id: int, *, to_change: bool = False) -> CompetitionRow | None:
    """A competition's row. ``to_change`` keeps other writers from it until the transaction ends."""
    query = sa.select(contests).where(contests.c.id == contest_id)
    row = (await tx.execute(query.with_for_update() if to_change else query)).mappings().first()
    return None if row is None else CompetitionRow(**row)


async def change(tx: AsyncConnection, contest_id: int, **values: Any) -> None:
    await tx.execute(sa.update(contests).where(contests.c.id == contest_id).values(**values))


async def by_code(tx: AsyncConnection, code: str) -> int | None:
    """The competition that a code opens."""
    return await number(tx, sa.select(contests.c.id).where(contests.c.code == code))


async def newest_in(tx: AsyncConnection, kind: str, channel_id: int) -> int | None:
    """The newest competition of a kind in a channel; one that is not over before those that are."""
    here = sa.or_(contests.c.channel_id == channel_id, contests.c.other_channel_id == channel_id)
    query = sa.select(contests.c.id).where(contests.c.kind == kind, here)
    return await number(tx, query.order_by((contests.c.status == "over"), contests.c.id.desc()).limit(1))


async def of_server(tx: AsyncConnection, kind: str, guild_id: int, most: int) -> list[CompetitionRow]:
    """The newest competitions of a kind in which a server takes part."""
    here = sa.or_(contests.c.guild_id == guild_id, contests.c.other_guild_id == guild_id)
    query = sa.select(contests).where(contests.c.kind == kind, here).order_by(contests.c.id.desc()).limit(most)
    return [CompetitionRow(**row) for row in (await tx.execute(query)).mappings()]


async def open_of(tx: AsyncConnection, kind: str, guild_id: int) -> int:
    """How many competitions of a kind a server has that are not over."""
    c = contests.c
    query = sa.select(sa.func.count()).where(c.kind == kind, c.guild_id == guild_id, c.status != "over")
    return int((await tx.execute(query)).scalar_one())


async def by_source(tx: AsyncConnection, source: str) -> int | None:
    """The competition that a source has created or changed already."""
    return await event_lists.by_source(tx, contests, contest_events, "contest", source)


async def events(tx: AsyncConnection, contest_id: int) -> list[CompetitionEventRow]:
    """All events of a competition, in order."""
    c = contest_events.c
    query = sa.select(c.number, c.at, c.by, c.action).where(c.contest_id == contest_id).order_by(c.number)
    return [CompetitionEventRow(*row) for row in await tx.execute(query)]


async def add_event(tx: AsyncConnection, contest_id: int, event: CompetitionEventRow, source: str) -> None:
    """Append an event. IntegrityError when its number or its source is there already."""
    values = {"number": event.number, "at": event.at, "by": event.by, "action": event.action}
    await tx.execute(sa.insert(contest_events).values(contest_id=contest_id, source=source, **values))


async def tournaments_of(tx: AsyncConnection, contest_id: int) -> list[int]:
    """The tournaments of a competition, in the order in which they were made."""
    query = sa.select(tournaments.c.id).where(tournaments.c.contest_id == contest_id).order_by(tournaments.c.id)
    return await numbers(tx, query)


# Posts


async def request(
    tx: AsyncConnection, contest_id: int, kind: str, at: int, guild_id: int, channel_id: int, number: int = 0
) -> None:
    """Let a message show how the competition stands: a new one, or the one that is there, edited."""
    key = {"contest_id": contest_id, "kind": kind, "number": number, "channel_id": channel_id}
    await live_messages.request(tx, contest_posts, key, {"guild_id": guild_id, "made_at": at})


async def pending(tx: AsyncConnection, contest_id: int | None = None) -> list[CompetitionPostRow]:
    """The messages that say less than is wanted, in order: of one competition, or of all."""
    c = contest_posts.c
    query = sa.select(contest_posts).where(c.wanted > c.said).order_by(c.id)
    if contest_id is not None:
        query = query.where(c.contest_id == contest_id)
    return [CompetitionPostRow(**row) for row in (await tx.execute(query)).mappings()]


async def is_post(tx: AsyncConnection, message_id: int) -> bool:
    """Whether a message is kept as one of a competition."""
    return await live_messages.is_post(tx, contest_posts, message_id)


async def mark_posted(tx: AsyncConnection, post_id: int, wanted: int, message_id: int | None) -> None:
    """Note that a message shows what was wanted when the post was read."""
    await live_messages.mark_posted(tx, contest_posts, post_id, wanted, message_id)


# Games on two servers


# Privacy

_PEOPLE = ("person", "people", "divisions", "finals")


async def of_person(tx: AsyncConnection, person: int) -> list[dict[str, Any]]:
    """What is kept of a person in competitions: which it directs, and the events that name it or are its doing."""
    return await event_lists.of_person(tx, contests, contest_events, "contest", _PEOPLE, person)


async def forget(tx: AsyncConnection, person: int) -> None:
    """Take a person off all competitions: in each, a number that is nobody's id stands in its place."""
    await event_lists.forget(tx, contests, contest_events, "contest", _PEOPLE, person)
