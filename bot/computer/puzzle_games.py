"""Games of careless players, in which puzzles are looked for, and how puzzles are kept varied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from bot.computer.puzzles import (
    CHOICES,
    GAP,
    LONG,
    UNSEEN,
    Puzzle,
    is_hidden,
    least,
    options_for,
    puzzle_at,
    standing,
)
from bot.computer.search.limits import Limit
from bot.computer.search.think import think
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState
from bot.engine.registry import rules_for
from bot.engine.ruleset import Ruleset
from bot.engine.turns import Turn
from bot.engine.variants import OptionValue

BY_LOT = 8
"""With so many turns by lot a game begins."""
LONGEST_GAME = 120
FEWEST = 5
"""With fewer pieces nobody looks on: the puzzles would be much alike."""
CARELESS = 60
"""The players are content with any turn that is worse than the best by no more than this."""
NEARLY = 250
"""The margin of a search that tells what each turn is worth, but for those that nobody plays."""
FORESIGHT = Limit(nodes=6000, depth=LONG, margin=NEARLY, endgames=False)
"""How far one looks ahead to see which turns are slips."""
GLANCE = Limit(nodes=3000, depth=LONG, margin=GAP + 1, endgames=False)
"""The look that decides whether a slip may make a puzzle, and a longer one is worth it."""
GLANCE_GAP, GLANCE_GAIN, GLANCE_DEPTH = 90, 100, 3
"""What a glance must see at least: see puzzles.GAP and puzzles.GAIN; and the depth that it must come to."""


class SelfPlay(NamedTuple):
    """One game of those of a seed."""

    variant: str | Ruleset
    options: Mapping[str, OptionValue]
    number: int
    seed: int


def play_for_puzzles(job: SelfPlay) -> tuple[Puzzle, ...]:
    """The puzzles of one game that two careless players play: some turns by lot, then the best of a short look or
    nearly so. For one seed and number always the same.

    Puzzles are what a player's slip makes possible, whether it is played or not: a turn that looks good to them and is
    found out by a longer look. That is ten times as quick as to search every position of a game."""
    variant, options = job.variant, options_for(job.variant, job.options)
    rules = rules_for(variant, options)
    assert isinstance(rules, DraughtsRules)
    random = Random(f"{rules.variant.id} {job.seed} {job.number}")
    look = Limit(nodes=1500, depth=random.choice((1, 2)), margin=NEARLY, selective=False)
    state, found = rules.start(), list[Puzzle]()
    for number in range(LONGEST_GAME):
        if state.outcome is not None or sum(state.position.material()) < FEWEST:
            break
        if number < BY_LOT:
            turn = random.choice(rules.turns(state))
        else:
            ranked = think(rules, state, look).ranked
            for slip in _slips(rules, state, ranked):
                puzzle = puzzle_at(variant, options, slip)
                if puzzle is not None:
                    found.append(puzzle)
            turn = random.choice([turn for turn, score in ranked if ranked[0][1] - score <= CARELESS])
        state = rules.play(state, turn)
    return tuple(found)


def _slips(rules: DraughtsRules, state: DraughtsState, ranked: Sequence[tuple[Turn, int]]) -> Iterator[str]:
    """The positions after slips of who is to move, if a glance says that they may be puzzles."""
    if len(ranked) < 2:
        return
    ahead = think(rules, state, FORESIGHT)
    scores = {turn.text: least(score) for turn, score in ahead.ranked}
    for turn, score in ranked:
        worth = scores.get(turn.text, score)
        if score - worth >= UNSEEN and least(ahead.score) - worth >= GAP:
            after = rules.play(state, turn)
            if after.outcome is None and is_promising(rules, rules.start(rules.position(after))):
                yield rules.position(after)


def is_promising(rules: DraughtsRules, state: DraughtsState) -> bool:
    """Whether a glance sees one turn that wins something, as no other does, and that a short look does not see."""
    if state.outcome is not None or len(rules.turns(state)) < CHOICES:
        return False
    seen = think(rules, state, GLANCE)
    others = [least(score) for turn, score in seen.ranked if turn.text != seen.turn.text]
    gained = least(seen.score) - max([*others, standing(rules, state) + GLANCE_GAIN - GLANCE_GAP])
    return seen.depth >= GLANCE_DEPTH and gained >= GLANCE_GAP and is_hidden(rules, state, seen)


class Varied:
    """Takes puzzles of one game that are like none before: no position twice, nor a solution, nor how one begins with
    as many pieces, however the board is turned."""

    def __init__(self, variant: str | Ruleset, options: Mapping[str, OptionValue]) -> None:
        rules = rules_for(variant, options_for(variant, options))
        assert isinstance(rules, DraughtsRules)
        self._rules = rules
        self._known: set[object] = set()

    def takes(self, puzzle: Puzzle) -> bool:
        """Whether a puzzle is like none before; it is one of them from now on. Raises EngineError for one of another
        game."""
        likenesses = {min(each) for each in zip(*self._seen(puzzle), strict=True)}
        if likenesses & self._known:
            return False
        self._known |= likenesses
        return True

    def _seen(self, puzzle: Puzzle) -> Iterator[tuple[tuple[object, ...], ...]]:
        """A puzzle's position, its solution, and how that begins, as the solver sees them, and as a mirror shows them
        where that makes no difference to the rules."""
        rules, turns = self._rules, []
        start = state = rules.start(puzzle.position)
        for text in puzzle.solution:
            turns.append(rules.read(state, text))
            state = rules.play(state, turns[-1])
        last, width = len(rules.board.places) - 1, rules.board.width
        turned = range(last + 1) if start.seat == 0 else range(last, -1, -1)
        mirror = [place + width - 1 - 2 * (place % width) for place in turned]
        for to in (turned, mirror) if rules.tables.board.squares == "all" else (turned,):
            pieces = rules.pieces(start).items()
            position = sorted((to[place], piece.owner == start.seat, piece.kind) for place, piece in pieces)
            solution = [(to[t.path[0]], to[t.path[-1]], tuple(sorted(to[p] for p in t.captured))) for t in turns]
            yield tuple(position), tuple(solution), (len(position), *solution[:2])
