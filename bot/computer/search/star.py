"""Searches for a turn of Chinese checkers: alpha-beta for two, best replies for more.

At a table of several the player who thinks and all others take turns: of the turns that the others have the worst one
for it is answered, so that it sees more of its own turns than if everybody moved (best-reply search, Schadd and Winands
2011). For two this is plain alpha-beta. Below the root only the turns that gain most are looked at, and before the last
ply none where one turn would not change what is chosen, unless the search is not selective.

What a turn gains at once counts a little more than what is gained later. Else a player would put off the way home as
long as it stays open, and two who stand in each other's way would wait for each other for ever.
"""

from __future__ import annotations

from typing import Final

from bot.computer.kernels.search_room import FAR, NODES, STOP, WON
from bot.computer.kernels.star.best_reply import (
    DUEL,
    GOES_ON,
    OTHER_WIDTH,
    OTHERS,
    OWN_WIDTH,
    SEAT,
    SELECTIVE,
    SLOT,
    PegWork,
)
from bot.computer.search.bell import Bell
from bot.computer.search.limits import GameOverError, Limit, SearchResult
from bot.computer.search.star_positions import StarPositions, star_positions_for
from bot.engine.star.movegen import Pegs
from bot.engine.star.rules import StarRules
from bot.engine.star.state import StarState
from bot.engine.turns import Turn

AT_ONCE: Final = 3
"""What a turn gains at once counts so much more, as one part of so many."""
WIDTHS: Final = 10, 10
"""How many turns are looked at below the root, for two: the own, the other's."""
TABLE_WIDTHS: Final = 8, 2
"""At a table of several: the own, those of each of the others."""
ROOT_WIDTH: Final = 30
MOST_PLIES: Final = 16
TABLE_BITS: Final = 18
"""Of 2 to the power of so many positions at most a search remembers what they are worth."""
MOST_IN_A_SECOND: Final = {"plain": 30_000, "compiled": 3_000_000}
"""More positions than a search looks at in a second."""

Branch = tuple[Turn, Pegs, int]
"""A turn at the root, the pegs after it, and what it gains at once counts beside."""


def think_on_star(rules: StarRules, state: StarState, limit: Limit) -> SearchResult:
    """The best turn within a limit. Raises GameOverError."""
    return StarSearch(star_positions_for(rules), state, limit).result()


class StarSearch:
    """One search from one state."""

    def __init__(self, positions: StarPositions, state: StarState, limit: Limit) -> None:
        self.bell = Bell(limit)
        rules, backend, self.tables, self.kernel = (
            positions.rules,
            positions.backend,
            positions.tables,
            positions.kernel,
        )
        self.positions, self.rules, self.state, self.limit = positions, rules, state, limit
        slots = limit.slots(TABLE_BITS, MOST_IN_A_SECOND[backend.name])
        room = self.room = positions.room(state.pegs, MOST_PLIES + 1)
        self.work: PegWork = backend.handed(PegWork(room, backend.room(SLOT * max(slots, 1)), slots))
        others = [seat for seat in rules.playing(state) if seat != state.seat]
        duel = len(rules.seats) == 2
        room[SEAT], room[DUEL] = state.seat, int(duel)
        room[GOES_ON], room[SELECTIVE] = int(rules.tables.places and len(others) > 1), int(limit.selective)
        if limit.selective:
            room[OWN_WIDTH], room[OTHER_WIDTH] = WIDTHS if duel else TABLE_WIDTHS
        for at, seat in enumerate((*others, -1)):
            room[OTHERS + at] = seat

    def result(self) -> SearchResult:
        """The best turn within the limit. Raises GameOverError."""
        first = self._branches()
        if not first:
            raise GameOverError()
        ranked = [(branch, -FAR) for branch in first]
        depth = 0
        with self.bell.over(self.room):
            for deeper in range(1, min(self.limit.depth or MOST_PLIES, MOST_PLIES) + 1):
                scored = self._iteration([branch for branch, _ in ranked], deeper)
                if len(scored) < len(ranked):
                    if scored:
                        # What was broken off keeps its order behind what is finished, but where all of that is lost.
                        done = {turn.text for (turn, _, _), _ in scored}
                        scores = [score for _, score in scored]
                        high = min(scores) - 1 if max(scores) > -WON else FAR
                        rest = [(branch, min(old, high)) for branch, old in ranked if branch[0].text not in done]
                        ranked = sorted(scored + rest, key=lambda pair: -pair[1])
                    break
                ranked = sorted(scored, key=lambda pair: -pair[1])
                depth = deeper
                if abs(ranked[0][1]) > WON or (len(ranked) == 1 and self.limit.depth is None):
                    break
                if not self.bell.goes_on(self.room):
                    break
        turns = tuple((branch[0], score) for branch, score in ranked)
        return SearchResult(*turns[0], depth, int(self.room[NODES]), turns)

    def _branches(self) -> list[Branch]:
        """The turns at the root that gain most, the best first."""
        standing, seat = self.positions.standing, self.state.seat
        now = standing(self.state.pegs)[seat]
        branches = [
            (turn, turn.after, (standing(turn.after)[seat] - now) // AT_ONCE)
            for turn in self.rules.turns(self.state)
            if turn.text not in self.limit.without
        ]
        branches.sort(key=lambda branch: -branch[2])
        return branches[:ROOT_WIDTH] if self.limit.selective else branches

    def _iteration(self, branches: list[Branch], depth: int) -> list[tuple[Branch, int]]:
        """The scores of the turns at the root, of as many as there was time for. Scores below the margin are bounds."""
        best = -FAR
        scored: list[tuple[Branch, int]] = []
        for branch in branches:
            floor = best - self.limit.margin - 1 if self.limit.margin and best > -FAR else best
            score = self._after(branch[1], depth, floor - branch[2]) + branch[2]
            if self.room[STOP]:
                break
            scored.append((branch, score))
            best = max(best, score)
        return scored

    def _after(self, pegs: Pegs, depth: int, floor: int) -> int:
        """What the position after a turn at the root is worth to its player, or no more than ``floor``."""
        tables, work = self.tables, self.work
        self.kernel.set_up(tables, self.room, pegs)
        over = int(self.kernel.decided(tables, self.room, True, 1))
        if over != FAR:
            return over
        if floor > -FAR:
            score = -int(self.kernel.best_reply(tables, work, False, depth - 1, -floor - 1, -floor, 1, False))
            if score <= floor or self.room[STOP]:
                return score
        return -int(self.kernel.best_reply(tables, work, False, depth - 1, -FAR, -floor, 1, False))
