"""The way home on a star when only a player's own turns count: what to do where no turn gains anything at once.

In the last rows a peg must sometimes step back, or another make room for it, before it can come in. A search of a few
plies with an opponent's turns between them does not see that far, and would move to and fro for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Final

from bot.computer.search.star import Masks, StarSearcher, star_searcher_for
from bot.engine.star.rules import StarRules
from bot.engine.star.state import StarState
from bot.engine.turns import Turn

LAST_PEGS: Final = 4
"""Pegs outside their targets from which on the way home is looked for."""
IDLE: Final = 8
"""Own turns without gain after which it is looked for wherever the pegs stand."""
WALLED_IN: Final = 40
"""Own turns without gain after which there is none to be had: others stand in the way and will not go."""
MOST_TURNS: Final = 10
"""How many own turns it looks ahead."""
WIDTH: Final = 48
"""How many positions are followed after each of them, those that are worth most."""


def idle_turns(rules: StarRules, states: Sequence[StarState]) -> int:
    """How many turns the player to move has made since its pegs were worth most, by the ``states`` of the game."""
    searcher, seat = star_searcher_for(rules), states[-1].seat
    worths = [searcher.standing(searcher.masks(state.pegs))[seat] for state in states if state.seat == seat]
    return len(worths) - 1 - worths.index(max(worths))


def stalls(rules: StarRules, state: StarState, turn: Turn, idle: int) -> bool:
    """Whether the player to move gets nowhere: after IDLE turns without gain, or where few pegs are still outside and
    ``turn`` makes its pegs worth no more."""
    searcher, seat = star_searcher_for(rules), state.seat
    home, pegs = rules.pegs_home(state)[seat]
    if idle >= IDLE:
        return True
    if pegs - home > LAST_PEGS:
        return False
    now, then = (searcher.standing(searcher.masks(standing))[seat] for standing in (state.pegs, turn.after))
    return then <= now and not searcher.is_home(searcher.masks(turn.after), seat)


def first_turn_home(rules: StarRules, state: StarState) -> Turn:
    """The first turn of a short way home while all others stand still, or toward the best that can be reached in
    MOST_TURNS own turns. There must be a legal turn."""
    searcher, seat = star_searcher_for(rules), state.seat
    layer = {searcher.masks(turn.after): turn for turn in rules.turns(state)}
    seen = {searcher.masks(state.pegs)}
    best = max(layer.items(), key=lambda item: _worth(searcher, item[0], seat))
    for _ in range(MOST_TURNS):
        if not layer:
            break
        for masks, turn in layer.items():
            if searcher.is_home(masks, seat):
                return turn
        ranked = sorted(
            ((_worth(searcher, masks, seat), masks, turn) for masks, turn in layer.items()),
            key=itemgetter(0),
            reverse=True,
        )[:WIDTH]
        if ranked[0][0] > _worth(searcher, best[0], seat):
            best = ranked[0][1:]
        seen |= layer.keys()
        layer = {}
        for _, masks, turn in ranked:
            for _, after in searcher.following(masks, seat):
                if after not in seen:
                    layer.setdefault(after, turn)
    return best[1]


def _worth(searcher: StarSearcher, masks: Masks, seat: int) -> int:
    return searcher.standing(masks)[seat]
