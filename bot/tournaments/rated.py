"""Ratings of finished games of two: in the transaction in which a game ends, each of its players' ratings changes, in
the pool of all servers and in that of the game's."""

from __future__ import annotations

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.game import Game
from bot.ratings import Ended, Ending, Rating, after_game, why_not_rated
from data import ratings as queries
from data.ratings import RatingRow

EVERYWHERE = 0
"""The server of the pool of all servers."""


async def rate(tx: AsyncConnection, game: Game, now: int) -> str | None:
    """Rate a game of two that has just ended. Returns why it is not rated, None where it was."""
    first, second = game.players
    if first is None or second is None or game.result is None:
        return "It was aborted."
    reason = why_not_rated(await _ended(tx, game))
    if reason is not None:
        return reason
    winner = game.result.winner
    score = 0.5 if winner is None else 1.0 - winner
    slow = game.control is None or not game.control.live
    for server in {EVERYWHERE, game.place.guild_id or EVERYWHERE}:
        before = [await rating_of(tx, game.variant_id, slow, server, person) for person in (first, second)]
        after = after_game(before[0], before[1], score, now)
        for person, was, became in zip((first, second), before, after, strict=True):
            row = RatingRow(
                variant_id=game.variant_id,
                correspondence=slow,
                server=server,
                person=person,
                value=became.value,
                deviation=became.deviation,
                volatility=became.volatility,
                games=became.games,
                at=now,
            )
            await queries.put(tx, row)
            await queries.note(
                tx, game_id=game.id, server=server, person=person, before=was.value, after=became.value, at=now
            )
    return None


async def rating_of(tx: AsyncConnection, variant_id: str, correspondence: bool, server: int, person: int) -> Rating:
    """A person's rating in a pool; the start's where there is none."""
    row = await queries.get(tx, variant_id, correspondence, server, person)
    return Rating() if row is None else of_row(row)


def of_row(row: RatingRow) -> Rating:
    """The rating of a row."""
    return Rating(row.value, row.deviation, row.volatility, row.games, row.at)


async def _ended(tx: AsyncConnection, game: Game) -> Ended:
    turns = tuple(
        sum(entry.kind == "turn" and entry.seat == seat for entry in game.line) for seat in range(len(game.players))
    )
    last = game.entries[-1]
    if game.status == "aborted":
        return Ended(Ending.ABORTED, turns)
    if last.kind != "timeout":
        return Ended(Ending.PLAYED, turns)
    late = game.players[last.seat]
    assert late is not None
    return Ended(
        Ending.TIMEOUT,
        turns,
        earlier_timeout=await queries.last_timeout(tx, late, game.id),
        last_turn=await queries.last_turn(tx, late),
    )
