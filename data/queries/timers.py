"""Queries on time: timers, outages, and small marks of when somebody looked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from data.connections import AsyncConnection
from data.execution import Prepared
from data.queries.rows import every, number, numbers, one, put_values, select, upsert
from data.schema.games import games, looks, mirrors, outages, shard_outages, timers, vacations
from data.schema.tournaments import contests, tournaments
from data.shards import EVERYTHING, Shards
from data.shards import every as every_shard


class TimerRow(NamedTuple):
    """At ``at`` something is to happen with ``subject``."""

    id: int
    kind: str
    subject: int
    at: int
    payload: Mapping[str, Any]


_TIMERS = select(TimerRow, timers)
_OF = sa.and_(timers.c.kind == sa.bindparam("of_kind"), timers.c.subject == sa.bindparam("of_subject"))
_GET = _TIMERS.where(_OF)
_PUT = upsert(timers, ("kind", "subject"), ("at", "payload"))
_DELETE = Prepared(sa.delete(timers).where(_OF))
_DUE = (
    _TIMERS.where(timers.c.at <= sa.bindparam("now"))
    .order_by(timers.c.at, timers.c.id)
    .limit(sa.bindparam("most", type_=sa.Integer))
)

# Whose a timer is, by its kind: what is not named here is nobody's server's.
_OF_GAMES, _OF_SERVERS = ("clock", "ping"), ("server", "daily puzzle")
_OF_TOURNAMENTS, _OF_COMPETITIONS = ("tournament", "arena"), ("contest",)


def _theirs(query: sa.Select[Any], shards: Shards) -> sa.Select[Any]:
    """Of the timers those of the servers of some shards."""
    if shards.whole:
        return query
    kind, subject = timers.c.kind, timers.c.subject

    def guild_of(table: sa.Table) -> sa.ScalarSelect[Any]:
        return sa.select(table.c.guild_id).where(table.c.id == subject).correlate(timers).scalar_subquery()

    guild = sa.case(
        (kind.in_(_OF_GAMES), guild_of(games)),
        (kind.in_(_OF_TOURNAMENTS), guild_of(tournaments)),
        (kind.in_(_OF_COMPETITIONS), guild_of(contests)),
        (kind.in_(_OF_SERVERS), subject),
        else_=None,
    )
    return query.where(shards.owning(guild))


async def put(tx: AsyncConnection, kind: str, subject: int, at: int, payload: Mapping[str, Any]) -> None:
    """Set the one timer of a kind and subject, anew or another time."""
    await _PUT.put_off(tx, {"kind": kind, "subject": subject, "at": at, "payload": dict(payload)})


async def get(tx: AsyncConnection, kind: str, subject: int) -> TimerRow | None:
    return await one(tx, _GET, TimerRow, {"of_kind": kind, "of_subject": subject})


async def subjects(tx: AsyncConnection, kind: str) -> set[int]:
    """What there are timers of a kind of."""
    return set(await numbers(tx, sa.select(timers.c.subject).where(timers.c.kind == kind)))


async def of_kind(tx: AsyncConnection, kind: str, subjects: Sequence[int] | None = None) -> list[TimerRow]:
    """The timers of a kind: those of some subjects, or all."""
    query = _TIMERS.where(timers.c.kind == kind).order_by(timers.c.at)
    if subjects is not None:
        query = query.where(timers.c.subject.in_(subjects))
    return await every(tx, query, TimerRow)


async def drop(tx: AsyncConnection, kind: str, subject: int) -> None:
    """End a timer, if there is one."""
    await _DELETE.put_off(tx, {"of_kind": kind, "of_subject": subject})


async def due(tx: AsyncConnection, now: int, most: int, shards: Shards = EVERYTHING) -> list[TimerRow]:
    """The timers of the servers of some shards that have fallen due, the oldest first."""
    return await every(tx, _theirs(_DUE, shards), TimerRow, {"now": now, "most": most})


async def overdue(tx: AsyncConnection, now: int, kinds: Sequence[str]) -> tuple[int, int | None]:
    """How many timers of some kinds have fallen due and are not done, and when the oldest of them was."""
    # By when they are due, of which there are few: of a kind there is one for each game.
    late = sa.and_(timers.c.at <= now, (timers.c.kind + "").in_(kinds))
    many, oldest = (await tx.execute(sa.select(sa.func.count(), sa.func.min(timers.c.at)).where(late))).one()
    return int(many), None if oldest is None else int(oldest)


_NEXT = sa.select(timers.c.at).where(timers.c.at > sa.bindparam("now")).order_by(timers.c.at).limit(1)


async def next_at(tx: AsyncConnection, now: int, shards: Shards = EVERYTHING) -> int | None:
    """When the first timer after ``now`` of the servers of some shards falls due."""
    return await number(tx, _theirs(_NEXT, shards), {"now": now})


# Outages and vacations


class Outage(NamedTuple):
    """From when until when the bot was not there, for one shard of so many."""

    start: int
    until: int
    shard: int = 0
    shards: int = 1


def stops_of(outages: Iterable[Outage], guild_id: int | None) -> list[tuple[int, int]]:
    """The outages of a server, from when until when each."""
    return [(each.start, each.until) for each in outages if every_shard(each.shards).of(guild_id) == each.shard]


async def add_outage(tx: AsyncConnection, outage: Outage) -> None:
    """Note that the bot was not there; of an outage that began then already, that it lasted longer."""
    start, until, shard, count = outage
    if count == 1:
        await put_values(tx, outages, {"start": start}, until=until)
    else:
        await put_values(tx, shard_outages, {"shards": count, "shard": shard, "start": start}, until=until)


async def all_outages(tx: AsyncConnection, after: int = 0) -> list[Outage]:
    """When the bot was not there, in order, whatever shards there were; those that ended after a time."""
    of_all, c = sa.select(outages.c.start, outages.c.until), shard_outages.c
    of_one = sa.select(c.start, c.until, c.shard, c.shards)
    rows = [
        *await tx.execute(of_all.where(outages.c.until > after)),
        *await tx.execute(of_one.where(c.until > after)),
    ]
    return sorted(Outage(*map(int, row)) for row in rows)


_VACATIONS = (
    sa.select(vacations.c.start, vacations.c.until)
    .where(vacations.c.person == sa.bindparam("who"), vacations.c.until > sa.bindparam("after"))
    .order_by(vacations.c.start)
)


async def vacations_of(tx: AsyncConnection, person: int, after: int = 0) -> list[tuple[int, int]]:
    """A person's vacations that end after a time, in order."""
    rows = await tx.execute(_VACATIONS, {"who": person, "after": after})
    return [(int(start), int(until)) for start, until in rows]


