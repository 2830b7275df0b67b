"""Queries on games, their seats and their turns. Each takes the transaction in which it works."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Unpack

import sqlalchemy as sa

from data.connections import AsyncConnection
from data.errors import Changed
from data.execution import Prepared
from data.queries.game_rows import GameChange, GameRow, SeatChange, SeatRow, StandingRow, TurnRow
from data.queries.offers import OfferRow
from data.queries.rows import count, every, new, number, numbers, select
from data.schema.games import acts, games, mirrors, offers, seats, turns
from data.shards import EVERYTHING, Shards

_Game: sa.BindParameter[int] = sa.bindparam("game")

_LATEST = 10_000

# Built once: a statement that is compared by its parts costs as much again as running it.
_GAME_WITH_SEATS = Prepared(
    select(GameRow, games)
    .add_columns(*(seats.c[name] for name in SeatRow._fields))
    .outerjoin(seats, seats.c.game_id == games.c.id)
    .where(games.c.id == _Game)
    .order_by(seats.c.seat)
)
_STANDING_COLUMNS = (games.c.id, games.c.ply, games.c.status, games.c.channel_id, games.c.ended_at)
_STANDING = (
    sa.select(*_STANDING_COLUMNS, *(offers.c[name] for name in OfferRow._fields))
    .outerjoin(offers, sa.and_(offers.c.game_id == games.c.id, offers.c.state == "open"))
    .order_by(offers.c.id)
)
_STANDS = Prepared(_STANDING.where(games.c.id == _Game))
_STANDS_TO_CHANGE = Prepared(_STANDING.where(games.c.id == _Game).with_for_update(of=games))
_SEATS_OF = Prepared(select(SeatRow, seats).where(seats.c.game_id == _Game).order_by(seats.c.seat))
_AFTER = turns.c.number > sa.bindparam("after")
_TURNS_AFTER = Prepared(select(TurnRow, turns).where(turns.c.game_id == _Game, _AFTER).order_by(turns.c.number))
# A game of two servers runs in its second thread too.
_RUNNING_IN = sa.union_all(
    sa.select(games.c.id).where(games.c.channel_id == sa.bindparam("channel"), games.c.status == "running"),
    sa.select(games.c.id)
    .join(mirrors, mirrors.c.game_id == games.c.id)
    .where(mirrors.c.channel_id == sa.bindparam("channel"), games.c.status == "running"),
)
_RUNS_IN = Prepared(_RUNNING_IN)
_STANDS_IN = Prepared(_STANDING.where(games.c.id.in_(_RUNNING_IN)))
_WITH_COMPUTER = sa.select(seats.c.game_id).where(seats.c.player < 0)
_ADD_GAME = sa.insert(games).returning(games.c.id)
_ADD_TURN = Prepared(sa.insert(turns))
_ADD_ACT = sa.insert(acts)
_CHANGE_GAME = Prepared(sa.update(games).where(games.c.id == _Game))
_BY_SOURCE = Prepared(
    sa.union_all(*(sa.select(each.c.game_id).where(each.c.source == sa.bindparam("source")) for each in (turns, acts)))
)


async def add_game(tx: AsyncConnection, game: GameRow, rows: Iterable[SeatRow]) -> int:
    """A new game with its seats; its id: the one that it has, which is free, or the next."""
    given = {"id": game.id} if game.id else {}
    result = await tx.execute(_ADD_GAME, {**new(game), "options": dict(game.options), **given})
    game_id = int(result.scalar_one())
    if given and tx.dialect.name == "postgresql":
        # It counts on by itself, whatever ids were taken.
        largest = sa.select(sa.func.max(games.c.id)).scalar_subquery()
        await tx.execute(sa.select(sa.func.setval("games_id_seq", largest)))
    await _add_seats(tx, game_id, rows)
    return game_id


async def game_row(tx: AsyncConnection, game_id: int) -> GameRow | None:
    """The game's row."""
    found = await with_seats(tx, game_id)
    return found and found[0]


async def with_seats(tx: AsyncConnection, game_id: int) -> tuple[GameRow, list[SeatRow]] | None:
    """The game's row, and its seats in order."""
    found = await _GAME_WITH_SEATS.rows(tx, {"game": game_id})
    if not found:
        return None
    many = len(GameRow._fields)
    game = GameRow(**dict(zip(GameRow._fields, found[0][:many], strict=True)))
    return game, [SeatRow(*row[many:]) for row in found if row[many] is not None]


