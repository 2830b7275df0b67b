"""The Dutch engine's matchings, computed faster.

The engine asks networkx for matchings of the greatest weight whose weights are hundreds of bits long: many wishes, each
with digits of its own and wide gaps between. Here the gaps are closed as far as sums allow, which changes no comparison
of two matchings; where the weights then fit into 128 bits, rustworkx computes the matching, a hundred times faster.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import networkx
import rustworkx

# A matching computes in 128 bits and needs some of them for itself.
_BITS = 124
_LOCK = threading.Lock()


@contextmanager
def faster_matchings() -> Iterator[None]:
    """Within it networkx's ``max_weight_matching`` is answered here, where that can be done exactly.

    One at a time: the next waits."""
    with _LOCK:
        usual = networkx.max_weight_matching

        def answered(graph: Any, maxcardinality: bool = False, weight: str = "weight") -> set[tuple[int, int]]:
            found = _matching(graph, weight) if maxcardinality else None
            return found if found is not None else usual(graph, maxcardinality=maxcardinality, weight=weight)

        networkx.max_weight_matching = answered
        try:
            yield
        finally:
            networkx.max_weight_matching = usual


def _matching(graph: Any, weight: str) -> set[tuple[int, int]] | None:
    """The matching of most edges and then most weight; None: the weights do not fit."""
    degree = dict(graph.degree())
    settled: set[tuple[int, int]] = set()
    edges: list[tuple[int, int, int]] = []
    bits_at: dict[int, int] = {}
    for u, v, value in graph.edges(data=weight):
        if degree[u] == degree[v] == 1:
            settled.add((u, v))
            continue
        edges.append((u, v, value))
        bits_at[u] = bits_at.get(u, 0) | value
        bits_at[v] = bits_at.get(v, 0) | value
    if not edges:
        return settled
    packed = packed_weights({value for _, _, value in edges}, list(bits_at.values()))
    if packed is None:
        return None
    index = {node: place for place, node in enumerate(bits_at)}
    nodes = list(bits_at)
    small: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    small.add_nodes_from([None] * len(nodes))
    small.add_edges_from([(index[u], index[v], packed[value]) for u, v, value in edges])
    matched = rustworkx.max_weight_matching(small, max_cardinality=True, weight_fn=int, default_weight=0)
    return settled | {(nodes[i], nodes[j]) for i, j in matched}


def packed_weights(weights: Collection[int], bits_at: Collection[int], bits: int = _BITS) -> Mapping[int, int] | None:
    """Weights with the unused bits taken out, so that sums compare as before; None: they need more than ``bits``.

    ``bits_at``: for each node all bits set in the weights of its edges; they bound how many matched edges can have a
    digit, and so how long the digit's sum can be."""
    fields = _fields(weights, bits_at)
    shift, places = 0, []
    for start, mask, width in fields:
        values = {weight & mask for weight in weights}
        # What all edges have alike decides nothing between matchings of equally many edges.
        if len(values) > 1:
            places.append((start, mask, shift))
            shift += width
    if shift > bits:
        return None
    return {weight: 1 + sum((weight & mask) >> start << to for start, mask, to in places) for weight in weights}


def _fields(weights: Collection[int], bits_at: Collection[int]) -> list[tuple[int, int, int]]:
    """(start, mask, width of its sum) of each digit: bits in use side by side, and what their sums could run into."""
    used = 0
    for weight in weights:
        used |= weight
    runs: list[tuple[int, int]] = []
    position = 0
    while used >> position:
        rest = used >> position
        start = position + (rest & -rest).bit_length() - 1
        length = (~(used >> start) & ((used >> start) + 1)).bit_length() - 1
        runs.append((start, start + length))
        position = start + length
    fields: list[tuple[int, int, int]] = []
    while runs:
        start, end = runs.pop(0)
        while True:
            mask = (1 << end) - (1 << start)
            most = max(weight & mask for weight in weights) >> start
            pairs = sum(1 for bits in bits_at if bits & mask) // 2
            width = (most * max(pairs, 1)).bit_length()
            if not runs or start + width <= runs[0][0]:
                break
            # The sum may carry into the next digit: the two are one number.
            end = runs.pop(0)[1]
        fields.append((start, mask, width))
    return fields
