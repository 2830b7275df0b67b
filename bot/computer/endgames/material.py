"""What endgame tables of a variant hold and in which order: classes of material, squares, symmetries, fingerprint.

Tables are made on one board for both boards of a game: that of the lower left corner, with the mover's pieces going up.
They are exact under the rules of the variant, the endings that it counts and the runs of its kings among them (see
counted_material); repetition and ``quiet_moves``, which ask for more than the position, are left to whoever uses them.
Soplar needs nothing of its own: who neglects a capture may be obliged to make it, so that no neglect is worth more than
the best capture, and the tables take capturing as compulsory; their plies are those of a game in which nobody neglects.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import combinations, product
from math import comb, prod
from typing import TYPE_CHECKING, NamedTuple

from bot.computer.endgames.counted_material import (
    Layers,
    Material,
    layers_of,
    leads_to,
    reason_without,
    swapped,
)
from bot.computer.kernels import endgame_index as directory
from bot.computer.kernels.lookup_tables import Ints, LookupTables, build, squares_of
from bot.engine.boards import Board, square_board
from bot.engine.draughts.counted_endings import main_roads
from bot.engine.draughts.state import bits
from bot.engine.errors import EngineError

if TYPE_CHECKING:
    from pydantic import BaseModel

    from bot.engine.variant_tables import DraughtsTables

FORMAT = 1
"""The version of what a table's bytes mean."""


class NoEndgames(EngineError):  # noqa: N818 - a refusal, as the engine's are named
    """Tables cannot be made for these rules, or not with so many pieces. The message says why."""


class Shape(NamedTuple):
    """How one class is kept: ``offset`` and ``size`` in bytes, ``counts``: how many sets of squares each of the four
    groups has; ``layers``: the bytes of one position; ``leads``: the group that leads, -1 where none does."""

    offset: int
    size: int
    counts: tuple[int, ...]
    layers: Layers
    leads: int


def fingerprint(tables: DraughtsTables) -> str:
    """A digest of all rules that a table depends on."""
    board = tables.board
    rules = {
        "format": FORMAT,
        "board": [board.width, board.height, board.squares],
        "man": tables.man.model_dump(),
        "king": _without_defaults(tables.king, "run"),
        "capture": {k: v for k, v in _without_defaults(tables.capture, "king_value").items() if k != "neglect"},
        "endings": [ending.model_dump(exclude_defaults=True) for ending in tables.draws.endings],
        **({"wins": tables.outcome.wins} if tables.outcome.wins != "no-move" else {}),
    }
    return hashlib.sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()


def _without_defaults(table: BaseModel, *keys: str) -> dict[str, object]:
    """A table without those of ``keys`` that have their default: files made before there were such keys stay good."""
    fields = type(table).model_fields
    dumped = table.model_dump()
    return {key: value for key, value in dumped.items() if key not in keys or value != fields[key].default}


