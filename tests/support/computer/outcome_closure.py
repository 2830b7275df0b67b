"""Whether tables of who wins agree with themselves: what each position is worth, held against what its moves lead to.
In a form that runs as it is and that numba compiles as well."""

from __future__ import annotations

from bot.computer.kernels.lookup_tables import Ints, LookupTables
from bot.computer.kernels.movegen import capturers
from bot.computer.kernels.outcome_blocks import outcome
from bot.computer.kernels.outcome_moves import by_moves, worth
from bot.computer.kernels.outcome_solver import DRAW, LOSS, WIN


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


def told(t: LookupTables, ends: bytearray, packed: bytearray, bytes_of: bytearray, positions: Ints, room: Ints) -> int:
    """How many of these positions, four integers each with the first side to move and in the order of bytes that say in
    how many plies they are won, are told otherwise by who wins; those with a capture are passed over."""
    bad = 0
    for i in range(0, len(positions), 4):
        men, kings, foe_men, foe_kings = positions[i], positions[i + 1], positions[i + 2], positions[i + 3]
        if not capturers(t, 0, men, kings, foe_men, foe_kings):
            byte = bytes_of[i // 4] + 0
            wanted = DRAW if byte == 0 else LOSS if byte & 1 else WIN
            if worth(t, ends, packed, 0, men, kings, foe_men, foe_kings, room, 0) != wanted:
                bad += 1
    return bad


def looked(t: LookupTables, packed: bytearray, positions: Ints) -> int:
    """Look these positions up, five integers each; how many are held as they stand."""
    held = 0
    for i in range(0, len(positions), 5):
        told = outcome(t, packed, positions[i], positions[i + 1], positions[i + 2], positions[i + 3], positions[i + 4])
        if told >= DRAW:
            held += 1
    return held