async def standing(tx: AsyncConnection, game_id: int, *, to_change: bool = False) -> StandingRow | None:
    """How a game stands. ``to_change`` keeps other writers from it until the transaction ends."""
    return _standing(await (_STANDS_TO_CHANGE if to_change else _STANDS).rows(tx, {"game": game_id}))


async def must_stand(tx: AsyncConnection, known: StandingRow) -> None:
    """Keep other writers from a game, which is to stand as it is ``known``: else the next statement of the transaction
    that is waited for, or its end, raises Changed."""

    def check(rows: Sequence[Sequence[Any]]) -> None:
        if _standing(rows) != known:
            raise Changed(f"Game {known.id} stands otherwise.")

    await _STANDS_TO_CHANGE.check_later(tx, {"game": known.id}, check)


async def standing_in(tx: AsyncConnection, channel_id: int) -> StandingRow | None:
    """How the game stands that runs in a channel."""
    return _standing(await _STANDS_IN.rows(tx, {"channel": channel_id}))


def _standing(rows: Sequence[Sequence[Any]]) -> StandingRow | None:
    if not rows:
        return None
    many = len(_STANDING_COLUMNS)
    game_id, ply, status, channel_id, ended_at = rows[0][:many]
    # There is but one; if there are more, it is the first.
    open_offers = [OfferRow(*row[many:]) for row in rows if row[0] == game_id and row[many]]
    return StandingRow(game_id, ply, status, channel_id, ended_at, open_offers)


async def change_game(tx: AsyncConnection, game_id: int, **values: Unpack[GameChange]) -> None:
    """Note what has changed of a game."""
    await _CHANGE_GAME.put_off(tx, {"game": game_id, **values})


async def begun_at(tx: AsyncConnection, times: Sequence[int]) -> dict[tuple[str, int | None], list[int]]:
    """The games that began at one of some times, by variant and time."""
    begun: dict[tuple[str, int | None], list[int]] = {}
    for start in range(0, len(times), 500):
        began = games.c.started_at.in_(times[start : start + 500])
        query = sa.select(games.c.id, games.c.variant_id, games.c.started_at).where(began).order_by(games.c.id)
        for game_id, variant_id, at in await tx.execute(query):
            same = begun.setdefault((variant_id, at), [])
            if game_id not in same:
                same.append(int(game_id))
    return begun


async def seat_rows(tx: AsyncConnection, game_id: int) -> list[SeatRow]:
    """The game's seats in order."""
    return [SeatRow(*row) for row in await _SEATS_OF.rows(tx, {"game": game_id})]


async def with_records(tx: AsyncConnection, ids: Sequence[int]) -> list[tuple[GameRow, list[SeatRow], list[TurnRow]]]:
    """Games with all their seats and entries, each in order."""
    found = await _with_seats(tx, select(GameRow, games).where(games.c.id.in_(ids)).order_by(games.c.id))
    records: dict[int, list[TurnRow]] = {}
    query = select(TurnRow, turns).add_columns(turns.c.game_id).where(turns.c.game_id.in_(ids)).order_by(turns.c.number)
    for *entry, game_id in await tx.execute(query):
        records.setdefault(game_id, []).append(TurnRow(*entry))
    return [(row, seated, records.get(row.id, [])) for row, seated in found]


async def change_seat(tx: AsyncConnection, game_id: int, seat: int, **values: Unpack[SeatChange]) -> None:
    """Note what has changed of a seat. IntegrityError when another seat has its colour."""
    await tx.execute(sa.update(seats).where(seats.c.game_id == game_id, seats.c.seat == seat).values(**values))


async def reseat(tx: AsyncConnection, game_id: int, rows: Iterable[SeatRow]) -> None:
    """Write all seats of a game anew."""
    await tx.execute(sa.delete(seats).where(seats.c.game_id == game_id))
    await _add_seats(tx, game_id, rows)


async def _add_seats(tx: AsyncConnection, game_id: int, rows: Iterable[SeatRow]) -> None:
    await tx.execute(sa.insert(seats), [{"game_id": game_id, **row._asdict()} for row in rows])


