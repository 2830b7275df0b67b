"""The Dutch engine's matchings, computed faster.

The engine asks networkx for matchings of the greatest weight whose weights are hundreds of bits long: many wishes, each
with digits of its own and wide gaps between. Here the gaps are closed as far as sums allow, which changes no comparison
of two matchings; where the weights then fit into 128 bits, rustworkx computes the matching, a hundred times faster.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, compress, repeat
from operator import add, mul

# A matching computes in 128 bits and needs some of them for itself.
_BITS = 124
# How far up the engine writes differences, which may be below nothing.
_SIGNED_BITS = 64
_LOCK = threading.Lock()


class Edges:
    """What the engine needs of a networkx graph: it only puts edges in, each once, and hands it to the matching.

    Lists side by side, for a tuple for each edge would give the collector of garbage much to look at."""

    __slots__ = ("nodes", "ones", "others", "weights")

    def __init__(self) -> None:
        self.nodes: list[int] = []
        self.ones: list[int] = []
        self.others: list[int] = []
        self.weights: list[int] = []

    def add_node(self, node: int) -> None:
        self.nodes.append(node)

    def add_edge(self, u: int, v: int, weight: int) -> None:
        self.ones.append(u)
        self.others.append(v)
        self.weights.append(weight)


@contextmanager
def faster_matchings() -> Iterator[None]:
    """Within it networkx's ``max_weight_matching`` is answered here, where that can be done exactly.

    One at a time: the next waits."""
    # A quarter of a second and 12 MB, which a bot that pairs no Swiss never needs.
    import networkx

    with _LOCK:
        usual, usual_graph = networkx.max_weight_matching, networkx.Graph

        def answered(graph: Edges, maxcardinality: bool = False) -> set[tuple[int, int]]:
            matched = _matching(graph) if maxcardinality else None
            if matched is not None:
                return matched
            whole = usual_graph()
            whole.add_nodes_from(graph.nodes)
            whole.add_weighted_edges_from(zip(graph.ones, graph.others, graph.weights, strict=True))
            return usual(whole, maxcardinality=maxcardinality)  # type: ignore[no-any-return]

        networkx.max_weight_matching, networkx.Graph = answered, Edges
        try:
            yield
        finally:
            networkx.max_weight_matching, networkx.Graph = usual, usual_graph


def _matching(graph: Edges) -> set[tuple[int, int]] | None:
    """The matching of most edges and then most weight; None: the weights do not fit."""
    ones, others, weights = graph.ones, graph.others, graph.weights
    degree = Counter(ones)
    degree.update(others)
    # Two that have only each other are a pair; the engine leaves those it has settled so.
    lonely = {node for node, count in degree.items() if count == 1}
    settled: set[tuple[int, int]] = set()
    if lonely:
        settled = {(u, v) for u, v in zip(ones, others, strict=True) if u in lonely and v in lonely}
        left = [u not in lonely or v not in lonely for u, v in zip(ones, others, strict=True)]
        ones, others, weights = ([*compress(each, left)] for each in (ones, others, weights))
    if not weights:
        return settled
    # Few weights differ: from here on each edge has the number of its own.
    distinct = {weight: number for number, weight in enumerate(dict.fromkeys(weights))}
    numbers = [*map(distinct.__getitem__, weights)]
    nodes = [*dict.fromkeys(chain(ones, others))]
    place = {node: index for index, node in enumerate(nodes)}
    ones, others = [*map(place.__getitem__, ones)], [*map(place.__getitem__, others)]
    packed = packed_weights(list(distinct), _numbers_at(len(nodes), ones, others, numbers))
    if packed is None:
        return None
    # A bot in which nobody pairs has no need of it.
    import rustworkx

    small: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    small.add_nodes_from([None] * len(nodes))
    small.add_edges_from([*zip(ones, others, map(packed.__getitem__, numbers), strict=True)])
    matched = rustworkx.max_weight_matching(small, max_cardinality=True, weight_fn=int, default_weight=0)
    return settled | {(nodes[i], nodes[j]) for i, j in matched}


def _numbers_at(nodes: int, ones: Sequence[int], others: Sequence[int], numbers: Sequence[int]) -> list[set[int]]:
    """For each node the numbers of its edges' weights."""
    numbers_at: list[set[int]] = [set() for _ in range(nodes)]
    step = repeat(nodes)
    at_ends = (map(add, map(mul, numbers, step), ends) for ends in (ones, others))
    for each in set(chain(*at_ends)):
        numbers_at[each % nodes].add(each // nodes)
    return numbers_at


def packed_weights(weights: Sequence[int], at: Collection[set[int]], bits: int = _BITS) -> Sequence[int] | None:
    """Small weights in place of these, so that sums compare as before; None: they need more than ``bits``.

    ``at``: for each node the places in ``weights`` of what its edges have; they bound how many matched edges can have
    a digit, and so how great the digit's sum can be. Compared are matchings of equally many edges: what is added to
    all weights alike changes nothing. So it is tried, where they do not fit, to add what lifts differences above
    nothing: each borrows from all the digits over it, and makes one long digit of them."""
    for lift in (0, *(1 << bit for bit in range(_SIGNED_BITS))):
        worth, packed = 1, [1] * len(weights)
        for values, room in _digits([weight + lift for weight in weights], at):
            packed = [sofar + value * worth for sofar, value in zip(packed, values, strict=True)]
            worth *= room
        if worth.bit_length() <= bits:
            return packed
    return None


def _digits(weights: Sequence[int], at: Collection[set[int]]) -> Iterator[tuple[Sequence[int], int]]:
    """From the lowest: each digit's values, from 0, and how many values its sum over a matching can have."""
    runs = _runs(weights)
    while runs:
        start, end = runs.pop(0)
        while True:
            mask = (1 << end) - (1 << start)
            values = [(weight & mask) >> start for weight in weights]
            least = min(values)
            values = [value - least for value in values]
            having = {number for number, value in enumerate(values) if value}
            most = max(values) * (sum(not having.isdisjoint(numbers) for numbers in at) // 2)
            if not runs or start + most.bit_length() <= runs[0][0]:
                break
            # The sum may carry into the next digit: the two are one number.
            end = runs.pop(0)[1]
        if most:
            yield values, most + 1


def _runs(weights: Collection[int]) -> list[tuple[int, int]]:
    """Where bits in use stand side by side: (first, past the last)."""
    used = 0
    for weight in weights:
        used |= weight
    runs: list[tuple[int, int]] = []
    position = 0
    while rest := used >> position:
        start = position + (rest & -rest).bit_length() - 1
        length = (~(used >> start) & ((used >> start) + 1)).bit_length() - 1
        runs.append((start, start + length))
        position = start + length
    return runs
