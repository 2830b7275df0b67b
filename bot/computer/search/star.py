"""Searches for a turn of Chinese checkers: alpha-beta for two, best replies for more.

At a table of several the player who thinks and all others take turns: of the turns that the others have the worst one
for it is answered, so that it sees more of its own turns than if everybody moved (best-reply search, Schadd and Winands
2011). For two this is plain alpha-beta. Below the root only the turns that gain most are looked at, and before the last
ply none where one turn would not change what is chosen, unless the search is not selective.

What a turn gains at once counts a little more than what is gained later. Else a player would put off the way home as
long as it stays open, and two who stand in each other's way would wait for each other for ever.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from bot.computer.kernels.alphabeta import FAR, WIN, WON
from bot.computer.search.limits import GameOverError, Limit, SearchResult
from bot.computer.search.star_positions import Masks, star_positions_for
from bot.engine.star.rules import StarRules
from bot.engine.star.state import StarState
from bot.engine.turns import Turn

AT_ONCE = 3
"""What a turn gains at once counts so much more, as one part of so many."""
WIDTHS = 10, 10
"""How many turns are looked at below the root, for two: the own, the other's."""
TABLE_WIDTHS = 8, 2
"""At a table of several: the own, those of each of the others."""
MOST_GAINED = 1200
"""By how much the search believes that one turn can change a lead."""
ROOT_WIDTH = 30
MOST_PLIES = 12
LOOK_AT_THE_CLOCK = 32
MOST_KEPT, MOST_TURNS_KEPT = 100_000, 20_000
"""Of so many positions a search remembers what they are worth, and which follow: some 80 MB."""


class _TimeUpError(Exception):
    """The limit is spent in the middle of a depth."""


def think_on_star(rules: StarRules, state: StarState, limit: Limit) -> SearchResult:
    """The best turn within a limit. Raises GameOverError."""
    return _StarSearch(rules, state, limit).result()


