"""Queries on analyses and puzzles."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, NamedTuple, TypedDict, Unpack

import sqlalchemy as sa

from data.connections import AsyncConnection
from data.execution import Prepared
from data.queries.rows import Options, count, every, new, one, put_row, put_values
from data.schema.games import games, rulesets, seats
from data.schema.study import analyses, daily_puzzles, puzzle_solvers, puzzle_tries, puzzles

OF_SERVER: Final = "@"
"""What stands in the ids of servers' own variants, and in no others (bot.engine.ruleset)."""


class RatingChange(TypedDict):
    """What a solution changes of the rating of a puzzle, or of somebody who solves them."""

    value: float
    deviation: float
    volatility: float
    games: int
    rated_at: int | None


class PuzzleRow(NamedTuple):
    """A puzzle. ``solution``: the solver's turns, and between them the answers; ``game_id``: the game that it was found
    in, where it is one of this store; ``rules_hash``: the text of its rules, which is read beside the row as
    ``rules_text``; ``themes``: with a blank before and behind each, None where they are not known yet; without an
    ``id`` it is to be added."""

    value: float
    deviation: float
    volatility: float
    games: int
    rated_at: int | None
    variant_id: str
    options: Options
    position: str
    solution: Sequence[str]
    game_id: int | None
    made_at: int
    id: int = 0
    rules_hash: str | None = None
    rules_text: str | None = None
    themes: str | None = None


class SolverRow(NamedTuple):
    """A solver: rating, streaks, and days in a row with one solved up to ``last_day`` (since 1970, UTC)."""

    person: int
    value: float
    deviation: float
    volatility: float
    games: int
    rated_at: int | None
    solved: int = 0
    streak: int = 0
    best_streak: int = 0
    days: int = 0
    last_day: int | None = None


class TryRow(NamedTuple):
    """How far a person has come with a puzzle: ``step`` of their own turns found; "open", "solved" or "failed"."""

    person: int
    puzzle_id: int
    state: str
    step: int
    began_at: int
    ended_at: int | None = None


class DailyRow(NamedTuple):
    """Where a server has its daily puzzle, of which game (None: of any), and the one that was posted last."""

    guild_id: int
    channel_id: int
    variant_id: str | None
    day: int | None = None
    puzzle_id: int | None = None
    message_id: int | None = None


# Analyses


class SeenTurn(NamedTuple):
    """A turn as a search saw it: bot.computer.analysis says what each of these is. Stored as a list, in this order."""

    seat: int
    best: str
    score: int
    played: str
    played_score: int
    choices: int
    depth: int
    line: Sequence[str]
    stake: float


async def analysis(tx: AsyncConnection, game_id: int) -> list[SeenTurn]:
    """What a search has seen of a game so far, turn by turn."""
    seen = (await tx.execute(sa.select(analyses.c.seen).where(analyses.c.game_id == game_id))).scalar()
    # What was seen before a column came is seen anew.
    return [SeenTurn(*turn) for turn in seen or () if len(turn) == len(SeenTurn._fields)]


async def keep_analysis(tx: AsyncConnection, game_id: int, seen: Sequence[SeenTurn], at: int) -> None:
    """Keep what a search has seen of a game, in place of what was kept."""
    await put_values(tx, analyses, {"game_id": game_id}, seen=[list(each) for each in seen], changed_at=at)


async def finished_after(tx: AsyncConnection, at: int, game_id: int) -> tuple[int, int] | None:
    """The finished game that comes after one that came to its end (or into the store) at ``at``, in the order of these
    times and of their numbers: its time and its number."""
    when, number = games.c.changed_at, games.c.id
    later = sa.or_(when > at, sa.and_(when == at, number > game_id))
    query = sa.select(when, number).where(games.c.status == "finished", later).order_by(when, number).limit(1)
    row = (await tx.execute(query)).first()
    return None if row is None else (int(row[0]), int(row[1]))


# Puzzles


async def add_puzzles(tx: AsyncConnection, rows: Sequence[PuzzleRow]) -> int:
    """Keep puzzles; those whose position is known are left out, and take no number. Returns how many are new."""
    places = puzzles.c.variant_id, puzzles.c.position
    there = sa.select(*places).where(
        places[0].in_({row.variant_id for row in rows}), places[1].in_([row.position for row in rows])
    )
    known = {tuple(each) for each in await tx.execute(there)} if rows else set()
    given = {(row.variant_id, row.position): new(row) for row in reversed(rows)}
    values = [given[place] for place in reversed(given) if place not in known]
    for each in values:
        del each["rules_text"]
    if values:
        await tx.execute(sa.insert(puzzles), values)
    return len(values)


_WITH_RULES = sa.select(puzzles, rulesets.c.text.label("rules_text")).outerjoin(
    rulesets, rulesets.c.hash == puzzles.c.rules_hash
)


async def puzzle(tx: AsyncConnection, number: int) -> PuzzleRow | None:
    return await one(tx, _WITH_RULES.where(puzzles.c.id == number), PuzzleRow)


def _nearest(*of_theme: sa.ColumnElement[bool]) -> Prepared:
    """The statement that finds a game's puzzle next to a rating, with its rating: of the first one above and the first
    one below, which an index knows, however many puzzles there are. ``of_theme``: what must hold besides."""
    rating, tries = puzzles.c.value, puzzle_tries.c
    value, person = sa.bindparam("value", type_=sa.Float), sa.bindparam("person", type_=sa.BigInteger)
    of_game = puzzles.c.variant_id == sa.bindparam("variant_id")
    other = puzzles.c.id != sa.bindparam("beside", type_=sa.BigInteger)
    untried = ~sa.exists().where(tries.person == person, tries.puzzle_id == puzzles.c.id)
    sides = (
        sa.select(puzzles.c.id, rating)
        .where(of_game, side, untried, other, *of_theme)
        .order_by(order)
        .limit(1)
        .subquery()
        for side, order in ((rating >= value, rating), (rating < value, rating.desc()))
    )
    found = sa.union_all(*(sa.select(side) for side in sides)).subquery()
    return Prepared(sa.select(found).order_by(sa.func.abs(found.c.value - value), found.c.id).limit(1))


