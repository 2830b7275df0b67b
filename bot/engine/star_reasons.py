"""Which turn on the star a typed text means and, where it means none, why the rules forbid it, in the rule's terms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from bot.engine.hopping import NOBODY, Pegs, landed
from bot.engine.reasons import one
from bot.engine.refusals import IllegalMove
from bot.engine.rules import Turn
from bot.engine.star_layout import HOPS, NAMES, OPPOSITE, STEPS, TRIANGLES

if TYPE_CHECKING:
    from bot.engine.star import StarRules, StarState


def choose(rules: StarRules, state: StarState, places: Sequence[int]) -> Turn:
    """The one legal turn that the typed holes mean: a whole turn hole by hole, else a turn from the first hole to the
    last that visits the others on its way; a single hole means a turn that ends there.

    Raises IllegalMove with the reason, or AmbiguousMove.
    """
    if len(places) == 1:
        fits = tuple(turn for turn in rules.turns(state) if turn.path[-1] == places[0])
        if not fits:
            raise IllegalMove(_why_not_there(rules, state, places[0]))
        return one(fits)
    walk = _Walk(rules, state, places[0])
    for here, there in pairwise(places):
        if here == there:
            began = "a turn may not end in the hole where it began"
            raise IllegalMove(began if len(places) == 2 else f"{rules.board.names[here]} is named twice in a row")
    after, reason = walk.along(places)
    wanted = rules.kernel.by_way_of(state.pegs, places) if after is None else {after}
    fits = tuple(turn for turn in rules.kernel.turns_from(state.pegs, places[0]) if turn.after in wanted)
    if not fits:
        raise IllegalMove(reason)
    return one(fits)


def _why_not_there(rules: StarRules, state: StarState, place: int) -> str:
    name = rules.board.names[place]
    if all(place not in rules.kernel.rest[code] for code in rules.kernel.codes[state.seat]):
        return _closed(rules, place)
    if state.pegs[place] and not any(
        rules.kernel.may_swap(state.pegs, code, place) for code in rules.kernel.codes[state.seat]
    ):
        return f"{name} is not empty"
    return f"no peg of yours can go to {name}"


def _closed(rules: StarRules, place: int) -> str:
    """Why no turn of the player to move may end here."""
    triangle = next(name for name, holes in TRIANGLES.items() if place in holes)
    uses = [f"the start of {seat.name}" for seat in rules.seats if triangle in seat.sets]
    uses += [f"the target of {seat.name}" for seat in rules.seats if OPPOSITE[triangle] in seat.sets]
    return (
        f"a peg of yours may hop through the {NAMES[triangle].lower()} triangle but not end its turn there: "
        f"it is {' and '.join(uses)}"
    )


class _Walk:
    """Tries a typed turn of one peg on the board and says where it breaks off."""

    def __init__(self, rules: StarRules, state: StarState, start: int) -> None:
        """Raises IllegalMove where no peg of the player to move stands."""
        self.rules = rules
        self.kernel = rules.kernel
        self.names = rules.board.names
        self.start = start
        self.code = state.pegs[start]
        owner = self.kernel.owner[self.code]
        if not self.code:
            raise IllegalMove(f"{self.names[start]} is empty")
        if owner == NOBODY:
            raise IllegalMove(f"the peg on {self.names[start]} is nobody's: nobody moves it")
        if owner != state.seat:
            sets = " and ".join(NAMES[name] for name in rules.seats[state.seat].sets)
            raise IllegalMove(f"the peg on {self.names[start]} is not yours: you play {sets}")
        self.others = landed(state.pegs, start, 0)

    def along(self, places: Sequence[int]) -> tuple[Pegs | None, str]:
        """The position after the turn that goes from hole to hole as typed, or None and why it is not such a turn."""
        others, gaps = self.others, False
        for here, there in pairwise(places):
            reason = self._broken(others, here, there, whole=len(places) == 2)
            if reason:
                return None, reason
            gaps = gaps or not self._at_once(others, here, there)
            others, _ = self.kernel.moved(others, here, there)
        end = places[-1]
        if end == self.start:
            return None, "a turn may not end in the hole where it began"
        if end not in self.kernel.rest[self.code]:
            return None, _closed(self.rules, end)
        if gaps:
            return None, f"no chain of hops leads over these holes to {self.names[end]}"
        return landed(others, end, self.code), ""

    def _broken(self, others: Pegs, here: int, there: int, *, whole: bool) -> str:
        """Why no step, hop or chain of hops leads from ``here`` to ``there``; empty where one does. ``whole``: this is
        all of the turn."""
        name, kernel = self.names[there], self.kernel
        step, over = there in STEPS[here], _hopped(here, there)
        if step and not whole:
            return f"from {self.names[here]} to {name} is a step: a step is a whole turn, it is not joined with hops"
        if others[there] and not kernel.may_swap(others, self.code, there):
            return f"{name} is not empty"
        if not kernel.stays(self.code, here, there):
            return f"the peg on {self.names[here]} may not leave its target triangle again"
        if self._at_once(others, here, there) or there in self._reached(others, here, locked=True):
            return ""
        if there in self._reached(others, here, locked=False):
            return "a peg that lands in its target triangle may not leave it again in the same chain"
        if over is not None:
            return f"there is nothing to hop over on {self.names[over]}, between {self.names[here]} and {name}"
        return f"no chain of hops leads from {self.names[here]} to {name}"

    @staticmethod
    def _at_once(others: Pegs, here: int, there: int) -> bool:
        """Whether one step or one hop leads from ``here`` to ``there``."""
        over = _hopped(here, there)
        return there in STEPS[here] or (over is not None and bool(others[over]))

    def _reached(self, others: Pegs, start: int, *, locked: bool) -> set[int]:
        """The holes that hops lead to, as if swaps left the board as it is; ``locked``: without leaving the target."""
        found, new = {start}, [start]
        for here in new:
            for over, to in self.kernel.hops[self.code][here] if locked else HOPS[here]:
                free = not others[to] or self.kernel.may_swap(others, self.code, to)
                if to not in found and free and others[over]:
                    found.add(to)
                    new.append(to)
        return found


def _hopped(here: int, there: int) -> int | None:
    """The hole between two holes that are one hop apart, else None."""
    return next((over for over, to in HOPS[here] if to == there), None)
