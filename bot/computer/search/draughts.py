"""Searches for the best turn of a draughts game, deeper and deeper until a limit is spent."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from bot.computer.endgames.files import EndgameFileError
from bot.computer.endgames.lookup import NEAR, Endgames, conversions_for, file_for, outcomes_for
from bot.computer.kernels.backends import PLAIN, Backend, backend_for, fitted
from bot.computer.kernels.learned_worth import REMEMBERED
from bot.computer.kernels.lookup_tables import MEN_TOO, Ints, Squares, build, signed, squares_of
from bot.computer.kernels.move_counts import counts_of, marked
from bot.computer.kernels.movegen import PLIES
from bot.computer.kernels.outcome_blocks import SURE
from bot.computer.kernels.search_room import (
    EXTRA,
    FAR,
    HISTORY,
    NODES,
    PLIES_MADE,
    PLIES_STOOD,
    REDUCE,
    RUNS,
    SHARE,
    SHARE_BITS,
    STOP,
    WIN,
    WON,
    Work,
)
from bot.computer.search import evaluation, net_weights, pattern_weights
from bot.computer.search.bell import Bell
from bot.computer.search.carried_over import keep, taken
from bot.computer.search.known_endings import KnownEnding
from bot.computer.search.limits import GameOverError, Limit, SearchResult
from bot.computer.search.nodes import Node
from bot.computer.search.weight_files import is_learned
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState, DraughtsTurn, Position, bits
from bot.engine.turns import Turn

TABLE_BITS, LARGE_TABLE_BITS = 20, 21
"""Of 2 to the power of so many positions at most a search remembers what they are worth; of more where time alone ends
each search of a game."""
MOST_IN_A_SECOND = {"plain": 200_000, "compiled": 10_000_000}
"""More positions than a search looks at in a second."""
MOST_PLIES = 60
WINDOW, WINDOW_FROM = 60, 4
"""How far from its last score the best turn is looked for first, in hundredths of a man, where more plies are."""
NO_KEY: Final = -1
"""The key of no position."""


@dataclass(slots=True)
class _Branch:
    """A turn at the root and what it leads to, in the backend's form. ``same``: the mover is to move again (a huff);
    ``runs``: see search_room.RUNS; ``made``, ``stood``: see kernels.move_counts."""

    turn: Turn
    after: Position
    node: Node
    runs: tuple[int, int]
    same: bool
    reversible: int
    past: int
    made: int
    stood: int
    score: int = -FAR


class Searcher:
    """The search for one game's rules. ``worth``, ``learned`` and ``net``: what pieces are worth and what patterns
    of them and a net add, where it is not as evaluation.worth, pattern_weights.learned and net_weights.learned have it;
    ``worth`` alone is without these."""

    def __init__(
        self,
        rules: DraughtsRules,
        backend: Backend | None = None,
        worth: Ints | None = None,
        learned: pattern_weights.Patterns | None = None,
        net: net_weights.Net | None = None,
    ) -> None:
        self.rules = rules
        self.squares: Squares = squares_of(rules.board)
        self.size = len(self.squares.place_of)
        self.backend = backend or backend_for(self.size)
        self.share = 0
        if worth is None:
            worth = evaluation.worth(rules.variant, rules.board, self.squares)
            file, mirrored = (rules.variant.id, rules.board), rules.tables.board.mirror
            if is_learned(rules.variant):
                learned = learned or pattern_weights.learned(*file, mirrored=mirrored)
                net = net or net_weights.learned(*file, mirrored=mirrored)
                self.share = evaluation.share(rules.variant.id, sum(rules.start().position.material()))
        learned, net = learned or pattern_weights.NONE, net or net_weights.NONE
        plain = build(rules.tables, rules.board, worth, evaluation.keys(self.size))
        self.plain = plain._replace(patterns=learned.squares, pieces=learned.pieces, net=net.pieces)
        self.weights, self.net = self.backend.weights(learned.table), self.backend.net(net.rows)
        self.learned = self.backend.room(REMEMBERED)
        self.tables = fitted(self.plain, self.backend)
        self._endgames: Endgames | None = None
        self._same_bits = self.squares.place_of == tuple(range(self.size))

    @cached_property
    def negamax(self) -> Callable[..., int]:
        """``alphabeta.negamax``, in the form that is fastest here."""
        return self.backend.search(self.tables)

    def endgames(self, position: Position) -> Endgames | None:
        """The endgame tables that a search from a position looks into, None where there are none or too many pieces."""
        file = file_for(self.rules)
        if file is None:
            return None
        outcomes = outcomes_for(self.rules, file)
        men, foe_men, kings, foe_kings = position.material()
        if men + foe_men + kings + foe_kings > (outcomes or file).pieces + NEAR:
            return None
        files = file, outcomes, conversions_for(self.rules)
        if self._endgames is None or any(a is not b for a, b in zip(self._endgames.files, files, strict=True)):
            self._endgames = Endgames(file, self.rules, self.plain, self.backend, *files[1:])
        try:
            self._endgames.hold((men, kings, foe_men, foe_kings))
        except (EndgameFileError, OSError):
            # Tables that cannot be read are done without; `damero endgames` says why, and makes them anew.
            return None
        return self._endgames

    def bits(self, places: int) -> int:
        """The squares of a set of places."""
        return places if self._same_bits else sum(1 << self.squares.of_place[place] for place in bits(places))

    def node(self, position: Position) -> Node:
        """A position as the search takes it, with its Zobrist key and its worth to the mover."""
        own, foe = position.turn, 1 - position.turn
        sets = [self.bits(here) for here in (position.men[0], position.kings[0], position.men[1], position.kings[1])]
        key, worth = (self.plain.side_key if own else 0), [0, 0]
        for kind, squares in enumerate(sets):
            for square in bits(squares):
                at = kind * self.size + square
                key ^= self.plain.data[self.plain.keys + at]
                worth[kind // 2] += self.plain.data[self.plain.worth + at]
        return Node(
            own, sets[2 * own], sets[2 * own + 1], sets[2 * foe], sets[2 * foe + 1], key, worth[own] - worth[foe]
        )

    def runs(self, position: Position) -> tuple[int, int]:
        """The runs of kings as the search has them (see search_room.RUNS), the mover's first."""
        own, other = (
            0 if run is None else self.squares.of_place[run.place] << 8 | run.moves
            for run in (position.runs[position.turn], position.runs[1 - position.turn])
        )
        return own, other

    def counts(self, state: DraughtsState) -> int:
        """What of the moves before a state its worth may depend on, as the endgame tables have it."""
        return counts_of(sum(state.since), self.rules.endings.stood(state), *self.runs(state.position))

    def think(self, state: DraughtsState, limit: Limit, stop: threading.Event | None = None) -> SearchResult:
        """The best turn within a limit, or until another thread sets ``stop``. Raises GameOverError."""
        return _DraughtsSearch(self, state, limit, stop).result()


