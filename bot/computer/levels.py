"""The levels 1 to 8: how far each looks, how long it may take, and how it errs.

Weak levels err as people do: they look a move or two ahead and are content with a turn that is not much worse than the
best one they see; the weakest overlook now and then what the other can take. They never play at random.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from random import Random
from typing import NamedTuple

from bot.computer.kernels.search_room import WON
from bot.computer.search.limits import Limit, SearchResult
from bot.computer.search.race import MOST_TURNS_PARTED, WALLED_IN, first_turn_home, idle_turns, parted, stalls
from bot.computer.search.think import think
from bot.engine.rules import Rules, State
from bot.engine.star.rules import StarRules
from bot.engine.star.state import StarState
from bot.engine.turns import Turn
from bot.engine.variants import Variant


class Level(NamedTuple):
    """``depth`` is how many plies it looks ahead at most, ``nodes`` and ``seconds`` what it may spend; it is content
    with a turn that is worse than the best by ``careless`` at most, in hundredths of a man (of a row, on a star). Of a
    hundred turns it makes so many (``overlooks``) without a look at what the other can take. ``rating``: about how
    strong it is; it tells how far levels of a family are from each other, not from people."""

    depth: int
    nodes: int
    seconds: float
    careless: int
    rating: int
    overlooks: int = 0


_FILE = tomllib.loads(files("data").joinpath("levels.toml").read_text("utf-8"))
_MEASURED = frozenset(_FILE.pop("measured"))
_LEVELS = {family: tuple(Level(**level) for level in levels) for family, levels in _FILE.items()}

LEVELS = range(1, 1 + len(_LEVELS["draughts"]))

VARIETY = 6
"""How much worse a turn may be to be played for a change in the opening, in hundredths of a man."""
OPENING_TURNS = 6
"""Turns of a game, by both, in which there is variety."""

LOST = 700
"""A computer that is behind by this much after its search has lost, in hundredths of a man."""
EVEN = 30
"""Less than this either way is even."""

JUDGE = 6
"""The level that judges an offer of a draw, where the computer's own is weaker."""
NO_DRAW_BEFORE = 20
"""Turns, by both, before which the computer agrees to no draw: nobody has played yet."""
DULL = 8
"""Own turns in a row without anything to play for, after which the computer offers a draw,"""
OFFERS_FROM = 60
"""in a game of so many turns, by both."""
QUIET = 15
"""Less than this either way is nothing to play for, in hundredths of a man."""

LOST_FOR = {1: 12, 2: 12, 3: 10, 4: 8, 5: 6, 6: 5, 7: 3, 8: 3, 9: 3}
"""By level, how many own turns in a row a game must be lost before the computer resigns. Weak levels often believe a
game lost that is not, and people like to finish theirs. 9 is somebody else's engine."""

KNOWS_ENDGAMES = 7
"""The lowest level that looks into endgame tables, and on a star for the shortest way home."""

ROWS = 5
"""How much more a hundredth of a man is than a hundredth of a row on a star."""


class Choice(NamedTuple):
    """What the computer does: the turn, whether it would rather resign, and whether it would be content with a draw."""

    turn: Turn
    resigns: bool
    draws: bool
    result: SearchResult


def find_level(number: int, family: str = "draughts") -> Level:
    """The level 1 to 8 in a family of games. Raises ValueError."""
    if number not in LEVELS:
        raise ValueError(f"there is no level {number}; the levels are {LEVELS[0]} to {LEVELS[-1]}")
    return _LEVELS[family][number - 1]


def ratings(variant: Variant) -> tuple[int, ...]:
    """The ratings of all levels in a game in which they were measured, () in any other."""
    return tuple(level.rating for level in _LEVELS[variant.family]) if variant.id in _MEASURED else ()


def limit_of(rules: Rules, number: int, played: int | None = None) -> Limit:
    """What a level may spend on a turn; ``played``: how many turns the game has seen, None if that is not known. Raises
    ValueError for a level that there is not."""
    level = find_level(number, rules.variant.family)
    variety = VARIETY if played is not None and played < OPENING_TURNS else 0
    margin = max(level.careless, variety * (ROWS if rules.variant.family == "star" else 1))
    endgames, highest = number >= KNOWS_ENDGAMES, number == LEVELS[-1]
    return Limit(
        level.seconds, level.nodes, level.depth, margin=margin, endgames=endgames, continued=highest, fading=highest
    )


