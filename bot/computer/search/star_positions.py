"""Positions of Chinese checkers as a search has them: what they are worth, and which follow.

What a seat is worth is how far its pegs have come, in hundredths of a row; a peg left behind costs more than the rows
that it lacks, and each pays for the steps to the nearest hole of its target that is still free.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from typing import Final

from bot.engine.star.geometry import GROUND, HOLES, OPPOSITE, SETS, STEPS
from bot.engine.star.movegen import NOBODY, Pegs
from bot.engine.star.rules import StarRules

ROW = 100
BEHIND, BEHIND_OF_MANY = 5, 12
"""For each row that a peg lacks, times the rows that it lacks: the last ones must not be forgotten, least of all where
a player has several sets and pegs that come home can shut others in."""
ASIDE = 8
"""For each half hole that a peg stands off the line between the two triangles."""
STEP = 20
"""For each step of a peg outside the target to the nearest hole of it that is still free."""
HOME = 200
"""For a peg in its target: it takes a near hole from the others, and must be welcome all the same."""
ASTRAY = 1500
"""For a peg in the target of another set of its player: pegs that may not leave it again can shut it in for good."""
MOST_KEPT = 100_000
"""Of so many places of a set of pegs the worth is kept."""

# A turn as a number that sorts by what it gains: that, the set's code, and the holes in which it begins and ends.
_GAIN, _CODE, _START = 17, 14, 7
_OFFSET: Final = 1 << 14
"""What is added to a gain so that it is more than nothing."""
_SWAPPED: Final = 7
"""In place of a code: a turn with swaps, and in place of the holes which one."""

_DIGITS: Final = bytes(48) + bytes((0, 1)) + bytes(206)

Masks = tuple[int, ...]
"""Where the pegs of each set stand, by set code, as bits (1 << hole)."""


def _distances(start: int) -> tuple[int, ...]:
    """The steps from a hole to each other one on an empty board."""
    steps = {start: 0}
    nodes = [start]
    for hole in nodes:
        for to in STEPS[hole]:
            if to not in steps:
                steps[to] = steps[hole] + 1
                nodes.append(to)
    return tuple(steps[hole] for hole in HOLES)


DISTANCE = tuple(_distances(hole) for hole in HOLES)
"""The steps between two holes."""


class StarPositions:
    """The positions of one choice of options, each seat's pegs as bits."""

    def __init__(self, rules: StarRules) -> None:
        self.rules = rules
        kernel = rules.kernel
        self.owner = kernel.owner
        self.targets = tuple(sum(1 << hole for hole in target) for target in kernel.target)
        self.worth = ((0,) * len(HOLES), *(self._worth(name) for name in SETS))
        """By set code and hole."""
        self.swappable = tuple(sum(1 << hole for hole in holes) for holes in kernel.swappable)
        self._worths: dict[tuple[int, int], int] = {}

    def _worth(self, name: str) -> tuple[int, ...]:
        ground = GROUND[OPPOSITE[name]]
        # The two other axes that cross the line tell how far a hole lies to either side of it.
        place = SETS.index(name)
        left, right = GROUND[SETS[(place + 2) % 6]], GROUND[SETS[(place + 4) % 6]]
        code, codes = place + 1, self.rules.kernel.codes
        behind = BEHIND if len(codes[0]) == 1 else BEHIND_OF_MANY
        astray = sum(self.targets[other] for own in codes if code in own for other in own if other != code)
        return tuple(
            ROW * ground[hole]
            - behind * (16 - ground[hole]) ** 2
            - ASIDE * abs(left[hole] - right[hole])
            - ASTRAY * (astray >> hole & 1)
            for hole in HOLES
        )

    def masks(self, pegs: Pegs) -> Masks:
        masks = [0] * (len(SETS) + 1)
        for hole, code in enumerate(pegs):
            masks[code] |= 1 << hole
        return (0, *masks[1:])

    def standing(self, masks: Masks) -> list[int]:
        """What each seat's pegs are worth where they stand."""
        return [sum(self.set_worth(code, masks[code]) for code in codes) for codes in self.rules.kernel.codes]

    def set_worth(self, code: int, mask: int) -> int:
        """What the pegs of one set are worth."""
        worth = self._worths.get((code, mask))
        if worth is None:
            if len(self._worths) >= MOST_KEPT:
                self._worths.clear()
            worth = self._worths[code, mask] = self._set_worth(code, mask)
        return worth

    def _set_worth(self, code: int, mask: int) -> int:
        free = tuple(_holes(self.targets[code] & ~mask))
        worth = HOME * (len(self.rules.kernel.target[code]) - len(free))
        for hole in _holes(mask):
            worth += self.worth[code][hole]
            if not self.targets[code] >> hole & 1:
                steps = DISTANCE[hole]
                worth -= STEP * min(steps[to] for to in free)
        return worth

    def is_home(self, masks: Masks, seat: int) -> bool:
        """Whether a seat has come home, as StarMoveGenerator.is_home has it."""
        kernel = self.rules.kernel
        codes = kernel.codes[seat]
        standing = 0
        for code in codes:
            mask = masks[code]
            standing |= mask
            if mask & ~self.targets[code]:
                break
        else:
            if standing:
                return True
        if not kernel.filling:
            return False
        foreign = sum(masks[code] for code, owner in enumerate(self.owner) if kernel.foreign[codes[0]][code])
        return all(
            masks[code] & self.targets[code] and not self.targets[code] & ~(masks[code] | foreign) for code in codes
        )

    def following(self, masks: Masks, seat: int, width: int | None = None) -> list[Masks]:
        """The positions after the turns of a seat that gain most, as many as ``width`` or all, the best first."""
        # Half of a search is spent here: hence numbers in place of tuples, and no position made that is not asked for.
        kernel = self.rules.kernel
        board = bytearray(_bits(sum(masks)))
        foreign = sum(mask for code, mask in enumerate(masks) if mask and self.owner[code] not in (seat, NOBODY))
        leads: list[int] = []
        swapped: list[Masks] = []
        for code in kernel.codes[seat]:
            worth, steps, hops, rest = self.worth[code], kernel.steps[code], kernel.hops[code], kernel.rest[code]
            hindered = self.swappable[code] & foreign
            for start in compress(HOLES, _bits(masks[code])):
                board[start] = 0
                before, swaps = len(leads), False
                base = (_OFFSET - worth[start] << _GAIN) + (code << _CODE) + (start << _START)
                for to in steps[start]:
                    if not board[to]:
                        leads.append(base + (worth[to] << _GAIN) + to)
                    elif hindered >> to & 1:
                        swaps = True
                seen = [start]
                for hole in seen:
                    for over, to in hops[hole]:
                        if board[over]:
                            if not board[to]:
                                if to not in seen:
                                    seen.append(to)
                                    if to in rest:
                                        leads.append(base + (worth[to] << _GAIN) + to)
                            elif hindered and hindered >> to & 1:
                                swaps = True
                board[start] = 1
                if swaps:
                    # Rare enough to leave it to the rules.
                    del leads[before:]
                    for to, after in self._by_the_rules(masks, start):
                        gain = _OFFSET - worth[start] + worth[to] << _GAIN
                        leads.append(gain + (_SWAPPED << _CODE) + len(swapped))
                        swapped.append(after)
        leads.sort(reverse=True)
        return [self._after(masks, lead, swapped) for lead in leads[:width]]

    @staticmethod
    def _after(masks: Masks, lead: int, swapped: Sequence[Masks]) -> Masks:
        code, holes = lead >> _CODE & 7, lead & (1 << _CODE) - 1
        if code == _SWAPPED:
            return swapped[holes]
        mask = masks[code] ^ (1 << (holes >> _START) | 1 << (holes & 127))
        return (*masks[:code], mask, *masks[code + 1 :])

    def _by_the_rules(self, masks: Masks, start: int) -> list[tuple[int, Masks]]:
        """Where each turn of a peg ends, and the position after it."""
        pegs = bytearray(len(HOLES))
        for other, mask in enumerate(masks):
            for hole in _holes(mask):
                pegs[hole] = other
        return [(turn.path[-1], self.masks(turn.after)) for turn in self.rules.kernel.turns_from(bytes(pegs), start)]


def _bits(mask: int) -> bytes:
    """A byte for each hole, 1 where the mask has it."""
    return f"{mask:0121b}".encode().translate(_DIGITS)[::-1]


def _holes(mask: int) -> list[int]:
    holes = []
    while mask:
        bit = mask & -mask
        mask ^= bit
        holes.append(bit.bit_length() - 1)
    return holes


@lru_cache(maxsize=32)
def star_positions_for(rules: StarRules) -> StarPositions:
    """The positions of these rules, their tables made once."""
    return StarPositions(rules)