async def turn_rows(tx: AsyncConnection, game_id: int, after: int = 0) -> list[TurnRow]:
    """The game's entries with numbers above ``after``, in order."""
    return [TurnRow(*row) for row in await _TURNS_AFTER.rows(tx, {"game": game_id, "after": after})]


async def add_turn(tx: AsyncConnection, game_id: int, turn: TurnRow) -> None:
    """Append an entry. IntegrityError, with the next statement or the commit, when its number or its source is there
    already."""
    await _ADD_TURN.put_off(tx, {"game_id": game_id, **new(turn)})


async def add_act(tx: AsyncConnection, *, source: str, what: str, game_id: int, player: int, at: int) -> None:
    """Note what somebody did that is no entry. IntegrityError when the source is there already."""
    await tx.execute(_ADD_ACT, {"source": source, "what": what, "game_id": game_id, "player": player, "at": at})


async def applied(tx: AsyncConnection, source: str) -> bool:
    """Whether ``source`` has brought in an entry or an act before."""
    return bool(await _BY_SOURCE.rows(tx, {"source": source}))


async def running_by_variant(tx: AsyncConnection) -> dict[str, int]:
    """How many games are running, by the id of their variant."""
    query = sa.select(games.c.variant_id, sa.func.count()).where(games.c.status == "running")
    return {str(variant): int(many) for variant, many in await tx.execute(query.group_by(games.c.variant_id))}


async def running_in(tx: AsyncConnection, channel_id: int) -> int | None:
    """The id of the game that runs in a channel."""
    found = await _RUNS_IN.rows(tx, {"channel": channel_id})
    return found[0][0] if found else None


async def played_in(tx: AsyncConnection, channel_id: int) -> list[int]:
    """The running games in a channel, and in threads that were made for games of that channel."""
    return await _running(tx, sa.or_(games.c.channel_id == channel_id, games.c.place_channel_id == channel_id))


def _on(guild_id: int) -> sa.ColumnElement[bool]:
    guests = sa.select(mirrors.c.game_id).where(mirrors.c.guild_id == guild_id)
    return sa.or_(games.c.guild_id == guild_id, games.c.id.in_(guests))


async def played_on(tx: AsyncConnection, guild_id: int) -> list[int]:
    """The running games of a server that has the bot, those included that are played on another one too."""
    return await _running(tx, sa.and_(_on(guild_id), ~games.c.answers_only))


async def servers_played_on(tx: AsyncConnection) -> set[int]:
    """The servers with running games for which they have the bot."""
    running = sa.and_(games.c.status == "running", ~games.c.answers_only)
    own = sa.select(games.c.guild_id).where(running, games.c.guild_id.is_not(None))
    guests = sa.select(mirrors.c.guild_id).join(games, games.c.id == mirrors.c.game_id).where(running)
    return set(await numbers(tx, own.union(guests)))


async def with_computers(tx: AsyncConnection, shards: Shards = EVERYTHING) -> list[int]:
    """The running games in which the computer has a seat: its id is below zero."""
    return await _running(tx, sa.and_(games.c.id.in_(_WITH_COMPUTER), shards.owning(games.c.guild_id)))


async def _running(tx: AsyncConnection, condition: sa.ColumnElement[bool]) -> list[int]:
    query = sa.select(games.c.id).where(games.c.status == "running", condition)
    return await numbers(tx, query.order_by(games.c.id))


async def against_computers(tx: AsyncConnection, player: int) -> int:
    """How many running games a person has that it began against the computer."""
    return await count(tx, games.c.opener == player, games.c.status == "running", games.c.id.in_(_WITH_COMPUTER))


async def hints(tx: AsyncConnection, game_id: int, player: int) -> int:
    """How many hints a person has had in a game."""
    return await count(tx, acts.c.game_id == game_id, acts.c.player == player, acts.c.what == "hint")


async def rematch_of(tx: AsyncConnection, game_id: int) -> int | None:
    """The id of a game's rematch."""
    return await number(tx, sa.select(games.c.id).where(games.c.rematch_of == game_id))


async def open_count(tx: AsyncConnection, opener: int, guild_id: int | None = None) -> int:
    """How many open challenges a person has out: in one server, or in all."""
    on_server = [] if guild_id is None else [games.c.guild_id == guild_id]
    return await count(tx, games.c.opener == opener, games.c.status == "open", *on_server)


