"""Which turn on the star a typed text means and, where it means none, why the rules forbid it, in the rule's terms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from bot.engine.boards import star_board
from bot.engine.errors import IllegalMove
from bot.engine.move_text import one
from bot.engine.outcomes import SIDE
from bot.engine.star.geometry import HOPS, NAMES, OPPOSITE, STEPS, TRIANGLES
from bot.engine.star.movegen import NOBODY, Pegs, StarMoveGenerator, StarTurn, landed
from bot.engine.star.state import StarState
from bot.engine.turns import Seat
from bot.i18n import N_, NP_, _, listed_and, pgettext

_HOLE_NAMES = star_board().names
_BEGAN = N_("a turn may not end in the hole where it began")
_NOT_EMPTY = N_("{hole} is not empty")
_TRIANGLES = {
    "S": NP_("triangle", "south"),
    "SW": NP_("triangle", "southwest"),
    "NW": NP_("triangle", "northwest"),
    "N": NP_("triangle", "north"),
    "NE": NP_("triangle", "northeast"),
    "SE": NP_("triangle", "southeast"),
}


def choose(kernel: StarMoveGenerator, seats: Sequence[Seat], state: StarState, places: Sequence[int]) -> StarTurn:
    """The one legal turn that the typed holes mean: a whole turn hole by hole, else a turn from the first hole to the
    last that visits the others on its way; a single hole means a turn that ends there.

    Raises IllegalMove with the reason, or AmbiguousMove.
    """
    if len(places) == 1:
        fits = tuple(turn for turn in kernel.turns(state.pegs, state.seat) if turn.path[-1] == places[0])
        if not fits:
            raise IllegalMove(_why_not_there(kernel, seats, state, places[0]))
        return one(fits)
    walk = _RouteWalk(kernel, seats, state, places[0])
    for here, there in pairwise(places):
        if here == there:
            if len(places) == 2:
                raise IllegalMove(_(_BEGAN))
            raise IllegalMove(_("{hole} is named twice in a row").format(hole=_HOLE_NAMES[here]))
    after, reason = walk.along(places)
    wanted = kernel.by_way_of(state.pegs, places) if after is None else {after}
    fits = tuple(turn for turn in kernel.turns_from(state.pegs, places[0]) if turn.after in wanted)
    if not fits:
        raise IllegalMove(reason)
    return one(fits)


def _why_not_there(kernel: StarMoveGenerator, seats: Sequence[Seat], state: StarState, place: int) -> str:
    name = _HOLE_NAMES[place]
    if all(place not in kernel.rest[code] for code in kernel.codes[state.seat]):
        return _closed(seats, place)
    if state.pegs[place] and not any(kernel.may_swap(state.pegs, code, place) for code in kernel.codes[state.seat]):
        return _(_NOT_EMPTY).format(hole=name)
    return _("no peg of yours can go to {hole}").format(hole=name)


def _closed(seats: Sequence[Seat], place: int) -> str:
    """Why no turn of the player to move may end here."""
    triangle = next(name for name, holes in TRIANGLES.items() if place in holes)
    uses = [_("the start of {side}").format(side=seat.name) for seat in seats if triangle in seat.sets]
    uses += [_("the target of {side}").format(side=seat.name) for seat in seats if OPPOSITE[triangle] in seat.sets]
    template = _("a peg of yours may hop through the {triangle} triangle but not end its turn there: it is {uses}")
    return template.format(triangle=pgettext("triangle", _TRIANGLES[triangle]), uses=listed_and(uses))


class _RouteWalk:
    """Tries a typed turn of one peg on the board and says where it breaks off."""

    def __init__(self, kernel: StarMoveGenerator, seats: Sequence[Seat], state: StarState, start: int) -> None:
        """Raises IllegalMove where no peg of the player to move stands."""
        self.kernel, self.seats, self.start = kernel, seats, start
        self.code = state.pegs[start]
        owner = self.kernel.owner[self.code]
        if not self.code:
            raise IllegalMove(_("{square} is empty").format(square=_HOLE_NAMES[start]))
        if owner == NOBODY:
            raise IllegalMove(_("the peg on {hole} belongs to nobody and never moves").format(hole=_HOLE_NAMES[start]))
        if owner != state.seat:
            sets = listed_and([pgettext(SIDE, NAMES[name]) for name in seats[state.seat].sets])
            template = _("the peg on {hole} is not yours: you play {sets}")
            raise IllegalMove(template.format(hole=_HOLE_NAMES[start], sets=sets))
        self.others = landed(state.pegs, start, 0)

    def along(self, places: Sequence[int]) -> tuple[Pegs | None, str]:
        """The position after the turn that goes from hole to hole as typed, or None and why it is not such a turn."""
        others, gaps = self.others, False
        for here, there in pairwise(places):
            reason = self._broken(others, here, there, whole=len(places) == 2)
            if reason:
                return None, reason
            gaps = gaps or not self._at_once(others, here, there)
            others = self.kernel.moved(others, here, there)[0]
        end = places[-1]
        if end == self.start:
            return None, _(_BEGAN)
        if end not in self.kernel.rest[self.code]:
            return None, _closed(self.seats, end)
        if gaps:
            return None, _("no chain of hops leads over these holes to {hole}").format(hole=_HOLE_NAMES[end])
        return landed(others, end, self.code), ""

    def _broken(self, others: Pegs, here: int, there: int, *, whole: bool) -> str:
        """Why no way leads from ``here`` to ``there``; empty where one does. ``whole``: this is all of the turn."""
        name, kernel = _HOLE_NAMES[there], self.kernel
        step, over = there in STEPS[here], _hopped(here, there)
        if step and not whole:
            template = _("from {start} to {end} is a step: a step is a whole turn, it is not joined with hops")
            return template.format(start=_HOLE_NAMES[here], end=name)
        if others[there] and not kernel.may_swap(others, self.code, there):
            return _(_NOT_EMPTY).format(hole=name)
        if not kernel.stays(self.code, here, there):
            return _("the peg on {hole} may not leave its target triangle again").format(hole=_HOLE_NAMES[here])
        if self._at_once(others, here, there) or there in self._reached(others, here, locked=True):
            return ""
        if there in self._reached(others, here, locked=False):
            return _("a peg that lands in its target triangle may not leave it again in the same chain")
        if over is not None:
            template = _("there is nothing to hop over on {hole}, between {start} and {end}")
            return template.format(hole=_HOLE_NAMES[over], start=_HOLE_NAMES[here], end=name)
        return _("no chain of hops leads from {start} to {end}").format(start=_HOLE_NAMES[here], end=name)

    @staticmethod
    def _at_once(others: Pegs, here: int, there: int) -> bool:
        """Whether one step or one hop leads from ``here`` to ``there``."""
        over = _hopped(here, there)
        return there in STEPS[here] or (over is not None and bool(others[over]))

    def _reached(self, others: Pegs, start: int, *, locked: bool) -> set[int]:
        """The holes that hops lead to, as if swaps left the board as it is; ``locked``: without leaving the target."""
        reached, new = {start}, [start]
        for here in new:
            for over, to in self.kernel.hops[self.code][here] if locked else HOPS[here]:
                free = not others[to] or self.kernel.may_swap(others, self.code, to)
                if to not in reached and free and others[over]:
                    reached.add(to)
                    new.append(to)
        return reached


def _hopped(here: int, there: int) -> int | None:
    """The hole between two holes that are one hop apart, else None."""
    return next((over for over, to in HOPS[here] if to == there), None)
