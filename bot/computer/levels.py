"""The levels 1 to 8: how far each looks, how long it may take, and how it errs.

Weak levels err as people do: they look a move or two ahead and are content with a turn that is not much worse than the
best one they see. They never play at random.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from bot.computer.kernels.alphabeta import WON
from bot.computer.search.limits import Limit, SearchResult
from bot.computer.search.think import think
from bot.engine.rules import Rules, State
from bot.engine.turns import Turn

LEVELS = range(1, 9)


@dataclass(frozen=True, slots=True)
class Level:
    """``depth`` is how many plies it looks ahead at most, ``nodes`` and ``seconds`` what it may spend; it is content
    with a turn that is worse than the best by ``careless`` at most, in hundredths of a man (of a row, on a star)."""

    depth: int
    nodes: int
    seconds: float
    careless: int


_LEVELS = (
    Level(depth=1, nodes=2_000, seconds=1.0, careless=80),
    Level(depth=2, nodes=4_000, seconds=1.0, careless=50),
    Level(depth=3, nodes=8_000, seconds=1.0, careless=25),
    Level(depth=4, nodes=15_000, seconds=1.0, careless=12),
    Level(depth=5, nodes=30_000, seconds=1.5, careless=6),
    Level(depth=6, nodes=60_000, seconds=2.0, careless=4),
    Level(depth=9, nodes=200_000, seconds=3.0, careless=0),
    Level(depth=60, nodes=1_000_000, seconds=4.0, careless=0),
)

# On a star no level takes longer than in draughts.
_ON_A_STAR = (
    Level(depth=1, nodes=2_000, seconds=1.0, careless=400),
    Level(depth=1, nodes=2_000, seconds=1.0, careless=200),
    Level(depth=1, nodes=2_000, seconds=1.0, careless=90),
    Level(depth=1, nodes=2_000, seconds=1.0, careless=10),
    Level(depth=2, nodes=2_000, seconds=1.0, careless=5),
    Level(depth=3, nodes=2_000, seconds=1.5, careless=80),
    Level(depth=4, nodes=4_000, seconds=2.0, careless=0),
    Level(depth=12, nodes=12_000, seconds=3.0, careless=0),
)

_RATINGS = (500, 890, 1200, 1420, 1580, 1730, 1940, 2190)
_RATINGS_ON_A_STAR = (500, 630, 830, 1000, 1160, 1510, 1670, 1970)

VARIETY = 6
"""How much worse a turn may be to be played for a change in the opening, in hundredths of a man."""
OPENING_TURNS = 6
"""Turns of a game, by both, in which there is variety."""

LOST = 700
"""A computer that is behind by this much after its search has lost, in hundredths of a man."""
EVEN = 30
"""Less than this either way is even."""


KNOWS_ENDGAMES = 7
"""The lowest level that looks into endgame tables."""

ROWS = 5
"""How much more a hundredth of a man is than a hundredth of a row on a star."""


class Choice(NamedTuple):
    """What the computer does: the turn, whether it would rather resign, and whether it would be content with a draw."""

    turn: Turn
    resigns: bool
    draws: bool
    result: SearchResult


def level_of(number: int, family: str = "draughts") -> Level:
    """The level 1 to 8 in a family of games. Raises ValueError."""
    if number not in LEVELS:
        raise ValueError(f"there is no level {number}; the levels are {LEVELS[0]} to {LEVELS[-1]}")
    return (_ON_A_STAR if family == "star" else _LEVELS)[number - 1]


def rating_of(number: int, family: str = "draughts") -> int:
    """About how strong a level is, level 1 being called 500: from matches of each with the one below
    (benchmarks/strength.py). It tells how far levels are from each other, not from people. Raises ValueError."""
    level_of(number, family)
    return (_RATINGS_ON_A_STAR if family == "star" else _RATINGS)[number - 1]


def limit_of(rules: Rules, number: int, played: int | None = None) -> Limit:
    """What a level may spend on a turn; ``played``: how many turns the game has seen, None if that is not known. Raises
    ValueError for a level that there is not."""
    level = level_of(number, rules.variant.family)
    variety = VARIETY if played is not None and played < OPENING_TURNS else 0
    margin = max(level.careless, variety * (ROWS if rules.variant.family == "star" else 1))
    return Limit(level.seconds, level.nodes, level.depth, margin=margin, endgames=number >= KNOWS_ENDGAMES)


def choose(rules: Rules, state: State, level: int, seed: int, played: int | None = None) -> Choice:
    """What a level does in a state: for one seed and one state the same, unless the time ran out.

    Raises ValueError for a level that there is not, limits.GameOverError where there is nothing to do.
    """
    limit = limit_of(rules, level, played)
    result = think(rules, state, limit)
    turn = pick(result, limit.margin, Random(f"{seed} {rules.position(state)}"))
    return Choice(turn, resigns(rules, result), content(rules, result), result)


def pick(result: SearchResult, margin: int, random: Random) -> Turn:
    """One of the turns within the margin, the better the likelier. A win is never given away for another."""
    best = result.score
    if not margin or abs(best) > WON:
        return result.turn
    among = [(turn, score) for turn, score in result.ranked if best - score <= margin]
    weights = [1 + margin - (best - score) for _, score in among]
    return random.choices([turn for turn, _ in among], weights)[0]


def resigns(rules: Rules, result: SearchResult) -> bool:
    """Whether the game is lost beyond doubt: a forced loss is seen, or there are three kings too few. On a star nobody
    resigns to a computer's taste: the last pegs are walked home."""
    if rules.variant.family != "draughts":
        return False
    return result.score < -WON or (result.depth >= 4 and result.score < -LOST)


def content(rules: Rules, result: SearchResult) -> bool:
    """Whether a draw is fair or better: the search looked far enough and sees nothing to play for."""
    return rules.variant.family == "draughts" and result.depth >= 4 and result.score < EVEN
