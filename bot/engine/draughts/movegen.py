"""Moves of the draughts family on plain integers: one bit a square, bit = y * width + x.

Everything that differs between the games is a value of the variant: directions, reach of kings, rule of choice,
removal, crowning. The kernel sees a position from the mover's side: own men and kings, foreign men and kings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from bot.engine.boards import Board
from bot.engine.variants import DraughtsTables

WAYS = {
    "forward": ((0, 1),),
    "backward": ((0, -1),),
    "sideways": ((-1, 0), (1, 0)),
    "forward-diagonal": ((-1, 1), (1, 1)),
    "backward-diagonal": ((-1, -1), (1, -1)),
}


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


class MoveGenerator:
    """Move generation of one variant on its board, for side 0 (moving up) and side 1 (moving down)."""

    def __init__(self, tables: DraughtsTables, board: Board) -> None:
        self.tables = tables
        self.board = board
        size = len(board.places)
        self.all_played = sum(1 << i for i in board.played)
        last = board.height - 1
        self.crown = (
            sum(1 << i for i in board.played if board.places[i][1] == last),
            sum(1 << i for i in board.played if board.places[i][1] == 0),
        )
        every = sorted({step for steps in WAYS.values() for step in steps})
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
        self.man_jumps: list[list[list[tuple[int, int]]]] = []
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
            self.man_jumps.append([[(ray[d][0], ray[d][1]) for d in hops if len(ray[d]) > 1] for ray in rays])
            self.king_glides.append([[ray[d][:reach] for d in glides if ray[d]] for ray in rays])
            self.king_hunts.append(
                [[(d, sum(1 << cell for cell in ray[d][:reach])) for d in hunts if len(ray[d]) > 1] for ray in rays]
            )
        self.landing = 1 if tables.king.lands == "next" or tables.king.reach == "short" else size
        self.at_once = tables.capture.removal == "at_once"
        self.choice = tuple(tables.capture.choice)

    def quiet(self, side: int, forces: Forces) -> Iterator[tuple[int, int, bool, bool]]:
        """Moves without a capture: (from place, to place, is a king, is crowned)."""
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

    def chains(self, side: int, forces: Forces) -> list[Chain]:
        """Every capture that may not go on, before the rule of choice; not every route of each. A piece may be jumped
        once only; the square that the capturing piece started from is empty for the whole move."""
        chains: list[Chain] = []
        rest = self.capturers(side, forces)
        while rest:
            bit = rest & -rest
            rest ^= bit
            start, king = bit.bit_length() - 1, bool(bit & forces.kings)
            if king or not self._single_jumps(side, forces, start, chains):
                self._search(side, forces, start, king, chains)
        return chains

    def _single_jumps(self, side: int, forces: Forces, start: int, into: list[Chain]) -> bool:
        """The captures of the man on ``start`` if none of them goes on: most captures are such, and need no search.
        False, with nothing found, where one could go on."""
        foe = forces.foe_men | forces.foe_kings
        prey = foe if self.tables.man.captures_kings else forces.foe_men
        occupied = (forces.men | forces.kings | foe) & ~(1 << start)
        jumps, crown, crowning = self.man_jumps[side], self.crown[side], self.tables.capture.crowning
        chains = []
        for over, land in jumps[start]:
            if not prey >> over & 1 or occupied >> land & 1:
                continue
            crowned = bool(crown >> land & 1)
            if crowned and crowning == "goes-on":
                return False
            if not (crowned and crowning == "stops"):
                for next_over, next_land in jumps[land]:
                    if prey >> next_over & 1 and next_over != over and not occupied >> next_land & 1:
                        return False
            chains.append(Chain((start, land), (over,), crowned))
        into += chains
        return True

    def best(self, side: int, forces: Forces) -> list[Chain]:
        """The captures that the rule of choice allows (docs/rules.md, "which capture")."""
        chains = self.chains(side, forces)
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
            elif criterion == "most-kings":
                ranks.append(sum(forces.foe_kings >> t & 1 for t in chain.taken))
            elif criterion == "with-king":
                ranks.append(forces.kings >> chain.path[0] & 1)
            else:
                ranks.append(tuple(forces.foe_kings >> t & 1 for t in chain.taken))
        return tuple(ranks)

    def _search(self, side: int, forces: Forces, start: int, king: bool, chains: list[Chain]) -> None:
        foe_kings = forces.foe_kings
        foe = forces.foe_men | foe_kings
        man_prey = -1 if self.tables.man.captures_kings else ~foe_kings
        in_order = "kings-first" in self.choice
        crown = self.crown[side]
        at_once, crowning = self.at_once, self.tables.capture.crowning
        # Whether a capture goes on depends on where the piece is, what it took and whence it came: each such state is
        # searched once, so that many routes to one position cost no more than one.
        known: dict[tuple[object, ...], bool] = {}
        path: list[int] = [start]
        taken: list[int] = []

        def go(cell: int, is_king: bool, came: int, left: int, occupied: int) -> bool:
            """Search on from ``cell``; True when at least one capture was possible there."""
            if is_king or in_order:
                key: tuple[object, ...] = (cell, is_king, came, left)
                if in_order:
                    key += (tuple(foe_kings >> t & 1 for t in taken),)
            else:
                key = (cell, left)
            if key in known:
                return known[key]
            captured = False
            if is_king:
                for landings, over, d in self._king_jumps(side, cell, came, left, occupied):
                    captured = True
                    jumped = 1 << over
                    rest = left & ~jumped
                    still = occupied & ~jumped if at_once else occupied
                    taken.append(over)
                    ends = []
                    goes_on = False
                    for land in landings:
                        path.append(land)
                        if go(land, True, d, rest, still):
                            goes_on = True
                        else:
                            ends.append(tuple(path))
                        path.pop()
                    if not goes_on:
                        chains.extend(Chain(p, tuple(taken), True) for p in ends)
                    taken.pop()
            else:
                for over, land in self.man_jumps[side][cell]:
                    jumped = 1 << over
                    if not left & jumped & man_prey or occupied >> land & 1:
                        continue
                    captured = True
                    rest = left & ~jumped
                    still = occupied & ~jumped if at_once else occupied
                    path.append(land)
                    taken.append(over)
                    crowned = bool(crown >> land & 1)
                    if crowned and crowning == "stops":
                        chains.append(Chain(tuple(path), tuple(taken), True))
                    elif crowned and crowning == "goes-on":
                        if not go(land, True, self.way(cell, land), rest, still):
                            chains.append(Chain(tuple(path), tuple(taken), True))
                    elif not go(land, False, -1, rest, still):
                        chains.append(Chain(tuple(path), tuple(taken), crowned))
                    path.pop()
                    taken.pop()
            known[key] = captured
            return captured

        occupied = (forces.men | forces.kings | foe) & ~(1 << start)
        go(start, king, -1, foe, occupied)

    def _king_jumps(
        self, side: int, cell: int, came: int, left: int, occupied: int
    ) -> Iterator[tuple[tuple[int, ...], int, int]]:
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
                yield tuple(landings), over, d

    def way(self, start: int, end: int) -> int:
        """The direction from ``start`` to ``end``, which lie on one line."""
        (x0, y0), (x1, y1) = self.board.places[start], self.board.places[end]
        return self.every.index(((x1 > x0) - (x1 < x0), (y1 > y0) - (y1 < y0)))

    def route(
        self, side: int, forces: Forces, chain: Chain, stops: Sequence[int] = ()
    ) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """The first route by notation (file, then rank) that leads to the same position as ``chain``, is no worse by
        the rule of choice and visits ``stops`` in this order: (visited, jumped); None if there is none."""
        start, goal, king = chain.path[0], chain.path[-1], bool(forces.kings >> chain.path[0] & 1)
        prey = sum(1 << t for t in chain.taken)
        crown = self.crown[side]
        crowning = self.tables.capture.crowning
        # Where kings taken early are better, the order of kings and men among the taken is part of the choice.
        order = [forces.foe_kings >> t & 1 for t in chain.taken] if "kings-first" in self.choice else None
        # Where not the most pieces must be taken, a route may still not end where its last jump could go on.
        spared = (forces.foe_men | forces.foe_kings) & ~prey if "most-pieces" not in self.choice else 0

        def goes_on(landings: Sequence[int], over: int, d: int, left: int, occupied: int) -> bool:
            if not spared or left != 1 << over:
                return False
            still = occupied & ~left if self.at_once else occupied
            return any(True for land in landings for _ in self._king_jumps(side, land, d, spared, still))

        dead: set[tuple[int, bool, int, int, int]] = set()
        path, jumps = [start], list[int]()

        def go(cell: int, is_king: bool, came: int, left: int, occupied: int, met: int) -> bool:
            if met < len(stops) and stops[met] == cell:
                met += 1
            if not left:
                return cell == goal and met == len(stops) and (is_king or bool(crown >> cell & 1)) == chain.king
            key = (cell, is_king, came, left, met)
            if key in dead:
                return False
            hops: list[tuple[int, int, int, bool]] = []
            if is_king:
                for landings, over, d in self._king_jumps(side, cell, came, left, occupied):
                    if not goes_on(landings, over, d, left, occupied):
                        hops.extend((land, over, d, True) for land in landings)
            else:
                for over, land in self.man_jumps[side][cell]:
                    if left >> over & 1 and not occupied >> land & 1:
                        if crowning == "stops" and crown >> land & 1 and left != 1 << over:
                            continue
                        crowned = bool(crown >> land & 1) and crowning == "goes-on"
                        d = self.way(cell, land) if crowned else -1
                        if not crowned or not goes_on((land,), over, d, left, occupied):
                            hops.append((land, over, d, crowned))
            for land, over, d, then_king in sorted(hops, key=lambda hop: self.board.places[hop[0]]):
                if order and order[len(jumps)] != forces.foe_kings >> over & 1:
                    continue
                path.append(land)
                jumps.append(over)
                jumped = 1 << over
                if go(land, then_king, d, left & ~jumped, occupied & ~jumped if self.at_once else occupied, met):
                    return True
                path.pop()
                jumps.pop()
            dead.add(key)
            return False

        occupied = (forces.men | forces.kings | forces.foe_men | forces.foe_kings) & ~(1 << start)
        return (tuple(path), tuple(jumps)) if go(start, king, -1, prey, occupied, 0) else None
