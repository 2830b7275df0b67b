"""Queries on leagues and team matches: events, tournaments, posts. Each takes the transaction in which it works."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from data.connections import AsyncConnection
from data.queries.event_lists import EventLists, OwnerRow
from data.queries.live_messages import Posts
from data.queries.rows import count, every, number, numbers
from data.schema.tournaments import contest_events, contest_posts, contests, tournament_events, tournaments


@dataclass(frozen=True, slots=True, kw_only=True)
class CompetitionRow(OwnerRow):
    """A league or a team match. The other server and channel are the guest's; who shows ``code`` may accept it."""

    kind: str
    other_guild_id: int | None = None
    other_channel_id: int | None = None
    code: str | None


stored = EventLists(
    contests, contest_events, "contest", CompetitionRow, people=("person", "people", "divisions", "finals")
)
posts = Posts(
    contest_posts,
    owner="contest_id",
    number="number",
    sign="c",
    lasting=("league", "season", "ended", "match", "began", "cancelled", "result"),
)


async def by_code(tx: AsyncConnection, code: str) -> int | None:
    """The competition that a code opens."""
    return await number(tx, sa.select(contests.c.id).where(contests.c.code == code))


async def newest_in(tx: AsyncConnection, kind: str, channel_id: int) -> int | None:
    """The newest competition of a kind in a channel; one that is not over before those that are."""
    in_channel = sa.or_(contests.c.channel_id == channel_id, contests.c.other_channel_id == channel_id)
    query = sa.select(contests.c.id).where(contests.c.kind == kind, in_channel)
    return await number(tx, query.order_by((contests.c.status == "over"), contests.c.id.desc()).limit(1))


async def of_server(tx: AsyncConnection, kind: str, guild_id: int, most: int) -> list[CompetitionRow]:
    """The newest competitions of a kind in which a server takes part."""
    on_server = sa.or_(contests.c.guild_id == guild_id, contests.c.other_guild_id == guild_id)
    query = sa.select(contests).where(contests.c.kind == kind, on_server).order_by(contests.c.id.desc()).limit(most)
    return await every(tx, query, CompetitionRow)


async def open_of(tx: AsyncConnection, kind: str, guild_id: int) -> int:
    """How many competitions of a kind a server has that are not over."""
    return await count(tx, contests.c.kind == kind, contests.c.guild_id == guild_id, contests.c.status != "over")


async def has_open(tx: AsyncConnection, kind: str, guild_id: int, name: str) -> bool:
    """Whether a server has a competition of a kind that is not over and has this name, in capitals or not."""
    query = sa.select(contests.c.name).where(
        contests.c.kind == kind, contests.c.guild_id == guild_id, contests.c.status != "over"
    )
    return name.casefold() in {each.casefold() for each in (await tx.execute(query)).scalars()}


async def of_tournament(tx: AsyncConnection, tournament_id: int) -> int | None:
    """The league or team match that a tournament is part of."""
    return await number(tx, sa.select(tournaments.c.contest_id).where(tournaments.c.id == tournament_id))


async def corrected(tx: AsyncConnection, contest_id: int) -> list[int]:
    """The tournaments of a competition in which anything has been done after their end."""
    events, ended = tournament_events, tournament_events.alias()
    end = sa.select(sa.func.max(ended.c.number)).where(
        ended.c.tournament_id == events.c.tournament_id, ended.c.action["action"].as_string() == "Ended"
    )
    query = sa.select(tournaments.c.id).join(events, events.c.tournament_id == tournaments.c.id)
    query = query.where(tournaments.c.contest_id == contest_id, events.c.number > end.scalar_subquery())
    return await numbers(tx, query.distinct().order_by(tournaments.c.id))


async def tournaments_of(tx: AsyncConnection, contest_id: int) -> list[int]:
    """The tournaments of a competition, in the order in which they were made."""
    query = sa.select(tournaments.c.id).where(tournaments.c.contest_id == contest_id).order_by(tournaments.c.id)
    return await numbers(tx, query)
