"""Pools of ratings, and what their games add up to. Pure.

A pool's name is its variant's, with ``/table`` behind it for tables of three to six, whose ratings are of another kind
(bot.ratings). Both kinds are handled here as one value on one scale: 1500 at the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.games.model.game import Game
from bot.ratings.glicko2 import START, Rating, TableRating, after_game, after_table

TABLE: Final = "/table"
_SCALE: Final = 40.0


def pool_of(variant_id: str, players: int) -> str:
    """The name of the pool that a game of so many counts in."""
    return variant_id if players == 2 else variant_id + TABLE


def variant_of(pool: str) -> str:
    """The variant that is played in a pool."""
    return pool.removesuffix(TABLE)


def is_table(pool: str) -> bool:
    return pool.endswith(TABLE)


def begun(pool: str) -> Rating:
    """The rating of who has not played in a pool."""
    return _of_table(TableRating(), None) if is_table(pool) else Rating()


def is_ranked(pool: str, rating: Rating, now: int) -> bool:
    """Whether a rating is sure enough for a list of the best."""
    return _table(rating).is_ranked() if is_table(pool) else rating.is_ranked(now)


def shown(pool: str, rating: Rating, now: int) -> str:
    """A rating as people read it: ``1512``, with a ``?`` where it is not sure."""
    return _table(rating).shown() if is_table(pool) else rating.shown(now)


def order(pool: str, rating: Rating) -> float:
    """What a list of the best is ordered by: the rating, at tables the skill that one has almost surely."""
    return _table(rating).ordinal if is_table(pool) else rating.value


def played(pool: str, before: Sequence[Rating], scores: Sequence[float], now: int) -> tuple[Rating, ...]:
    """Ratings after a game. ``scores``: 1, 0.5 or 0; at a table the places, equal ones shared."""
    if not is_table(pool):
        return after_game(before[0], before[1], scores[0], now)
    after = after_table([_table(each) for each in before], [round(place) for place in scores])
    return tuple(_of_table(each, now) for each in after)


def scores_of(game: Game) -> tuple[float, ...]:
    """What each seat of a finished game has scored, as ``played`` reads it."""
    result = game.result
    assert result is not None
    if len(game.players) == 2:
        first = 0.5 if result.winner is None else 1.0 - result.winner
        return first, 1.0 - first
    return tuple(map(float, places_of(game)))


def places_of(game: Game) -> tuple[int, ...]:
    """The place of each seat at the end of a game of three or more, from 1. Those who played for nothing else any more
    share one place; who left stands behind all others, the last to leave before the first."""
    result = game.result
    assert result is not None
    home = result.places or (() if result.winner is None else (result.winner,))
    gone = [entry.seat for entry in game.line if entry.kind in ("resign", "timeout")]
    places = {seat: place for place, seat in enumerate(home, start=1)}
    sharing = [seat for seat in range(len(game.players)) if seat not in places and seat not in gone]
    places |= {seat: len(home) + 1 for seat in sharing}
    behind = len(home) + len(sharing)
    places |= {seat: behind + at for at, seat in enumerate(reversed([s for s in gone if s not in home]), start=1)}
    return tuple(places[seat] for seat in range(len(game.players)))


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game of a pool: when it ended, who played, what each has scored (None: it counts no more), and by how much it
    had changed each rating, for games whose other player is not known any more."""

    id: int
    at: int
    people: tuple[int, ...]
    scores: tuple[float | None, ...]
    changes: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RatingStep:
    """What a game has done to one rating."""

    game: int
    person: int
    before: Rating
    after: Rating


def reckon(pool: str, games: Iterable[RatedGame], known: Mapping[int, Rating]) -> list[RatingStep]:
    """The ratings after each of these games of a pool, in order. ``known``: ratings before the first of them."""
    ratings = dict(known)
    found: list[RatingStep] = []
    for game in games:
        before = [ratings.get(person) or begun(pool) for person in game.people]
        scores = [score for score in game.scores if score is not None]
        if len(scores) < len(game.people):
            after: Sequence[Rating] = before
        elif len(game.people) < 2 or (is_table(pool) and len(game.people) < 3):
            pairs = zip(before, game.changes, strict=True)
            after = [Rating(r.value + by, r.deviation, r.volatility, r.games + 1, game.at) for r, by in pairs]
        else:
            after = played(pool, before, scores, game.at)
        for person, was, became in zip(game.people, before, after, strict=True):
            ratings[person] = became
            found.append(RatingStep(game.id, person, was, became))
    return found


def _table(rating: Rating) -> TableRating:
    return TableRating(25.0 + (rating.value - START) / _SCALE, rating.deviation / _SCALE, rating.games)


def _of_table(rating: TableRating, at: int | None) -> Rating:
    return Rating(rating.value, rating.sigma * _SCALE, 0.0, rating.games, at)
