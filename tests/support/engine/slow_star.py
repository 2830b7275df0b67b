"""Chinese checkers once more, slow and obvious: the measure that the engine is held against.

An independent reading of the rules that shares nothing with the engine: holes are strings, laid out as the two great
triangles that make the star, in cube coordinates; a position is a dictionary; chains of hops are followed layer by
layer with the whole position at each stop. Position strings are read and written here too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

Hole = str
Cube = tuple[int, int, int]
Route = tuple[Hole, ...]
Board = dict[Hole, str]  # hole -> the set whose peg stands there
Holding = frozenset[tuple[Hole, str]]

CLOCKWISE = ("S", "SW", "NW", "N", "NE", "SE")
ACROSS = {"S": "N", "N": "S", "SW": "NE", "NE": "SW", "NW": "SE", "SE": "NW"}

# Who plays what: the seats in turn order.
TABLES: dict[tuple[int, int], list[set[str]]] = {
    (2, 1): [{"S"}, {"N"}],
    (3, 1): [{"S"}, {"NW"}, {"NE"}],
    (4, 1): [{"S"}, {"SW"}, {"N"}, {"NE"}],
    (6, 1): [{"S"}, {"SW"}, {"NW"}, {"N"}, {"NE"}, {"SE"}],
    (3, 2): [{"S", "SW"}, {"NW", "N"}, {"NE", "SE"}],
    (2, 3): [{"SE", "S", "SW"}, {"NE", "N", "NW"}],
}


def _lay_out() -> dict[Hole, Cube]:
    """The star as two triangles of 13 holes a side laid over each other; y is the row, x grows to the right in it."""
    reach = range(-8, 9)
    cubes = [(x, y, -x - y) for x in reach for y in reach]
    star = [cube for cube in cubes if min(cube) >= -4 or max(cube) <= 4]
    holes = {}
    for y in reach:
        for number, cube in enumerate(sorted(cube for cube in star if cube[1] == y), start=1):
            holes["abcdefghijklmnopq"[y + 8] + str(number)] = cube
    return holes


CUBES = _lay_out()
HOLES = {cube: hole for hole, cube in CUBES.items()}
DIRECTIONS: tuple[Cube, ...] = ((1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1), (1, -1, 0))


def triangle_of(hole: Hole) -> str | None:
    """The triangle in which a hole lies; None in the hexagon in the middle."""
    x, y, z = CUBES[hole]
    if y < -4:
        return "S"
    if y > 4:
        return "N"
    if z > 4:
        return "SW"
    if z < -4:
        return "NE"
    if x < -4:
        return "NW"
    if x > 4:
        return "SE"
    return None


def triangle(name: str) -> set[Hole]:
    return {hole for hole in CUBES if triangle_of(hole) == name}


def by_row(hole: Hole) -> tuple[str, int]:
    """The order of holes in the notation."""
    return hole[0], int(hole[1:])


def beside(hole: Hole, direction: Cube, distance: int) -> Hole | None:
    """The hole so far away in a direction, if the star has one there."""
    x, y, z = CUBES[hole]
    dx, dy, dz = direction
    return HOLES.get((x + distance * dx, y + distance * dy, z + distance * dz))


@dataclass(frozen=True)
class Law:
    """One game's rules with its options."""

    players: int = 2
    sets: int = 1
    unused: str = "empty"
    blocked: str = "swap"
    places: bool = False

    @property
    def table(self) -> list[set[str]]:
        return TABLES[self.players, self.sets]

    def seat_of(self, peg_set: str) -> int | None:
        """Who plays a set; None for the pegs that nobody moves."""
        return next((seat for seat, sets in enumerate(self.table) if peg_set in sets), None)

    def uses(self, seat: int) -> set[str]:
        """The triangles that are a start or a target of a seat."""
        return self.table[seat] | {ACROSS[name] for name in self.table[seat]}

    def idle(self) -> set[str]:
        """The sets that nobody moves."""
        if self.unused == "empty":
            return set()
        return set(CLOCKWISE).difference(*(self.uses(seat) for seat in range(len(self.table))))

    def on_board(self) -> list[str]:
        played = set[str]().union(*self.table) | self.idle()
        return [name for name in CLOCKWISE if name in played]

    def may_end(self, seat: int, hole: Hole) -> bool:
        """Not in a triangle that another player starts in or makes for, unless the seat does so too."""
        name = triangle_of(hole)
        others = [other for other in range(len(self.table)) if other != seat]
        return name is None or name in self.uses(seat) or not any(name in self.uses(other) for other in others)


def start(law: Law) -> Board:
    return {hole: name for name in law.on_board() for hole in triangle(name)}


class Stop(NamedTuple):
    """A peg on its way: where it is, and what stands in the other holes."""

    hole: Hole
    others: Holding


def moves(law: Law, board: Board, seat: int) -> dict[Holding, Route]:
    """All turns of a seat: the position after each, with the first of the shortest routes to it."""
    found: dict[Holding, Route] = {}
    for hole, peg_set in board.items():
        if law.seat_of(peg_set) == seat:
            others = frozenset(item for item in board.items() if item[0] != hole)
            here = Stop(hole, others)
            for stop, route in {**_steps(law, peg_set, here), **_hops(law, peg_set, here)}.items():
                if stop.hole != hole and law.may_end(seat, stop.hole):
                    after = stop.others | {(stop.hole, peg_set)}
                    assert after not in found
                    found[after] = route
    return found


