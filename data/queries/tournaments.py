"""Queries on tournaments: their events, games and posts. Each takes the transaction in which it works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from data.queries import event_lists, live_messages
from data.queries.rows import new, number
from data.schema import games, tournament_events, tournament_games, tournament_posts, tournaments


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentRow:
    """A row of ``tournaments``, as data.schema says."""

    id: int = 0
    guild_id: int | None
    channel_id: int
    name: str
    variant_id: str
    options: Mapping[str, Any]
    clock: str
    rated: bool
    seeding: str
    lot: str
    plan: Mapping[str, Any]
    directors: Sequence[int]
    status: str
    made_at: int
    source: str
    contest_id: int | None = None


@dataclass(frozen=True, slots=True)
class EventRow:
    """A row of ``tournament_events``."""

    number: int
    at: int
    by: int
    action: Mapping[str, Any]
    reason: str


@dataclass(frozen=True, slots=True)
class TournamentGame:
    """A row of ``tournament_games`` with its game's status. ``round``: of an elimination the game's number in its
    match."""

    game_id: int
    tournament_id: int
    round: int
    match: str
    white: int
    black: int
    status: str = ""


@dataclass(frozen=True, slots=True)
class PostRow:
    """A row of ``tournament_posts``: a message that is to show how a tournament stands."""

    id: int
    tournament_id: int
    kind: str
    round: int
    wanted: int
    said: int
    made_at: int
    message_id: int | None

    @property
    def nonce(self) -> str:
        """What Discord recognises a second try by."""
        return f"t{self.id}.{self.made_at:x}"[:25]


async def add(tx: AsyncConnection, row: TournamentRow) -> int:
    """A new tournament; its id. IntegrityError when its source is there already."""
    result = await tx.execute(sa.insert(tournaments).values(**new(row)).returning(tournaments.c.id))
    return int(result.scalar_one())


async def get(tx: AsyncConnection, tournament_id: int, *, to_change: bool = False) -> TournamentRow | None:
    """A tournament's row. ``to_change`` keeps other writers from it until the transaction ends."""
    query = sa.select(tournaments).where(tournaments.c.id == tournament_id)
    row = (await tx.execute(query.with_for_update() if to_change else query)).mappings().first()
    return None if row is None else TournamentRow(**row)


async def change(tx: AsyncConnection, tournament_id: int, **values: Any) -> None:
    await tx.execute(sa.update(tournaments).where(tournaments.c.id == tournament_id).values(**values))


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
    rows = await tx.execute(query.order_by(tournaments.c.id.desc()).limit(most))
    return [TournamentRow(**row) for row in rows.mappings()]


async def running(tx: AsyncConnection) -> list[int]:
    """The tournaments that are being played."""
    query = sa.select(tournaments.c.id).where(tournaments.c.status == "running").order_by(tournaments.c.id)
    return [int(number) for number in (await tx.execute(query)).scalars()]


async def by_source(tx: AsyncConnection, source: str) -> int | None:
    """The tournament that a source has created or changed already."""
    return await event_lists.by_source(tx, tournaments, tournament_events, "tournament", source)


async def events(tx: AsyncConnection, tournament_id: int) -> list[EventRow]:
    """All events of a tournament, in order."""
    c = tournament_events.c
    query = sa.select(c.number, c.at, c.by, c.action, c.reason).where(c.tournament_id == tournament_id)
    return [EventRow(*row) for row in await tx.execute(query.order_by(c.number))]


async def add_event(tx: AsyncConnection, tournament_id: int, event: EventRow, source: str) -> None:
    """Append an event. IntegrityError when its number or its source is there already."""
    values = {"number": event.number, "at": event.at, "by": event.by, "action": event.action, "reason": event.reason}
    await tx.execute(sa.insert(tournament_events).values(tournament_id=tournament_id, source=source, **values))


# Games

_GAME = sa.select(
    tournament_games.c.game_id,
    tournament_games.c.tournament_id,
    tournament_games.c.round,
    tournament_games.c.match,
    tournament_games.c.white,
    tournament_games.c.black,
    games.c.status,
).join_from(tournament_games, games, games.c.id == tournament_games.c.game_id)


async def add_game(tx: AsyncConnection, game: TournamentGame) -> None:
    """Note which game of a tournament a game is."""
    await tx.execute(
        sa.insert(tournament_games).values(
            game_id=game.game_id,
            tournament_id=game.tournament_id,
            round=game.round,
            match=game.match,
            white=game.white,
            black=game.black,
        )
    )


async def game_of(tx: AsyncConnection, game_id: int) -> TournamentGame | None:
    """Which game of a tournament a game is; None: of none."""
    row = (await tx.execute(_GAME.where(tournament_games.c.game_id == game_id))).first()
    return None if row is None else TournamentGame(*row)


async def games_of(tx: AsyncConnection, tournament_id: int) -> list[TournamentGame]:
    """All games of a tournament, in the order in which they were made."""
    query = _GAME.where(tournament_games.c.tournament_id == tournament_id).order_by(tournament_games.c.game_id)
    return [TournamentGame(*row) for row in await tx.execute(query)]


async def names_by_game(tx: AsyncConnection, game_ids: Sequence[int]) -> dict[int, str]:
    """What the tournaments of games are called; games of none are left out."""
    query = sa.select(tournament_games.c.game_id, tournaments.c.name).join_from(tournament_games, tournaments)
    rows = await tx.execute(query.where(tournament_games.c.game_id.in_(game_ids)))
    return {int(game_id): str(name) for game_id, name in rows}


# Posts

_POST = sa.select(tournament_posts)


async def request(tx: AsyncConnection, tournament_id: int, kind: str, at: int, round_number: int = 0) -> int:
    """Let a message show how the tournament stands: a new one, or the one that is there, edited. How often that has
    been wanted by now."""
    key = {"tournament_id": tournament_id, "kind": kind, "round": round_number}
    return await live_messages.request(tx, tournament_posts, key, {"made_at": at})


async def pending(tx: AsyncConnection, tournament_id: int | None = None) -> list[PostRow]:
    """The messages that say less than is wanted, in order: of one tournament, or of all."""
    c = tournament_posts.c
    query = _POST.where(c.wanted > c.said).order_by(c.id)
    if tournament_id is not None:
        query = query.where(c.tournament_id == tournament_id)
    return [PostRow(**row) for row in (await tx.execute(query)).mappings()]


async def is_post(tx: AsyncConnection, message_id: int) -> bool:
    """Whether a message is kept as one of a tournament."""
    return await live_messages.is_post(tx, tournament_posts, message_id)


async def mark_posted(tx: AsyncConnection, post_id: int, wanted: int, message_id: int | None) -> None:
    """Note that a message shows what was wanted when the post was read."""
    await live_messages.mark_posted(tx, tournament_posts, post_id, wanted, message_id)


# Privacy

_PEOPLE = ("person", "substitute", "order")


async def of_person(tx: AsyncConnection, person: int) -> list[dict[str, Any]]:
    """What is kept of a person in tournaments: which it directs, and the events that name it or are its doing."""
    return await event_lists.of_person(tx, tournaments, tournament_events, "tournament", _PEOPLE, person)


async def forget(tx: AsyncConnection, person: int) -> None:
    """Take a person off all tournaments: in each, a number that is nobody's id stands in its place."""
    await event_lists.forget(tx, tournaments, tournament_events, "tournament", _PEOPLE, person)
