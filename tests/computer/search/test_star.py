"""The search for Chinese checkers: what minimax says, and games that come to their end."""

from __future__ import annotations

from random import Random

import pytest

from bot.computer.kernels.search_room import WIN, WON
from bot.computer.search.limits import GameOverError, Limit
from bot.computer.search.star import AT_ONCE, Branch, StarSearch, think_on_star
from bot.computer.search.star_positions import StarPositions, star_positions_for
from bot.computer.search.think import think
from bot.engine.registry import rules_for
from bot.engine.star.rules import StarRules
from bot.engine.star.state import StarState

SEATINGS: list[dict[str, str | bool | int]] = [
    {"players": 2},
    {"players": 3},
    {"players": 4, "blocked": "filled"},
    {"players": 6, "unused": "filled"},
    {"players": 3, "sets": 2, "places": True},
    {"players": 2, "sets": 3, "blocked": "none"},
]


def searcher(**options: str | bool | int) -> StarPositions:
    rules = rules_for("chinese-checkers", options)
    assert isinstance(rules, StarRules)
    return star_positions_for(rules)


def played(rules: StarRules, random: Random, turns: int) -> StarState:
    state = rules.start()
    for _ in range(turns):
        state = rules.play(state, random.choice(rules.ranked(state)[:12]))
        if state.outcome:
            return rules.start()
    return state


def minimax(found: StarPositions, state: StarState, seat: int, depth: int, ply: int) -> int:
    """The worth to ``seat`` of a game of two after ``depth`` more turns."""
    if state.outcome is not None:
        winner = state.outcome.winner
        return 0 if winner is None else (WIN - ply if winner == seat else ply - WIN)
    if depth == 0:
        worth = found.standing(state.pegs)
        return worth[seat] - worth[1 - seat]
    values = [
        minimax(found, found.rules.play(state, turn), seat, depth - 1, ply + 1) for turn in found.rules.turns(state)
    ]
    return max(values) if state.seat == seat else min(values)


@pytest.mark.parametrize("blocked", ["swap", "filled", "none"])
def test_returns_what_minimax_returns(blocked: str) -> None:
    """For two, a search of every turn has the score of a plain minimax."""
    found, random = searcher(blocked=blocked), Random(f"star {blocked}")
    for turns in (0, 30, 60):
        state = played(found.rules, random, turns)
        best = think_on_star(found.rules, state, Limit(depth=2, selective=False))
        here = found.standing(state.pegs)[state.seat]
        values = {}
        for turn in found.rules.turns(state):
            after = found.rules.play(state, turn)
            at_once = (found.standing(after.pegs)[state.seat] - here) // AT_ONCE
            values[turn] = minimax(found, after, state.seat, 1, 1) + at_once
        assert max(values.values()) == best.score == values[best.turn]


@pytest.mark.parametrize("options", [{"players": 3}, {"players": 4}], ids=str)
def test_at_a_table_the_worst_reply_of_all_others_counts(options: dict[str, str | bool | int]) -> None:
    """After each turn the one that is worst for the player is answered, whoever of the others has it."""
    found, random = searcher(**options), Random(f"table {options}")
    state = played(found.rules, random, 30)
    seat, rules = state.seat, found.rules

    def lead(pegs: bytes) -> int:
        worth = found.standing(pegs)
        return worth[seat] - max(other for one, other in enumerate(worth) if one != seat) // 2

    here = found.standing(state.pegs)[seat]
    values = {}
    for turn in rules.turns(state):
        at_once = (found.standing(turn.after)[seat] - here) // AT_ONCE
        others = [one for one in range(len(rules.seats)) if one != seat]
        replies = [lead(reply.after) for one in others for reply in rules.kernel.turns(turn.after, one)]
        values[turn.text] = min(replies) + at_once
    best = think_on_star(rules, state, Limit(depth=2, selective=False))
    assert max(values.values()) == best.score == values[best.turn.text]


