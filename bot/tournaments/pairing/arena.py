"""An arena: whoever waits is paired with the nearest who waits; nobody meets the same opponent twice running."""

from __future__ import annotations

from collections.abc import Sequence

from bot.support.frozen import frozen
from bot.tournaments.pairing.swiss.matching import best_matching

WIN, DRAW = 2, 1
# A point of score is worth this many of rating when looking for the nearest.
_RATING_OF_A_POINT = 50


@frozen
class Waiting:
    """``whites``: games with white less games with black; ``last_opponent``: of the latest game."""

    player: int
    rating: int
    points: int
    since: int
    whites: int = 0
    last_opponent: int | None = None


def pair_waiting(waiting: Sequence[Waiting]) -> tuple[tuple[int, int], ...]:
    """(white, black) for as many as can be paired, nearest in points and rating; who must wait on has waited least.

    White goes to who has had it less, then to who has waited longer, then to the smaller id."""
    queue = sorted(waiting, key=lambda each: (each.since, each.player))
    count = len(queue)
    # Nobody waits for a player of their own: then that many places stand for going on waiting.
    spare = count

    def cost(i: int, j: int) -> int | None:
        if i >= count:
            return 0
        if j >= count:
            # First of all as few as possible wait on, then those who came last.
            return (1 << 60) + ((count - i) << 40)
        one, other = queue[i], queue[j]
        if other.player == one.last_opponent or one.player == other.last_opponent:
            return None
        gap = abs(one.points - other.points) * _RATING_OF_A_POINT + abs(one.rating - other.rating)
        return min(gap * gap, (1 << 34) - 1) + (abs(one.whites + other.whites) > 1)

    partners = best_matching(count + spare, cost) or {}
    pairs = []
    for i, j in sorted(partners.items()):
        if i < j < count:
            one, other = queue[i], queue[j]
            white, black = (other, one) if other.whites < one.whites else (one, other)
            pairs.append((white.player, black.player))
    return tuple(pairs)


def arena_points(results: Sequence[str], *, streaks: bool = True) -> int:
    """Points of a player's games in order, written 1, = and 0: two, one, none.

    With streaks a game counts double after two wins in a row, until one is not won."""
    total = row = 0
    for result in results:
        doubled = 2 if streaks and row >= 2 else 1
        if result == "1":
            total, row = total + WIN * doubled, row + 1
        else:
            total, row = total + (DRAW * doubled if result == "=" else 0), 0
    return total