_NEAREST = _nearest()
_NEAREST_OF_THEME = _nearest(puzzles.c.themes.like(sa.bindparam("theme", type_=sa.String)))


async def near(
    tx: AsyncConnection,
    person: int,
    variant_ids: Collection[str],
    value: float,
    *,
    theme: str | None = None,
    beside: int = 0,
) -> PuzzleRow | None:
    """The puzzle that ``person`` has not tried whose rating is nearest to ``value``, of one of these games, with a
    theme if one is given; None where all were tried. ``beside`` is passed over. ``person`` 0: any puzzle."""
    about: dict[str, float | str] = {"person": person, "value": value, "beside": beside}
    query = _NEAREST
    if theme is not None:
        query = _NEAREST_OF_THEME
        about["theme"] = f"% {theme} %"
    found = [row for each in variant_ids for row in await query.rows(tx, {**about, "variant_id": each})]
    if not found:
        return None
    number, _ = min(found, key=lambda row: (abs(row[1] - value), row[0]))
    return await puzzle(tx, int(number))


async def games_played(tx: AsyncConnection, person: int, guild_id: int | None) -> set[str]:
    """The ids of the games that a person has played anywhere, or anybody on a server; servers' own variants apart."""
    mine = games.c.id.in_(sa.select(seats.c.game_id).where(seats.c.player == person))
    where = mine if guild_id is None else mine | (games.c.guild_id == guild_id)
    query = sa.select(games.c.variant_id).where(where, ~games.c.variant_id.contains(OF_SERVER)).distinct()
    return set((await tx.execute(query)).scalars())


async def without_themes(tx: AsyncConnection, most: int) -> list[PuzzleRow]:
    """Puzzles whose themes are not known yet."""
    return await every(tx, _WITH_RULES.where(puzzles.c.themes.is_(None)).order_by(puzzles.c.id).limit(most), PuzzleRow)


async def put_themes(tx: AsyncConnection, number: int, themes: str) -> None:
    await tx.execute(sa.update(puzzles).where(puzzles.c.id == number).values(themes=themes))


async def rate_puzzle(tx: AsyncConnection, number: int, **rating: Unpack[RatingChange]) -> None:
    await tx.execute(sa.update(puzzles).where(puzzles.c.id == number).values(**rating))


async def attempt(tx: AsyncConnection, person: int, number: int) -> TryRow | None:
    """How far a person has come with a puzzle."""
    of = (puzzle_tries.c.person == person, puzzle_tries.c.puzzle_id == number)
    return await one(tx, sa.select(puzzle_tries).where(*of), TryRow)


async def open_attempt(
    tx: AsyncConnection, person: int, variant_id: str | None, theme: str | None = None
) -> TryRow | None:
    """The puzzle that a person began last and has not ended, of one game or of any, with one theme or with any."""
    query = (
        sa.select(puzzle_tries)
        .join(puzzles, puzzles.c.id == puzzle_tries.c.puzzle_id)
        .where(puzzle_tries.c.person == person, puzzle_tries.c.state == "open")
        .order_by(puzzle_tries.c.began_at.desc(), puzzle_tries.c.puzzle_id.desc())
        .limit(1)
    )
    if variant_id is not None:
        query = query.where(puzzles.c.variant_id == variant_id)
    if theme is not None:
        query = query.where(puzzles.c.themes.contains(f" {theme} "))
    return await one(tx, query, TryRow)


async def put_attempt(tx: AsyncConnection, row: TryRow) -> None:
    """Keep how far a person has come with a puzzle."""
    await put_row(tx, puzzle_tries, row)


async def solver(tx: AsyncConnection, person: int) -> SolverRow | None:
    """Somebody who solves puzzles."""
    return await one(tx, sa.select(puzzle_solvers).where(puzzle_solvers.c.person == person), SolverRow)


async def put_solver(tx: AsyncConnection, row: SolverRow) -> None:
    """Keep somebody who solves puzzles."""
    await put_row(tx, puzzle_solvers, row)


# The daily puzzle


async def daily(tx: AsyncConnection, guild_id: int) -> DailyRow | None:
    return await one(tx, sa.select(daily_puzzles).where(daily_puzzles.c.guild_id == guild_id), DailyRow)


async def put_daily(tx: AsyncConnection, row: DailyRow) -> None:
    await put_row(tx, daily_puzzles, row)


async def drop_daily(tx: AsyncConnection, guild_id: int) -> bool:
    """No daily puzzle any more. Returns whether there was one."""
    return bool((await tx.execute(sa.delete(daily_puzzles).where(daily_puzzles.c.guild_id == guild_id))).rowcount)


async def solved_on(tx: AsyncConnection, number: int) -> int:
    """How many people have solved a puzzle."""
    return await count(tx, puzzle_tries.c.puzzle_id == number, puzzle_tries.c.state == "solved")


# Privacy


async def tries_of(tx: AsyncConnection, person: int) -> list[TryRow]:
    """The puzzles that a person has tried."""
    return await every(tx, sa.select(puzzle_tries).where(puzzle_tries.c.person == person), TryRow)
