"""The way home on a star when only a player's own turns count: what to do where no turn gains anything at once.

In the last rows a peg must sometimes step back, or another make room for it, before it can come in. A search of a few
plies with an opponent's turns between them does not see that far, and would move to and fro for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.computer.search.star_positions import Following, star_positions_for
from bot.engine.star.geometry import GROUND, HOLES, OPPOSITE, SETS
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
"""How many own turns it looks ahead,"""
MOST_TURNS_PARTED: Final = 40
"""once nobody is in the way any more."""
WIDTH: Final = 48
"""How many positions are followed after each of them, those that are worth most."""


def idle_turns(rules: StarRules, states: Sequence[StarState]) -> int:
    """How many turns the player to move has made since its pegs were worth most, by the ``states`` of the game."""
    positions, seat = star_positions_for(rules), states[-1].seat
    worths = [positions.standing(state.pegs)[seat] for state in states if state.seat == seat]
    return len(worths) - 1 - worths.index(max(worths))


def stalls(rules: StarRules, state: StarState, turn: Turn, idle: int) -> bool:
    """Whether the player to move gets nowhere: after IDLE turns without gain, or where few pegs are still outside and
    ``turn`` makes its pegs worth no more."""
    positions, seat = star_positions_for(rules), state.seat
    home, pegs = rules.pegs_home(state)[seat]
    if idle >= IDLE:
        return True
    if pegs - home > LAST_PEGS:
        return False
    now, then = (positions.standing(pegs)[seat] for pegs in (state.pegs, turn.after))
    return then <= now and not rules.kernel.is_home(turn.after, seat)


def parted(rules: StarRules, state: StarState) -> bool:
    """Whether the pegs of the player to move are past those of all others, so that nobody is in anybody's way: what is
    left is to come home in the fewest own turns."""
    kernel, pegs = rules.kernel, state.pegs
    for code in kernel.codes[state.seat]:
        ground = GROUND[OPPOSITE[SETS[code - 1]]]
        last = min((ground[hole] for hole in HOLES if pegs[hole] == code), default=16)
        if any(ground[hole] >= last for hole in HOLES if kernel.foreign[code][pegs[hole]]):
            return False
    return True


def first_turn_home(rules: StarRules, state: StarState, most_turns: int = MOST_TURNS) -> Turn:
    """The first turn of a short way home while all others stand still, or toward the best that can be reached in
    ``most_turns`` own turns. There must be a legal turn."""
    positions, seat = star_positions_for(rules), state.seat
    layer = {
        turn.after: (
            Following(turn.after, positions.standing(turn.after)[seat], rules.kernel.is_home(turn.after, seat)),
            turn,
        )
        for turn in rules.turns(state)
    }
    seen = {state.pegs}
    best = max(layer.values(), key=_worth)
    for _ in range(most_turns):
        if not layer:
            break
        ranked = sorted(layer.values(), key=_worth, reverse=True)
        for position, turn in layer.values():
            if position.home:
                return turn
        best = max(best, ranked[0], key=_worth)
        seen |= layer.keys()
        layer = {}
        for position, turn in ranked[:WIDTH]:
            for following in positions.following(position.pegs, seat):
                if following.pegs not in seen:
                    layer.setdefault(following.pegs, (following, turn))
    return best[1]


def _worth(of: tuple[Following, Turn]) -> int:
    return of[0].worth
