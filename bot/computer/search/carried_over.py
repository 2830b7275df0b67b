"""What a search hands to the next one of the same game: the table of positions and what they are worth.

Two plies on, most of what is looked at has been looked at before, two plies less deep: it costs nothing again, and
tells which move to try first.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, NamedTuple, cast

from bot.computer.kernels.lookup_tables import Ints
from bot.engine.draughts.state import DraughtsState, Position

MOST_KEPT = 2
"""Of so many games a process keeps tables: 16 MB each at most, 32 MB where time alone ends each search."""


class CarriedOver(NamedTuple):
    """A table, the position that it was filled from, and whatever else has to be the same for it to be of use."""

    table: Ints
    root: Position
    kind: tuple[object, ...]


_kept: list[CarriedOver] = []
_lock = threading.Lock()


def taken(state: DraughtsState, kind: tuple[object, ...], size: int, room: Callable[[int], Ints]) -> Ints:
    """The table of an earlier search of the game that ``state`` stands in, or an empty one of ``size`` entries, which
    ``room`` makes. Whoever takes it has it alone."""
    with _lock:
        for index in reversed(range(len(_kept))):
            one = _kept[index]
            if one.kind == kind and one.root in state.trail:
                del _kept[index]
                return one.table
        # One that is dropped anyway is emptied: memory that is new comes slowly.
        dropped: Any = _kept.pop(0).table if len(_kept) == MOST_KEPT and len(_kept[0].table) == size else None
    if not hasattr(dropped, "fill"):
        return room(size)
    dropped.fill(0)
    return cast(Ints, dropped)


def keep(table: Ints, state: DraughtsState, kind: tuple[object, ...]) -> None:
    """Keep the table of a search from ``state`` for the next one of its game."""
    with _lock:
        _kept.append(CarriedOver(table, state.position, kind))
        del _kept[:-MOST_KEPT]
