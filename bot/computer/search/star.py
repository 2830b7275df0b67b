"""Searches for a turn of Chinese checkers: alpha-beta for two, each for itself (max^n) for more.

What a seat is worth is how far its pegs have come, in hundredths of a row; a peg left behind costs more than the rows
that it lacks, and each pays for the steps to the nearest hole of its target that is still free. Below the root only the
turns that gain most are looked at, unless the search is not selective.

What a turn gains at once counts a little more than what is gained later. Else a player would put off the way home as
long as it stays open, and two who stand in each other's way would wait for each other for ever.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter

from bot.computer.kernels.alphabeta import FAR, WIN, WON
from bot.computer.search.limits import GameOverError, Limit, SearchResult
from bot.engine.star.geometry import GROUND, HOLES, OPPOSITE, SETS, STEPS
from bot.engine.star.movegen import NOBODY, Pegs
from bot.engine.star.rules import StarRules
from bot.engine.star.state import StarState
from bot.engine.turns import Turn

ROW = 100
BEHIND, BEHIND_OF_MANY = 5, 12
"""For each row that a peg lacks, times the rows that it lacks: the last ones must not be forgotten, least of all where
a player has several sets and pegs that come home can shut others in."""
ASIDE = 8
"""For each half hole that a peg stands off the line between the two triangles."""
STEP = 20
"""For each step of a peg outside the target to the nearest hole of it that is still free."""
HOME = 200
"""For a peg in its target: it takes a near hole from the others, and must be welcome all the same."""
ASTRAY = 1500
"""For a peg in the target of another set of its player: pegs that may not leave it again can shut it in for good."""
AT_ONCE = 3
"""What a turn gains at once counts so much more, as one part of so many."""
WIDTHS = {2: 10, 3: 6, 4: 5, 6: 4}
"""How many turns are looked at below the root, by the seats that play."""
ROOT_WIDTH = 30
MOST_PLIES = 12
LOOK_AT_THE_CLOCK = 32
MOST_KEPT = 100_000
"""Of so many places of a set of pegs the worth is kept."""

Masks = tuple[int, ...]
"""Where the pegs of each set stand, by set code, as bits (1 << hole)."""


def _distances(start: int) -> tuple[int, ...]:
    """The steps from a hole to each other one on an empty board."""
    steps = {start: 0}
    nodes = [start]
    for hole in nodes:
        for to in STEPS[hole]:
            if to not in steps:
                steps[to] = steps[hole] + 1
                nodes.append(to)
    return tuple(steps[hole] for hole in HOLES)


DISTANCE = tuple(_distances(hole) for hole in HOLES)
"""The steps between two holes."""


class _TimeUpError(Exception):
    """The limit is spent in the middle of a depth."""


class StarSearcher:
    """The search for one choice of options."""

    def __init__(self, rules: StarRules) -> None:
        self.rules = rules
        kernel = rules.kernel
        self.owner = kernel.owner
        self.targets = tuple(sum(1 << hole for hole in target) for target in kernel.target)
        self.worth = ((0,) * len(HOLES), *(self._worth(name) for name in SETS))
        """By set code and hole."""
        self.swappable = tuple(sum(1 << hole for hole in holes) for holes in kernel.swappable)
        self.rest = tuple(sum(1 << hole for hole in holes) for holes in kernel.rest)
        self._worths: dict[tuple[int, int], int] = {}

    def _worth(self, name: str) -> tuple[int, ...]:
        ground = GROUND[OPPOSITE[name]]
        # The two other axes that cross the line tell how far a hole lies to either side of it.
        place = SETS.index(name)
        left, right = GROUND[SETS[(place + 2) % 6]], GROUND[SETS[(place + 4) % 6]]
        code, codes = place + 1, self.rules.kernel.codes
        behind = BEHIND if len(codes[0]) == 1 else BEHIND_OF_MANY
        astray = sum(self.targets[other] for own in codes if code in own for other in own if other != code)
        return tuple(
            ROW * ground[hole]
            - behind * (16 - ground[hole]) ** 2
            - ASIDE * abs(left[hole] - right[hole])
            - ASTRAY * (astray >> hole & 1)
            for hole in HOLES
        )

    def masks(self, pegs: Pegs) -> Masks:
        masks = [0] * (len(SETS) + 1)
        for hole, code in enumerate(pegs):
            masks[code] |= 1 << hole
        return (0, *masks[1:])

    def standing(self, masks: Masks) -> list[int]:
        """What each seat's pegs are worth where they stand."""
        return [sum(self.set_worth(code, masks[code]) for code in codes) for codes in self.rules.kernel.codes]

    def set_worth(self, code: int, mask: int) -> int:
        """What the pegs of one set are worth."""
        worth = self._worths.get((code, mask))
        if worth is None:
            if len(self._worths) >= MOST_KEPT:
                self._worths.clear()
            worth = self._worths[code, mask] = self._set_worth(code, mask)
        return worth

    def _set_worth(self, code: int, mask: int) -> int:
        free = tuple(_holes(self.targets[code] & ~mask))
        worth = HOME * (len(self.rules.kernel.target[code]) - len(free))
        for hole in _holes(mask):
            worth += self.worth[code][hole]
            if not self.targets[code] >> hole & 1:
                steps = DISTANCE[hole]
                worth -= STEP * min(steps[to] for to in free)
        return worth

    def is_home(self, masks: Masks, seat: int) -> bool:
        """Whether a seat has come home, as StarMoveGenerator.is_home has it."""
        kernel = self.rules.kernel
        codes = kernel.codes[seat]
        if not any(masks[code] & ~self.targets[code] for code in codes) and any(masks[code] for code in codes):
            return True
        if not kernel.filling:
            return False
        foreign = sum(masks[code] for code, owner in enumerate(self.owner) if kernel.foreign[codes[0]][code])
        return all(
            masks[code] & self.targets[code] and not self.targets[code] & ~(masks[code] | foreign) for code in codes
        )

    def following(self, masks: Masks, seat: int) -> list[tuple[int, Masks]]:
        """What each turn of a seat is worth to the peg that makes it, and the position after it; the best first."""
        kernel = self.rules.kernel
        occupied = sum(masks)
        foreign = sum(mask for code, mask in enumerate(masks) if mask and self.owner[code] not in (seat, NOBODY))
        leads: list[tuple[int, Masks]] = []
        for code in kernel.codes[seat]:
            table, rest, mask = self.worth[code], self.rest[code], masks[code]
            # A swap may become possible: rare enough to leave it to the rules.
            hindered = self.swappable[code] & foreign
            before, after = masks[:code], masks[code + 1 :]
            for start in _holes(mask):
                others = occupied ^ 1 << start
                steps, hops = kernel.steps[code][start], kernel.hops[code]
                ends = [to for to in steps if not others >> to & 1]
                seen = 1 << start
                nodes = [start]
                for hole in nodes:
                    for over, to in hops[hole]:
                        if others >> over & 1 and not (others | seen) >> to & 1:
                            seen |= 1 << to
                            nodes.append(to)
                            if rest >> to & 1:
                                ends.append(to)
                        elif hindered >> to & 1 and others >> over & 1:
                            return self._by_the_rules(masks, seat)
                if hindered and any(hindered >> to & 1 for to in steps if others >> to & 1):
                    return self._by_the_rules(masks, seat)
                left = mask ^ 1 << start
                leads += [(table[to] - table[start], (*before, left | 1 << to, *after)) for to in ends]
        leads.sort(key=itemgetter(0), reverse=True)
        return leads

    def _by_the_rules(self, masks: Masks, seat: int) -> list[tuple[int, Masks]]:
        pegs = bytearray(len(HOLES))
        for code, mask in enumerate(masks):
            for hole in _holes(mask):
                pegs[hole] = code
        leads = []
        for turn in self.rules.kernel.turns(bytes(pegs), seat):
            code, after = pegs[turn.path[0]], list(masks)
            for there, back in turn.swaps:
                swapped = next(other for other, mask in enumerate(after) if mask >> there & 1)
                after[swapped] ^= 1 << there | 1 << back
            after[code] ^= 1 << turn.path[0] | 1 << turn.path[-1]
            table = self.worth[code]
            leads.append((table[turn.path[-1]] - table[turn.path[0]], tuple(after)))
        leads.sort(key=itemgetter(0), reverse=True)
        return leads

    def think(self, state: StarState, limit: Limit) -> SearchResult:
        """The best turn within a limit. Raises GameOverError."""
        return _StarSearch(self, state, limit).result()