async def add_vacation(tx: AsyncConnection, person: int, start: int, until: int) -> None:
    await tx.execute(sa.insert(vacations).values(person=person, start=start, until=until))


async def end_vacation(tx: AsyncConnection, person: int, start: int, until: int) -> None:
    """Let the vacation that began at ``start`` end at ``until``."""
    of = sa.and_(vacations.c.person == person, vacations.c.start == start)
    await tx.execute(sa.update(vacations).where(of).values(until=until))


# Looks


_LOOKED = sa.select(looks.c.at).where(looks.c.game_id == sa.bindparam("game"), looks.c.person == sa.bindparam("who"))


async def look(tx: AsyncConnection, game_id: int, person: int, at: int) -> None:
    """Note that a person has opened a game's board."""
    await put_values(tx, looks, {"game_id": game_id, "person": person}, at=at)


async def looked(tx: AsyncConnection, game_id: int, person: int) -> int | None:
    """When a person last opened a game's board."""
    return await number(tx, _LOOKED, {"game": game_id, "who": person})


async def channels_with_clocks(
    tx: AsyncConnection, timer: str, shards: Shards = EVERYTHING
) -> list[tuple[int, int, str]]:
    """The channels that the bot is in of the running games in which time runs, on the second server too: each with the
    one in which the game was begun, and its clock. First those whose timer, of the kind ``timer``, falls due first."""
    clocked = sa.and_(games.c.status == "running", games.c.clock != "none", ~games.c.answers_only)
    at = sa.func.coalesce(timers.c.at, 0).label("at")
    timed = games.outerjoin(timers, sa.and_(timers.c.kind == timer, timers.c.subject == games.c.id))
    own = sa.select(games.c.channel_id, games.c.place_channel_id, games.c.clock, at)
    guests = sa.select(mirrors.c.channel_id, mirrors.c.place_channel_id, games.c.clock, at)
    both = sa.union_all(
        own.select_from(timed).where(clocked, shards.owning(games.c.guild_id)),
        guests.select_from(timed.join(mirrors, mirrors.c.game_id == games.c.id)).where(
            clocked, shards.owning(mirrors.c.guild_id)
        ),
    )
    rows = await tx.execute(both.order_by("at"))
    return [(channel, place, clock) for channel, place, clock, _at in rows if channel is not None]
