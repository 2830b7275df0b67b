"""Games that weights were learned for, and positions of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState
from bot.engine.registry import rules_for
from tests.support.computer.minimax import playable
from tests.support.engine import slow_draughts
from tests.support.engine.random_positions import by_placement, by_play, endings

Options = dict[str, bool]


def draughts(game: str, options: Options) -> DraughtsRules:
    rules = rules_for(game, options)
    assert isinstance(rules, DraughtsRules)
    return rules


def states_of(rules: DraughtsRules, game: str, options: Options, count: int) -> Iterator[DraughtsState]:
    """Random states of a game: positions as the slow rules make them where they know it, else those of random games."""
    random = Random(f"patterns {game} {options}")
    for number in range(count):
        if game in slow_draughts.LAWS:
            make = (by_play, by_placement, endings)[number % 3]
            state = playable(rules, slow_draughts.write(make(slow_draughts.law_for(game, options), random)))
        else:
            state = rules.start()
            for _ in range(random.randrange(120)):
                after = rules.play(state, random.choice(rules.turns(state)))
                if after.outcome is not None:
                    break
                state = after
        if state is not None:
            yield state
