"""One way to think for every game: the family decides who searches."""

from __future__ import annotations

from bot.computer.search.draughts import searcher_for
from bot.computer.search.limits import Limit, SearchResult
from bot.computer.search.star import think_on_star
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState
from bot.engine.rules import Rules, State
from bot.engine.star.rules import StarRules
from bot.engine.star.state import StarState


def think(rules: Rules, state: State, limit: Limit) -> SearchResult:
    """The best turn that a search within ``limit`` finds, whatever the game. Raises limits.GameOverError."""
    if isinstance(rules, DraughtsRules) and isinstance(state, DraughtsState):
        return searcher_for(rules).think(state, limit)
    if isinstance(rules, StarRules) and isinstance(state, StarState):
        return think_on_star(rules, state, limit)
    raise TypeError(f"nobody searches {rules.variant.id}")