def _holes(mask: int) -> list[int]:
    holes = []
    while mask:
        bit = mask & -mask
        mask ^= bit
        holes.append(bit.bit_length() - 1)
    return holes


class _StarSearch:
    """One search from one state."""

    def __init__(self, searcher: StarSearcher, state: StarState, limit: Limit) -> None:
        self.searcher, self.rules, self.state, self.limit = searcher, searcher.rules, state, limit
        self.nodes = 0
        self.deadline = None if limit.seconds is None else time.monotonic() + limit.seconds
        self.open_end = True
        self.seats = len(self.rules.seats)
        self.duel = self.seats == 2
        playing = self.rules.playing(state)
        self.width = WIDTHS.get(len(playing), 8) if limit.selective else None
        self.places = self.rules.tables.places

    def result(self) -> SearchResult:
        searcher, seat = self.searcher, self.state.seat
        now = searcher.standing(searcher.masks(self.state.pegs))[seat]
        first: list[tuple[Turn, Masks, int]] = []
        for turn in self.rules.turns(self.state):
            after = searcher.masks(turn.after)
            if turn.text not in self.limit.without:
                first.append((turn, after, (searcher.standing(after)[seat] - now) // AT_ONCE))
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
        """What the position after a turn at the root is worth to its player."""
        seat = self.state.seat
        if self.duel:
            over = self.decided(masks, seat, 1)
            return -self.alpha_beta(masks, 1 - seat, depth - 1, -FAR, -floor, 1) if over is None else over
        return self.own(self.moved(masks, seat, self.state.home, depth - 1, 1), seat)

    def decided(self, masks: Masks, seat: int, ply: int) -> int | None:
        """What a game of two is worth to the seat that has just moved if it is over, else None."""
        if self.searcher.is_home(masks, seat):
            return WIN - ply
        # By a swap, the other may come home too.
        return ply - WIN if self.searcher.is_home(masks, 1 - seat) else None

    def alpha_beta(
        self, masks: Masks, seat: int, depth: int, alpha: int, beta: int, ply: int, passed: bool = False
    ) -> int:
        """What a position of two is worth to the seat to move."""
        self.enter()
        if depth <= 0:
            worth = self.searcher.standing(masks)
            return worth[seat] - worth[1 - seat]
        following = self.searcher.following(masks, seat)
        if not following:
            return 0 if passed else -self.alpha_beta(masks, 1 - seat, depth, -beta, -alpha, ply, True)
        best = -FAR
        for _, after in following[: self.width]:
            over = self.decided(after, seat, ply + 1)
            score = -self.alpha_beta(after, 1 - seat, depth - 1, -beta, -alpha, ply + 1) if over is None else over
            best = max(best, score)
            alpha = max(alpha, score)
            if alpha >= beta:
                break
        return best

    def moved(self, masks: Masks, seat: int, home: tuple[int, ...], depth: int, ply: int) -> list[int]:
        """What a position is worth to each seat after ``seat`` has moved, when everyone plays for itself."""
        self.enter()
        in_turn = [(seat + further) % self.seats for further in range(self.seats)]
        playing = [one for one in in_turn if one not in self.state.left and one not in home]
        came = tuple(one for one in playing if self.searcher.is_home(masks, one))
        if came:
            home = home + came
            playing = [one for one in playing if one not in came]
        if depth <= 0 or (came and not self.places) or (home and len(playing) <= 1):
            worth = self.searcher.standing(masks)
            for place, one in enumerate(home):
                worth[one] = WIN // 2 - 1000 * place - ply
            return worth
        for mover in [one for one in playing if one != seat] + [one for one in playing if one == seat]:
            best: list[int] = []
            for _, after in self.searcher.following(masks, mover)[: self.width]:
                worth = self.moved(after, mover, home, depth - 1, ply + 1)
                if not best or self.own(worth, mover) > self.own(best, mover):
                    best = worth
            if best:
                return best
        return self.searcher.standing(masks)

    @staticmethod
    def own(worth: Sequence[int], seat: int) -> int:
        """A seat's lead over the best of the others, its own pegs counted twice."""
        return (2 * worth[seat] - max(w for s, w in enumerate(worth) if s != seat)) // 2


@lru_cache(maxsize=32)
def star_searcher_for(rules: StarRules) -> StarSearcher:
    """The search for these rules, its tables made once."""
    return StarSearcher(rules)
