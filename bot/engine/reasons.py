"""Which turn a typed text means and, where it means none, why the rules forbid it, in the rule's own terms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from bot.engine.capturing import Chain
from bot.engine.notation import Typed
from bot.engine.refusals import AmbiguousMove, IllegalMove
from bot.engine.rules import Turn

if TYPE_CHECKING:
    from bot.engine.draughts import DraughtsRules, DraughtsState


def remedy(rules: DraughtsRules, state: DraughtsState, typed: Typed) -> Turn:
    """The huff or the oblige that was typed (RULES.md, Soplar). Raises IllegalMove or AmbiguousMove."""
    if rules.tables.capture.neglect != "soplar":
        raise IllegalMove("there is no huffing in this game: capturing is compulsory")
    there_are = rules.remedies(state)
    if not there_are:
        raise IllegalMove("no capture was neglected in the last move")
    if typed.order == "oblige":
        return there_are[-1]
    huffs = tuple(turn for turn in there_are if turn.kind == "huff")
    fits = [turn for turn in huffs if not typed.places or turn.path == typed.places]
    if not fits:
        could = " or ".join(rules.board.names[turn.path[0]] for turn in huffs)
        raise IllegalMove(f"{rules.board.names[typed.places[0]]} could not have captured; you may huff {could}")
    return one(tuple(fits))


def choose(rules: DraughtsRules, state: DraughtsState, typed: Typed) -> Turn:
    """The one legal move that ``typed`` means. Raises IllegalMove with the reason, or AmbiguousMove."""
    turns = rules.turns(state)
    places = typed.places
    if len(places) == 1:
        fits = [turn for turn in turns if turn.path[-1] == places[0]]
    else:
        fits = [turn for turn in turns if _visits(rules, state, turn, places)]
    if typed.capture is True:
        fits = [turn for turn in fits if turn.captured]
    elif typed.capture is False and not all(turn.captured for turn in fits):
        fits = [turn for turn in fits if not turn.captured]
    # A capture typed in full goes before those that the text would shorten.
    if any(turn.captured and len(turn.path) == len(places) for turn in fits):
        fits = [turn for turn in fits if not turn.captured or len(turn.path) == len(places)]
    if not fits:
        raise IllegalMove(why(rules, state, typed, turns))
    return one(tuple(fits))


def one(fits: tuple[Turn, ...]) -> Turn:
    """The one turn that fits. Raises AmbiguousMove where there are more."""
    if len(fits) > 1:
        listed = ", ".join(turn.text for turn in fits[:12]) + (", ..." if len(fits) > 12 else "")
        raise AmbiguousMove(f"more than one move fits: {listed}", fits)
    return fits[0]


def _visits(rules: DraughtsRules, state: DraughtsState, turn: Turn, places: Sequence[int]) -> bool:
    """Whether some route to the same position begins and ends as ``places`` do and visits them in this order."""
    start, end = places[0], places[-1]
    if (turn.path[0], turn.path[-1]) == (start, end):
        if len(places) == 2 or turn.path == places:
            return True
    # Another piece that goes round and comes home may take the same pieces: that is the same move too.
    elif start != end or turn.path[0] != turn.path[-1] or turn.crowns:
        return False
    if not turn.captured:
        return False
    here = state.position
    forces = here.forces()
    king = bool(forces.kings >> turn.path[0] & 1)
    if not (forces.kings if king else forces.men) >> start & 1:
        return False
    chain = Chain((start, end), turn.captured, king or turn.crowns)
    return rules.kernel.route(here.turn, forces, chain, places) is not None


def why(rules: DraughtsRules, state: DraughtsState, typed: Typed, turns: Sequence[Turn]) -> str:
    """The reason why no legal move fits ``typed`` ("Refusals teach")."""
    here = state.position
    names, places = rules.board.names, typed.places
    captures = [turn for turn in turns if turn.captured]
    must = not any(not turn.captured for turn in turns) and bool(captures)
    if len(places) == 1:
        occupied = (here.of(0) | here.of(1)) >> places[0] & 1
        reason = f"{names[places[0]]} is not empty" if occupied else f"no piece of yours can go to {names[places[0]]}"
        return f"you must capture: {_tells(captures, places)}" if must and not occupied else reason
    start, end = places[0], places[-1]
    if not here.of(here.turn) >> start & 1:
        if here.of(1 - here.turn) >> start & 1:
            return f"the piece on {names[start]} is not yours: you play {rules.seats[here.turn].name}"
        return f"{names[start]} is empty"
    walk = _Walk(rules, state)
    not_quiet = walk.quiet(places)
    if not_quiet is None:
        # The move itself could be made, so it is a capture that forbids it (or a capture that was typed).
        if typed.capture and not must:
            return f"there is nothing to capture from {names[start]} to {names[end]}"
        return f"you must capture: {_tells(captures, places)}, your move takes none"
    taken, broken = walk.capture(places)
    if broken is None:
        return _lesser(rules, state, captures, places, taken)
    between = [chain for chain in walk.all_chains() if (chain.path[0], chain.path[-1]) == (start, end)]
    if len(places) == 2 and between and captures:
        longest = max(between, key=lambda chain: len(chain.taken))
        return _lesser(rules, state, captures, places, longest.taken)
    # Of the two readings the one that was meant is told: a jump where something is jumped, else a move.
    chain = len(places) > 2 and typed.capture is True
    jump = taken or chain or walk.jumps_at(places[0], places[1], over_own=typed.capture is True)
    told = broken if jump else not_quiet
    if must:
        return f"you must capture: {_tells(captures, places)} ({told})"
    return told


def _named(captures: Sequence[Turn], places: Sequence[int]) -> Turn:
    """One capture that fits, by the typed piece or to the typed place if there is one."""
    near = [turn for turn in captures if turn.path[0] == places[0]] or [
        turn for turn in captures if turn.path[-1] == places[-1]
    ]
    return (near or list(captures))[0]


def _tells(captures: Sequence[Turn], places: Sequence[int]) -> str:
    """Names one capture that fits and what it takes."""
    turn = _named(captures, places)
    return f"{turn.text} takes {_pieces(len(turn.captured))}"


def _pieces(count: int) -> str:
    return f"{count} piece" if count == 1 else f"{count} pieces"


def _lesser(
    rules: DraughtsRules, state: DraughtsState, captures: Sequence[Turn], places: Sequence[int], taken: Sequence[int]
) -> str:
    """Why a capture that can be made is not one that the rule of choice allows."""
    here = state.position
    forces = here.forces()
    told = _tells(captures, places)
    best = len(captures[0].captured) if captures else 0
    if len(taken) < best and "most-pieces" in rules.tables.capture.choice:
        return f"you must capture: {told}, your move takes {len(taken)}"
    if "with-king" in rules.tables.capture.choice and not forces.kings >> places[0] & 1:
        with_king = [turn for turn in captures if forces.kings >> turn.path[0] & 1]
        if with_king:
            return f"a king must make this capture: {_tells(with_king, places)}"
    kings = sum(forces.foe_kings >> t & 1 for t in taken)
    most = max((sum(forces.foe_kings >> t & 1 for t in turn.captured) for turn in captures), default=0)
    if kings < most and "most-kings" in rules.tables.capture.choice:
        theirs = f"{most} king{'s' * (most > 1)}, your move takes {kings or 'none'}"
        return f"among equals you must capture the most kings: {_named(captures, places).text} takes {theirs}"
    further = [turn for turn in captures if turn.path[: len(places)] == tuple(places)]
    if further:
        return f"the capture goes on: {further[0].text} takes {_pieces(len(further[0].captured))}"
    return f"you must play a best capture: {told}"


class _Walk:
    """Tries a typed route on the board and says where it breaks off."""

    def __init__(self, rules: DraughtsRules, state: DraughtsState) -> None:
        self.rules = rules
        self.kernel = rules.kernel
        self.here = state.position
        self.forces = state.position.forces()
        self.own, self.foe = self.here.of(self.here.turn), self.here.of(1 - self.here.turn)

    def all_chains(self) -> list[Chain]:
        return self.kernel.chains(self.here.turn, self.forces)

    def jumps_at(self, start: int, end: int, *, over_own: bool) -> bool:
        """Whether a foreign piece (``over_own``: any piece) stands on the line from ``start`` to ``end``."""
        standing = self.foe | self.own if over_own else self.foe
        return any(standing >> place & 1 for place in self._between(start, end) or ())

    def _between(self, start: int, end: int) -> tuple[int, ...] | None:
        """The places strictly between two places on a line that the game knows; None where there is no line."""
        for ray in self.kernel.rays[start]:
            if end in ray:
                return ray[: ray.index(end)]
        return None

    def _step(self, start: int, end: int) -> tuple[int, int]:
        """The direction from ``start`` to ``end`` as the mover sees it, y forward."""
        x, y = self.kernel.every[self.kernel.way(start, end)]
        return x, y if self.here.turn == 0 else -y

    def quiet(self, places: Sequence[int]) -> str | None:
        """Why ``places`` is no move without a capture; None when it could be one."""
        names = self.rules.board.names
        start, end = places[0], places[-1]
        if len(places) > 2:
            return "a move without a capture has one start and one end"
        if start == end:
            return "a move must end on another square"
        if (self.own | self.foe) >> end & 1:
            return f"{names[end]} is not empty"
        king = bool(self.forces.kings >> start & 1)
        who, tables = "a king" if king else "a man", self.rules.tables
        between = self._between(start, end)
        if between is None:
            ways = (*tables.man.moves, *tables.man.captures, *tables.king.moves, *tables.king.captures)
            line = "diagonal" if all(way.endswith("diagonal") for way in ways) else "line"
            return f"{who} does not move from {names[start]} to {names[end]}: they are not on one {line}"
        table = self.rules.tables.king if king else self.rules.tables.man
        step = self._step(start, end)
        if not _allows(table.moves, step):
            return f"{who} does not move {_forbidden(table.moves, step)}"
        if between and (not king or self.rules.tables.king.reach == "short"):
            return f"{who} moves one square only, and there is no capture from {names[start]} to {names[end]}"
        blocked = [place for place in between if (self.own | self.foe) >> place & 1]
        if blocked:
            return f"{names[blocked[0]]} is in the way"
        return None

    def capture(self, places: Sequence[int]) -> tuple[list[int], str | None]:
        """The pieces that the route ``places`` jumps, and why it is no capture (None when it is one)."""
        names, kernel, tables = self.rules.board.names, self.kernel, self.rules.tables
        king = bool(self.forces.kings >> places[0] & 1)
        standing = (self.own | self.foe) & ~(1 << places[0])
        taken: list[int] = []
        came: int | None = None
        for here, there in pairwise(places):
            who = "a king" if king else "a man"
            between = self._between(here, there)
            if not between:
                return taken, f"there is nothing to jump between {names[here]} and {names[there]}"
            way = kernel.way(here, there)
            if king and came is not None and not tables.capture.turn_back and way == kernel.opposite[came]:
                return taken, "the king may not turn straight back"
            if again := [place for place in between if place in taken]:
                return taken, f"the piece on {names[again[0]]} has been jumped: a piece may be jumped once only"
            in_way = [place for place in between if standing >> place & 1]
            if not in_way:
                return taken, f"there is nothing to jump between {names[here]} and {names[there]}"
            step = self._step(here, there)
            captures = (tables.king if king else tables.man).captures
            if not _allows(captures, step):
                return taken, f"{who} does not capture {_forbidden(captures, step)}"
            if self.own >> in_way[0] & 1:
                return taken, f"{names[in_way[0]]} is your own piece: it cannot be jumped"
            if len(in_way) > 1:
                return taken, f"{names[in_way[0]]} and {names[in_way[1]]} are both in the way: one jump takes one piece"
            if standing >> there & 1:
                return taken, f"{names[there]} is not empty"
            if not king and len(between) > 1:
                return taken, "a man jumps over the next square only"
            if king and tables.king.reach == "short" and len(between) > 1:
                return taken, "a king jumps over the next square only"
            if not king and not tables.man.captures_kings and self.forces.foe_kings >> in_way[0] & 1:
                return taken, "a man may not capture a king"
            taken.append(in_way[0])
            if tables.capture.removal == "at_once":
                standing &= ~(1 << in_way[0])
            came = way
            if not king and kernel.crown[self.here.turn] >> there & 1:
                if tables.capture.crowning == "stops" and there != places[-1]:
                    return taken, f"a man is crowned on the last row and stops there: the move ends on {names[there]}"
                king = tables.capture.crowning == "goes-on"
        return taken, None


def _allows(directions: Sequence[str], step: tuple[int, int]) -> bool:
    return _word(step) in {"diagonally " + d.split("-")[0] if "-" in d else d for d in directions}


def _forbidden(directions: Sequence[str], step: tuple[int, int]) -> str:
    """A direction that is not among ``directions``, in the fewest words that tell what is never done."""
    x, y = step
    if y < 0 and not any(direction.startswith("backward") for direction in directions):
        return "backward"
    if x and y and not any(direction.endswith("diagonal") for direction in directions):
        return "diagonally"
    return _word(step)


def _word(step: tuple[int, int]) -> str:
    """A direction in words, y forward: "backward", "diagonally forward", "sideways"."""
    x, y = step
    along = "forward" if y > 0 else "backward"
    if not y:
        return "sideways"
    return f"diagonally {along}" if x else along
