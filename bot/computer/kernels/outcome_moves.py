"""Who wins an endgame by what its moves lead to, where packed tables leave its class out (see outcome_tables), in a
form that runs as it is and that numba compiles as well."""

from __future__ import annotations

from bot.computer.kernels.endgame_index import probe
from bot.computer.kernels.lookup_tables import Ints, LookupTables
from bot.computer.kernels.movegen import KING_AFTER, SPAN, capturers, captures, quiets
from bot.computer.kernels.outcome_blocks import BY_MOVES, outcome
from bot.computer.kernels.outcome_solver import DRAW, LOSS, WIN


def worth(
    t: LookupTables, ends: bytearray, packed: bytearray, side: int,
    men: int, kings: int, foe_men: int, foe_kings: int, room: Ints, at: int,
) -> int:  # fmt: skip
    """What a position is worth to its mover by the tables, captures played out; -1 if they do not say it. Moves are
    listed in the room from ``at`` on."""
    if not men | kings:
        return LOSS
    if (men | kings | foe_men | foe_kings).bit_count() > t.most:
        told = BY_MOVES
        if not capturers(t, side, men, kings, foe_men, foe_kings):
            told = outcome(t, packed, side, men, kings, foe_men, foe_kings)
        # It ends: a quiet move leads to what is held, or crowns, and a capture to fewer pieces.
        if told == BY_MOVES:
            return by_moves(t, ends, packed, side, men, kings, foe_men, foe_kings, room, at)
        return told
    byte = probe(t, ends, side, men, kings, foe_men, foe_kings, 0)
    return byte if byte < 1 else LOSS if byte & 1 else WIN


def by_moves(
    t: LookupTables, ends: bytearray, packed: bytearray, side: int,
    men: int, kings: int, foe_men: int, foe_kings: int, room: Ints, at: int,
) -> int:  # fmt: skip
    """What a position is worth to its mover by what its moves lead to."""
    able = capturers(t, side, men, kings, foe_men, foe_kings)
    if able:
        top = captures(t, side, men, kings, foe_men, foe_kings, able, room, at)
    else:
        top = quiets(t, side, men, kings, men | kings | foe_men | foe_kings, room, at)
    best = LOSS
    for i in range(at, top):
        move = room[i]
        prey = room[i + SPAN] if able else 0
        start = 1 << (move & 255)
        next_men, next_kings = men & ~start, kings & ~start
        if move & KING_AFTER:
            next_kings |= 1 << (move >> 8 & 255)
        else:
            next_men |= 1 << (move >> 8 & 255)
        after = worth(
            t, ends, packed, 1 - side, foe_men & ~prey, foe_kings & ~prey, next_men, next_kings, room, top
        )  # fmt: skip
        if after < 0:
            return after
        if after == LOSS:
            return WIN
        if after == DRAW:
            best = DRAW
    return best
