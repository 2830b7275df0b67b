"""Which turn a typed text means and, where it means none, why the rules forbid it, in the rule's own terms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from bot.engine.boards import WAYS, Board
from bot.engine.draughts.movegen import Chain, Forces, MoveGenerator
from bot.engine.draughts.notation import Typed
from bot.engine.draughts.state import DraughtsState, DraughtsTurn, Position, moved, resting
from bot.engine.errors import IllegalMove
from bot.engine.move_text import one
from bot.engine.turns import Seat
from bot.i18n import N_, _, listed_or, ngettext


def remedy(board: Board, state: DraughtsState, remedies: tuple[DraughtsTurn, ...], typed: Typed) -> DraughtsTurn:
    """The huff or the oblige that was typed (docs/rules.md, Soplar). Raises IllegalMove or AmbiguousMove."""
    if not remedies and state.last is not None and state.last.kind == "huff":
        raise IllegalMove(_("the neglected capture has been huffed already"))
    if not remedies:
        raise IllegalMove(_("no capture was neglected in the last move"))
    if typed.order == "oblige":
        return remedies[-1]
    huffs = tuple(turn for turn in remedies if turn.kind == "huff")
    fits = [turn for turn in huffs if not typed.places or turn.path == typed.places]
    if not fits:
        could = listed_or([board.names[turn.path[0]] for turn in huffs])
        template = _("{square} could not have captured; you may huff {squares}")
        raise IllegalMove(template.format(square=board.names[typed.places[0]], squares=could))
    return one(tuple(fits))


def choose(
    kernel: MoveGenerator, seats: Sequence[Seat], position: Position, turns: Sequence[DraughtsTurn], typed: Typed
) -> DraughtsTurn:
    """The one of the legal ``turns`` that ``typed`` means. Raises IllegalMove with the reason, or AmbiguousMove."""
    places = typed.places
    if exact := [turn for turn in turns if turn.captured and turn.path == places]:
        return exact[0]
    if len(places) == 1:
        fits = [turn for turn in turns if turn.path[-1] == places[0]]
    elif len(places) == 2 and places[0] != places[1]:
        fits = [turn for turn in turns if (turn.path[0], turn.path[-1]) == places]
    else:
        reached = _reached(kernel, position, turns, places)
        fits = [turn for turn in turns if turn.after in reached]
    if typed.capture is True:
        fits = [turn for turn in fits if turn.captured]
    elif typed.capture is False and not all(turn.captured for turn in fits):
        fits = [turn for turn in fits if not turn.captured]
    # A capture typed in full goes before those that the text would shorten.
    if any(turn.captured and len(turn.path) == len(places) for turn in fits):
        fits = [turn for turn in fits if not turn.captured or len(turn.path) == len(places)]
    if not fits:
        raise IllegalMove(why(kernel, seats, position, turns, typed))
    return one(tuple(fits))


def _reached(
    kernel: MoveGenerator, position: Position, turns: Sequence[DraughtsTurn], places: Sequence[int]
) -> set[Position]:
    """The positions to which captures lead that visit ``places`` in this order, from the first of them to the last, and
    are as good by the rule of choice as those among ``turns``. Another route to a position is the same move, also where
    another piece goes round and comes home."""
    forces = position.forces()
    best = next((turn for turn in turns if turn.captured), None)
    if best is None or not position.of(position.turn) >> places[0] & 1:
        return set()
    rank = kernel.rank(Chain(best.path, best.captured, best.crowns), forces)
    return {
        moved(position, places[0], places[-1], sum(1 << place for place in chain.taken), king=chain.king)
        for chain in kernel.captures_of(position.turn, forces, places[0], stops=places)
        if chain.path[-1] == places[-1] and kernel.rank(chain, forces) == rank
    }


def why(
    kernel: MoveGenerator, seats: Sequence[Seat], position: Position, turns: Sequence[DraughtsTurn], typed: Typed
) -> str:
    """The reason why no legal move fits ``typed`` ("Refusals teach")."""
    names, places = kernel.board.names, typed.places
    captures = [turn for turn in turns if turn.captured]
    must = not any(not turn.captured for turn in turns) and bool(captures)
    if len(places) == 1:
        occupied = (position.of(0) | position.of(1)) >> places[0] & 1
        if must and not occupied:
            return _("you must capture: {capture}").format(capture=_tells(captures, places))
        reason = _("{square} is not empty") if occupied else _("no piece of yours can go to {square}")
        return reason.format(square=names[places[0]])
    start, end = places[0], places[-1]
    if not position.of(position.turn) >> start & 1:
        if position.of(1 - position.turn) >> start & 1:
            template = _("the piece on {square} is not yours: you play {side}")
            return template.format(square=names[start], side=seats[position.turn].name)
        return _("{square} is empty").format(square=names[start])
    walk = _CaptureWalk(kernel, position)
    not_quiet = walk.quiet(places)
    if not_quiet is None:
        # The move itself could be made, so it is a capture that forbids it (or a capture that was typed).
        if typed.capture and not must:
            return _("there is nothing to capture from {start} to {end}").format(start=names[start], end=names[end])
        return _("you must capture: {capture}, your move takes none").format(capture=_tells(captures, places))
    taken, broken = walk.capture(places)
    if broken is None:
        return _lesser(kernel, walk.forces, captures, places, taken)
    if len(places) == 2 and captures and (between := walk.between_ends(start, end)):
        return _lesser(kernel, walk.forces, captures, places, max(between, key=len))
    # Of the two readings the one that was meant is told: a jump where something is jumped, else a move.
    chain = len(places) > 2 and typed.capture is True
    jump = taken or chain or walk.jumps_at(places[0], places[1], over_own=typed.capture is True)
    reason = broken if jump else not_quiet
    if must:
        return _("you must capture: {capture} ({reason})").format(capture=_tells(captures, places), reason=reason)
    return reason


def _named(captures: Sequence[DraughtsTurn], places: Sequence[int]) -> DraughtsTurn:
    """One capture that fits, by the typed piece or to the typed place if there is one."""
    of_piece = [turn for turn in captures if turn.path[0] == places[0]]
    to_place = [turn for turn in captures if turn.path[-1] == places[-1]]
    return (of_piece or to_place or captures)[0]


def _tells(captures: Sequence[DraughtsTurn], places: Sequence[int]) -> str:
    """Names one capture that fits and what it takes."""
    return _takes(_named(captures, places))


def _takes(turn: DraughtsTurn) -> str:
    count = len(turn.captured)
    template = ngettext("{move} takes {count} piece", "{move} takes {count} pieces", count)
    return template.format(move=turn.text, count=count)


def _lesser(
    kernel: MoveGenerator, forces: Forces, captures: Sequence[DraughtsTurn], places: Sequence[int], taken: Sequence[int]
) -> str:
    """Why a capture that can be made is not one that the rule of choice allows."""
    capture = _tells(captures, places)
    best = len(captures[0].captured) if captures else 0
    if len(taken) < best and "most-pieces" in kernel.tables.capture.choice:
        return _("you must capture: {capture}, your move takes {count}").format(capture=capture, count=len(taken))
    if "most-value" in kernel.tables.capture.choice and captures:
        worth = kernel.worth(taken, forces)
        if worth < (most := kernel.worth(captures[0].captured, forces)):
            template = _("you must capture the most, a king counting {king}: {move} counts {most}, your move {count}")
            man, king = kernel.worths
            fields = {"king": king / man, "most": most / man, "count": worth / man}
            told = {name: f"{value:g}" for name, value in fields.items()}
            return template.format(move=_named(captures, places).text, **told)
    if "with-king" in kernel.tables.capture.choice and not forces.kings >> places[0] & 1:
        with_king = [turn for turn in captures if forces.kings >> turn.path[0] & 1]
        if with_king:
            return _("a king must make this capture: {capture}").format(capture=_tells(with_king, places))
    kings = sum(forces.foe_kings >> t & 1 for t in taken)
    most = max((sum(forces.foe_kings >> t & 1 for t in turn.captured) for turn in captures), default=0)
    if kings < most and "most-kings" in kernel.tables.capture.choice:
        theirs = ngettext("{move} takes {count} king", "{move} takes {count} kings", most)
        theirs = theirs.format(move=_named(captures, places).text, count=most)
        if not kings:
            template = _("with the same number of pieces you must take the most kings: {capture}; your move takes none")
        else:
            template = _(
                "with the same number of pieces you must take the most kings: {capture}; your move takes {count}"
            )
        return template.format(capture=theirs, count=kings)
    further = [turn for turn in captures if turn.path[: len(places)] == tuple(places)]
    if further:
        return _("the capture goes on: {capture}").format(capture=_takes(further[0]))
    return _("you must play a best capture: {capture}").format(capture=capture)


class _CaptureWalk:
    """Tries a typed route on the board and says where it breaks off."""

    def __init__(self, kernel: MoveGenerator, position: Position) -> None:
        self.kernel, self.position = kernel, position
        self.forces = position.forces()
        self.own, self.foe = self.position.of(self.position.turn), self.position.of(1 - self.position.turn)

    def between_ends(self, start: int, end: int) -> list[tuple[int, ...]]:
        """What the captures take that lead from ``start`` to ``end``, also those that are broken off there."""
        captures = self.kernel.captures_of(self.position.turn, self.forces, start, partial=True)
        return [chain.taken for chain in captures if chain.path[-1] == end]

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
        return x, y if self.position.turn == 0 else -y

    def quiet(self, places: Sequence[int]) -> str | None:
        """Why ``places`` is no move without a capture; None when it could be one."""
        names = self.kernel.board.names
        start, end = places[0], places[-1]
        if len(places) > 2:
            return _("a move without a capture goes from one square to one other")
        if start == end:
            return _("a move must end on another square")
        if (self.own | self.foe) >> end & 1:
            return _("{square} is not empty").format(square=names[end])
        king = bool(self.forces.kings >> start & 1)
        tables = self.kernel.tables
        between = self._between(start, end)
        if between is None:
            ways = (*tables.man.moves, *tables.man.captures, *tables.king.moves, *tables.king.captures)
            if all(way.endswith("diagonal") for way in ways):
                of_king = _("a king does not move from {start} to {end}: they are not on one diagonal")
                of_man = _("a man does not move from {start} to {end}: they are not on one diagonal")
            else:
                of_king = _("a king does not move from {start} to {end}: they are not on one line")
                of_man = _("a man does not move from {start} to {end}: they are not on one line")
            return (of_king if king else of_man).format(start=names[start], end=names[end])
        table = tables.king if king else tables.man
        step = self._step(start, end)
        if not _allows(table.moves, step):
            template = _("a king does not move {direction}") if king else _("a man does not move {direction}")
            return template.format(direction=_(_forbidden(table.moves, step)))
        if between and (not king or tables.king.reach == "short"):
            of_king = _("a king moves one square only, and there is no capture from {start} to {end}")
            of_man = _("a man moves one square only, and there is no capture from {start} to {end}")
            return (of_king if king else of_man).format(start=names[start], end=names[end])
        blocked = [place for place in between if (self.own | self.foe) >> place & 1]
        if blocked:
            return _("{square} is in the way").format(square=names[blocked[0]])
        if resting(self.position, tables.king.run) >> start & 1:
            template = _("this king has made {moves} moves in a row: it must capture, or another piece must move")
            return template.format(moves=tables.king.run)
        return None

    def capture(self, places: Sequence[int]) -> tuple[list[int], str | None]:
        """The pieces that the route ``places`` jumps, and why it is no capture (None when it is one)."""
        names, kernel, tables = self.kernel.board.names, self.kernel, self.kernel.tables
        king = bool(self.forces.kings >> places[0] & 1)
        standing = (self.own | self.foe) & ~(1 << places[0])
        taken: list[int] = []
        came: int | None = None
        for start, end in pairwise(places):
            nothing = _("there is nothing to jump between {start} and {end}")
            between = self._between(start, end)
            if not between:
                return taken, nothing.format(start=names[start], end=names[end])
            way = kernel.way(start, end)
            if king and came is not None and not tables.capture.turn_back and way == kernel.opposite[came]:
                return taken, _("the king may not turn straight back")
            in_way = [place for place in between if standing >> place & 1]
            again = [place for place in between if place in taken]
            # Where pieces leave at once, only a jump over nothing else is a second one.
            if again and not (kernel.at_once and in_way):
                template = _("the piece on {square} has been jumped already: a piece may be jumped only once")
                return taken, template.format(square=names[again[0]])
            if not in_way:
                return taken, nothing.format(start=names[start], end=names[end])
            step = self._step(start, end)
            captures = (tables.king if king else tables.man).captures
            if not _allows(captures, step):
                template = _("a king does not capture {direction}") if king else _("a man does not capture {direction}")
                return taken, template.format(direction=_(_forbidden(captures, step)))
            if self.own >> in_way[0] & 1:
                return taken, _("{square} is your own piece: it cannot be jumped").format(square=names[in_way[0]])
            if len(in_way) > 1:
                template = _("{first} and {second} are both in the way: one jump takes one piece")
                return taken, template.format(first=names[in_way[0]], second=names[in_way[1]])
            if standing >> end & 1:
                return taken, _("{square} is not empty").format(square=names[end])
            if not king and len(between) > 1:
                return taken, _("a man jumps only over the square next to it")
            if king and tables.king.reach == "short" and len(between) > 1:
                return taken, _("a king jumps only over the square next to it")
            takes_king = bool(self.forces.foe_kings >> in_way[0] & 1)
            if not king and not tables.man.captures_kings and takes_king:
                return taken, _("a man may not capture a king")
            taken.append(in_way[0])
            next_to = kernel.rays[in_way[0]][way][0]
            halts = end == places[-1] and tables.king.lands == "next-after-king" and takes_king
            if king and end != next_to and (halts or tables.king.lands == "next"):
                of_any = _("a king lands on the square right behind the piece that it takes: on {square}")
                of_king = _("a king that takes a king last lands on the square right behind it: on {square}")
                return taken, (of_king if halts else of_any).format(square=names[next_to])
            if tables.capture.removal == "at_once":
                standing &= ~(1 << in_way[0])
            came = way
            if not king and kernel.crown[self.position.turn] >> end & 1:
                if tables.capture.crowning == "stops" and end != places[-1]:
                    template = _("a man is crowned on the last row and stops there: the move ends on {square}")
                    return taken, template.format(square=names[end])
                king = tables.capture.crowning == "goes-on"
        return taken, None


def _allows(directions: Sequence[str], step: tuple[int, int]) -> bool:
    return _word(step) in {_WORDS[direction] for direction in directions}


def _forbidden(directions: Sequence[str], step: tuple[int, int]) -> str:
    """A direction that is not among ``directions``, in the fewest words that tell what is never done (English)."""
    x, y = step
    if y < 0 and not any(direction.startswith("backward") for direction in directions):
        return _WORDS["backward"]
    if x and y and not any(direction.endswith("diagonal") for direction in directions):
        return N_("diagonally")
    return _word(step)


def _word(step: tuple[int, int]) -> str:
    """A direction in words, y forward: "backward", "diagonally forward", "straight sideways"."""
    return _WORDS[next(name for name, steps in WAYS.items() if step in steps)]


_WORDS = {
    "forward": N_("forward"),
    "backward": N_("backward"),
    "sideways": N_("sideways"),
    "forward-diagonal": N_("diagonally forward"),
    "backward-diagonal": N_("diagonally backward"),
    "forward-straight": N_("straight forward"),
    "sideways-straight": N_("straight sideways"),
    "backward-straight": N_("straight backward"),
}
