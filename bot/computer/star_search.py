"""Searches for a turn of Chinese checkers: alpha-beta for two, each for itself (max^n) for more.

What a seat is worth is how far its pegs have come, in hundredths of a row; a peg left behind costs more than the rows
that it lacks, and each pays for the steps to the nearest hole of its target that is still free. Below the root only the
turns that gain most are looked at, unless the search is not selective.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache

from bot.computer.deepening import FAR, WIN, WON
from bot.computer.found import Budget, Found, GameOverError
from bot.engine.hopping import Pegs
from bot.engine.rules import Turn
from bot.engine.star import StarRules, StarState
from bot.engine.star_layout import GROUND, HOLES, OPPOSITE, SETS, STEPS

ROW = 100
BEHIND = 5
"""For each row that a peg lacks, times the rows that it lacks: the last ones must not be forgotten."""
ASIDE = 8
"""For each half hole that a peg stands off the line between the two triangles."""
STEP = 20
"""For each step of a peg outside the target to the nearest hole of it that is still free."""
HOME = 200
"""For a peg in its target: it takes a near hole from the others, and must be welcome all the same."""
WIDTHS = {2: 10, 3: 6, 4: 5, 6: 4}
"""How many turns are looked at below the root, by the seats that play."""
ROOT_WIDTH = 30
MOST_PLIES = 12
LOOK_AT_THE_CLOCK = 32


def _distances(start: int) -> tuple[int, ...]:
    """The steps from a hole to each other one on an empty board."""
    found = {start: 0}
    nodes = [start]
    for hole in nodes:
        for to in STEPS[hole]:
            if to not in found:
                found[to] = found[hole] + 1
                nodes.append(to)
    return tuple(found[hole] for hole in HOLES)


DISTANCE = tuple(_distances(hole) for hole in HOLES)
"""The steps between two holes."""


class _TimeUpError(Exception):
    """The budget is spent in the middle of a depth."""


class StarSearcher:
    """The search for one choice of options."""

    def __init__(self, rules: StarRules) -> None:
        self.rules = rules
        self.owner = rules.kernel.owner
        self.worth = ((0,) * len(HOLES), *(self._worth(name) for name in SETS))
        """By set code and hole."""

    def _worth(self, name: str) -> tuple[int, ...]:
        ground = GROUND[OPPOSITE[name]]
        # The two other axes that cross the line tell how far a hole lies to either side of it.
        place = SETS.index(name)
        left, right = GROUND[SETS[(place + 2) % 6]], GROUND[SETS[(place + 4) % 6]]
        return tuple(
            ROW * ground[hole] - BEHIND * (16 - ground[hole]) ** 2 - ASIDE * abs(left[hole] - right[hole])
            for hole in HOLES
        )

    def standing(self, pegs: Pegs) -> list[int]:
        """What each seat's pegs are worth where they stand."""
        worth = [0] * 7
        for hole, code in enumerate(pegs):
            if code:
                worth[self.owner[code]] += self.worth[code][hole]
        for seat, codes in enumerate(self.rules.kernel.codes):
            for code in codes:
                worth[seat] += self.homing(pegs, code)
        return worth[: len(self.rules.seats)]

    def homing(self, pegs: Pegs, code: int) -> int:
        """What the pegs of a set in the target are worth beside their rows, less the steps that the others lack."""
        target = self.rules.kernel.target[code]
        free = [hole for hole in target if pegs[hole] != code]
        worth = HOME * (len(target) - len(free))
        for hole, peg in enumerate(pegs):
            if peg == code and hole not in target:
                steps = DISTANCE[hole]
                worth -= STEP * min(steps[to] for to in free)
        return worth

    def gain(self, pegs: Pegs, turn: Turn) -> int:
        """What a turn is worth to the peg that makes it."""
        table = self.worth[pegs[turn.path[0]]]
        return table[turn.path[-1]] - table[turn.path[0]]

    def think(self, state: StarState, budget: Budget) -> Found:
        """The best turn within a budget. Raises GameOverError."""
        return _Thought(self, state, budget).found()


