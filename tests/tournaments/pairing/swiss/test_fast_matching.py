"""The faster matchings are the same matchings."""

from __future__ import annotations

import random
import threading

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.tournaments.pairing.swiss import contenders, dutch
from bot.tournaments.pairing.swiss.fast_matching import Edges, _matching, faster_matchings, packed_weights
from tests.support.tournaments.records import season


def graph(seed: int, nodes: int, digits: int, gap: int) -> networkx.Graph:
    """A random graph whose weights are digits of their own, with gaps between them."""
    lots = random.Random(seed)
    made = networkx.Graph()
    made.add_nodes_from(range(nodes))
    for u in range(nodes):
        for v in range(u):
            if lots.random() < 0.7:
                made.add_edge(u, v, weight=1 + sum(lots.randrange(3) << 2 + gap * d for d in range(digits)))
    return made


def edges(made: networkx.Graph) -> Edges:
    """The same graph as the engine puts it together."""
    found = Edges()
    for node in made.nodes:
        found.add_node(node)
    for u, v, weight in made.edges(data="weight"):
        found.add_edge(u, v, weight=weight)
    return found


def weight_of(made: networkx.Graph, matched: set[tuple[int, int]]) -> int:
    return sum(made[u][v]["weight"] for u, v in matched)


@settings(max_examples=150)
@given(st.integers(0, 100_000), st.integers(2, 14), st.integers(1, 12), st.integers(2, 30))
def test_the_same_weight(seed: int, nodes: int, digits: int, gap: int) -> None:
    """As many edges and as much weight as networkx finds, gaps wide or too narrow for sums."""
    made = graph(seed, nodes, digits, gap)
    usual = networkx.max_weight_matching(made, maxcardinality=True)
    found = _matching(edges(made))
    if found is not None:
        assert len(usual) == len(found)
        assert weight_of(made, usual) == weight_of(made, found)
        assert networkx.is_matching(made, found)


def test_gaps_are_closed() -> None:
    """Bits that no sum can reach are taken out; what is alike everywhere decides nothing."""
    packed = packed_weights([(1 << 500) + (5 << 300) + 1, (1 << 500) + (2 << 300)], [{0, 1}] * 4)
    assert [1 + 1 + 3 * 3, 1] == packed


def test_differences_below_nothing() -> None:
    """What borrows from the digits over it would make one long digit of them; lifted, each stays a digit of its own."""
    weights = [(1 << 200) - 6, (1 << 200) - 2, (1 << 201) - 4, 1 << 200]
    assert packed_weights(weights, [{0, 1, 2, 3}] * 4, bits=8) is not None
    lots = random.Random(5)
    made = networkx.complete_graph(12)
    for u, v in made.edges:
        made[u][v]["weight"] = (lots.randrange(1, 4) << 200) + (lots.randrange(3) << 100) - lots.randrange(9)
    found = _matching(edges(made))
    assert found is not None
    assert weight_of(made, found) == weight_of(made, networkx.max_weight_matching(made, maxcardinality=True))


def test_weights_that_do_not_fit() -> None:
    """Too many digits are left to networkx."""
    assert packed_weights([0, 3 << 200, *(3 << bit for bit in range(0, 200, 5))], [{*range(42)}] * 9) is None
    made = graph(1, 12, 90, 9)
    assert _matching(edges(made)) is None
    with faster_matchings():
        found = networkx.max_weight_matching(edges(made), maxcardinality=True)
    assert weight_of(made, found) == weight_of(made, networkx.max_weight_matching(made, maxcardinality=True))


def test_networkx_is_left_as_it_was() -> None:
    """Outside, and after an error inside, networkx answers for itself; two at a time take turns."""
    usual = networkx.max_weight_matching
    with faster_matchings():
        assert networkx.max_weight_matching is not usual
        assert networkx.Graph is Edges
    with pytest.raises(RuntimeError, match="inside"), faster_matchings():
        raise RuntimeError("inside")
    assert networkx.max_weight_matching is usual
    *_, (record, paired) = season(3, 12, 4, troubled=False)
    found = []
    threads = [threading.Thread(target=lambda: found.append(dutch.next_round(record))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [paired] * 3 == found
    assert networkx.max_weight_matching is usual


@settings(max_examples=12)
@given(st.integers(0, 100_000), st.integers(4, 14), st.booleans())
def test_the_same_rounds(seed: int, players: int, troubled: bool) -> None:
    """The engine pairs the same with its own matchings and with these."""
    for record, paired in season(seed, players, 5, troubled=troubled):
        if paired.system == contenders.SYSTEM:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("bot.tournaments.pairing.swiss.fast_matching._matching", lambda *_: None)
                assert paired == dutch.next_round(record)
