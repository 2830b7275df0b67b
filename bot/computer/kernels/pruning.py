"""Where the evaluation settles what a position is worth, in a form that runs as it is and that numba compiles as well.

A selective search asks it of positions without a capture that stand near the horizon and have only to be held against a
bound. In draughts much is settled by force, so a position counts as calm only where the other side could not capture.
"""

from __future__ import annotations

from bot.computer.kernels.learned_worth import evaluated
from bot.computer.kernels.lookup_tables import NO_MOVE, LookupTables
from bot.computer.kernels.movegen import can_step, capturers
from bot.computer.kernels.outcome_blocks import SURE
from bot.computer.kernels.search_room import Work

NEAR = 4
"""So many plies from the horizon at most a position may be so good that it is not searched (reverse futility)."""
AHEAD, AHEAD_A_PLY = 20, 60
"""By how much it is better than the bound, in hundredths of a man, and by how much more for each ply."""
BEHIND = 100
"""A position one ply from the horizon that is worse than the bound by so much is not searched (razoring)."""
UNSETTLED = 1 << 30


def settled_by_worth(
    t: LookupTables,
    w: Work,
    side: int,
    men: int,
    kings: int,
    foe_men: int,
    foe_kings: int,
    key: int,
    movable: int,
    score: int,
    depth: int,
    bound: int,
) -> int:
    """The worth of a position to its mover, if that is as good as sure to lie on the same side of ``bound``, above it
    or not, as a search of ``depth`` plies would say; else UNSETTLED. ``movable``: the kings that may move;
    ``key`` and ``score``: as alphabeta has them."""
    if t.wins != NO_MOVE or not -SURE < bound < SURE:
        return UNSETTLED
    score = evaluated(t, w, side, men, kings, foe_men, foe_kings, key, score)
    behind = depth == 1 and score + BEHIND <= bound
    ahead = score - AHEAD - AHEAD_A_PLY * depth > bound and not capturers(t, 1 - side, foe_men, foe_kings, men, kings)
    if (behind or ahead) and can_step(t, side, men, movable, men | kings | foe_men | foe_kings):
        return score
    return UNSETTLED