def choose(
    rules: Rules, state: State, level: int, seed: int, played: int | None = None, states: Sequence[State] = ()
) -> Choice:
    """What a level does in a state: for one seed and one state the same, unless the time ran out, or the level goes on
    from what it has seen earlier in this game. ``states``: the game so far, this state last, where it is known: on a
    star a player that gets nowhere sees it there.

    Raises ValueError for a level that there is not, limits.GameOverError where there is nothing to do.
    """
    limit, random = limit_of(rules, level, played), Random(f"{seed} {rules.position(state)}")
    overlooks = find_level(level, rules.variant.family).overlooks
    if overlooks and random.randrange(100) < overlooks:
        limit = replace(limit, depth=0)
    result = think(rules, state, limit)
    turn = pick(result, limit.margin, random)
    gives_up = resigns(rules, result)
    if isinstance(rules, StarRules) and isinstance(state, StarState):
        idle = idle_turns(rules, [one for one in states if isinstance(one, StarState)] or [state])
        gives_up = idle >= WALLED_IN
        if level >= KNOWS_ENDGAMES and parted(rules, state):
            turn = first_turn_home(rules, state, MOST_TURNS_PARTED)
        elif stalls(rules, state, turn, idle):
            turn = first_turn_home(rules, state)
    return Choice(turn, gives_up, content(rules, result), result)


def pick(result: SearchResult, margin: int, random: Random) -> Turn:
    """One of the turns within the margin, the better the likelier: of those whose scores are of one depth. A win is
    never given away for another."""
    best = result.score
    if not margin or abs(best) > WON:
        return result.turn
    among = [
        (turn, score) for turn, score in result.ranked if best - score <= margin and turn.text not in result.unfinished
    ]
    weights = [1 + margin - (best - score) for _, score in among]
    return random.choices([turn for turn, _ in among], weights)[0]


def resigns(rules: Rules, result: SearchResult) -> bool:
    """Whether the game is lost beyond doubt: a forced loss is seen, or three kings are missing. In Chinese checkers the
    computer walks its last pegs home, and gives up only where it is walled in."""
    if rules.variant.family != "draughts":
        return False
    return result.score < -WON or (result.depth >= 4 and result.score < -LOST)


def content(rules: Rules, result: SearchResult) -> bool:
    """Whether a draw is fair or better: the search looked far enough and sees nothing to play for."""
    return rules.variant.family == "draughts" and result.depth >= 4 and result.score < EVEN


def judging_level(level: int) -> int:
    """The level that judges an offer of a draw to a computer of ``level``."""
    return max(JUDGE, level)


def may_accept_draw(turns: int) -> bool:
    """Whether so many turns of a game, by both, are enough for a draw."""
    return turns >= NO_DRAW_BEFORE


def accepts_draw(score: int) -> bool:
    """Whether a computer whose game is worth ``score`` agrees to a draw."""
    return score < EVEN


@dataclass(slots=True)
class Mood:
    """How long a computer has believed its game ``lost``, and how long it was ``dull``, in own turns."""

    lost: int = 0
    dull: int = 0

    def gives_up(self, level: int, resigns: bool) -> bool:
        """Whether it resigns on this own turn; ``resigns``: the search sees nothing but a loss."""
        self.lost = self.lost + 1 if resigns else 0
        return self.lost >= LOST_FOR[level]

    def offers_draw(self, turns: int, score: int, *, content: bool, may_offer: bool) -> bool:
        """Whether it offers a draw after this own turn, in a game of so many ``turns`` by both; ``content``: the search
        sees nothing to play for."""
        self.dull = self.dull + 1 if content and abs(score) < QUIET else 0
        if not may_offer or turns < OFFERS_FROM or self.dull < DULL:
            return False
        # Not again before the game has been dull twice as long.
        self.dull = -DULL
        return True
