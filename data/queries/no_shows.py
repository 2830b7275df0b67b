"""Queries on who did not come to games of tournaments."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa

from data.connections import AsyncConnection
from data.schema.games import games, seats
from data.schema.tournaments import no_shows, tournament_games


async def noted(tx: AsyncConnection, tournament_id: int) -> set[tuple[int, int]]:
    """(game, person) of all who are noted for games of a tournament."""
    query = sa.select(no_shows.c.game_id, no_shows.c.person).join(
        tournament_games, tournament_games.c.game_id == no_shows.c.game_id
    )
    rows = await tx.execute(query.where(tournament_games.c.tournament_id == tournament_id))
    return {(int(game_id), int(person)) for game_id, person in rows}


async def note(tx: AsyncConnection, game_id: int, person: int, at: int, since: int) -> None:
    """A person did not come to a game. What is noted of them from before ``since`` is forgotten."""
    old = sa.and_(no_shows.c.person == person, no_shows.c.at < since)
    await tx.execute(sa.delete(no_shows).where(sa.or_(old, _one(game_id, person))))
    await tx.execute(sa.insert(no_shows).values(game_id=game_id, person=person, at=at))


async def take_back(tx: AsyncConnection, game_id: int, person: int) -> None:
    """The person did come."""
    await tx.execute(sa.delete(no_shows).where(_one(game_id, person)))


async def missed(tx: AsyncConnection, persons: Iterable[int]) -> dict[int, tuple[list[int], int | None]]:
    """Of those of ``persons`` who did not come to a game: when, and when a game that they played ended last."""
    people = list(persons)
    by_person: dict[int, tuple[list[int], int | None]] = {}
    rows = await tx.execute(sa.select(no_shows.c.person, no_shows.c.at).where(no_shows.c.person.in_(people)))
    for person, at in rows:
        by_person.setdefault(int(person), ([], None))[0].append(int(at))
    absent = sa.exists().where(no_shows.c.game_id == games.c.id, no_shows.c.person == seats.c.player)
    played = (
        sa.select(seats.c.player, sa.func.max(games.c.ended_at))
        .join(games, games.c.id == seats.c.game_id)
        .where(seats.c.player.in_(list(by_person)), games.c.status == "finished", ~absent)
        .group_by(seats.c.player)
    )
    for person, at in await tx.execute(played) if by_person else ():
        by_person[int(person)] = (by_person[int(person)][0], int(at))
    return by_person


def _one(game_id: int, person: int) -> sa.ColumnElement[bool]:
    return sa.and_(no_shows.c.game_id == game_id, no_shows.c.person == person)
