"""Ratings of finished games: in the transaction in which a game ends, each of its players' ratings changes, in the pool
of all servers and in that of the game's. Where a result is corrected later, all games since are reckoned anew."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.model.game import Game
from bot.i18n import N_
from bot.ratings import pools
from bot.ratings.glicko2 import Ending, FinishedGame, Rating, why_not_rated
from bot.ratings.pools import RatedGame, RatingStep
from bot.tournaments.formats.open_games import OpenGame, known_by, of_table, placing
from bot.tournaments.model.events import ArenaGame, MatchGame, Scored, TableScored
from bot.tournaments.pairing.record import Mark
from bot.tournaments.use_cases.base import StoredTournament
from data.queries import games as game_queries
from data.queries import ratings as queries
from data.queries.games import SeatRow
from data.queries.ratings import RatedRow, RatingRow

EVERYWHERE = 0
"""The server of the pool of all servers."""

_SCORES = {
    **dict.fromkeys((Mark.WIN, Mark.SHORT_WIN), 1.0),
    **dict.fromkeys((Mark.DRAW, Mark.SHORT_DRAW), 0.5),
    **dict.fromkeys((Mark.LOSS, Mark.SHORT_LOSS), 0.0),
}
"""What marks of games that were played are worth to ratings."""


@dataclass(frozen=True, slots=True)
class RatingChanges:
    """What a game has done to ratings: by person before and after, as people read them, in the pool of the game's
    server (without one, of all). Or why it has done nothing."""

    ratings: tuple[tuple[int, str, str], ...] = ()
    why_not: str | None = None

    @property
    def as_payload(self) -> dict[str, object]:
        """For an announcement."""
        if self.why_not is not None:
            return {"unrated": self.why_not}
        return {"ratings": [list(each) for each in self.ratings]}


async def rate(tx: AsyncConnection, game: Game, now: int) -> RatingChanges:
    """Rate a game that has just ended. Raises IntegrityError where it was rated already. At a table three who have
    played are rated although another did not come."""
    people = [person for person in game.players if person is not None]
    if len(people) < len(game.players) or game.result is None:
        return RatingChanges(why_not=why_not_rated(FinishedGame(Ending.ABORTED, ())))
    if min(people) <= 0:
        return RatingChanges(why_not=N_("Games with the computer are not rated."))
    came = [seat for seat, place in enumerate(placing(game)) if place] if len(people) > 2 else []
    seats = came if len(came) > 2 else list(range(len(people)))
    reason = why_not_rated(await _ended(tx, game, seats))
    if reason is not None:
        return RatingChanges(why_not=reason)
    pool = pools.pool_of(game.variant_id, len(people))
    scores = [pools.scores_of(game)[seat] for seat in seats]
    people = [people[seat] for seat in seats]
    slow = game.control is None or not game.control.live
    told: tuple[tuple[int, str, str], ...] = ()
    # A game between two servers is neither's own.
    home = EVERYWHERE if game.mirror is not None else game.place.guild_id or EVERYWHERE
    for server in sorted({EVERYWHERE, home}):
        before = [await rating_of(tx, pool, slow, server, person) for person in people]
        after = pools.played(pool, before, scores, now)
        for person, score, was, became in zip(people, scores, before, after, strict=True):
            await queries.put(tx, _row(pool, slow, server, person, became, now))
            noted = RatedRow(
                game_id=game.id,
                server=server,
                person=person,
                before=was.value,
                after=became.value,
                at=now,
                variant_id=pool,
                correspondence=slow,
                score=score,
                deviation=became.deviation,
                volatility=became.volatility,
                games=became.games,
            )
            await queries.note(tx, noted)
        told = tuple(
            (person, pools.shown(pool, was, now), pools.shown(pool, became, now))
            for person, was, became in zip(people, before, after, strict=True)
        )
    return RatingChanges(told)


async def rating_of(tx: AsyncConnection, pool: str, correspondence: bool, server: int, person: int) -> Rating:
    """A person's rating in a pool; the start's where there is none."""
    row = await queries.get(tx, pool, correspondence, server, person)
    return pools.begun(pool) if row is None else of_row(row)


def of_row(row: RatingRow) -> Rating:
    """The rating of a row."""
    return Rating(row.value, row.deviation, row.volatility, row.games, row.at)


# Corrections


InThread = Callable[[Callable[[], Any]], Awaitable[Any]]

Written = Scored | MatchGame | TableScored | ArenaGame
"""A result that a director can write down."""


async def correct(tx: AsyncConnection, in_thread: InThread, game_id: int, scores: Mapping[int, float | None]) -> bool:
    """A game that was rated has another result: ``scores`` by person, None where it is to count no more. Reckons it and
    all later games of its pools anew, beside the event loop. Whether anything has changed."""
    rows = await queries.of_game(tx, game_id)
    if all(row.person not in scores or row.score == scores[row.person] for row in rows):
        return False
    for person, score in scores.items():
        await queries.score(tx, game_id, person, score)
    for row in {row.server: row for row in rows}.values():
        await _again(tx, in_thread, row)
    return True


async def align(tx: AsyncConnection, in_thread: InThread, tournament: StoredTournament, action: Written) -> None:
    """A director has written a result down: where it was played here and rated, the ratings follow the result. One by
    forfeit is not rated."""
    scores: tuple[float | None, ...]
    match action:
        case MatchGame(winner=winner):
            first = 0.5 if winner is None else float(winner == action.white)
            scores = (first, 1.0 - first)
        case TableScored(places=places):
            scores = tuple(float(place) if place else None for place in places)
        case Scored() | ArenaGame():
            scores = (_SCORES.get(action.white_mark), _SCORES.get(action.black_mark))
    await _score(tx, in_thread, tournament, action, scores)


async def unrate(tx: AsyncConnection, in_thread: InThread, tournament: StoredTournament, action: Written) -> None:
    """A result was taken back and nothing stands in its place: its game is not rated."""
    seats = len(action.table) if isinstance(action, TableScored) else 2
    await _score(tx, in_thread, tournament, action, (None,) * seats)


async def _score(
    tx: AsyncConnection,
    in_thread: InThread,
    tournament: StoredTournament,
    action: Written,
    scores: Sequence[float | None],
) -> None:
    """The game of a result has these scores by seat."""
    match action:
        case MatchGame():
            key = OpenGame(action.game, action.match, action.white, action.black)
        case TableScored():
            key = of_table(action.round, action.table)
        case Scored(round=number) | ArenaGame(game=number):
            key = OpenGame(number, "", action.white, action.black)
    for link in tournament.games:
        found = OpenGame(link.round, link.match, link.white, link.black)
        if known_by(found) == known_by(key) and link.status == "finished":
            seats = await game_queries.seat_rows(tx, link.game_id)
            by_seat = scores if found == key else scores[::-1]
            await correct(tx, in_thread, link.game_id, await _by_person(tx, link.game_id, seats, by_seat))


async def _by_person(
    tx: AsyncConnection, game_id: int, seats: Sequence[SeatRow], scores: Sequence[float | None]
) -> dict[int, float | None]:
    """Scores by seat as scores by person. Of two one may have been forgotten by wish: another number stands in its
    place in the ratings; of two forgotten it is not known which is which, nor does it matter any more."""
    if sum(seat.player is None for seat in seats) > 1:
        return {}
    there = {seat.player for seat in seats}
    others = [row.person for row in await queries.of_game(tx, game_id) if row.person not in there]
    stand_in = min(others, default=None)
    people = [stand_in if seat.player is None else seat.player for seat in seats]
    return {person: score for person, score in zip(people, scores, strict=True) if person is not None}


async def _again(tx: AsyncConnection, in_thread: InThread, first: RatedRow) -> None:
    """Reckon the games of a pool from one on anew."""
    pool, slow, server = first.variant_id, first.correspondence, first.server
    rows = await queries.from_on(tx, pool, slow, server, first.at, first.game_id)
    known: dict[int, Rating] = {}
    for person in {row.person for row in rows}:
        last = await queries.last_before(tx, person, pool, slow, server, first.at, first.game_id)
        if last is None:
            continue
        if last.deviation is None or last.volatility is None or last.games is None:
            # It was rated by an older version, which kept less: from the beginning then.
            rows, known = await queries.from_on(tx, pool, slow, server, 0, 0), {}
            break
        at = last.at if last.games else None
        known[person] = Rating(last.after, last.deviation, last.volatility, last.games, at)
    games = games_of(rows)
    reckoned: list[RatingStep] = await in_thread(lambda: pools.reckon(pool, games, known))
    by_key = {(one.game, one.person): one for one in reckoned}
    await queries.rewrite(tx, [_rewritten(row, by_key[row.game_id, row.person]) for row in rows])
    for person, now in {one.person: one.after for one in reckoned}.items():
        if person <= 0:
            continue
        if now.at is None:
            await queries.drop(tx, pool, slow, server, person)
        else:
            await queries.put(tx, _row(pool, slow, server, person, now, now.at))


def games_of(rows: Sequence[RatedRow]) -> list[RatedGame]:
    """The games of rows that stand in their order."""
    found = []
    for (game_id, at), each in groupby(rows, key=lambda row: (row.game_id, row.at)):
        of = list(each)
        changes = tuple(row.after - row.before for row in of)
        found.append(RatedGame(game_id, at, tuple(r.person for r in of), tuple(r.score for r in of), changes))
    return found


def _rewritten(row: RatedRow, now: RatingStep) -> RatedRow:
    after = now.after
    return replace(
        row,
        before=now.before.value,
        after=after.value,
        deviation=after.deviation,
        volatility=after.volatility,
        games=after.games,
    )


def _row(pool: str, slow: bool, server: int, person: int, rating: Rating, at: int) -> RatingRow:
    return RatingRow(
        variant_id=pool,
        correspondence=slow,
        server=server,
        person=person,
        value=rating.value,
        deviation=rating.deviation,
        volatility=rating.volatility,
        games=rating.games,
        at=at,
    )


async def _ended(tx: AsyncConnection, game: Game, seats: Sequence[int]) -> FinishedGame:
    turns = tuple(sum(entry.kind == "turn" and entry.seat == seat for entry in game.line) for seat in seats)
    last = game.entries[-1]
    if game.status == "aborted":
        return FinishedGame(Ending.ABORTED, turns)
    if last.kind != "timeout" or len(game.players) > 2:
        # At a table the others have played for their places, whoever has left.
        return FinishedGame(Ending.PLAYED, turns)
    late = game.players[last.seat]
    assert late is not None
    return FinishedGame(
        Ending.TIMEOUT,
        turns,
        earlier_timeout=await queries.last_timeout(tx, late, game.id),
        last_turn=await queries.last_turn(tx, late),
    )
