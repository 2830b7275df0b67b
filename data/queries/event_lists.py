"""Queries shared by tournaments, leagues and team matches, which are rows with lists of events. Each takes the
transaction in which it works."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Generic, NamedTuple, TypeVar

import sqlalchemy as sa

from data.connections import AsyncConnection
from data.queries.rows import Options, every, one


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerRow:
    """What the rows of tournaments, leagues and team matches have alike. ``plan``: their settings; ``source``: what has
    brought the row in; without an ``id`` it is to be added."""

    id: int = 0
    guild_id: int | None
    channel_id: int
    name: str
    variant_id: str
    rules_hash: str | None = None
    options: Options
    clock: str
    rated: bool
    plan: Mapping[str, Any]
    directors: Sequence[int]
    status: str
    made_at: int
    source: str


class EventRow(NamedTuple):
    """One event of a list: what was done, when and by whom; only those of tournaments have a ``reason``."""

    number: int
    at: int
    by: int
    action: Mapping[str, Any]
    reason: str = ""


R = TypeVar("R", bound=OwnerRow)


@dataclass(frozen=True)
class EventLists(Generic[R]):
    """``owners`` is the table of the rows, which are read as ``row``; ``events`` that of the events, whose column
    ``<owner>_id`` says whose they are. ``people``: the keys under which actions name persons."""

    owners: sa.Table
    events: sa.Table
    owner: str
    row: Callable[..., R]
    people: Collection[str]

    @property
    def _owner_id(self) -> sa.Column[Any]:
        return self.events.c[f"{self.owner}_id"]

    @property
    def _fields(self) -> list[str]:
        return [name for name in ("number", "at", "by", "action", "reason") if name in self.events.c]

    async def add(self, tx: AsyncConnection, row: R) -> int:
        """A new row; its id. IntegrityError when its source is there already."""
        values = {field.name: getattr(row, field.name) for field in fields(row) if field.name != "id"}
        result = await tx.execute(sa.insert(self.owners).values(values).returning(self.owners.c.id))
        return int(result.scalar_one())

    async def get(self, tx: AsyncConnection, owner_id: int, *, to_change: bool = False) -> R | None:
        """A row. ``to_change`` keeps other writers from it until the transaction ends."""
        query = sa.select(self.owners).where(self.owners.c.id == owner_id)
        return await one(tx, query.with_for_update() if to_change else query, self.row)

    async def change(self, tx: AsyncConnection, owner_id: int, **values: str | int | Sequence[int] | None) -> None:
        """Give columns of a row other values."""
        await tx.execute(sa.update(self.owners).where(self.owners.c.id == owner_id).values(**values))

    async def by_source(self, tx: AsyncConnection, source: str) -> int | None:
        """The row that a source has created or changed already."""
        for table, column in ((self.owners, self.owners.c.id), (self.events, self._owner_id)):
            owner_id = (await tx.execute(sa.select(column).where(table.c.source == source))).scalar()
            if owner_id is not None:
                return int(owner_id)
        return None

    async def all_events(self, tx: AsyncConnection, owner_id: int) -> list[EventRow]:
        """All events of a row, in order."""
        query = sa.select(*(self.events.c[name] for name in self._fields)).where(self._owner_id == owner_id)
        return await every(tx, query.order_by(self.events.c.number), EventRow)

    async def add_event(self, tx: AsyncConnection, owner_id: int, event: EventRow, source: str) -> None:
        """Append an event. IntegrityError when its number or its source is there already."""
        values = {name: getattr(event, name) for name in self._fields}
        await tx.execute(sa.insert(self.events).values({self._owner_id.name: owner_id, "source": source, **values}))

    async def of_person(self, tx: AsyncConnection, person: int) -> list[dict[str, Any]]:
        """What is kept of a person: what they direct, and the events that name them or are their doing, each with the
        name of what it belongs to, and the kind where there are several."""
        owners = (await tx.execute(sa.select(self.owners).order_by(self.owners.c.id))).mappings().all()
        told = {
            row["id"]: {self.owner: row["id"], "name": row["name"]} | ({"kind": row["kind"]} if "kind" in row else {})
            for row in owners
        }
        name = self._owner_id.name
        return [
            *(told[row["id"]] | {"director": True} for row in owners if person in row["directors"]),
            *(
                told[row[name]]
                | {"number": row["number"], "at": row["at"], "action": row["action"]["action"]}
                | {"own": row["by"] == person}
                for row in await self._every_event(tx)
                if row["by"] == person or self._names(row["action"], person) or str(person) in row.get("reason", "")
            ),
        ]

    async def directed_alone(self, tx: AsyncConnection, person: int) -> list[str]:
        """The names of those that are not over and have a person for their one director, in order; what is part of a
        league or team match has these for its directors too, and is left out."""
        c = self.owners.c
        query = sa.select(c.name, c.directors).where(c.status != "over").order_by(c.id)
        if "contest_id" in c:
            query = query.where(c.contest_id.is_(None))
        return [str(name) for name, directors in await tx.execute(query) if list(directors) == [person]]

    async def forget(self, tx: AsyncConnection, person: int) -> list[int]:
        """Take a person off all of them: in each, a number that is nobody's id stands in their place. Returns those
        that named them."""
        instead: dict[int, int] = {}
        changed = set()
        for row in await self._every_event(tx):
            owner_id, values = row[self._owner_id.name], dict[str, Any]()
            if self._names(row["action"], person):
                stand_in = instead.setdefault(owner_id, -row["number"])
                values["action"] = {
                    key: _without(value, person, stand_in) if key in self.people else value
                    for key, value in row["action"].items()
                }
            if row["by"] == person:
                values["by"] = 0
            if str(person) in row.get("reason", ""):
                # A director has written it as a mention.
                values["reason"] = re.sub(rf"<@!?{person}>", "somebody", row["reason"])
            if values:
                of = (self._owner_id == owner_id, self.events.c.number == row["number"])
                await tx.execute(sa.update(self.events).where(*of).values(**values))
                changed.add(owner_id)
        for owner_id, directors in (await tx.execute(sa.select(self.owners.c.id, self.owners.c.directors))).all():
            if person in directors:
                await self.change(tx, owner_id, directors=[one for one in directors if one != person])
                changed.add(owner_id)
        return sorted(changed)

    async def _every_event(self, tx: AsyncConnection) -> Sequence[sa.RowMapping]:
        query = sa.select(self.events).order_by(self._owner_id, self.events.c.number)
        return (await tx.execute(query)).mappings().all()

    def _names(self, action: Mapping[str, Any], person: int) -> bool:
        return any(_holds(action.get(key), person) for key in self.people)


def _holds(value: Any, person: int) -> bool:
    return any(_holds(one, person) for one in value) if isinstance(value, list) else value == person


def _without(value: Any, person: int, stand_in: int) -> Any:
    if isinstance(value, list):
        return [_without(one, person, stand_in) for one in value]
    return stand_in if value == person else value
