"""How pegs move on the star: steps, chains of hops and swaps, by tables made once for each choice of options."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bot.engine.boards import star_board
from bot.engine.star.geometry import HOLES, HOPS, OPPOSITE, SEATINGS, SETS, STEPS, TRIANGLES
from bot.engine.turns import TurnTo

if TYPE_CHECKING:
    from bot.engine.variant_tables import StarTables

Pegs = bytes
"""What stands in each hole: 0 for nothing, else the code of the set that the peg belongs to, 1 + its index in SETS."""

StarTurn: TypeAlias = TurnTo[Pegs]
Path = tuple[int, ...]
Swaps = tuple[tuple[int, int], ...]

NOBODY = 6
"""The owner of pegs that nobody plays; seats are 0 to 5."""

_CODES = range(len(SETS) + 1)
_NAMES = star_board().names
_NEXT = tuple(f"-{name}" for name in _NAMES)


class Way(NamedTuple):
    """A way that a peg may go: the holes visited, the pegs afterwards, and the swaps on the way (from, to)."""

    path: Path
    after: Pegs
    swaps: Swaps


# A third of the time that the class itself takes to make one.
_new = tuple.__new__


class StarMoveGenerator:
    """The rules of moving for one choice of options, by tables over set codes and holes.

    ``owner``: a code's seat, or NOBODY. ``foreign[code]``: which codes are an opponent's pegs to it. ``target``: the
    holes that a set must reach. ``rest``: the holes where a turn of one of its pegs may end. ``swappable``: the holes
    where it may swap. ``steps`` and ``hops``: where they lead, in rising order, without those that leave the target;
    steps are turns, so theirs are holes to rest in.
    """

    def __init__(self, tables: StarTables) -> None:
        self.seating = SEATINGS[tables.players, tables.sets]
        self.codes = tuple(tuple(SETS.index(name) + 1 for name in names) for names in self.seating)
        played = {name for names in self.seating for name in names}
        unused = tuple(name for name in SETS if name not in played and OPPOSITE[name] not in played)
        self.fillers = unused if tables.unused == "filled" else ()
        self.filling = tables.blocked == "filled"
        self.owner = tuple(
            next((seat for seat, codes in enumerate(self.codes) if code in codes), NOBODY) for code in _CODES
        )
        self.own = tuple(bytes(code in codes for code in range(256)) for codes in self.codes)
        self.foreign = tuple(
            tuple(self.owner[other] not in (NOBODY, self.owner[code]) for other in _CODES) for code in _CODES
        )
        self.target = tuple(TRIANGLES[OPPOSITE[SETS[code - 1]]] if code else frozenset[int]() for code in _CODES)
        self.swappable = tuple(target if tables.blocked == "swap" else frozenset[int]() for target in self.target)
        self.rest = tuple(
            frozenset(HOLES).difference(*(TRIANGLES[name] for name in self.closed(code))) for code in _CODES
        )
        self.steps = tuple(
            tuple(
                tuple(to for to in STEPS[hole] if to in self.rest[code] and self.stays(code, hole, to))
                for hole in HOLES
            )
            for code in _CODES
        )
        self.hops = tuple(
            tuple(tuple((over, to) for over, to in HOPS[hole] if self.stays(code, hole, to)) for hole in HOLES)
            for code in _CODES
        )
        self._tables = tuple(
            (
                tuple(
                    tuple((to, ((hole, to), _NAMES[hole] + _NEXT[to])) for to in self.steps[code][hole])
                    for hole in HOLES
                ),
                self.hops[code],
                self.rest[code],
                self.swappable[code],
                self.foreign[code],
            )
            for code in _CODES
        )
        self._in_target = tuple(itemgetter(*sorted(target or HOLES)) for target in self.target)

    def closed(self, code: int) -> tuple[str, ...]:
        """The triangles in which no turn of a peg of this set may end: another player's start or target that is not
        also one of its own player (docs/rules.md, Chinese checkers)."""
        own, others = set[str](), set[str]()
        for seat, names in enumerate(self.seating):
            touched = own if seat == self.owner[code] else others
            touched.update(names, (OPPOSITE[name] for name in names))
        return tuple(name for name in SETS if name in others - own)

    def stays(self, code: int, hole: int, to: int) -> bool:
        """Whether a move keeps a peg that is in its target there: it may not leave it again."""
        return hole not in self.target[code] or to in self.target[code]

    def set_up(self) -> Pegs:
        """The pegs at the start."""
        pegs = bytearray(len(HOLES))
        for name in (*(name for names in self.seating for name in names), *self.fillers):
            for hole in TRIANGLES[name]:
                pegs[hole] = SETS.index(name) + 1
        return bytes(pegs)

    # Moving

    def turns(self, pegs: Pegs, seat: int) -> list[StarTurn]:
        """All turns of a seat, one for each position that they lead to, in the order of their paths."""
        turns: list[StarTurn] = []
        board = bytearray(pegs)
        for start in compress(HOLES, pegs.translate(self.own[seat])):
            self._turns_of_peg(board, start, turns)
        return turns

    def turns_from(self, pegs: Pegs, start: int) -> list[StarTurn]:
        """The turns of the peg in the hole ``start``."""
        turns: list[StarTurn] = []
        self._turns_of_peg(bytearray(pegs), start, turns)
        return turns

    def can_move(self, pegs: Pegs, seat: int) -> bool:
        """Whether a seat has a turn."""
        return any(
            any(not pegs[to] for to in self.steps[pegs[start]][start]) or self.turns_from(pegs, start)
            for start in compress(HOLES, pegs.translate(self.own[seat]))
        )

    def _turns_of_peg(self, board: bytearray, start: int, turns: list[StarTurn]) -> None:
        """Append the turns of one peg, in the order of their paths. ``board`` is afterwards as it was before."""
        # Everybody waits for this, and it makes a hundred turns in some positions: hence texts built while searching.
        code = board[start]
        steps, hops, rest, swappable, foreign = self._tables[code]
        board[start] = 0
        swaps_ahead = False
        routes: list[tuple[Path, str]] = []
        for to, route in steps[start]:
            if not board[to]:
                routes.append(route)
            elif to in swappable and foreign[board[to]]:
                swaps_ahead = True
        # Breadth first and in rising order, so that the first route to a hole is the first of the shortest.
        chains: list[tuple[int, Path, str]] = [(start, (start,), _NAMES[start])]
        seen = {start}
        for hole, path, text in chains:
            for over, to in hops[hole]:
                if board[over]:
                    if not board[to]:
                        if to not in seen:
                            seen.add(to)
                            chain, names = (*path, to), text + _NEXT[to]
                            chains.append((to, chain, names))
                            if to in rest:
                                routes.append((chain, names))
                    elif to in swappable and foreign[board[to]]:
                        swaps_ahead = True
        if swaps_ahead:
            turns.extend(self._turns_with_swaps(bytes(board), start, code))
        else:
            routes.sort()
            for path, text in routes:
                end = path[-1]
                board[end] = code
                turns.append(_new(TurnTo, ("move", text, path, (), bytes(board), False, False, ())))
                board[end] = 0
        board[start] = code

    def _turns_with_swaps(self, board: Pegs, start: int, code: int) -> list[StarTurn]:
        """The turns of a peg that may swap. ``board`` is without that peg."""
        ways = [
            Way((start, to), *self.moved(board, start, to))
            for to in self.steps[code][start]
            if not board[to] or self.may_swap(board, code, to)
        ]
        ways += (way for way in self._chains(board, start, code) if way.path[-1] != start)
        return [
            TurnTo(
                kind="move",
                text="-".join(_NAMES[hole] for hole in path),
                path=path,
                captured=(),
                after=landed(after, path[-1], code),
                swaps=swaps,
            )
            for path, after, swaps in sorted(ways)
            if path[-1] in self.rest[code]
        ]

    def _chains(self, board: Pegs, start: int, code: int) -> list[Way]:
        """The first of the shortest chains to each hole and each order of the other pegs; these without the hopping
        peg, before as after."""
        ways = [Way((start,), board, ())]
        seen = {(start, board)}
        for path, others, swaps in ways:
            hole = path[-1]
            for over, to in self.hops[code][hole]:
                if others[over] and (not others[to] or self.may_swap(others, code, to)):
                    after, swap = self.moved(others, hole, to)
                    if (to, after) not in seen:
                        seen.add((to, after))
                        ways.append(Way((*path, to), after, swaps + swap))
        return ways[1:]

    def may_swap(self, board: Sequence[int], code: int, to: int) -> bool:
        """Whether a peg of this set that could go to ``to`` but for the peg there may change places with that peg."""
        return to in self.swappable[code] and self.foreign[code][board[to]]

    @staticmethod
    def moved(others: Pegs, start: int, to: int) -> tuple[Pegs, Swaps]:
        """The other pegs after one moved from ``here`` to ``to``: a peg that stood there goes to the hole it left."""
        if not others[to]:
            return others, ()
        changed = bytearray(others)
        changed[start], changed[to] = others[to], 0
        return bytes(changed), ((to, start),)

    def by_way_of(self, pegs: Pegs, places: Sequence[int]) -> set[Pegs]:
        """The positions after chains of the peg in ``places[0]`` that end in ``places[-1]`` and visit those between in
        this order, among other holes."""
        start, end, via = places[0], places[-1], places[1:-1]
        code = pegs[start]
        first = (start, landed(pegs, start, 0), 0)
        nodes, seen = [first], {first}
        for hole, others, visited in nodes:
            for over, to in self.hops[code][hole]:
                if others[over] and (not others[to] or self.may_swap(others, code, to)):
                    after, _ = self.moved(others, hole, to)
                    node = (to, after, visited + (visited < len(via) and via[visited] == to))
                    if node not in seen:
                        seen.add(node)
                        nodes.append(node)
        return {landed(others, hole, code) for hole, others, visited in nodes if hole == end and visited == len(via)}

    # Coming home

    def at_home(self, pegs: Pegs, seat: int) -> int:
        """How many pegs of a seat stand in their targets."""
        return sum(self._in_target[code](pegs).count(code) for code in self.codes[seat])

    def standing(self, pegs: Pegs, seat: int) -> int:
        """How many pegs a seat has."""
        return sum(pegs.count(code) for code in self.codes[seat])

    def is_home(self, pegs: Pegs, seat: int) -> bool:
        """Whether all pegs of a seat are in their targets or, with ``blocked=filled``, every hole of its targets that
        no other player's peg holds is held by a peg that belongs there, one in each at least."""
        if self.at_home(pegs, seat) == self.standing(pegs, seat) > 0:
            return True
        return self.filling and all(self._filled(self._in_target[code](pegs), code) for code in self.codes[seat])

    def _filled(self, held: tuple[int, ...], code: int) -> bool:
        return code in held and all(peg == code or self.foreign[code][peg] for peg in held)


def landed(board: Pegs, hole: int, code: int) -> Pegs:
    """``board`` with a peg of the set ``code`` in ``hole``, or with that hole empty (0)."""
    changed = bytearray(board)
    changed[hole] = code
    return bytes(changed)