async def open_between(
    tx: AsyncConnection, channel_id: int, variant_id: str, opener: int, opponent: int | None
) -> int | None:
    """The id of an open challenge in a channel to one game, from one of two people to the other; of one to anyone when
    ``opponent`` is None."""
    invited = sa.select(seats.c.invited).where(seats.c.game_id == games.c.id, seats.c.invited.is_not(None))
    query = sa.select(games.c.id).where(
        games.c.status == "open", games.c.place_channel_id == channel_id, games.c.variant_id == variant_id
    )
    if opponent is None:
        query = query.where(games.c.opener == opener, ~invited.exists())
    else:
        query = query.where(
            sa.or_(
                sa.and_(games.c.opener == opener, sa.literal(opponent).in_(invited)),
                sa.and_(games.c.opener == opponent, sa.literal(opener).in_(invited)),
            )
        )
    return await number(tx, query.limit(1))


async def going_on(
    tx: AsyncConnection, player: int, guild_id: int | None = None
) -> list[tuple[GameRow, list[SeatRow]]]:
    """The open and running games in which a person sits or is invited, with all their seats."""
    mine = sa.select(seats.c.game_id).where(sa.or_(seats.c.player == player, seats.c.invited == player))
    query = select(GameRow, games).where(games.c.id.in_(mine), games.c.status.in_(("open", "running")))
    if guild_id is not None:
        query = query.where(_on(guild_id))
    return await _with_seats(tx, query.order_by(games.c.id))


async def over(
    tx: AsyncConnection, player: int, guild_id: int | None, most: int
) -> list[tuple[GameRow, list[SeatRow]]]:
    """The finished games in which a person sat, the latest first, with all their seats."""
    mine = sa.select(seats.c.game_id).where(seats.c.player == player)
    query = select(GameRow, games).where(games.c.id.in_(mine), games.c.status == "finished")
    if guild_id is not None:
        query = query.where(_on(guild_id))
    return await _with_seats(tx, query.order_by(games.c.ended_at.desc(), games.c.id.desc()).limit(most))


async def last_in(tx: AsyncConnection, channel_id: int, player: int) -> int | None:
    """The id of the game of a channel that ended last of those in which a person sat."""
    mine = sa.select(seats.c.game_id).where(seats.c.player == player)
    ended = games.c.status.in_(("finished", "aborted")) & (games.c.channel_id == channel_id)
    query = sa.select(games.c.id).where(games.c.id.in_(mine), ended)
    return await number(tx, query.order_by(games.c.ended_at.desc(), games.c.id.desc()).limit(1))


async def variants_played(tx: AsyncConnection, guild_id: int) -> list[str]:
    """The variants played on a server, the most played first. Only the store's latest games are looked at, as no index
    leads to a server's."""
    latest = sa.select(sa.func.coalesce(sa.func.max(games.c.id), 0) - _LATEST).scalar_subquery()
    query = sa.select(games.c.variant_id, sa.func.count()).where(games.c.id > latest, games.c.guild_id == guild_id)
    played = (await tx.execute(query.group_by(games.c.variant_id))).all()
    return [str(variant_id) for variant_id, _many in sorted(played, key=lambda row: (-row[1], row[0]))]


async def _with_seats(tx: AsyncConnection, query: sa.Select[Any]) -> list[tuple[GameRow, list[SeatRow]]]:
    rows = await every(tx, query, GameRow)
    of = seats.c.game_id.in_([row.id for row in rows])
    places: dict[int, list[SeatRow]] = {}
    seated = select(SeatRow, seats).add_columns(seats.c.game_id).where(of).order_by(seats.c.seat)
    for *place, game_id in await tx.execute(seated):
        places.setdefault(game_id, []).append(SeatRow(*place))
    return [(row, places.get(row.id, [])) for row in rows]


async def of_player(tx: AsyncConnection, player: int, ids: Sequence[int]) -> list[int]:
    """Of games, those in which a person sits, in order."""
    query = sa.select(seats.c.game_id).where(seats.c.player == player, seats.c.game_id.in_(ids))
    return sorted(await numbers(tx, query))


async def ids_after(tx: AsyncConnection, game_id: int, limit: int) -> list[int]:
    """The ids of games above ``game_id``, in order, at most ``limit``."""
    query = sa.select(games.c.id).where(games.c.id > game_id).order_by(games.c.id).limit(limit)
    return await numbers(tx, query)
