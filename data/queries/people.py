"""Queries on people and servers: what they have chosen, what waits for them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from data.connections import AsyncConnection
from data.execution import Prepared
from data.queries import competitions, ratings, tournaments
from data.queries.rows import every, numbers
from data.schema.games import (
    acts,
    announcements,
    games,
    looks,
    people,
    plans,
    seats,
    server_variants,
    servers,
    timers,
    turns,
    vacations,
)
from data.schema.study import daily_puzzles, puzzle_solvers, puzzle_tries
from data.schema.tournaments import no_shows

PEOPLE: Final = people
SERVERS: Final = servers
"""Whose settings are kept: people's, and those that the managers of servers have chosen."""


async def settings_of(tx: AsyncConnection, table: sa.Table, whose: int) -> Mapping[str, Any]:
    """What somebody has chosen; empty if nothing."""
    found = await _chosen(table).rows(tx, {"owner": whose})
    return found[0][0] if found and isinstance(found[0][0], dict) else {}


@cache
def _chosen(table: sa.Table) -> Prepared:
    (owner,) = table.primary_key
    return Prepared(sa.select(table.c.settings).where(owner == sa.bindparam("owner")))


async def settings_of_many(
    tx: AsyncConnection, table: sa.Table, whose: Collection[int]
) -> Mapping[int, Mapping[str, Any]]:
    """The same of many, by id; without those who have chosen nothing."""
    (owner,) = table.primary_key
    rows = await tx.execute(sa.select(owner, table.c.settings).where(owner.in_(whose)))
    return {int(each): settings for each, settings in rows if isinstance(settings, dict)}


async def put_settings(tx: AsyncConnection, table: sa.Table, whose: int, settings: Mapping[str, Any]) -> None:
    """Keep what somebody has chosen; nothing is kept of who has chosen nothing."""
    (owner,) = table.primary_key
    await tx.execute(sa.delete(table).where(owner == whose))
    if settings:
        await tx.execute(sa.insert(table).values({owner.name: whose, "settings": dict(settings)}))


async def servers_kept(tx: AsyncConnection) -> set[int]:
    """The servers whose managers have chosen anything."""
    chosen = sa.union(*(sa.select(table.c.guild_id) for table in (servers, daily_puzzles, server_variants)))
    return set(await numbers(tx, chosen))


async def forget_server(tx: AsyncConnection, guild_id: int) -> None:
    """Delete what a server's managers have chosen."""
    for table in (servers, daily_puzzles, server_variants):
        await tx.execute(sa.delete(table).where(table.c.guild_id == guild_id))


_WAITING = (
    sa.select(games.c.id, games.c.changed_at, timers.c.payload, games.c.casual)
    .select_from(
        games.join(seats, sa.and_(seats.c.game_id == games.c.id, seats.c.seat == games.c.to_seat)).outerjoin(
            timers, sa.and_(timers.c.kind == "clock", timers.c.subject == games.c.id)
        )
    )
    .where(seats.c.player == sa.bindparam("who"), games.c.status == "running")
    .order_by(games.c.changed_at, games.c.id)
)


class GameToMoveRow(NamedTuple):
    """A running game in which a person is to move, with what its timer says, if it has one."""

    game_id: int
    changed_at: int
    timer: Mapping[str, Any] | None
    casual: bool


async def waiting_for(tx: AsyncConnection, person: int) -> list[GameToMoveRow]:
    """The games in which a person is to move, in which nothing has happened for longest first."""
    return [GameToMoveRow(*row) for row in await tx.execute(_WAITING, {"who": person})]


async def clocked_of(tx: AsyncConnection, person: int) -> list[int]:
    """The running casual games with a clock in which a person sits."""
    query = (
        sa.select(games.c.id)
        .join(seats, seats.c.game_id == games.c.id)
        .where(
            seats.c.player == person, games.c.status == "running", games.c.clock != "none", games.c.casual == sa.true()
        )
        .order_by(games.c.id)
    )
    return await numbers(tx, query)


# Privacy

NOBODY = 0
"""Who stands in the place of a person that was forgotten, where somebody must stand."""


class GameMoment(NamedTuple):
    """A moment in a game that is kept for a person."""

    game: int
    at: int


class ActRow(NamedTuple):
    """What a person did in a game that is no entry of its record."""

    what: str
    game: int
    at: int


class PlanRow(NamedTuple):
    """The lines of turns that a person has planned for after an entry of a game."""

    game: int
    after: int
    lines: Sequence[Sequence[str]]


class PersonalSeatRow(NamedTuple):
    """A game or challenge in which a person sits or is invited, or that they have opened: where, and what of it is the
    person's own."""

    game: int
    variant: str
    status: str
    server: int | None
    channel: int
    opened: bool
    seat: int | None
    invited: bool | None
    sat_at: int | None
    colour: int | None


