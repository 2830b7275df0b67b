"""Queries on tournaments: their events, games and posts. Each takes the transaction in which it works."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import sqlalchemy as sa

from data.connections import AsyncConnection
from data.queries.event_lists import EventLists, OwnerRow
from data.queries.live_messages import Posts
from data.queries.rows import every, number, numbers, one
from data.schema.games import games, seats
from data.schema.tournaments import tournament_events, tournament_games, tournament_posts, tournaments
from data.shards import EVERYTHING, Shards


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentRow(OwnerRow):
    """A tournament. ``seeding``: how the order at the start is found; ``lot``: the seed of what is drawn by lot;
    ``contest_id``: the league or team match that it is part of."""

    seeding: str
    lot: str
    contest_id: int | None = None


class TournamentGame(NamedTuple):
    """Which game of a tournament a game is, its status, and the thread that it has, if it has one already. ``round``:
    in an elimination its number in its match."""

    game_id: int
    tournament_id: int
    round: int
    match: str
    white: int
    black: int
    status: str = ""
    channel_id: int | None = None


stored = EventLists(
    tournaments, tournament_events, "tournament", TournamentRow, people=("person", "substitute", "order")
)
posts = Posts(
    tournament_posts,
    owner="tournament_id",
    number="round",
    sign="t",
    lasting=("announcement", "round", "standings", "podium"),
)


async def newest_in(tx: AsyncConnection, channel_id: int) -> int | None:
    """The newest tournament of a channel; one that is not over before those that are, one by itself before those of
    leagues and team matches."""
    query = (
        sa.select(tournaments.c.id)
        .where(tournaments.c.channel_id == channel_id)
        .order_by((tournaments.c.status == "over"), tournaments.c.contest_id.is_not(None), tournaments.c.id.desc())
        .limit(1)
    )
    return await number(tx, query)


async def of_server(tx: AsyncConnection, guild_id: int, most: int) -> list[TournamentRow]:
    """The newest tournaments of a server."""
    query = sa.select(tournaments).where(tournaments.c.guild_id == guild_id)
    return await every(tx, query.order_by(tournaments.c.id.desc()).limit(most), TournamentRow)


async def cancelled(tx: AsyncConnection, ids: Sequence[int]) -> set[int]:
    """Which of some tournaments were cancelled."""
    c = tournament_events.c
    query = sa.select(c.tournament_id).where(c.tournament_id.in_(ids), c.action["action"].as_string() == "Cancelled")
    return set(await numbers(tx, query))


async def running(tx: AsyncConnection, shards: Shards = EVERYTHING) -> list[int]:
    """The tournaments that are being played on the servers of some shards."""
    theirs = sa.and_(tournaments.c.status == "running", shards.owning(tournaments.c.guild_id))
    return await numbers(tx, sa.select(tournaments.c.id).where(theirs).order_by(tournaments.c.id))


async def limited(tx: AsyncConnection, shards: Shards = EVERYTHING) -> list[tuple[int, int]]:
    """The tournaments that are not over of which it was ever set who may enter, each with its server, on the servers of
    some shards."""
    c = tournaments.c
    is_limit = tournament_events.c.action["action"].as_string() == "Limited"
    query = (
        sa.select(c.id, c.guild_id)
        .join(tournament_events, tournament_events.c.tournament_id == c.id)
        .where(c.status != "over", c.guild_id.is_not(None), is_limit, shards.owning(c.guild_id))
        .distinct()
        .order_by(c.id)
    )
    return [(int(number), int(guild)) for number, guild in await tx.execute(query)]


# Games

_GAME = sa.select(tournament_games, games.c.status, games.c.channel_id).join(
    games, games.c.id == tournament_games.c.game_id
)


async def add_game(tx: AsyncConnection, game: TournamentGame) -> None:
    """Note which game of a tournament a game is."""
    values = {column.name: getattr(game, column.name) for column in tournament_games.c}
    await tx.execute(sa.insert(tournament_games).values(**values))


async def game_of(tx: AsyncConnection, game_id: int) -> TournamentGame | None:
    """Which game of a tournament a game is; None: of none."""
    return await one(tx, _GAME.where(tournament_games.c.game_id == game_id), TournamentGame)


async def games_of(tx: AsyncConnection, tournament_id: int) -> list[TournamentGame]:
    """All games of a tournament, in the order in which they were made."""
    query = _GAME.where(tournament_games.c.tournament_id == tournament_id).order_by(tournament_games.c.game_id)
    return await every(tx, query, TournamentGame)


async def players_of(tx: AsyncConnection, tournament_id: int) -> dict[int, tuple[int | None, ...]]:
    """Who sits at each game of a tournament, by seat."""
    query = (
        sa.select(seats.c.game_id, seats.c.player)
        .join(tournament_games, tournament_games.c.game_id == seats.c.game_id)
        .where(tournament_games.c.tournament_id == tournament_id)
        .order_by(seats.c.game_id, seats.c.seat)
    )
    players: dict[int, tuple[int | None, ...]] = {}
    for game_id, player in await tx.execute(query):
        players[game_id] = (*players.get(game_id, ()), player)
    return players


async def waits_for_thread(tx: AsyncConnection, tournament_id: int) -> bool:
    """Whether a game of a tournament that is being played has no thread yet."""
    query = sa.select(sa.func.count()).select_from(
        tournament_games.join(games, games.c.id == tournament_games.c.game_id)
    )
    waiting = (games.c.status == "running") & games.c.channel_id.is_(None)
    return bool(await number(tx, query.where(tournament_games.c.tournament_id == tournament_id, waiting)))


async def names_by_game(tx: AsyncConnection, game_ids: Sequence[int]) -> dict[int, str]:
    """What the tournaments of games are called; games of none are left out."""
    query = sa.select(tournament_games.c.game_id, tournaments.c.name).join_from(tournament_games, tournaments)
    rows = await tx.execute(query.where(tournament_games.c.game_id.in_(game_ids)))
    return {int(game_id): str(name) for game_id, name in rows}
