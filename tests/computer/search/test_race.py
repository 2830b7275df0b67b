"""The way home on a star, where somebody will not make room."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.computer.levels import LEVELS, choose
from bot.computer.search.race import MOST_TURNS_PARTED, WALLED_IN, first_turn_home, idle_turns, parted
from bot.engine.registry import rules_for
from bot.engine.star.rules import StarRules
from bot.engine.star.state import StarState
from tests.support.computer.blocked_games import TABLES, blocked_game

STAYS = "1:S=m10,n1,n2,n3,n4,o1,o2,o3,p1,q1:N=k5,l5,l6,l7,m5,m6,m7,m8,m9,p2"
"""One peg of South is outside; North's last peg stays in its start, and its others go to and fro."""
PAST = "2:S=k7,l8,n1,n2,n3,n4,o1,o2,p1,p2:N=a1,b1,b2,c1,c2,c3,d2,d4,i2,j3"
"""North's pegs are past South's; it needs seven turns, and no player that looks five turns ahead finds them."""
WALL = "1:S=a1,n1,n2,n3,o1,o2,o3,p1,p2,q1:N=b1,b2,c1,c2,c3,d1,d2,d3,d4,e7"
"""South's peg on a1 cannot move as long as North does not let it."""


def played(
    rules: StarRules, start: str, level: int, turns: int, first: str | None = None
) -> tuple[list[StarState], bool]:
    """So many turns of South at ``level``, while North moves one peg to and fro, beginning with ``first``: the states,
    and whether South gave up in the last."""
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
        turn = by_text.get(back or first or "") or next(t for t in by_text.values() if not t.swaps and len(t.path) == 2)
        away = None if back else turn.text
        states.append(rules.play(states[-1], turn))
    return states, False


@pytest.mark.parametrize("first", [None, "m7-l6-k7"])
@pytest.mark.parametrize("level", LEVELS)
def test_a_peg_that_stays_in_the_target_keeps_no_level_from_coming_home(level: int, first: str | None) -> None:
    """Every level finds the swap and the step aside by which its last peg comes home, whatever North plays."""
    rules = rules_for("chinese-checkers", {"players": 2})
    assert isinstance(rules, StarRules)
    states, _gave_up = played(rules, STAYS, level, 6, first)
    assert states[-1].outcome
    assert states[-1].outcome.winner == 0


def test_who_is_walled_in_gives_up_in_the_end() -> None:
    """Where others stand in the way for good, the computer gives up after many turns without gain, not before."""
    rules = rules_for("chinese-checkers", {"players": 2})
    assert isinstance(rules, StarRules)
    states, gave_up = played(rules, WALL, 1, WALLED_IN + 10)
    assert gave_up
    assert idle_turns(rules, states) == WALLED_IN


def test_once_nobody_is_in_the_way_the_way_home_is_the_shortest() -> None:
    """Level 7 comes home in as few own turns as there are, while South stands still."""
    rules = rules_for("chinese-checkers", {"players": 2})
    assert isinstance(rules, StarRules)
    state, turns = rules.start(PAST), 0
    assert parted(rules, state)
    assert choose(rules, state, 7, 1, 60).turn == first_turn_home(rules, state, MOST_TURNS_PARTED)
    while not rules.kernel.is_home(state.pegs, 1):
        after = first_turn_home(rules, state, MOST_TURNS_PARTED).after
        state, turns = replace(state, pegs=after), turns + 1
    assert 7 == turns


def test_paths_have_parted_when_all_others_are_behind() -> None:
    """One peg of another player ahead is in the way, or on the same row; the own pegs are not."""
    rules = rules_for("chinese-checkers", {"players": 2})
    assert isinstance(rules, StarRules)
    assert not parted(rules, rules.start())
    assert parted(rules, rules.start(PAST))
    assert not parted(rules, rules.start(PAST.replace("k7", "i7")))
    assert not parted(rules, rules.start(PAST.replace("k7", "j7")))


@pytest.mark.parametrize("level", [1, 4, 6])
def test_a_game_against_a_player_who_blocks_ends(level: int) -> None:
    """Where pegs stay in the target for ever and others stand in the way, the computer comes home."""
    assert "home" == blocked_game(level, 1, 1, TABLES[1]).end
