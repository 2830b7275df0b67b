"""Queries on time: timers, outages, and small marks of when somebody looked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.execution import UNAWAITED
from data.queries.rows import every, number, numbers, one, put_values, select, upsert
from data.schema.games import looks, outages, timers, vacations


@dataclass(frozen=True, slots=True)
class TimerRow:
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
_DELETE = sa.delete(timers).where(_OF).execution_options(**{UNAWAITED: True})
_DUE = (
    _TIMERS.where(timers.c.at <= sa.bindparam("now"))
    .order_by(timers.c.at, timers.c.id)
    .limit(sa.bindparam("most", type_=sa.Integer))
)


async def put(tx: AsyncConnection, kind: str, subject: int, at: int, payload: Mapping[str, Any]) -> None:
    """Set the one timer of a kind and subject, anew or another time."""
    await tx.execute(_PUT[tx.dialect.name], {"kind": kind, "subject": subject, "at": at, "payload": dict(payload)})


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
    await tx.execute(_DELETE, {"of_kind": kind, "of_subject": subject})


async def due(tx: AsyncConnection, now: int, most: int) -> list[TimerRow]:
    """The timers that have fallen due, the oldest first."""
    return await every(tx, _DUE, TimerRow, {"now": now, "most": most})


async def overdue(tx: AsyncConnection, now: int, kinds: Sequence[str]) -> tuple[int, int | None]:
    """How many timers of some kinds have fallen due and are not done, and when the oldest of them was."""
    # By when they are due, of which there are few: of a kind there is one for each game.
    late = sa.and_(timers.c.at <= now, (timers.c.kind + "").in_(kinds))
    many, oldest = (await tx.execute(sa.select(sa.func.count(), sa.func.min(timers.c.at)).where(late))).one()
    return int(many), None if oldest is None else int(oldest)


_NEXT = sa.select(sa.func.min(timers.c.at)).where(timers.c.at > sa.bindparam("now"))


async def next_at(tx: AsyncConnection, now: int) -> int | None:
    """When the first timer after ``now`` falls due."""
    return await number(tx, _NEXT, {"now": now})


# Outages and vacations


async def add_outage(tx: AsyncConnection, start: int, until: int) -> None:
    """Note that the bot was not there; of an outage that began at ``start`` already, that it lasted longer."""
    await put_values(tx, outages, {"start": start}, until=until)


async def all_outages(tx: AsyncConnection, after: int = 0) -> list[tuple[int, int]]:
    """From when until when the bot was not there, in order; those that ended after a time."""
    query = sa.select(outages.c.start, outages.c.until).where(outages.c.until > after).order_by(outages.c.start)
    return [(int(start), int(until)) for start, until in await tx.execute(query)]


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
