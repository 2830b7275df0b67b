"""What is learned of a game and adds to what its pieces are worth: patterns of men, and a net."""

from __future__ import annotations

from bot.computer.kernels.lookup_tables import LookupTables
from bot.computer.kernels.net import net_worth
from bot.computer.kernels.patterns import pattern_worth
from bot.computer.kernels.search_room import Work


def learned_worth(t: LookupTables, w: Work, side: int, men: int, kings: int, foe_men: int, foe_kings: int) -> int:
    """In hundredths of a man, to the mover. Of more pieces than a game begins with nothing was learned: patterns count
    as on a full board, and the net has no say."""
    worth = 0
    if t.patterns:
        worth = pattern_worth(t, w.patterns, side, men, kings, foe_men, foe_kings)
    if t.net and (men | kings | foe_men | foe_kings).bit_count() <= t.net:
        worth += net_worth(w.net, t.size, side, men, kings, foe_men, foe_kings)
    return worth
