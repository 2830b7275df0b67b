"""What of the moves before a position counts in which material: the layers that its class has, and what none can have.

A position of a material in which moves are counted, or kings rest after a run, is worth what these counts leave of it.
Its class has a byte for each of them: for every number of plies since the material arose, up to the end of the ending
that is over first; for every number since the ending did, where crownings do not end it or it needs a main road; and
for every run of a king beside men.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from bot.computer.kernels.lookup_tables import counts_from
from bot.engine.draughts.counted_endings import is_of

if TYPE_CHECKING:
    from bot.engine.variant_tables import DraughtsTables, EndingTable

Material = tuple[int, int, int, int]
"""Own men, own kings, foreign men, foreign kings; own is who is to move."""


class Layers(NamedTuple):
    """How many values each count has: runs of own and foreign kings, plies since the material and since the ending
    arose. ``by_material``, ``by_ending``: whether every move that leaves the material adds to the one or the other."""

    runs: int
    foe_runs: int
    made: int
    stood: int
    by_material: bool
    by_ending: bool

    @property
    def number(self) -> int:
        return self.runs * self.foe_runs * self.made * self.stood


def swapped(material: Material) -> Material:
    """The same pieces, the other side to move."""
    return material[2], material[3], material[0], material[1]


def leads_to(most: Material, material: Material) -> bool:
    """Whether captures and promotions can make this material of that, whoever is to move."""
    return _becomes(most, material) or _becomes(most, swapped(material))


def _becomes(most: Material, material: Material) -> bool:
    return all(
        material[side] <= most[side] and material[side] + material[side + 1] <= most[side] + most[side + 1]
        for side in (0, 2)
    )


def layers_of(tables: DraughtsTables, material: Material) -> Layers:
    """The layers of a class."""
    men, kings, foe_men, foe_kings = material
    run = tables.king.run
    endings = [ending for ending in tables.draws.endings if _strong(ending, material)]
    made = [2 * ending.moves + 1 for ending in endings if not counts_from(ending)]
    stood = [2 * ending.moves + 1 for ending in endings if counts_from(ending)]
    return Layers(
        runs=1 + run * kings if men else 1,
        foe_runs=1 + run * foe_kings if foe_men else 1,
        made=min(made, default=1),
        stood=max(stood, default=1),
        by_material=bool(made),
        by_ending=any(counts_from(ending) and not ending.main_road for ending in endings),
    )


def reason_without(tables: DraughtsTables, material: Material, *, one_road: bool) -> str | None:
    """Why a class cannot have exact bytes, None where it can. ``one_road``: the main road is the same from either
    side."""
    long = [ending for ending in tables.draws.endings if counts_from(ending) and _strong(ending, material)]
    if len(long) > 1:
        return "two endings that go on through crownings, or need a main road, are counted at once"
    for ending in tables.draws.endings:
        if len(_strong(ending, material)) == 2:
            if ending.result == "win":
                return "either of two equal sides would win by the count"
            if ending in long and any(_strong(ending, other) for other in _below(material)):
                return "a count goes on from equal sides to others"
        elif ending.main_road and ending in long and not one_road:
            return "the main road is another one from the other side"
    return None


def _below(material: Material) -> Iterator[Material]:
    men, kings, foe_men, foe_kings = material
    a, b, c, d = (range(most + 1) for most in (men, men + kings, foe_men, foe_men + foe_kings))
    for other in product(a, b, c, d):
        if other not in (material, swapped(material)) and leads_to(material, other):
            yield other


def _strong(ending: EndingTable, material: Material) -> list[int]:
    """Which sides are the strong one of an ending of this material: 0 who is to move, 1 the other."""
    sides = (material[0], material[1]), (material[2], material[3])
    return [side for side in (0, 1) if is_of(ending, sides[side], sides[1 - side])]


def is_counted(tables: DraughtsTables, material: Material) -> bool:
    """Whether moves are counted with this material on the board, wherever the pieces stand."""
    return any(_strong(ending, material) for ending in tables.draws.endings)
