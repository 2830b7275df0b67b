"""Tables of who wins, without in how many plies, for more pieces than the tables of plies hold: layout and file.

No position that they hold has moves that the rules count, so that what a position is worth follows from the position
alone; whatever counts has to begin in the fewer pieces that it leads to, whose tables of plies know of it.

Of large classes that differ in who is to move the file holds only the one that takes fewer bytes: one ply on, or a
capture, there is what it holds, so that the other one follows.
"""

from __future__ import annotations

import json
import mmap
from functools import cached_property
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

from bot.computer.endgames import files
from bot.computer.endgames.build import USUAL
from bot.computer.endgames.counted_material import Layers, Material, is_counted
from bot.computer.endgames.files import OUTCOMES, EndgameFile, EndgameFileError
from bot.computer.endgames.material import Layout, NoEndgames, Shape, fingerprint
from bot.computer.kernels import endgame_index as directory
from bot.computer.kernels.lookup_tables import LookupTables
from bot.computer.kernels.outcome_blocks import BY_MOVES
from bot.engine.boards import Board

if TYPE_CHECKING:
    from bot.engine.variant_tables import DraughtsTables

ONE = Layers(1, 1, 1, 1, by_material=False, by_ending=False)


def possible(tables: DraughtsTables) -> bool:
    """Whether there can be any for these rules."""
    try:
        return bool(OutcomeLayout(tables, USUAL + 1).made)
    except NoEndgames:
        return False


class OutcomeLayout(Layout):
    """The classes of up to ``pieces`` pieces while it is solved who wins them: two bits for each position. Raises
    NoEndgames."""

    def __init__(self, tables: DraughtsTables, pieces: int) -> None:
        super().__init__(tables, pieces)
        if tables.outcome.wins != "no-move" or tables.king.run:
            raise NoEndgames(f"tables of more than {USUAL} pieces are made only where who cannot move loses")

    @cached_property
    def left_out(self) -> dict[Material, str]:
        counted = (m for m in self._materials() if sum(m) > USUAL and is_counted(self.rules, m))
        return {**super().left_out, **dict.fromkeys(counted, "moves are counted with so many pieces")}

    @cached_property
    def shapes(self) -> dict[Material, Shape]:
        """``offset`` and ``size`` in positions; each class begins with a byte."""
        shapes: dict[Material, Shape] = {}
        offset = 0
        for material, shape in super().shapes.items():
            size = shape.size // shape.layers.number
            shapes[material] = Shape(offset, size, shape.counts, ONE, shape.leads)
            offset += (size + 3) // 4 * 4
        return shapes

    @property
    def made(self) -> tuple[Material, ...]:
        """The classes that are solved: the others' plies are known."""
        return tuple(material for material in self.classes if sum(material) > USUAL)


class OutcomeFile:
    """A finished file that fits the rules, mapped into memory. Raises EndgameFileError for any other, OSError if it
    cannot be read."""

    def __init__(self, path: Path, rules: DraughtsTables) -> None:
        self.path = path
        with path.open("rb") as file:
            self.blocks, end = files.contents(file, path, fingerprint(rules), OUTCOMES)
            if end is None:
                raise EndgameFileError(f"{path} is damaged: its end is missing.")
            for block in self.blocks.values():
                files.content(file, block, path, OUTCOMES)
            # Written to nowhere: compiled functions want the one kind of bytes, those that could be.
            self.packed = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
        self.pieces = end
        self.layout = OutcomeLayout(rules, self.pieces)
        if set(self.blocks) != set(self.layout.made):
            raise EndgameFileError(f"{path} is damaged: it does not hold all endings of {self.pieces} pieces.")

    def order(self, material: Material) -> tuple[int, ...]:
        """The groups of a class in the order in which its positions are numbered, the slowest first."""
        return tuple(json.loads(self.blocks[material].line)["order"])

    def entered(self, plies: EndgameFile, tables: LookupTables, board: Board) -> LookupTables:
        """``tables`` of a game with the directory of these classes and of those whose plies are known, their bytes not
        held yet."""
        layout = self.layout
        known = plies.layout.shapes
        shapes = {m: known.get(m) or layout.shapes[m] for m in layout.classes if m in known or sum(m) > USUAL}
        entered = layout.entered(tables, board, held=False, shapes=shapes)
        for material, block in self.blocks.items():
            if sum(material) <= plies.pieces:
                continue
            entry = layout.entry(entered.ends, material)
            if not block.packed:
                entered.data[entry + directory.BLOCKS] = BY_MOVES
                continue
            counts, order = layout.shapes[material].counts, self.order(material)
            for number, group in enumerate(order):
                entered.data[entry + directory.STRIDES + group] = prod(counts[later] for later in order[number + 1 :])
            entered.data[entry + directory.BASE] = 0
            entered.data[entry + directory.BLOCKS] = block.start
        return entered._replace(most=plies.pieces, outcomes=self.pieces)
