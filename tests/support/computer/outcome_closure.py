"""Whether tables of who wins agree with themselves: what each position is worth, held against what its moves lead to.
In a form that runs as it is and that numba compiles as well."""

from __future__ import annotations

from bot.computer.kernels.endgame_index import probe
from bot.computer.kernels.lookup_tables import Ints, LookupTables
from bot.computer.kernels.movegen import KING_AFTER, SPAN, capturers, captures, quiets
from bot.computer.kernels.outcome_blocks import outcome
from bot.computer.kernels.outcome_solver import DRAW, LOSS, WIN


def worth(
    t: LookupTables, ends: bytearray, packed: bytearray, side: int,
    men: int, kings: int, foe_men: int, foe_kings: int, room: Ints, at: int,
) -> int:  # fmt: skip
    """What a position is worth by the tables, captures played out."""
    if not men | kings:
        return LOSS
    if (men | kings | foe_men | foe_kings).bit_count() > t.most:
        if capturers(t, side, men, kings, foe_men, foe_kings):
            return by_moves(t, ends, packed, side, men, kings, foe_men, foe_kings, room, at)
        return outcome(t, packed, side, men, kings, foe_men, foe_kings)
    byte = probe(t, ends, side, men, kings, foe_men, foe_kings, 0)
    return byte if byte < 1 else LOSS if byte & 1 else WIN


def by_moves(
    t: LookupTables, ends: bytearray, packed: bytearray, side: int,
    men: int, kings: int, foe_men: int, foe_kings: int, room: Ints, at: int,
) -> int:  # fmt: skip
    """What a position is worth by what its moves lead to."""
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


def wrong(t: LookupTables, ends: bytearray, packed: bytearray, positions: Ints, room: Ints) -> int:
    """How many of these positions, five integers each, are not worth what their moves make of them."""
    bad = 0
    for i in range(0, len(positions), 5):
        side, men, kings = positions[i], positions[i + 1], positions[i + 2]
        foe_men, foe_kings = positions[i + 3], positions[i + 4]
        if worth(t, ends, packed, side, men, kings, foe_men, foe_kings, room, 0) != by_moves(
            t, ends, packed, side, men, kings, foe_men, foe_kings, room, 0
        ):
            bad += 1
    return bad


def told(t: LookupTables, packed: bytearray, bytes_of: bytearray, at: int, positions: Ints) -> int:
    """How many of these positions, four integers each with the first side to move and in the order of bytes that say in
    how many plies they are won, are told otherwise by who wins; those with a capture are passed over."""
    bad = 0
    for i in range(0, len(positions), 4):
        men, kings, foe_men, foe_kings = positions[i], positions[i + 1], positions[i + 2], positions[i + 3]
        if not capturers(t, 0, men, kings, foe_men, foe_kings):
            byte = bytes_of[at + i // 4] + 0
            wanted = DRAW if byte == 0 else LOSS if byte & 1 else WIN
            if outcome(t, packed, 0, men, kings, foe_men, foe_kings) != wanted:
                bad += 1
    return bad


def looked(t: LookupTables, packed: bytearray, positions: Ints) -> int:
    """Look these positions up, five integers each; the sum of what is told."""
    total = 0
    for i in range(0, len(positions), 5):
        total += outcome(
            t, packed, positions[i], positions[i + 1], positions[i + 2], positions[i + 3], positions[i + 4]
        )
    return total
