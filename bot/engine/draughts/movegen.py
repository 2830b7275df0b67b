"""Moves of the draughts family on plain integers: one bit a square, bit = y * width + x.

Everything that differs between the games is a value of the variant: directions, reach of kings, rule of choice,
removal, crowning. The kernel sees a position from the mover's side: own men and kings, foreign men and kings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bot.engine.boards import WAYS, Board
from bot.engine.draughts.search_budget import Budget

if TYPE_CHECKING:
    from bot.engine.variant_tables import DraughtsTables

_Walk: TypeAlias = tuple[int, bool, int, int, int, int]
"""A capture on its way, as far as it matters for how it goes on: where the piece is, whether it is a king, by which
direction it came (-1: no matter), the foreign pieces that it has not taken, how many of the wanted stops it has visited
and, where kings must be taken first, which of the taken were kings."""

_Route: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""The places visited, and the places jumped."""


class Chain(NamedTuple):
    """A whole capture: the places visited, the places jumped in order, and whether a king stands at the end."""

    path: tuple[int, ...]
    taken: tuple[int, ...]
    king: bool


class Forces(NamedTuple):
    """A position from the mover's side: bits of own men and kings, foreign men and kings."""

    men: int
    kings: int
    foe_men: int
    foe_kings: int


def worths(king_value: float) -> tuple[int, int]:
    """What a man and a king count in the criterion "most-value", as whole numbers."""
    king = Fraction(str(king_value))
    return king.denominator, king.numerator