class _DraughtsSearch:
    """One search from one state."""

    def __init__(
        self, searcher: Searcher, state: DraughtsState, limit: Limit, stop: threading.Event | None = None
    ) -> None:
        self.searcher, self.state, self.limit = searcher, state, limit
        self.bell = Bell(limit, stop)
        plain, room = searcher.plain, searcher.backend.room
        large = searcher.backend is not PLAIN and limit.continued and limit.nodes is None and limit.depth is None
        slots = limit.slots(LARGE_TABLE_BITS if large else TABLE_BITS, MOST_IN_A_SECOND[searcher.backend.name])
        past = min(sum(state.since) if plain.repetition == MEN_TOO else state.quiet, len(state.trail) - 1)
        trail = HISTORY + 2 * searcher.size**2
        line = state.trail[len(state.trail) - 1 - past :]
        seen = Counter(line)
        endgames = searcher.endgames(state.position) if limit.endgames else None
        self.known = None
        if endgames is not None and not limit.margin:
            self.known = KnownEnding(searcher.rules, plain, endgames, searcher.node, state)
            self.known.look_up()
        self.tables = searcher.tables if endgames is None else endgames.tables
        self.negamax = searcher.negamax if endgames is None else endgames.negamax
        zeros = searcher.backend.zeros
        ends, packed = (zeros(1), zeros(1)) if endgames is None else (endgames.ends, endgames.packed)
        self.room = room(trail + past + PLIES + 1)
        # What is drawn because it stood there twice was worth something else before.
        twice = frozenset(position for position, times in seen.items() if times > 1)
        share = searcher.share if limit.fading else 0
        self.kind = searcher, slots, limit.selective, endgames, twice, share
        self.weight = share * sum(state.position.material()) or 1 << SHARE_BITS
        """Of 2 to the power of SHARE_BITS parts, how much of a lead counts with the pieces that stand here."""
        # Rounded up, so that no bound is told to be within the margin.
        self.margin = self._inside(limit.margin + 1) + 1 if share and limit.margin else limit.margin
        size = max(2 * slots, 1)
        self.table = taken(state, self.kind, size, room) if limit.continued else room(size)
        learned = searcher.weights, searcher.net, searcher.learned
        self.work: Work = searcher.backend.handed(
            Work(self.room, self.table, trail + past, slots, ends, packed, *learned)
        )
        digest = 0
        has_draws = plain.repetition or plain.quiet_limit or plain.endings_end > plain.endings
        for index, position in enumerate(line):
            key = searcher.node(position).key ^ marked(*searcher.runs(position))
            # What stood in the game once may still come back; what comes back within the search is taken for a draw.
            self.room[trail + index] = key if index == past or seen[position] > 1 else NO_KEY
            digest = (digest * 3 + key) & ((1 << 60) - 1)
        self.digest = digest if has_draws else 0
        self.room[EXTRA] = past
        self.room[REDUCE] = int(limit.selective)
        self.room[SHARE] = share
        self.branches = [branch for branch in self._branches() if branch.turn.text not in limit.without]

    def _branches(self) -> Iterator[_Branch]:
        rules, state = self.searcher.rules, self.state
        for turn in rules.remedies(state):
            yield self._branch(turn, rules.play(state, turn).position, turn.kind == "huff", 0, 0)
        turns = rules.turns(state)
        # Neglecting is never better than the best capture: the opponent may oblige it (docs/rules.md, Soplar).
        for turn in [turn for turn in turns if not turn.neglects] or turns:
            quiet = not turn.captured and bool(state.position.kings[state.seat] >> turn.path[0] & 1)
            comes_back = quiet or (not turn.captured and self.searcher.plain.repetition == MEN_TOO)
            counts = (state.quiet + 1 if quiet else 0, self.digest if comes_back else 0)
            yield self._branch(turn, turn.after, False, *counts)

    def _branch(self, turn: DraughtsTurn, after: Position, same: bool, reversible: int, past: int) -> _Branch:
        node = self.searcher.node(after)
        if self.searcher.backend.name == "compiled":
            node = Node(*map(signed, node))
        counted = self._counted(self.state, turn)
        return _Branch(turn, after, node, self.searcher.runs(turn.after), same, reversible, past, *counted)

    def _counted(self, state: DraughtsState, turn: DraughtsTurn) -> tuple[int, int]:
        """What the rules have counted after a turn, where they count other moves than quiet ones."""
        if not self.tables.tracked or sum(turn.after.material()) > self.tables.counted:
            return 0, 0
        rules = self.searcher.rules
        played = rules.play(state, turn)
        return sum(played.since), rules.endings.stood(played)

    def result(self) -> SearchResult:
        if not self.branches:
            raise GameOverError()
        room, limit = self.room, self.limit
        standing = [(b.turn, self._inside(b.node.score if b.same else -b.node.score)) for b in self.branches]
        ranked = tuple(sorted(standing, key=lambda pair: -pair[1]))
        depth, unfinished = 0, frozenset[str]()
        most = MOST_PLIES if limit.depth is None else min(limit.depth, MOST_PLIES)
        if len(self.branches) == 1 and limit.seconds:
            most = min(most, 6)
        with self.bell.over(room):
            for deeper in range(1, most + 1):
                finished = self._iteration(deeper)
                if finished:
                    late = frozenset(branch.turn.text for branch in self.branches[finished:])
                    # What is finished leads, what was broken off keeps its order behind it.
                    self.branches.sort(key=lambda branch: -branch.score)
                    unfinished = frozenset() if self.branches[0].turn.text in late else late
                    ranked = tuple((b.turn, b.score) for b in self.branches if b.score > -FAR)
                if finished < len(self.branches):
                    break
                depth = deeper
                top = self.branches[0].score
                if abs(top) > WON and WIN - abs(top) <= deeper:
                    break
                if not self.bell.goes_on(room):
                    break
        if limit.continued:
            keep(self.table, self.state, self.kind)
        if self.known is not None and depth:
            ranked = self.known.ranked(ranked)
            unfinished = frozenset() if ranked[0][0].text in unfinished else unfinished
        ranked = tuple((turn, self._told(score)) for turn, score in ranked)
        return SearchResult(*ranked[0], depth, int(room[NODES]), ranked, unfinished)

    def _inside(self, score: int) -> int:
        """What a score is that is told, in the search."""
        return score * self.weight >> SHARE_BITS

    def _told(self, score: int) -> int:
        """The reverse; what is known is told as it is."""
        return score if abs(score) >= SURE else (score << SHARE_BITS) // self.weight

    def _iteration(self, depth: int) -> int:
        """Search all branches to ``depth``; how many of them were finished. Scores below the margin are bounds."""
        best = -FAR
        before = [branch.score for branch in self.branches]
        for index, branch in enumerate(self.branches):
            alpha = max(best - self.margin - 1, -FAR) if self.margin else best
            score = self._score(branch, depth, alpha, index == 0)
            if self.room[STOP]:
                # What was broken off is no better than what was finished, but where all of that is lost.
                high = best - 1 if best > -WON else FAR
                for rest, old in zip(self.branches[index:], before[index:], strict=True):
                    rest.score = min(old, high)
                return index
            branch.score = score
            best = max(best, score)
        return len(self.branches)

    def _score(self, branch: _Branch, depth: int, alpha: int, first: bool) -> int:
        if first and depth > WINDOW_FROM and self.limit.selective and not self.margin and abs(branch.score) < SURE:
            return self._score_about(branch, depth, branch.score)
        if first or self.margin:
            return self._value(branch, depth, alpha, FAR)
        score = self._value(branch, depth, alpha, alpha + 1)
        if score > alpha and not self.room[STOP]:
            score = self._value(branch, depth, alpha, FAR)
        # Equal to the best at most: a bound, so that it never passes for the best.
        return score if score > alpha else min(score, alpha) - 1

    def _score_about(self, branch: _Branch, depth: int, last: int) -> int:
        """The score of a branch that is expected to be about what it was."""
        low, high = last - WINDOW, last + WINDOW
        score = self._value(branch, depth, low, high)
        if low < score < high or self.room[STOP]:
            return score
        return self._value(branch, depth, *((high - 1, FAR) if score >= high else (-FAR, low + 1)))

    def _value(self, branch: _Branch, depth: int, alpha: int, beta: int) -> int:
        self.room[RUNS + 1], self.room[RUNS + 2] = branch.runs
        self.room[PLIES_MADE + 1], self.room[PLIES_STOOD + 1] = branch.made, branch.stood
        call, tables, work, node = self.negamax, self.tables, self.work, branch.node
        if branch.same:
            return call(tables, work, *node, depth, alpha, beta, 1, branch.reversible, branch.past)
        return -call(tables, work, *node, depth - 1, -beta, -alpha, 1, branch.reversible, branch.past)


def searcher_for(rules: DraughtsRules) -> Searcher:
    """The search for these rules, plain or compiled as it is now; the tables of each are made once."""
    return _made(rules, backend_for(len(squares_of(rules.board).place_of)))


@lru_cache(maxsize=64)
def _made(rules: DraughtsRules, backend: Backend) -> Searcher:
    return Searcher(rules, backend)
