"""Ratings: Glicko-2 for games of two, Plackett-Luce for games of three to six, and which games are rated.

Glicko-2 follows Mark Glickman's "Example of the Glicko-2 system", updated after every game with the part of a rating
period that has passed, as lichess does, with lichess's constants. Times are UTC milliseconds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from bot.i18n import N_
from bot.support.frozen import frozen
from bot.support.time_units import DAY

TAU = 0.75
PERIODS_PER_DAY = 0.21436
START, START_DEVIATION, START_VOLATILITY = 1500.0, 500.0, 0.09
LEAST, MOST = 400.0, 4000.0
LEAST_DEVIATION, MOST_DEVIATION = 45.0, 500.0
MOST_VOLATILITY = 0.1
MOST_CHANGE = 700.0
# A "?" stands beside a rating from this deviation; a rating is in the list below the other one.
PROVISIONAL_FROM, RANKED_BELOW = 110.0, 80.0
RANKED_GAMES = 5
# openskill's scale, on which a rating starts at 25 with an uncertainty of 25/3, and how much of ours a point of it is.
TABLE_MEAN, TABLE_SCALE = 25.0, 40.0
START_TABLE_DEVIATION = TABLE_MEAN / 3.0 * TABLE_SCALE

_SCALE = 173.7178


@frozen
class Rating:
    """A rating of games of two, or of tables, where there is no volatility and the deviation does not grow. ``at``:
    when it was last changed (ms); None: never."""

    value: float = START
    deviation: float = START_DEVIATION
    volatility: float = START_VOLATILITY
    games: int = 0
    at: int | None = None

    def live_deviation(self, now: int) -> float:
        """The deviation at ``now``: it grows while nobody plays (60 to 110 in a year at volatility 0.06)."""
        grown = math.hypot(self.deviation / _SCALE, self.volatility * math.sqrt(_periods(self.at, now))) * _SCALE
        return min(grown, MOST_DEVIATION)

    def is_provisional(self, now: int) -> bool:
        return self.live_deviation(now) >= PROVISIONAL_FROM

    def is_ranked(self, now: int) -> bool:
        """Whether the rating is sure enough for a list of the best."""
        return self.games >= RANKED_GAMES and self.live_deviation(now) < RANKED_BELOW

    def shown(self, now: int) -> str:
        return f"{round(self.value)}{'?' if self.is_provisional(now) else ''}"


def after_game(first: Rating, second: Rating, score: float, now: int) -> tuple[Rating, Rating]:
    """Both ratings after a game; ``score``: 1 the first has won, 0.5 drawn, 0 lost."""
    return _after(first, second, score, now), _after(second, first, 1.0 - score, now)


def after_table(ratings: Sequence[Rating], places: Sequence[int], now: int) -> tuple[Rating, ...]:
    """Ratings after a game of three to six; ``places``: 1 is the winner, equal numbers share a place.

    Raises ValueError for another number of players."""
    if not 3 <= len(ratings) <= 6 or len(places) != len(ratings):
        raise ValueError(f"{len(ratings)} ratings and {len(places)} places are no table of three to six")
    # Imported where tables are played.
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    scaled = [(TABLE_MEAN + (each.value - START) / TABLE_SCALE, each.deviation / TABLE_SCALE) for each in ratings]
    teams = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in scaled]
    changed = model.rate(teams, ranks=[float(place) for place in places])
    return tuple(
        Rating(START + TABLE_SCALE * (after.mu - TABLE_MEAN), after.sigma * TABLE_SCALE, 0.0, before.games + 1, now)
        for (after,), before in zip(changed, ratings, strict=True)
    )


def glicko2(
    rating: Rating, results: Sequence[tuple[Rating, float]], *, periods: float = 1.0, tau: float = TAU
) -> tuple[float, float, float]:
    """Value, deviation and volatility after these results, without any bounds (steps 2 to 8 of the example).

    ``results``: opponents' ratings and the scores against them; ``periods``: the rating periods that have passed."""
    mu, phi = (rating.value - START) / _SCALE, rating.deviation / _SCALE
    if not results:
        idle = math.hypot(phi, rating.volatility * math.sqrt(periods))
        return rating.value, idle * _SCALE, rating.volatility
    precision = gain = 0.0
    for opponent, score in results:
        weight = 1.0 / math.sqrt(1.0 + 3.0 * (opponent.deviation / _SCALE / math.pi) ** 2)
        expected = 1.0 / (1.0 + math.exp(-weight * (mu - (opponent.value - START) / _SCALE)))
        precision += weight * weight * expected * (1.0 - expected)
        gain += weight * (score - expected)
    variance = 1.0 / precision
    volatility = _volatility(phi, rating.volatility, variance, variance * gain, tau)
    before = math.hypot(phi, volatility * math.sqrt(periods))
    deviation = 1.0 / math.sqrt(1.0 / before**2 + precision)
    return (mu + deviation**2 * gain) * _SCALE + START, deviation * _SCALE, volatility


def _volatility(phi: float, sigma: float, variance: float, delta: float, tau: float) -> float:
    """Step 5: the volatility that fits the surprise, by the Illinois method."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        power = math.exp(x)
        spread = phi**2 + variance + power
        return power * (delta**2 - spread) / (2.0 * spread**2) - (x - a) / tau**2

    low = a
    if delta**2 > phi**2 + variance:
        high = math.log(delta**2 - phi**2 - variance)
    else:
        steps = 1
        while f(a - steps * tau) < 0.0:
            steps += 1
        high = a - steps * tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > 1e-6:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0.0:
            low, f_low = high, f_high
        else:
            f_low /= 2.0
        high, f_high = middle, f_middle
    return math.exp(low / 2.0)


def _after(rating: Rating, opponent: Rating, score: float, now: int) -> Rating:
    value, deviation, volatility = glicko2(rating, [(opponent, score)], periods=_periods(rating.at, now))
    value = min(max(value, rating.value - MOST_CHANGE), rating.value + MOST_CHANGE)
    return Rating(
        value=min(max(value, LEAST), MOST),
        deviation=min(max(deviation, LEAST_DEVIATION), MOST_DEVIATION),
        volatility=min(volatility, MOST_VOLATILITY),
        games=rating.games + 1,
        at=now,
    )


def _periods(since: int | None, now: int) -> float:
    return 0.0 if since is None else max(0, now - since) / DAY * PERIODS_PER_DAY


def why_not_rated(turns: Sequence[int], earlier_timeout: int | None = None, last_turn: int | None = None) -> str | None:
    """Why a game that was played to its end changes no rating, as a sentence; None: it is rated. ``turns``: how many
    each seat has made. Where somebody's time ran out: when it ran out before in another rated game, and when that
    person last made a turn in any game (ms; None: never).

    Of several games that one person abandons only the first is rated: until that person makes a turn again."""
    if not all(turns):
        return N_("Not everyone has made a move.")
    if earlier_timeout is not None and (last_turn is None or last_turn <= earlier_timeout):
        return N_("The same player had already run out of time in another game and has not played since.")
    return None