class _Thought:
    """One search from one state."""

    def __init__(self, searcher: StarSearcher, state: StarState, budget: Budget) -> None:
        self.searcher, self.rules, self.state, self.budget = searcher, searcher.rules, state, budget
        self.nodes = 0
        self.deadline = None if budget.seconds is None else time.monotonic() + budget.seconds
        self.open_end = True
        seats = range(len(self.rules.seats))
        playing = [seat for seat in seats if seat not in state.left and seat not in state.home]
        self.duel = len(self.rules.seats) == 2
        self.width = WIDTHS.get(len(playing), 8) if budget.selective else None

    def found(self) -> Found:
        turns = self.turns(self.state, ROOT_WIDTH if self.budget.selective else None)
        if not turns:
            raise GameOverError()
        ranked = [(turn, -FAR) for turn in turns]
        depth = 0
        for deeper in range(1, min(self.budget.depth or MOST_PLIES, MOST_PLIES) + 1):
            scored: list[tuple[Turn, int]] = []
            try:
                best = -FAR
                for turn, _ in ranked:
                    floor = best - self.budget.margin - 1 if self.budget.margin and best > -FAR else best
                    score = self.after(turn, deeper, floor)
                    scored.append((turn, score))
                    best = max(best, score)
            except _TimeUpError:
                if scored:
                    done = {turn.text for turn, _ in scored}
                    low = min(score for _, score in scored) - 1
                    rest = [(turn, min(old, low)) for turn, old in ranked if turn.text not in done]
                    ranked = sorted(scored, key=lambda item: -item[1]) + rest
                break
            ranked = sorted(scored, key=lambda item: -item[1])
            depth = deeper
            self.open_end = False
            if abs(ranked[0][1]) > WON or (len(ranked) == 1 and self.budget.depth is None):
                break
            if self.spent():
                break
        turn, score = ranked[0]
        return Found(turn, score, depth, self.nodes, tuple(ranked))

    def spent(self) -> bool:
        if self.budget.nodes is not None and self.nodes >= self.budget.nodes:
            return True
        return self.deadline is not None and time.monotonic() >= self.deadline

    def enter(self) -> None:
        """Count a position; raises _TimeUpError once the budget is spent, but never in the first ply."""
        self.nodes += 1
        if self.open_end:
            return
        if self.budget.nodes is not None and self.nodes > self.budget.nodes:
            raise _TimeUpError
        if self.nodes % LOOK_AT_THE_CLOCK == 0 and self.spent():
            raise _TimeUpError

    def turns(self, state: StarState, width: int | None) -> list[Turn]:
        """The turns worth a look, those that gain most first."""
        found = sorted(self.rules.turns(state), key=lambda turn: -self.searcher.gain(state.pegs, turn))
        return found if width is None else found[:width]

    def after(self, turn: Turn, depth: int, floor: int) -> int:
        """What a turn at the root is worth to its player."""
        seat = self.state.seat
        following = self.rules.play(self.state, turn)
        if self.duel:
            return self.seen(following, seat, depth - 1, floor, FAR, 1)
        return self.own(self.each(following, depth - 1, 1), seat)

    def alpha_beta(self, state: StarState, depth: int, alpha: int, beta: int, ply: int) -> int:
        """What a position of two is worth to the seat to move."""
        self.enter()
        seat = state.seat
        if state.outcome is not None:
            # The seat of a game that is over is the one that would move.
            winner = state.outcome.winner
            return 0 if winner is None else (WIN - ply if winner == seat else ply - WIN)
        if depth <= 0:
            worth = self.searcher.standing(state.pegs)
            return worth[seat] - worth[1 - seat]
        best = -FAR
        for turn in self.turns(state, self.width):
            following = self.rules.play(state, turn)
            score = self.seen(following, seat, depth - 1, alpha, beta, ply + 1)
            best = max(best, score)
            alpha = max(alpha, score)
            if alpha >= beta:
                break
        return best

    def seen(self, state: StarState, seat: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        """What a position is worth to ``seat``, which has just moved, and moves again if the other has to pass."""
        if state.seat == seat:
            return self.alpha_beta(state, depth, alpha, beta, ply)
        return -self.alpha_beta(state, depth, -beta, -alpha, ply)

    def each(self, state: StarState, depth: int, ply: int) -> list[int]:
        """What a position is worth to each seat when everyone plays for itself."""
        self.enter()
        if state.outcome is not None or depth <= 0:
            worth = self.searcher.standing(state.pegs)
            for place, seat in enumerate(state.home):
                worth[seat] = WIN // 2 - 1000 * place - ply
            if state.outcome is not None and state.outcome.winner is not None and not state.home:
                worth[state.outcome.winner] = WIN // 2 - ply
            return worth
        best: list[int] = []
        for turn in self.turns(state, self.width):
            worth = self.each(self.rules.play(state, turn), depth - 1, ply + 1)
            if not best or self.own(worth, state.seat) > self.own(best, state.seat):
                best = worth
        return best

    @staticmethod
    def own(worth: Sequence[int], seat: int) -> int:
        """A seat's lead over the best of the others, its own pegs counted twice."""
        return (2 * worth[seat] - max(w for s, w in enumerate(worth) if s != seat)) // 2


@lru_cache(maxsize=32)
def star_searcher_for(rules: StarRules) -> StarSearcher:
    """The search for these rules, its tables made once."""
    return StarSearcher(rules)