async def boards_opened(tx: AsyncConnection, person: int) -> list[GameMoment]:
    """When a person last opened the boards of games."""
    return await _moments(tx, looks, person)


async def games_missed(tx: AsyncConnection, person: int) -> list[GameMoment]:
    """The games to which a person did not come."""
    return await _moments(tx, no_shows, person)


async def _moments(tx: AsyncConnection, table: sa.Table, person: int) -> list[GameMoment]:
    query = sa.select(table.c.game_id.label("game"), table.c.at).where(table.c.person == person)
    return await every(tx, query.order_by(table.c.at), GameMoment)


async def acts_of(tx: AsyncConnection, person: int) -> list[ActRow]:
    """What a person did in games that is no entry, in order of time."""
    query = sa.select(acts.c.what, acts.c.game_id.label("game"), acts.c.at).where(acts.c.player == person)
    return await every(tx, query.order_by(acts.c.at), ActRow)


async def plans_of(tx: AsyncConnection, person: int) -> list[PlanRow]:
    """What a person has planned, in all games."""
    query = sa.select(plans.c.game_id.label("game"), plans.c.ply.label("after"), plans.c.lines)
    return await every(tx, query.where(plans.c.person == person), PlanRow)


async def seats_of(tx: AsyncConnection, person: int) -> list[PersonalSeatRow]:
    """Where a person sits or is invited, or what they have opened, in order."""
    at = sa.and_(seats.c.game_id == games.c.id, sa.or_(seats.c.player == person, seats.c.invited == person))
    query = (
        sa.select(
            games.c.id.label("game"),
            games.c.variant_id.label("variant"),
            games.c.status,
            games.c.guild_id.label("server"),
            sa.func.coalesce(games.c.channel_id, games.c.place_channel_id).label("channel"),
            (games.c.opener == person).label("opened"),
            seats.c.seat,
            (seats.c.invited == person).label("invited"),
            seats.c.sat_at,
            seats.c.colour,
        )
        .select_from(games.outerjoin(seats, at))
        .where(sa.or_(seats.c.seat.is_not(None), games.c.opener == person))
        .order_by(games.c.id, seats.c.seat)
    )
    return await every(tx, query, PersonalSeatRow)


async def games_of(tx: AsyncConnection, person: int) -> list[int]:
    """All games in which a person sits or is invited, or that they have opened."""
    seated = sa.select(seats.c.game_id).where(sa.or_(seats.c.player == person, seats.c.invited == person))
    query = sa.select(games.c.id).where(sa.or_(games.c.id.in_(seated), games.c.opener == person))
    return await numbers(tx, query.order_by(games.c.id))


async def forget(tx: AsyncConnection, person: int, mine: Sequence[int]) -> tuple[list[int], list[int]]:
    """Take a person off the games ``mine``, none of which may be running, and delete all else that is kept of them, but
    for what is still to be said and to happen in games. Returns the tournaments, and the leagues and team matches, that
    named them: their posts are to be edited."""
    for start in range(0, len(mine), 500):
        some = mine[start : start + 500]
        of = seats.c.game_id.in_(some)
        await tx.execute(sa.update(seats).where(of, seats.c.player == person).values(player=None, sat_at=None))
        await tx.execute(sa.update(seats).where(of, seats.c.invited == person).values(invited=None))
        done = sa.and_(announcements.c.game_id.in_(some), announcements.c.state != "pending")
        await tx.execute(sa.update(announcements).where(done).values(payload={}))
    await tx.execute(sa.update(games).where(games.c.opener == person).values(opener=NOBODY))
    await tx.execute(sa.update(acts).where(acts.c.player == person).values(player=NOBODY))
    for table in (people, vacations, looks, plans, no_shows, puzzle_tries, puzzle_solvers):
        await tx.execute(sa.delete(table).where(table.c.person == person))
    await ratings.forget(tx, person)
    await tx.execute(sa.delete(timers).where(timers.c.kind.in_(("digest", "back")), timers.c.subject == person))
    events = await tournaments.stored.forget(tx, person)
    # Also those that called somebody once.
    await tournaments.posts.edit_all(tx, events, every=True)
    contests = await competitions.stored.forget(tx, person)
    await competitions.posts.edit_all(tx, contests, every=True)
    return events, contests


async def leavings(tx: AsyncConnection, person: int, ids: Sequence[int]) -> dict[int, str]:
    """How a person left games before they were over, by game: "resign" or "timeout"."""
    own = sa.and_(seats.c.game_id == turns.c.game_id, seats.c.seat == turns.c.seat, seats.c.player == person)
    gone = turns.c.game_id.in_(ids), turns.c.kind.in_(("resign", "timeout"))
    rows = await tx.execute(sa.select(turns.c.game_id, turns.c.kind).join(seats, own).where(*gone))
    return {int(game): str(kind) for game, kind in rows}
