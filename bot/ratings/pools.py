"""Pools of ratings, and what their games add up to. Pure.

Ratings of tables of three to six are reckoned in another way than those of two (bot.ratings.glicko2), on one scale:
1500 at the start.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from bot.engine.ruleset import server_of
from bot.games.model.game import Game
from bot.games.model.places import places_of
from bot.ratings.glicko2 import RANKED_GAMES, START, START_TABLE_DEVIATION, Rating, after_game, after_table
from bot.support.frozen import frozen

EVERYWHERE: Final = 0
"""The server of the pool of all servers."""

_TABLE: Final = "/table"


@frozen
class RatingPool:
    """Ratings that belong together: of one variant, two or three to six at a table, correspondence apart from live
    games, on one server or EVERYWHERE."""

    variant: str
    correspondence: bool
    table: bool = False
    server: int = EVERYWHERE

    @property
    def key(self) -> tuple[str, bool, int]:
        """How the store names it: the variant, with the word behind for tables, and the rest."""
        return self.variant + (_TABLE if self.table else ""), self.correspondence, self.server

    @classmethod
    def of(cls, variant_id: str, correspondence: bool, server: int) -> RatingPool:
        return cls(variant_id.removesuffix(_TABLE), correspondence, variant_id.endswith(_TABLE), server)


def pools_of(variant: str, *, correspondence: bool, table: bool, server: int | None) -> tuple[RatingPool, ...]:
    """The pools that a game counts in: the one of all servers, and its server's where it has one. A variant of a
    server's own has a pool on that server alone."""
    own = server_of(variant)
    servers = (own,) if own is not None else (EVERYWHERE, server) if server else (EVERYWHERE,)
    return tuple(RatingPool(variant, correspondence, table, each) for each in servers)


def start_of(pool: RatingPool) -> Rating:
    """The rating of who has not played in a pool."""
    return Rating(START, START_TABLE_DEVIATION, 0.0) if pool.table else Rating()


def is_ranked(pool: RatingPool, rating: Rating, now: int) -> bool:
    """Whether a rating is sure enough for a list of the best."""
    return rating.games >= RANKED_GAMES if pool.table else rating.is_ranked(now)


def shown(pool: RatingPool, rating: Rating, now: int) -> str:
    """A rating as people read it: ``1512``, with a ``?`` where it is not sure."""
    if not pool.table:
        return rating.shown(now)
    return f"{round(rating.value)}{'' if is_ranked(pool, rating, now) else '?'}"


def order(pool: RatingPool, rating: Rating) -> float:
    """What a list of the best is ordered by: the rating, at tables the skill that one has almost surely."""
    return rating.value - 3.0 * rating.deviation if pool.table else rating.value


def played(pool: RatingPool, before: Sequence[Rating], scores: Sequence[float], now: int) -> tuple[Rating, ...]:
    """Ratings after a game. ``scores``: 1, 0.5 or 0; at a table the places, equal ones shared."""
    if not pool.table:
        return after_game(before[0], before[1], scores[0], now)
    return after_table(before, [round(place) for place in scores], now)


def scores_of(game: Game) -> tuple[float, ...]:
    """What each seat of a finished game has scored, as ``played`` reads it."""
    result = game.result
    assert result is not None
    if len(game.players) == 2:
        first = 0.5 if result.winner is None else 1.0 - result.winner
        return first, 1.0 - first
    return tuple(map(float, places_of(game)))


@frozen
class RatedGame:
    """A game of a pool: when it ended, who played, what each has scored (None: it counts no more), and by how much it
    had changed each rating, for games whose other player is not known any more."""

    id: int
    at: int
    people: tuple[int, ...]
    scores: tuple[float | None, ...]
    changes: tuple[float, ...]


@frozen
class RatingStep:
    """What a game has done to one rating."""

    game: int
    person: int
    before: Rating
    after: Rating


def reckon(pool: RatingPool, games: Iterable[RatedGame], known: Mapping[int, Rating]) -> list[RatingStep]:
    """The ratings after each of these games of a pool, in order. ``known``: ratings before the first of them."""
    ratings = dict(known)
    steps: list[RatingStep] = []
    for game in games:
        before = [ratings.get(person) or start_of(pool) for person in game.people]
        scores = [score for score in game.scores if score is not None]
        if len(scores) < len(game.people):
            after: Sequence[Rating] = before
        elif len(game.people) < 2 or (pool.table and len(game.people) < 3):
            pairs = zip(before, game.changes, strict=True)
            after = [Rating(r.value + by, r.deviation, r.volatility, r.games + 1, game.at) for r, by in pairs]
        else:
            after = played(pool, before, scores, game.at)
        for person, was, became in zip(game.people, before, after, strict=True):
            ratings[person] = became
            steps.append(RatingStep(game.id, person, was, became))
    return steps