@pytest.mark.parametrize("options", SEATINGS[::2], ids=str)
def test_games_come_to_their_end(options: dict[str, str | bool | int]) -> None:
    """The computer brings its pegs home against itself, however many play."""
    found = searcher(**options)
    state = to_the_end(found, Limit(depth=1), 400)
    assert state.outcome is not None
    assert state.outcome.winner is not None


def to_the_end(found: StarPositions, limit: Limit, turns: int) -> StarState:
    state = found.rules.start()
    for _ in range(turns):
        if state.outcome:
            break
        state = found.rules.play(state, think_on_star(found.rules, state, limit).turn)
    return state


@pytest.mark.parametrize("options", [{"players": 2}, {"players": 3, "sets": 2}], ids=str)
def test_nobody_dithers(options: dict[str, str | bool | int]) -> None:
    """With a small budget that ends in the middle of a depth no position comes twice, and the race is won."""
    found = searcher(**options)
    state, seen = found.rules.start(), set[bytes]()
    while state.outcome is None:
        assert state.pegs not in seen
        seen.add(state.pegs)
        state = found.rules.play(state, think_on_star(found.rules, state, Limit(nodes=100)).turn)
    assert state.outcome.winner is not None


@pytest.mark.parametrize("options", SEATINGS, ids=str)
def test_the_same_turns_as_the_rules(options: dict[str, str | bool | int]) -> None:
    """In games that are played at random the search has the positions that the rules have, and who is home."""
    found, random = searcher(**options), Random(f"following {options}")
    rules, state = found.rules, found.rules.start()
    for _ in range(250):
        following = found.following(state.pegs, state.seat)
        assert {position.pegs for position in following} == {
            turn.after for turn in rules.turns(state) if len(turn.swaps) < 2
        }
        for position in following[:20]:
            assert position.worth == found.standing(position.pegs)[state.seat]
            assert position.home == rules.kernel.is_home(position.pegs, state.seat)
        turn = random.choice(rules.ranked(state)[:6])
        state = rules.play(state, turn)
        if state.outcome:
            state = rules.start()


def test_the_last_step_home_is_found() -> None:
    """A peg that can come home wins at once."""
    found = searcher()
    state = found.rules.start("1:S=m5,n2,n3,n4,o1,o2,o3,p1,p2,q1:N=a1,b1,b2,c1,c2,c3,d1,d2,d3,h1")
    best = think(found.rules, state, Limit(seconds=1.0))
    assert best.score > WON
    assert found.rules.play(state, best.turn).outcome is not None


def test_budget_and_end() -> None:
    """A search keeps to its nodes, looks one turn ahead at least, and finds nothing after the end."""
    found = searcher(players=6)
    state = found.rules.start()
    assert think_on_star(found.rules, state, Limit(nodes=1)).depth == 1
    assert think_on_star(found.rules, state, Limit(nodes=300)).nodes <= 301
    with pytest.raises(GameOverError):
        think_on_star(
            searcher().rules, searcher().rules.leave(searcher().rules.start(), 0, "South resigned"), Limit(depth=1)
        )


@pytest.mark.parametrize(("second", "leads"), [(-WIN + 5, 1), (-30, 0)])
def test_nothing_is_given_up_before_all_was_looked_at(second: int, leads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that is broken off when its favourite has turned out to lose takes what was second a ply before; one
    whose favourite is merely worse than it was keeps to it."""
    rules = searcher(players=2).rules
    iteration = StarSearch._iteration

    def broken_off(search: StarSearch, branches: list[Branch], depth: int) -> list[tuple[Branch, int]]:
        return iteration(search, branches, depth) if depth < 3 else [(branches[0], second)]

    before = think_on_star(rules, rules.start(), Limit(depth=2)).ranked
    monkeypatch.setattr(StarSearch, "_iteration", broken_off)
    found = think_on_star(rules, rules.start(), Limit(depth=5))
    assert found.turn == before[leads][0]
    assert found.score > -WON
    assert {turn.text for turn, _ in found.ranked} == {turn.text for turn, _ in before}
