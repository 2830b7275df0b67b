"""The star with one choice of options as flat tables of integers, for the kernel of Chinese checkers."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from bot.computer.kernels.lookup_tables import Ints
from bot.engine.star.geometry import HOLES, SETS
from bot.engine.star.movegen import StarMoveGenerator

SIZE: Final = len(HOLES)
CODES: Final = len(SETS) + 1
"""Codes of sets; 0 is none."""
GOALS: Final = 10
"""Holes of a target, and pegs of a set."""
WAYS: Final = 6
"""Directions from a hole."""
NOWHERE: Final = -1


class PegTables(NamedTuple):
    """``data`` holds all tables, one after the other; the other fields tell where each begins there.

    By set code and hole (``code * SIZE + hole``): ``steps``: WAYS holes, NOWHERE behind the last; ``hops``: as many
    pairs of the hole hopped over and the hole behind it; ``rest``: whether a turn may end there; ``target``: whether it
    lies in the set's target; ``worth``: what a peg there is worth; ``keys``: numbers of 62 bits at random. By set code:
    ``goals``: the GOALS holes of the target; ``owners``: the seat. ``near``: the steps between two holes. ``codes``:
    ``sets`` codes by seat. ``swaps``, ``filling``: whether pegs change places with those that stay in their target,
    whether these count for it (RULES.md, Chinese checkers).
    """

    data: Ints
    steps: int
    hops: int
    rest: int
    target: int
    worth: int
    keys: int
    goals: int
    owners: int
    near: int
    codes: int
    swaps: int
    filling: int
    sets: int


def build(moves: StarMoveGenerator, worth: Sequence[Sequence[int]], near: Sequence[Sequence[int]]) -> PegTables:
    """The tables of one choice of options. ``worth``: what a peg is worth by set code and hole; ``near``: the steps
    between two holes."""
    random = Random("star")
    codes = range(CODES)
    tables: dict[str, Ints] = {
        "steps": [to for code in codes for hole in HOLES for to in _filled(moves.steps[code][hole], WAYS)],
        "hops": [
            to
            for code in codes
            for hole in HOLES
            for to in _filled([place for hop in moves.hops[code][hole] for place in hop], 2 * WAYS)
        ],
        "rest": [int(hole in moves.rest[code]) for code in codes for hole in HOLES],
        "target": [int(hole in moves.target[code]) for code in codes for hole in HOLES],
        "worth": [worth[code][hole] for code in codes for hole in HOLES],
        "keys": [random.getrandbits(62) for _ in codes for _ in HOLES],
        "goals": [hole for code in codes for hole in _filled(sorted(moves.target[code]), GOALS)],
        "owners": list(moves.owner),
        "near": [steps for row in near for steps in row],
        "codes": [code for own in moves.codes for code in own],
    }
    data: Ints = []
    begins: dict[str, int] = {}
    for name, table in tables.items():
        begins[name] = len(data)
        data += table
    return PegTables(
        data, **begins, swaps=int(any(moves.swappable)), filling=int(moves.filling), sets=len(moves.codes[0])
    )


def _filled(values: Sequence[int], length: int) -> Ints:
    """``values``, and NOWHERE behind them up to ``length``."""
    return [*values, *[NOWHERE] * (length - len(values))]