class MoveGenerator:
    """Move generation of one variant on its board, for side 0 (moving up) and side 1 (moving down)."""

    def __init__(self, tables: DraughtsTables, board: Board) -> None:
        self.tables = tables
        self.board = board
        size = len(board.places)
        self.ranks = board.ranks
        self.all_played = sum(1 << i for i in board.played)
        last = board.height - 1
        self.crown = (
            sum(1 << i for i in board.played if board.places[i][1] == last),
            sum(1 << i for i in board.played if board.places[i][1] == 0),
        )
        named = {*tables.man.moves, *tables.man.captures, *tables.king.moves, *tables.king.captures}
        straight = any(name.endswith("straight") for name in named)
        every = sorted({step for name, ways in WAYS.items() for step in ways if straight or "straight" not in name})
        self.every = tuple(every)
        self.opposite = tuple(every.index((-dx, -dy)) for dx, dy in every)
        # Along a ray the nearest piece is the lowest bit where bits grow along it, else the highest.
        self.grows = tuple(dy * board.width + dx > 0 for dx, dy in every)

        def directions(names: Sequence[str], side: int) -> list[tuple[int, int]]:
            return [(dx, dy if side == 0 else -dy) for name in names for dx, dy in WAYS[name]]

        def neighbour(place: int, step: tuple[int, int], distance: int = 1) -> int | None:
            x, y = board.places[place]
            x, y = x + distance * step[0], y + distance * step[1]
            if not (0 <= x < board.width and 0 <= y < board.height):
                return None
            target = y * board.width + x
            return target if target in board.played else None

        def line(place: int, step: tuple[int, int]) -> tuple[int, ...]:
            cells = (neighbour(place, step, distance) for distance in range(1, size))
            return tuple(cell for cell in takewhile(lambda c: c is not None, cells) if cell is not None)

        # Uniform shifts over all men at once: (left shift, right shift, men that have the square to go to).
        self.man_shifts: list[list[tuple[int, int, int]]] = []
        self.jump_shifts: list[list[tuple[int, int, int]]] = []
        self.man_jumps: list[list[list[tuple[int, int, int]]]] = []
        self.king_glides: list[list[list[tuple[int, ...]]]] = []
        self.king_hunts: list[list[list[tuple[int, int]]]] = []
        reach = 1 if tables.king.reach == "short" else size
        rays = self.rays = [[line(p, step) if p in board.played else () for step in every] for p in range(size)]
        for side in (0, 1):
            for distance, names, into in (
                (1, tables.man.moves, self.man_shifts),
                (2, tables.man.captures, self.jump_shifts),
            ):
                shifts = []
                for step in directions(names, side):
                    shift = step[1] * board.width + step[0]
                    can = sum(1 << p for p in board.played if neighbour(p, step, distance) is not None)
                    shifts.append((max(shift, 0), max(-shift, 0), can))
                into.append(shifts)
            hops, glides, hunts = (
                [every.index(step) for step in directions(names, side)]
                for names in (tables.man.captures, tables.king.moves, tables.king.captures)
            )
            self.man_jumps.append([[(ray[d][0], ray[d][1], d) for d in hops if len(ray[d]) > 1] for ray in rays])
            self.king_glides.append([[ray[d][:reach] for d in glides if ray[d]] for ray in rays])
            self.king_hunts.append(
                [[(d, sum(1 << cell for cell in ray[d][:reach])) for d in hunts if len(ray[d]) > 1] for ray in rays]
            )
        self.landing = 1 if tables.king.lands == "next" or tables.king.reach == "short" else size
        self.halts_behind_king = tables.king.lands == "next-after-king"
        self.worths = worths(tables.capture.king_value)
        self.at_once = tables.capture.removal == "at_once"
        self.choice = tuple(tables.capture.choice)

    def quiet(self, side: int, forces: Forces, resting: int = 0) -> Iterator[tuple[int, int, bool, bool]]:
        """Moves without a capture: (from place, to place, is a king, is crowned); ``resting``: bits of kings that may
        make none."""
        men, kings, foe_men, foe_kings = forces
        occupied = men | kings | foe_men | foe_kings
        empty = self.all_played & ~occupied
        crown = self.crown[side]
        for left, right, can in self.man_shifts[side]:
            targets = ((men & can) << left >> right) & empty
            while targets:
                bit = targets & -targets
                targets ^= bit
                to = bit.bit_length() - 1
                yield to - left + right, to, False, bool(bit & crown)
        rays = self.king_glides[side]
        kings &= ~resting
        while kings:
            bit = kings & -kings
            kings ^= bit
            start = bit.bit_length() - 1
            for ray in rays[start]:
                for to in ray:
                    if occupied >> to & 1:
                        break
                    yield start, to, True, False

    def count_quiet(self, side: int, forces: Forces) -> int:
        """How many moves without a capture there are."""
        men, kings, foe_men, foe_kings = forces
        occupied = men | kings | foe_men | foe_kings
        empty = self.all_played & ~occupied
        count = 0
        for left, right, can in self.man_shifts[side]:
            count += (((men & can) << left >> right) & empty).bit_count()
        rays = self.king_glides[side]
        while kings:
            bit = kings & -kings
            kings ^= bit
            for ray in rays[bit.bit_length() - 1]:
                for to in ray:
                    if occupied >> to & 1:
                        break
                    count += 1
        return count

    def capturers(self, side: int, forces: Forces) -> int:
        """Bits of the own pieces that can capture something at all."""
        men, kings, foe_men, foe_kings = forces
        foe = foe_men | foe_kings
        occupied = men | kings | foe
        prey = foe if self.tables.man.captures_kings else foe_men
        pieces = 0
        if prey:
            empty = self.all_played & ~occupied
            for left, right, can in self.jump_shifts[side]:
                jumped = ((men & can) << left >> right) & prey
                if jumped:
                    landed = (jumped << left >> right) & empty
                    pieces |= landed >> 2 * left << 2 * right
        hunts = self.king_hunts[side]
        rest = kings
        while rest:
            bit = rest & -rest
            rest ^= bit
            start = bit.bit_length() - 1
            for d, ray in hunts[start]:
                blockers = ray & occupied
                if not blockers:
                    continue
                over = ((blockers & -blockers) if self.grows[d] else blockers).bit_length() - 1
                if foe >> over & 1:
                    behind = self.rays[over][d]
                    if behind and not occupied >> behind[0] & 1:
                        pieces |= bit
                        break
        return pieces

    def chains(self, side: int, forces: Forces, budget: Budget | None = None) -> list[Chain]:
        """Every capture that may not go on, before the rule of choice, by its first route. A piece may be jumped once
        only; the square that the capturing piece started from is empty all along."""
        chains: list[Chain] = []
        budget = budget or Budget()
        rest = self.capturers(side, forces)
        while rest:
            bit = rest & -rest
            rest ^= bit
            start = bit.bit_length() - 1
            if bit & forces.kings or not self._single_jumps(side, forces, start, chains):
                chains += self.captures_of(side, forces, start, budget=budget)
        return chains

    def _single_jumps(self, side: int, forces: Forces, start: int, into: list[Chain]) -> bool:
        """The captures of the man on ``start`` if none of them goes on: most captures are such, and need no search.
        False, with nothing found, where one could go on."""
        foe = forces.foe_men | forces.foe_kings
        prey = foe if self.tables.man.captures_kings else forces.foe_men
        occupied = (forces.men | forces.kings | foe) & ~(1 << start)
        jumps, crown, crowning = self.man_jumps[side], self.crown[side], self.tables.capture.crowning
        chains = []
        for over, land, _d in jumps[start]:
            if not prey >> over & 1 or occupied >> land & 1:
                continue
            crowned = bool(crown >> land & 1)
            if crowned and crowning == "goes-on":
                return False
            if not (crowned and crowning == "stops"):
                for next_over, next_land, _d in jumps[land]:
                    if prey >> next_over & 1 and next_over != over and not occupied >> next_land & 1:
                        return False
            chains.append(Chain((start, land), (over,), crowned))
        into += chains
        return True

    def best(self, side: int, forces: Forces, budget: Budget | None = None) -> list[Chain]:
        """The captures that the rule of choice allows (docs/rules.md, "which capture")."""
        chains = self.chains(side, forces, budget)
        if len(chains) < 2 or not self.choice:
            return chains
        if self.choice == ("most-pieces",):
            counts = [len(chain.taken) for chain in chains]
            most = max(counts)
            return [chain for chain, count in zip(chains, counts, strict=True) if count == most]
        ranks = [self.rank(chain, forces) for chain in chains]
        top = max(ranks)
        return [chain for chain, rank in zip(chains, ranks, strict=True) if rank == top]

    def rank(self, chain: Chain, forces: Forces) -> tuple[object, ...]:
        """What the rule of choice compares, the greater the better."""
        ranks: list[object] = []
        for criterion in self.choice:
            if criterion == "most-pieces":
                ranks.append(len(chain.taken))
            elif criterion == "most-value":
                ranks.append(self.worth(chain.taken, forces))
            elif criterion == "most-kings":
                ranks.append(sum(forces.foe_kings >> t & 1 for t in chain.taken))
            elif criterion == "with-king":
                ranks.append(forces.kings >> chain.path[0] & 1)
            else:
                ranks.append(tuple(forces.foe_kings >> t & 1 for t in chain.taken))
        return tuple(ranks)

    def worth(self, taken: Sequence[int], forces: Forces) -> int:
        """What pieces count in "most-value", in the units of ``worths``."""
        man, king = self.worths
        return sum(king if forces.foe_kings >> place & 1 else man for place in taken)

    def captures_of(
        self,
        side: int,
        forces: Forces,
        start: int,
        *,
        stops: Sequence[int] = (),
        partial: bool = False,
        budget: Budget | None = None,
    ) -> Iterator[Chain]:
        """The captures of the piece on ``start``; ``partial``: up to each landing, also where they must go on; with
        ``stops``, those that have visited these places in this order. Each is told by its first route in the order of
        notation (file, then rank). Without a ``budget`` it has one of its own.

        Whether a capture goes on depends on where the piece is, what it took and whence it came: each such walk is
        followed once, so that many routes cost no more than one. The search goes jump by jump, and each layer of walks
        stands in the order of notation: who first comes to a walk has come by its first route. Where the budget is
        used up none goes on: captures that would are complete with that jump."""
        foe = forces.foe_men | forces.foe_kings
        others = (forces.men | forces.kings) & ~(1 << start)
        man_prey = -1 if self.tables.man.captures_kings else ~forces.foe_kings
        crown, crowning = self.crown[side], self.tables.capture.crowning
        ordered, wanted, ranks, man_jumps = "kings-first" in self.choice, len(stops), self.ranks, self.man_jumps[side]
        first: _Walk = (start, bool(forces.kings >> start & 1), -1, foe, int(start in stops[:1]), 0)
        layer: dict[_Walk, _Route] = {first: ((start,), ())}
        landed: list[tuple[int, _Walk, _Route | None]] = []
        jump = 0
        budget = budget or Budget()
        while layer or landed:
            reached, landed = landed, []
            following: dict[_Walk, _Route] = {}
            going_on: set[_Walk] = set()
            for walk, (path, taken) in layer.items():
                cell, king, came, left, met, kings = walk
                occupied = others | left if self.at_once else others | foe
                hops: list[tuple[int, int, int, int, int]] = []
                if king:
                    for lands, over, d in self._king_jumps(side, cell, came, left, occupied):
                        jump += 1
                        hops += [(ranks[land], land, over, d, jump) for land in lands]
                else:
                    for over, land, d in man_jumps[cell]:
                        if left & man_prey & 1 << over and not occupied >> land & 1:
                            jump += 1
                            hops.append((ranks[land], land, over, d, jump))
                if not budget.spend(1 + len(hops)):
                    # Who is not known to go on may halt here.
                    reached, landed, following = [*reached, *landed], [], {}
                    break
                if not hops:
                    continue
                going_on.add(walk)
                if len(hops) > 1:
                    hops.sort()
                for _rank, land, over, d, number in hops:
                    crowned = not king and bool(crown >> land & 1)
                    then_king = king or (crowned and crowning == "goes-on")
                    then_met = met + (stops[met : met + 1] == (land,)) if wanted else 0
                    order = kings << 1 | forces.foe_kings >> over & 1 if ordered else 0
                    then = (land, then_king, d if then_king else -1, left & ~(1 << over), then_met, order)
                    route = ((*path, land), (*taken, over))
                    # Where it may not halt it may still go on, and then none may halt behind that piece.
                    far = king and self.halts_behind_king and forces.foe_kings >> over & 1
                    landed.append((number, then, None if far and land != self.rays[over][d][0] else route))
                    if then not in following and not (crowned and crowning == "stops"):
                        following[then] = route
            on = {number for number, walk, _route in reached if walk in going_on} if going_on and reached else ()
            told: set[tuple[object, ...]] = set()
            for number, (cell, king, _came, left, met, kings), halt in reached:
                if halt and met == wanted and (partial or number not in on):
                    king = king or bool(crown >> cell & 1)
                    key = (cell, king, left, kings)
                    if key not in told:
                        told.add(key)
                        yield Chain(*halt, king)
            layer = following

    def _king_jumps(
        self, side: int, cell: int, came: int, left: int, occupied: int
    ) -> Iterator[tuple[list[int], int, int]]:
        """The jumps of a king at ``cell`` that came by direction ``came`` (-1: none): (landings, over, direction)."""
        for d, ray in self.king_hunts[side][cell]:
            if came >= 0 and not self.tables.capture.turn_back and d == self.opposite[came]:
                continue
            blockers = ray & occupied
            if not blockers:
                continue
            over = ((blockers & -blockers) if self.grows[d] else blockers).bit_length() - 1
            if not left >> over & 1:
                continue
            landings = []
            for land in self.rays[over][d][: self.landing]:
                if occupied >> land & 1:
                    break
                landings.append(land)
            if landings:
                yield landings, over, d

    def way(self, start: int, end: int) -> int:
        """The direction from ``start`` to ``end``, which lie on one line."""
        return next(d for d, ray in enumerate(self.rays[start]) if end in ray)