class _StarSearch:
    """One search from one state."""

    def __init__(self, rules: StarRules, state: StarState, limit: Limit) -> None:
        self.positions, self.rules, self.state, self.limit = star_positions_for(rules), rules, state, limit
        self.seat = state.seat
        self.nodes = 0
        self.deadline = None if limit.seconds is None else time.monotonic() + limit.seconds
        self.open_end = True
        self.others = [seat for seat in rules.playing(state) if seat != state.seat]
        self.duel = len(rules.seats) == 2
        self.goes_on = rules.tables.places and len(self.others) > 1
        self.widths: Sequence[int | None] = (WIDTHS if self.duel else TABLE_WIDTHS) if limit.selective else (None, None)
        self.known: dict[tuple[Masks, bool, int], tuple[int, int]] = {}
        """What a position is worth by who moves and how deep: no less than the first, no more than the second."""
        self.moves: dict[tuple[Masks, bool], list[Masks]] = {}

    def result(self) -> SearchResult:
        positions, seat = self.positions, self.seat
        now = positions.standing(positions.masks(self.state.pegs))[seat]
        first: list[tuple[Turn, Masks, int]] = []
        for turn in self.rules.turns(self.state):
            after = positions.masks(turn.after)
            if turn.text not in self.limit.without:
                first.append((turn, after, (positions.standing(after)[seat] - now) // AT_ONCE))
        if not first:
            raise GameOverError()
        first.sort(key=lambda item: -item[2])
        if self.limit.selective:
            first = first[:ROOT_WIDTH]
        ranked = [(item, -FAR) for item in first]
        depth = 0
        for deeper in range(1, min(self.limit.depth or MOST_PLIES, MOST_PLIES) + 1):
            scored: list[tuple[tuple[Turn, Masks, int], int]] = []
            try:
                best = -FAR
                for item, _ in ranked:
                    floor = best - self.limit.margin - 1 if self.limit.margin and best > -FAR else best
                    score = self.after(item[1], deeper, floor - item[2]) + item[2]
                    scored.append((item, score))
                    best = max(best, score)
            except _TimeUpError:
                if scored:
                    done = {item[0].text for item, _ in scored}
                    low = min(score for _, score in scored) - 1
                    rest = [(item, min(old, low)) for item, old in ranked if item[0].text not in done]
                    ranked = sorted(scored, key=lambda pair: -pair[1]) + rest
                break
            ranked = sorted(scored, key=lambda pair: -pair[1])
            depth = deeper
            self.open_end = False
            if abs(ranked[0][1]) > WON or (len(ranked) == 1 and self.limit.depth is None):
                break
            if self.spent():
                break
        turns = tuple((item[0], score) for item, score in ranked)
        return SearchResult(*turns[0], depth, self.nodes, turns)

    def spent(self) -> bool:
        if self.limit.nodes is not None and self.nodes >= self.limit.nodes:
            return True
        return self.deadline is not None and time.monotonic() >= self.deadline

    def enter(self) -> None:
        """Count a position; raises _TimeUpError once the limit is spent, but never in the first ply."""
        self.nodes += 1
        if self.open_end:
            return
        if self.limit.nodes is not None and self.nodes > self.limit.nodes:
            raise _TimeUpError
        if self.nodes % LOOK_AT_THE_CLOCK == 0 and self.spent():
            raise _TimeUpError

    def after(self, masks: Masks, depth: int, floor: int) -> int:
        """What the position after a turn at the root is worth to its player, or no more than ``floor``."""
        over = self.decided(masks, True, 1)
        if over is not None:
            return over
        if floor > -FAR:
            score = -self.alpha_beta(masks, False, depth - 1, -floor - 1, -floor, 1)
            if score <= floor:
                return score
        return -self.alpha_beta(masks, False, depth - 1, -FAR, -floor, 1)

    def decided(self, masks: Masks, own: bool, ply: int) -> int | None:
        """What the game is worth to who has just moved, the player or the others, if it is over, else None. By a swap
        somebody else may come home."""
        if self.positions.is_home(masks, self.seat):
            return WIN - ply if own else ply - WIN
        if not self.goes_on and any(self.positions.is_home(masks, seat) for seat in self.others):
            return ply - WIN if own else WIN - ply
        return None

    def lead(self, masks: Masks) -> int:
        """The player's lead over the other, at a table over the best of the others, its own pegs counted twice."""
        worth = self.positions.standing(masks)
        if self.duel:
            return worth[self.seat] - worth[1 - self.seat]
        return worth[self.seat] - max(worth[seat] for seat in self.others) // 2

    def following(self, masks: Masks, own: bool) -> list[Masks]:
        """The positions after the turns that gain most, of the player or of each of the others."""
        moves = self.moves.get((masks, own))
        if moves is None:
            seats, width = ([self.seat], self.widths[0]) if own else (self.others, self.widths[1])
            moves = [after for seat in seats for after in self.positions.following(masks, seat, width)]
            if len(self.moves) >= MOST_TURNS_KEPT:
                self.moves.clear()
            self.moves[masks, own] = moves
        return moves

    def alpha_beta(
        self, masks: Masks, own: bool, depth: int, alpha: int, beta: int, ply: int, passed: bool = False
    ) -> int:
        """What a position is worth to who is to move, the player or the others."""
        self.enter()
        if depth <= 0:
            return self.lead(masks) if own else -self.lead(masks)
        key = (masks, own, depth)
        low, high = self.known.get(key, (-FAR, FAR))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        if depth == 1 and self.limit.selective:
            # A turn nearly always gains something, and never everything.
            lead = self.lead(masks) if own else -self.lead(masks)
            if lead >= beta:
                return lead
            if lead + MOST_GAINED <= alpha:
                return lead + MOST_GAINED
        following = self.following(masks, own)
        if not following:
            return 0 if passed else -self.alpha_beta(masks, not own, depth, -beta, -alpha, ply, True)
        best, floor, first = -FAR, alpha, following[0]
        for after in following:
            over = self.decided(after, own, ply + 1)
            if over is not None:
                score = over
            else:
                # The first turn is expected to be best: of the others it is asked first whether they are no better.
                scout = best > -FAR and floor + 1 < beta
                score = -self.alpha_beta(after, not own, depth - 1, -floor - 1 if scout else -beta, -floor, ply + 1)
                if scout and floor < score < beta:
                    score = -self.alpha_beta(after, not own, depth - 1, -beta, -floor, ply + 1)
            if score > best:
                best, first = score, after
                floor = max(floor, score)
                if floor >= beta:
                    break
        if best > alpha and first is not following[0]:
            # The next depth looks at it first.
            following.remove(first)
            following.insert(0, first)
        # A win is told with the plies to it, which another way to this position has as well: all come at one depth.
        if self.limit.table:
            if len(self.known) >= MOST_KEPT:
                self.known.clear()
            self.known[key] = (best if best > alpha else low, best if best < beta else high)
        return best
