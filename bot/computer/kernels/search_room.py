"""The room that a search writes in, and what scores mean: known to what is compiled and to who begins it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.computer.kernels.lookup_tables import Ints
from bot.computer.kernels.movegen import PLIES, SPAN

WIN = 100_000
"""The worth of a won game, less one for each ply until it is won."""
FAR = 2 * WIN
WON = WIN - 1000
"""Scores from here on are wins."""

NODES, LIMIT, STOP, REDUCE, EXTRA, SHARE = 0, 1, 2, 3, 4, 5
"""Entries of the room. STOP: whether the search was broken off, for it counted more than LIMIT nodes (who wants it to
stop at once sets the limit to nothing, and the last entry of the room to 1: see kernel). REDUCE: whether late moves are
searched less deep and single replies deeper (then a search is no plain minimax); EXTRA: how many keys of the game's own
past stand before those of the search; SHARE: how much of what a position is worth each piece on the board makes up, 1
of 2 to the power of SHARE_BITS parts, 0: it counts whole."""
SHARE_BITS = 10

# What else is in the room, one after the other; compiled functions are slow to be handed many arrays.
LENGTHS = 8
RUNS = LENGTHS + PLIES
"""By ply the run of the king that the side to move has moved last, where runs are limited: its square << 8 | how many
moves without a capture it has made in a row; 0: there is none."""
PLIES_MADE = RUNS + PLIES + 2
PLIES_STOOD = PLIES_MADE + PLIES + 1
"""By ply, where the rules count other moves than quiet ones (see move_counts): plies since the material and since the
ending arose."""
KILLERS = PLIES_STOOD + PLIES + 1
LINE = KILLERS + 2 * PLIES
LINE_TAKEN = LINE + PLIES * PLIES
LISTS = LINE_TAKEN + PLIES * PLIES
HISTORY = LISTS + 3 * SPAN


class Work(NamedTuple):
    """Room that one search writes in. ``trail``: where the keys of the positions on the way are, behind the history;
    those of the game's own past stand before it. ``table``: the transposition table, at least one integer and two for
    each of ``slots`` (a power of two, 0 to search without). ``ends``: the bytes of the endgame tables, ``packed`` those
    of who wins with more pieces (see outcome_blocks). ``patterns``: their weights (see patterns); ``net``: the rows of
    one (see net); ``learned``: what both said of positions (see learned_worth)."""

    room: Ints
    table: Ints
    trail: int
    slots: int
    ends: bytearray
    packed: bytearray
    patterns: Sequence[int]
    net: Sequence[int]
    learned: Ints


def fetch(table: Ints, at: int) -> None:
    """Have an entry brought from memory meanwhile, where that can be asked for: compiled (see backends)."""
