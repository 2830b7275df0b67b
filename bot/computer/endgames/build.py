"""Solving the endgames of a variant, class by class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING

from bot.computer.endgames.counted_material import Material, swapped
from bot.computer.endgames.material import Layout, NoEndgames
from bot.computer.kernels.backends import PLAIN, Backend, fitted, solver_for
from bot.computer.kernels.endgame_worth import MOVES_AT
from bot.computer.kernels.lookup_tables import Ints
from bot.computer.kernels.movegen import MOVES, SPAN
from bot.computer.kernels.retrograde import ENTRY, LONGEST, TOP

if TYPE_CHECKING:
    from bot.engine.variant_tables import DraughtsTables

PLAIN_MOST, COMPILED_MOST = 2_000_000, 200_000_000
"""How many bytes of tables are made where it is not said how many pieces they are to hold."""
LIMIT = 2_000_000_000
"""How many bytes are made at all."""
USUAL = 4
"""The most pieces that tables hold where it is not said."""


def fitting(tables: DraughtsTables, backend: Backend) -> int:
    """For how many pieces tables are made where it is not said. Raises NoEndgames."""
    most = PLAIN_MOST if backend is PLAIN else COMPILED_MOST
    return next((pieces for pieces in range(USUAL, 2, -1) if Layout(tables, pieces).total <= most), 2)


class Maker:
    """Solves the classes of a layout one after the other. Raises NoEndgames."""

    def __init__(self, layout: Layout, backend: Backend) -> None:
        if layout.total > LIMIT:
            raise NoEndgames(f"tables of {layout.pieces} pieces would be too large for this board: take fewer")
        self.layout, self.backend = layout, backend
        self.tables = fitted(layout.kernel(), backend)
        self.ends = backend.zeros(layout.total)
        self.room = backend.room(2 * SPAN + MOVES_AT + MOVES + 1)

    def made(self, known: Callable[[Material], bytes | None]) -> Iterator[tuple[Material, bytes]]:
        """The bytes of each class, solved or taken as they are ``known`` from before, in the order of the layout."""
        # Classes that lead to each other stand beside each other.
        pairs: dict[Material, list[Material]] = {}
        for material in self.layout.classes:
            pairs.setdefault(max(material, swapped(material)), []).append(material)
        for pair in pairs.values():
            contents = [known(material) for material in pair]
            if any(content is None for content in contents):
                self._solve(pair)
            with memoryview(self.ends) as ends:
                for material, content in zip(pair, contents, strict=True):
                    shape = self.layout.shapes[material]
                    part = slice(shape.offset, shape.offset + shape.size)
                    if content is not None:
                        ends[part] = content
                    yield material, bytes(ends[part])

    def _solve(self, pair: Sequence[Material]) -> None:
        layout, room = self.layout, self.room
        shapes = [layout.shapes[material] for material in pair]
        low = min(shape.offset for shape in shapes)
        described, at = self._described(pair, low)
        c = self.backend.fitted(described)
        solver = solver_for(self.backend)
        room[TOP] = 0
        layers = shapes[0].layers
        if layers.by_material or layers.by_ending:
            for played in reversed(range(layers.made if layers.by_material else layers.stood)):
                for x in at:
                    solver.count_down(self.tables, self.ends, c, x, played, room)
                self._check(pair)
            return
        marks = self.backend.zeros(sum(shape.size for shape in shapes))
        for x in at:
            solver.begin(self.tables, self.ends, c, x, room)
        plies = 0
        while plies < room[TOP]:
            self._check(pair)
            for x in at:
                solver.take_back(self.tables, self.ends, marks, c, x, plies, room)
            plies += 1
        for shape in shapes:
            solver.finish(self.ends, shape.offset, shape.size)

    def _check(self, pair: Sequence[Material]) -> None:
        if self.room[TOP] > LONGEST:
            raise NoEndgames(f"an ending of {sum(pair[0])} pieces takes more than {LONGEST - 1} plies here: take fewer")

    def _described(self, pair: Sequence[Material], low: int) -> tuple[Ints, list[int]]:
        """The classes of a pair as ``retrograde`` takes them: the list, and where in it each begins."""
        layout = self.layout
        described: Ints = []
        at: list[int] = []
        for material in pair:
            shape = layout.shapes[material]
            sets = [
                layout.leading(group, number) if group == shape.leads else layout.sets(group, number)
                for group, number in enumerate(material)
            ]
            at.append(len(described))
            where = accumulate(map(len, sets[:-1]), initial=len(described) + ENTRY + 1)
            layers, entry = shape.layers.number, layout.entry(self.tables.ends, material)
            described += [*shape.counts, *where, shape.offset, shape.size // layers, layers, low, entry, *chain(*sets)]
        return described, at
