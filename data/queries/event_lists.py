"""Queries shared by tournaments, leagues and team matches, which are rows with lists of events: applied sources, and
what names a person. ``owners`` is the table of the rows, ``events`` that of the events, whose column ``<owner>_id``
says whose they are."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection


async def by_source(tx: AsyncConnection, owners: sa.Table, events: sa.Table, owner: str, source: str) -> int | None:
    """The row that a source has created or changed already."""
    for table, column in ((owners, owners.c.id), (events, events.c[f"{owner}_id"])):
        owner_id = (await tx.execute(sa.select(column).where(table.c.source == source))).scalar()
        if owner_id is not None:
            return int(owner_id)
    return None


async def of_person(
    tx: AsyncConnection, owners: sa.Table, events: sa.Table, owner: str, people: Collection[str], person: int
) -> list[dict[str, Any]]:
    """What is kept of a person: what it directs, and the events that name it under one of the keys ``people``, or are
    its doing."""
    column = events.c[f"{owner}_id"]
    directed = await tx.execute(sa.select(owners.c.id, owners.c.directors).order_by(owners.c.id))
    directs = [{owner: number, "director": True} for number, directors in directed if person in directors]
    return directs + [
        {owner: row[column.name], "number": row["number"], "at": row["at"], "action": row["action"]["action"]}
        for row in (await tx.execute(sa.select(events).order_by(column, events.c.number))).mappings()
        if row["by"] == person or _names(row["action"], people, person) or str(person) in row.get("reason", "")
    ]


async def forget(
    tx: AsyncConnection, owners: sa.Table, events: sa.Table, owner: str, people: Collection[str], person: int
) -> None:
    """Take a person off all of them: in each, a number that is nobody's id stands in its place."""
    column = events.c[f"{owner}_id"]
    instead: dict[int, int] = {}
    for row in (await tx.execute(sa.select(events).order_by(column, events.c.number))).mappings().all():
        values: dict[str, Any] = {}
        if _names(row["action"], people, person):
            stand_in = instead.setdefault(row[column.name], -row["number"])
            values["action"] = {
                key: _without(value, person, stand_in) if key in people else value
                for key, value in row["action"].items()
            }
        if row["by"] == person:
            values["by"] = 0
        if str(person) in row.get("reason", ""):
            # A director has written it as a mention.
            values["reason"] = re.sub(rf"<@!?{person}>", "somebody", row["reason"])
        if values:
            of = (column == row[column.name], events.c.number == row["number"])
            await tx.execute(sa.update(events).where(*of).values(**values))
    for owner_id, directors in (await tx.execute(sa.select(owners.c.id, owners.c.directors))).all():
        if person in directors:
            left = [one for one in directors if one != person]
            await tx.execute(sa.update(owners).where(owners.c.id == owner_id).values(directors=left))


def _names(action: Mapping[str, Any], people: Collection[str], person: int) -> bool:
    return any(_holds(action.get(key), person) for key in people)


def _holds(value: Any, person: int) -> bool:
    return any(_holds(one, person) for one in value) if isinstance(value, list) else value == person


def _without(value: Any, person: int, stand_in: int) -> Any:
    if isinstance(value, list):
        return [_without(one, person, stand_in) for one in value]
    return stand_in if value == person else value
