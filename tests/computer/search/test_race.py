"""The way home on a star, where somebody will not make room."""

from __future__ import annotations

import pytest

from bot.computer.levels import LEVELS, choose
from bot.computer.search.race import WALLED_IN, idle_turns
from bot.engine.registry import rules_for
from bot.engine.star.rules import StarRules
from bot.engine.star.state import StarState

STAYS = "1:S=m10,n1,n2,n3,n4,o1,o2,o3,p1,q1:N=k5,l5,l6,l7,m5,m6,m7,m8,m9,p2"
"""One peg of South is outside; North's last peg stays in its start, and its others go to and fro."""
WALL = "1:S=a1,n1,n2,n3,o1,o2,o3,p1,p2,q1:N=b1,b2,c1,c2,c3,d1,d2,d3,d4,e7"
"""South's peg on a1 cannot move as long as North does not let it."""


def played(rules: StarRules, start: str, level: int, turns: int) -> tuple[list[StarState], bool]:
    """So many turns of South at ``level``, while North moves one peg to and fro: the states, and whether South gave
    up in the last."""
    states = [rules.start(start)]
    away: str | None = None
    for _ in range(turns):
        choice = choose(rules, states[-1], level, 1, 50, states)
        if choice.resigns:
            return states, True
        states.append(rules.play(states[-1], choice.turn))
        if states[-1].outcome:
            return states, False
        back = away and "-".join(reversed(away.split("-")))
        by_text = {turn.text: turn for turn in rules.turns(states[-1])}
        turn = by_text.get(back or "") or next(t for t in by_text.values() if not t.swaps and len(t.path) == 2)
        away = None if back else turn.text
        states.append(rules.play(states[-1], turn))
    return states, False


@pytest.mark.parametrize("level", LEVELS)
def test_a_peg_that_stays_in_the_target_keeps_no_level_from_coming_home(level: int) -> None:
    """Every level finds the swap and the step aside by which its last peg comes home."""
    rules = rules_for("chinese-checkers", {"players": 2})
    assert isinstance(rules, StarRules)
    states, _gave_up = played(rules, STAYS, level, 6)
    assert states[-1].outcome
    assert states[-1].outcome.winner == 0


def test_who_is_walled_in_gives_up_in_the_end() -> None:
    """Where others stand in the way for good, the computer gives up after many turns without gain, not before."""
    rules = rules_for("chinese-checkers", {"players": 2})
    assert isinstance(rules, StarRules)
    states, gave_up = played(rules, WALL, 1, WALLED_IN + 10)
    assert gave_up
    assert idle_turns(rules, states) == WALLED_IN
