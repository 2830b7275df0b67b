"""Positions with captures by tens of thousands of ways: how much is searched, counted in steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from bot.engine import variants
from bot.engine.draughts import search_budget
from bot.engine.draughts.movegen import MoveGenerator
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.search_budget import QUICK, Budget
from bot.engine.errors import IllegalMove
from bot.engine.variants import load
from tests.support.engine.many_captures import HOSTILE, LATTICE, MEN, PREY


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """How many places a capturing king has looked around from since the last time of asking."""
    count = 0
    look = MoveGenerator._king_jumps

    def counted(self: MoveGenerator, *args: Any) -> Any:
        nonlocal count
        count += 1
        return look(self, *args)

    def asked() -> int:
        nonlocal count
        before, count = count, 0
        return before

    monkeypatch.setattr(MoveGenerator, "_king_jumps", counted)
    return asked


@pytest.mark.parametrize(("position", "most"), [(LATTICE, 26_000), (MEN, 4_100)])
def test_each_way_is_walked_once(steps: Callable[[], int], position: str, most: int) -> None:
    """Turns are found by walking each way once, kept with the position, and read by their names for nothing."""
    rules = DraughtsRules(load("tama"))
    state = rules.start(position)
    steps()
    turns = rules.turns(state)
    assert len(turns) > 30
    assert 1_000 < steps() <= most + QUICK
    assert turns == rules.turns(state)
    assert [rules.read(state, turn.text) for turn in turns] == list(turns)
    assert steps() == 0


@pytest.mark.parametrize("text", ["{start}-{nowhere}", "{start}xa1x{nowhere}", "{start}xa1xc1x{nowhere}"])
def test_refusals_walk_at_most_twice(steps: Callable[[], int], text: str) -> None:
    """To refuse a move, ways are walked once to see what it means, and once to say why not."""
    rules = DraughtsRules(load("tama"))
    state = rules.start(LATTICE)
    ends = {turn.path[-1] for turn in rules.turns(state)}
    nowhere = next(place for place in rules.board.played if place not in ends)
    steps()
    with pytest.raises(IllegalMove):
        rules.read(state, text.format(start="a3", nowhere=rules.board.names[nowhere]))
    assert steps() <= 52_000


def test_many_ways_are_told_apart_in_a_few_steps(steps: Callable[[], int]) -> None:
    """Whether a position is quick is known after a bounded search, and stays so; real positions are quick."""
    rules = DraughtsRules(load("tama"))
    for position in (LATTICE, MEN):
        state = rules.start(position)
        steps()
        assert not rules.quick(state)
        assert steps() <= QUICK + 1
        rules.turns(state)
        assert not rules.quick(state)
    for variant in ("spanish", "pinoy", "americanas", "tama"):
        assert DraughtsRules(load(variant)).quick(DraughtsRules(load(variant)).start())


def test_many_routes_to_few_positions() -> None:
    """A king among many pieces has many routes to few positions: each position is one turn, and each capture is told
    by one route."""
    rules = DraughtsRules(load("tama", {"turn_back": True}))
    state = rules.start("W:WKa1:Ba2,b5,c4,c6,d3,d5,e4,e6,f5")
    chains = rules.kernel.best(0, state.position.forces())
    turns = rules.turns(state)
    assert len({chain.path for chain in chains}) == len(chains)
    assert len({(chain.path[-1], frozenset(chain.taken)) for chain in chains}) == len(chains) == len(turns)


def test_no_search_runs_away(steps: Callable[[], int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are more ways than are followed, captures end where the search does: they are the same whenever they
    are looked for, and can be played."""
    monkeypatch.setattr(search_budget, "MOST", 9_000)
    rules = DraughtsRules(load("canadian"))
    foes = [f"{file}{rank}" for file in "bdfhj" for rank in (2, 4, 6, 8, 10)]
    position = f"W:WKa1:B{','.join(foes)}"
    state = rules.start(position)
    steps()
    turns = rules.turns(state)
    assert steps() <= QUICK + 9_000
    assert turns == rules.turns(rules.start(position))
    for turn in turns[:: len(turns) // 10 + 1]:
        assert rules.read(state, turn.text) == turn
        assert rules.play(state, turn).position == turn.after
    monkeypatch.undo()
    assert len(rules.turns(rules.start(position))[0].captured) > len(turns[0].captured)


def test_an_obliged_position_has_its_own_turns() -> None:
    """What was found before a capture was obliged is not taken for what may be played after."""
    rules = DraughtsRules(load("americanas"))
    state = rules.start("W:Wc3,h2:Bd4")
    free = rules.turns(state)
    after = rules.play(state, rules.read(state, "h2-g3"))
    obliged = rules.play(after, rules.read(after, "oblige"))
    assert len(free) > 1
    assert [turn.text for turn in rules.turns(obliged)] == ["c3xe5"]


@pytest.mark.parametrize("kings", ["Ka1", "Ka1,Kc1,Ke1,Kg1,Ki1,Kk1,Km1,Ko1,Ka3,Kc3,Ke3,Kg3,Ki3,Kk3,Km3,Ko3"])
def test_a_search_without_end_breaks_off(steps: Callable[[], int], monkeypatch: pytest.MonkeyPatch, kings: str) -> None:
    """A file may describe a game in which nobody could ever tell the best capture. The steps of all pieces together are
    bounded: those until it is known that a position is not quick, and those until its turns are what was found."""
    monkeypatch.setattr(search_budget, "MOST", 40_000)
    rules = DraughtsRules(variants.read(HOSTILE, "hostile.toml"))
    state = rules.start(f"W:W{kings}:B{PREY}")
    steps()
    assert not rules.quick(state)
    assert 0 < steps() <= QUICK
    turns = rules.turns(state)
    assert QUICK / 4 < steps() <= 40_000 + QUICK
    assert turns
    assert all(turn.captured for turn in turns)
    assert turns == rules.turns(rules.start(f"W:W{kings}:B{PREY}"))


def test_a_broken_off_search_is_played_on(steps: Callable[[], int], monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found is a turn like any other: it is read by its name and played; a slip in it is refused in bounds."""
    monkeypatch.setattr(search_budget, "MOST", 40_000)
    rules = DraughtsRules(variants.read(HOSTILE, "hostile.toml"))
    state = rules.start(f"W:WKa1:B{PREY}")
    turn = rules.turns(state)[0]
    assert turn == rules.read(state, turn.text)
    after = rules.play(state, turn)
    assert len(turn.captured) == len(rules.pieces(state)) - len(rules.pieces(after))
    steps()
    ends = {each.path[-1] for each in rules.turns(state)}
    nowhere = next(place for place in rules.board.played if place not in ends)
    with pytest.raises(IllegalMove):
        rules.read(state, f"a1-{rules.board.names[nowhere]}")
    assert steps() <= 3 * 40_000


def test_all_captures_are_found_within_the_bound() -> None:
    """What is slow in the games that are shipped is searched to the end."""
    canadian = DraughtsRules(load("canadian"))
    foes = [f"{file}{rank}" for file in "bdfhj" for rank in (2, 4, 6, 8, 10)]
    for rules, position in (
        (DraughtsRules(load("tama")), LATTICE),
        (DraughtsRules(load("tama")), MEN),
        (canadian, f"W:WKa1:B{','.join(foes)}"),
    ):
        budget = Budget()
        rules.kernel.best(0, rules.start(position).position.forces(), budget)
        assert budget.left > search_budget.MOST / 3