class Layout:
    """The classes of up to ``pieces`` pieces of one game. Raises NoEndgames."""

    def __init__(self, tables: DraughtsTables, pieces: int) -> None:
        if pieces < 2:
            raise NoEndgames("endgame tables hold two pieces at least")
        self.rules, self.pieces = tables, pieces
        table = tables.board
        self.board: Board = square_board(table.width, table.height, table.squares, "left")
        squares = squares_of(self.board)
        self.size = len(squares.place_of)
        self._of_place, self._places = squares.of_place, squares.place_of
        self.played = sorted(squares.of_place[place] for place in self.board.played)
        self.turned = self._map(-1, -1) or self._map(1, -1)
        if self.turned is None:
            raise NoEndgames("endgame tables need a board that looks the same from both sides; this one does not")
        roads = {sum(1 << self._of_place[p] for p in bits(road)) for road in main_roads(self.board)}
        self._one_road = roads == {sum(1 << self.turned[s] for s in bits(road)) for road in roads}
        # On a main road left and right are not the same.
        self.mirror = None if any(e.main_road for e in tables.draws.endings) else self._map(-1, 1)
        last = self.board.height - 1
        own = [square for square in self.played if self.row(square) != last]
        foreign = [square for square in self.played if self.row(square) != 0]
        self._led_sets: dict[tuple[int, int], tuple[Ints, Ints]] = {}
        self.groups = (own, self.played, foreign, self.played)
        """The squares on which the pieces of each group may stand."""

    def row(self, square: int) -> int:
        return self.board.places[self._places[square]][1]

    def _map(self, across: int, along: int) -> tuple[int, ...] | None:
        """Squares after a reflection in one or both directions; None where that leads off the squares played on."""
        squares, played = [], set(self.played)
        for square, place in enumerate(self._places):
            x, y = self.board.places[place]
            x = x if across > 0 else self.board.width - 1 - x
            y = y if along > 0 else self.board.height - 1 - y
            to = self._of_place[y * self.board.width + x]
            if place not in self.board.played:
                squares.append(square)
            elif to not in played:
                return None
            else:
                squares.append(to)
        return tuple(squares)

    @cached_property
    def classes(self) -> tuple[Material, ...]:
        """All classes, each behind those that it leads to, beside the one with the other side to move; without those
        that cannot be exact, and what leads to them. Raises NoEndgames where no class is left."""
        exact = [m for m in self._materials() if not any(leads_to(m, other) for other in self.left_out)]
        if not exact:
            raise NoEndgames(f"there are no endgame tables for these rules: {next(iter(self.left_out.values()))}")
        return tuple(sorted(exact, key=lambda m: (sum(m), m[0] + m[2], max(m, swapped(m)), m)))

    @cached_property
    def left_out(self) -> dict[Material, str]:
        """The classes that cannot be exact, and why; neither can what leads to them."""
        reasons = ((m, reason_without(self.rules, m, one_road=self._one_road)) for m in self._materials())
        return {material: reason for material, reason in reasons if reason is not None}

    def _materials(self) -> Iterator[Material]:
        for a, b, c, d in product(range(self.pieces + 1), repeat=4):
            if a + b + c + d <= self.pieces and a + b and c + d:
                yield a, b, c, d

    @cached_property
    def shapes(self) -> dict[Material, Shape]:
        shapes: dict[Material, Shape] = {}
        offset = 0
        for material in self.classes:
            counts = [comb(len(squares), number) for squares, number in zip(self.groups, material, strict=True)]
            leads = -1
            if self.mirror is not None:
                leads = min((g for g in range(4) if material[g]), key=lambda g: (material[g], g))
                counts[leads] = (counts[leads] + self._even(leads, material[leads])) // 2
            layers = layers_of(self.rules, material)
            size = prod(counts) * layers.number
            shapes[material] = Shape(offset, size, tuple(counts), layers, leads)
            offset += size
        return shapes

    @property
    def total(self) -> int:
        """Bytes of all classes."""
        last = self.shapes[self.classes[-1]]
        return last.offset + last.size

    def _even(self, group: int, number: int) -> int:
        """How many sets of so many squares of a group are their own reflection."""
        assert self.mirror is not None
        on_axis = sum(1 for square in self.groups[group] if self.mirror[square] == square)
        pairs = (len(self.groups[group]) - on_axis) // 2
        return sum(comb(pairs, two) * comb(on_axis, number - 2 * two) for two in range(number // 2 + 1))

    def sets(self, group: int, number: int) -> Ints:
        """All sets of so many squares of a group as bits, by rank."""
        squares = self.groups[group]
        ranked = sorted(tuple(reversed(chosen)) for chosen in combinations(range(len(squares)), number))
        return [sum(1 << squares[i] for i in chosen) for chosen in ranked]

    def leading(self, group: int, number: int) -> Ints:
        """Of each set and its reflection the one of the lower rank, in the order of rank."""
        return self._led(group, number)[0]

    def _led(self, group: int, number: int) -> tuple[Ints, Ints]:
        """The leading sets; and for each set by rank twice its number among them, one more if it is a reflection."""
        key = (group, number)
        if key not in self._led_sets:
            assert self.mirror is not None
            sets = self.sets(group, number)
            at = {chosen: index for index, chosen in enumerate(sets)}
            leading: Ints = []
            numbers: Ints = []
            for index, chosen in enumerate(sets):
                other = at[sum(1 << self.mirror[square] for square in bits(chosen))]
                if other < index:
                    numbers.append(numbers[other] | 1)
                else:
                    numbers.append(2 * len(leading))
                    leading.append(chosen)
            self._led_sets[key] = leading, numbers
        return self._led_sets[key]

    def kernel(self) -> LookupTables:
        """The kernel's tables for the board on which the endgames are made, with the directory of all classes."""
        rules = self.rules.model_copy(
            update={"board": self.rules.board.model_copy(update={"corner": "left", "mirror": False})}
        )
        plain = build(rules, self.board, [0] * (4 * self.size), [0] * (4 * self.size + 1))
        return self.entered(plain, self.board, held=True)

    def entered(
        self, tables: LookupTables, board: Board, *, held: bool, shapes: Mapping[Material, Shape] | None = None
    ) -> LookupTables:
        """``tables`` of a game on ``board`` with the directory of all classes, kept in these shapes, their own where
        there are none; ``held``: their bytes are there."""
        data = list(tables.data)
        ends, n = len(data), self.pieces + 1
        data += [-1] * (directory.CLASSES + directory.WIDTH * n**4)

        def put(values: Iterable[int]) -> int:
            start = len(data)
            data.extend(values)
            return start

        for side, way in enumerate(self._ways(board)):
            data[ends + directory.WAY + side] = put(way) if way else -1
        data[ends + directory.REFLECTION] = put(self.mirror) if self.mirror else -1
        for group, squares in enumerate(self.groups):
            number_of = {square: number for number, square in enumerate(squares)}
            data[ends + directory.NUMBERS + group] = put(number_of.get(square, 0) for square in range(self.size))
        binomials = (comb(number, k) for k in range(1, self.pieces + 1) for number in range(self.size))
        data[ends + directory.WAYS] = put(binomials)
        leads: dict[tuple[int, int], int] = {}
        for material, shape in (self.shapes if shapes is None else shapes).items():
            entry = self.entry(ends, material)
            data[entry + directory.BASE] = shape.offset if held else -1
            layers = shape.layers
            data[entry + directory.LAYERS] = layers.number
            data[entry + directory.RUN_LAYERS : entry + directory.BLOCKS] = layers[:4]
            strides = entry + directory.STRIDES
            data[strides : strides + 4] = [prod(shape.counts[group + 1 :]) for group in range(4)]
            data[entry + directory.LEADS] = shape.leads
            if shape.leads >= 0:
                led = (shape.leads, material[shape.leads])
                if led not in leads:
                    leads[led] = put(self._led(*led)[1])
                data[entry + directory.LEAD] = leads[led]
        return tables._replace(data=data, ends=ends, most=self.pieces, widest=self.pieces)

    def entry(self, ends: int, material: Material) -> int:
        """Where the entry of a class is in a directory at ``ends``."""
        n = self.pieces + 1
        number = ((material[0] * n + material[1]) * n + material[2]) * n + material[3]
        return ends + directory.CLASSES + directory.WIDTH * number

    def _ways(self, board: Board) -> tuple[tuple[int, ...] | None, tuple[int, ...]]:
        """How squares of a game's board are carried over to this one for a mover of either side; None: they stay."""
        assert self.turned is not None
        if board.played == self.board.played:
            return None, self.turned
        squares = squares_of(board)
        over = []
        for square, place in enumerate(squares.place_of):
            x, y = board.places[place]
            to = self._of_place[y * self.board.width + self.board.width - 1 - x]
            over.append(to if place in board.played else square)
        return tuple(over), tuple(self.turned[to] for to in over)