def _steps(law: Law, peg_set: str, here: Stop) -> dict[Stop, Route]:
    """Each stop that a step reaches."""
    reached: dict[Stop, Route] = {}
    for direction in DIRECTIONS:
        there = beside(here.hole, direction, 1)
        if there is not None and (stop := go(law, peg_set, here, there)):
            reached[stop] = (here.hole, there)
    return reached


def _hops(law: Law, peg_set: str, start: Stop) -> dict[Stop, Route]:
    """Each stop that chains of hops reach, layer by layer."""
    reached: dict[Stop, Route] = {start: (start.hole,)}
    layer = dict(reached)
    while layer:
        following: dict[Stop, list[Route]] = {}
        for here, route in layer.items():
            for stop in hop(law, peg_set, here):
                if stop not in reached:
                    following.setdefault(stop, []).append((*route, stop.hole))
        layer = {stop: min(routes, key=lambda route: [by_row(h) for h in route]) for stop, routes in following.items()}
        reached.update(layer)
    return {stop: route for stop, route in reached.items() if len(route) > 1}


def hop(law: Law, peg_set: str, here: Stop) -> list[Stop]:
    """The stops one hop further."""
    stops = []
    for direction in DIRECTIONS:
        over, there = beside(here.hole, direction, 1), beside(here.hole, direction, 2)
        if over is not None and there is not None and over in dict(here.others):
            stop = go(law, peg_set, here, there)
            if stop:
                stops.append(stop)
    return stops


def go(law: Law, peg_set: str, here: Stop, there: Hole) -> Stop | None:
    """The peg goes from one hole to another, empty or with a peg to swap with; None where it may not."""
    target = ACROSS[peg_set]
    if triangle_of(here.hole) == target and triangle_of(there) != target:
        return None
    others = dict(here.others)
    if there not in others:
        return Stop(there, here.others)
    owner = law.seat_of(others[there])
    opponents = owner is not None and owner != law.seat_of(peg_set)
    if law.blocked == "swap" and triangle_of(there) == target and opponents:
        others[here.hole] = others.pop(there)
        return Stop(there, frozenset(others.items()))
    return None


def is_home(law: Law, board: Board, seat: int) -> bool:
    """All pegs in their targets; with ``filled``, each target full of its own pegs but where others stand."""
    own = [(hole, name) for hole, name in board.items() if name in law.table[seat]]
    if own and all(triangle_of(hole) == ACROSS[name] for hole, name in own):
        return True
    if law.blocked != "filled":
        return False
    for name in law.table[seat]:
        held = [board.get(hole) for hole in triangle(ACROSS[name])]
        if None in held or name not in held:
            return False
        if any(other != name and law.seat_of(str(other)) == seat for other in held):
            return False
    return True


@dataclass
class Game:
    """A game as a list of what happened; everything is worked out from it afresh."""

    law: Law
    board: Board
    seat: int
    left: set[int] = field(default_factory=set)
    home: list[int] = field(default_factory=list)
    over: bool = False
    winner: int | None = None

    def __post_init__(self) -> None:
        self.go_on(self.seat, self.seat)

    def playing(self) -> list[int]:
        return [seat for seat in range(len(self.law.table)) if seat not in self.left and seat not in self.home]

    def moves(self) -> dict[Holding, Route]:
        return {} if self.over else moves(self.law, self.board, self.seat)

    def move(self, after: Holding) -> None:
        mover = self.seat
        self.board = dict(after)
        self.go_on(mover, mover + 1)

    def leave(self, seat: int) -> None:
        self.left.add(seat)
        if len(self.playing()) == 1:
            self.over = True
            self.winner = self.home[0] if self.home else self.playing()[0]
            if self.law.places:
                self.home += self.playing()
        elif seat == self.seat:
            self.go_on(seat, seat)

    def go_on(self, mover: int, following: int) -> None:
        """Who has come home, whether that ends the game, and whose turn it is."""
        count = len(self.law.table)
        for seat in [(mover + i) % count for i in range(count)]:
            if seat in self.playing() and is_home(self.law, self.board, seat):
                self.home.append(seat)
        if self.home and (not self.law.places or len(self.playing()) <= 1):
            self.over, self.winner = True, self.home[0]
            self.home = [*self.home, *self.playing()] if self.law.places else []
            return
        for seat in [(following + i) % count for i in range(count)]:
            if seat in self.playing() and moves(self.law, self.board, seat):
                self.seat = seat
                return
        self.over, self.winner = True, self.home[0] if self.home else None


def write(law: Law, board: Board, seat: int) -> str:
    """The position string."""
    held = {name: sorted((hole for hole in board if board[hole] == name), key=by_row) for name in law.on_board()}
    return ":".join([str(seat + 1), *(f"{name}={','.join(holes)}" for name, holes in held.items())])


def parse(text: str) -> tuple[int, Board]:
    """The seat to move and the board of a position string as the engine writes it."""
    number, *parts = text.split(":")
    board = {}
    for part in parts:
        name, _, holes = part.partition("=")
        board.update({hole: name for hole in holes.split(",") if hole})
    return int(number) - 1, board


def law_for(options: Mapping[str, str | bool | int]) -> Law:
    return Law(**options)  # type: ignore[arg-type]
