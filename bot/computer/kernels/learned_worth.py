"""What a position is worth: its pieces, and what is learned of a game and adds to them, patterns of men and a net.

Nearly half of the positions that a search asks it of it has asked it of before. In plain Python, where reckoning takes
long, what was found is remembered by their keys.
"""

from __future__ import annotations

from bot.computer.kernels.lookup_tables import LookupTables
from bot.computer.kernels.net import net_worth
from bot.computer.kernels.patterns import pattern_worth
from bot.computer.kernels.search_room import SHARE, SHARE_BITS, Work

REMEMBERED = 1 << 14
"""Entries that a searcher has for what was found; one holds the upper bits of a key and what was learned, above 0."""
WORTH_BITS = 20
_WORTH = (1 << WORTH_BITS) - 1
_NOTHING = 1 << (WORTH_BITS - 1)


def learned_worth(
    t: LookupTables, w: Work, side: int, men: int, kings: int, foe_men: int, foe_kings: int, key: int
) -> int:
    """In hundredths of a man, to the mover. Of more pieces than a game begins with nothing was learned: patterns count
    as on a full board, and the net has no say. ``key``: the Zobrist key of the position."""
    if not t.patterns and not t.net:
        return 0
    slot = 0
    if not t.compiled:
        slot = key & (REMEMBERED - 1)
        entry = w.learned[slot]
        if (entry ^ key) >> WORTH_BITS == 0:
            return (entry & _WORTH) - _NOTHING
    worth = 0
    if t.patterns:
        worth = pattern_worth(t, w.patterns, side, men, kings, foe_men, foe_kings)
    if t.net and (men | kings | foe_men | foe_kings).bit_count() <= t.net:
        worth += net_worth(w.net, t.size, side, men, kings, foe_men, foe_kings)
    if not t.compiled:
        w.learned[slot] = key >> WORTH_BITS << WORTH_BITS | worth + _NOTHING
    return worth


def evaluated(
    t: LookupTables, w: Work, side: int, men: int, kings: int, foe_men: int, foe_kings: int, key: int, score: int
) -> int:
    """In hundredths of a man, to the mover, of a position in which nobody has won: ``score``, what its pieces are
    worth, and what is learned; of that the share that the pieces on the board make up."""
    score += learned_worth(t, w, side, men, kings, foe_men, foe_kings, key)
    if w.room[SHARE]:
        score = score * w.room[SHARE] * (men | kings | foe_men | foe_kings).bit_count() >> SHARE_BITS
    return score
