"""A game learnt by playing: a handful of positions, found by search in games that play themselves by its rules, each
with something to be done in it. The same rules give the same positions, so nothing has to be kept."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal

from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from bot.engine.ruleset import Ruleset
from bot.engine.turns import Turn
from bot.support.frozen import frozen

Goal = Literal["move", "must", "take", "several", "crown", "king", "step", "hop", "two", "chain", "home", "finish"]
"""What a lesson asks for. On a board of draughts: any move, a capture (``must``: nothing else is legal), one of several
pieces, a crowning, a king's move. On a star: a step, a hop, two and more of them, a peg brought home. In each the turn
that wins."""

GAMES: Final = 16
"""So many games are searched. With three of them every shipped game has shown most of what is in it; with more there
are plainer positions to choose from. Up to twice as many are, as long as a lesson has something that it should not."""
_GAMES_OF_A_STAR: Final = 6
_LONGEST: Final = 600


@frozen
class Lesson:
    """A position, what is to be done in it, and the turns that do it."""

    goal: Goal
    rules: Rules
    state: State
    solutions: tuple[Turn, ...]


@lru_cache(maxsize=64)
def lessons_of(ruleset: str | Ruleset) -> tuple[Lesson, ...]:
    """The lessons of a game by its usual rules, the easiest first: six, or fewer where a game has no such thing or it
    is too rare to be found. Takes about a second, and is kept."""
    rules = rules_for(ruleset)
    goals = _ON_A_STAR if rules.seats[0].sets else _ON_A_BOARD
    best: dict[Goal, tuple[tuple[int, ...], Lesson]] = {}
    neglected = False
    for number, state, turns, played, after in _seen(rules):
        if number >= GAMES and not any(plain[0] for goal, (plain, _lesson) in best.items() if goal != "take"):
            break
        neglected = neglected or played.neglects
        for goal, (does, pieces) in goals.items():
            if not does(rules, state, played, after):
                continue
            plain = (_faults(goal, rules, state, turns), abs(len(rules.pieces(state)) - pieces), len(turns))
            if goal in best and best[goal][0] <= plain:
                continue
            # Set up anew: what was played before does not matter, and is not to be seen.
            lesson = _lesson(goal, rules, rules.start(rules.position(state)))
            plain = (plain[0] + _faults_of(lesson), *plain[1:])
            if goal in best and best[goal][0] <= plain:
                continue
            others = len(rules.turns(lesson.state)) - len(lesson.solutions)
            if not lesson.solutions or (goal in _AT_LEAST_ONE_OTHER and not others) or (goal == "must" and others):
                continue
            best[goal] = plain, lesson
    first: Goal = next(iter(goals))
    found = {goal: lesson for goal, (_plain, lesson) in best.items()} | {first: _lesson(first, rules, rules.start())}
    # Where a capture may be neglected, that none is will be chance.
    found.pop("must" if neglected else "take", None)
    return tuple(found[goal] for goal in goals if goal in found)


def _lesson(goal: Goal, rules: Rules, state: State) -> Lesson:
    does, _pieces = (_ON_A_STAR if rules.seats[0].sets else _ON_A_BOARD)[goal]
    turns = (turn for turn in rules.turns(state) if turn.kind == "move")
    return Lesson(
        goal, rules, state, tuple(turn for turn in turns if does(rules, state, turn, rules.play(state, turn)))
    )


def _faults(goal: Goal, rules: Rules, state: State, turns: Sequence[Turn]) -> int:
    """What makes a position less good for a lesson: a single legal turn, and kings before they have been taught."""
    early = goal in _BEFORE_KINGS and any(piece.kind == "king" for piece in rules.pieces(state).values())
    return early + (len(turns) < 2)


def _faults_of(lesson: Lesson) -> int:
    """The same of what is to be done: it ends the game, or does what a later lesson is about."""
    rules, goal = lesson.rules, lesson.goal
    ends = goal != "finish" and any(rules.play(lesson.state, turn).outcome is not None for turn in lesson.solutions)
    takes_more = goal in ("must", "take") and any(len(turn.captured) > 1 for turn in lesson.solutions)
    crowns = goal in ("must", "take", "several") and any(turn.crowns for turn in lesson.solutions)
    return ends + takes_more + crowns


def _seen(rules: Rules) -> Iterator[tuple[int, State, tuple[Turn, ...], Turn, State]]:
    """Positions of the games of the search, each with the game's number, the turns that are legal there, the one that
    was played, and what that led to."""
    star = bool(rules.seats[0].sets)
    for number in range(_GAMES_OF_A_STAR if star else 2 * GAMES):
        rng, state = random.Random(number), rules.start()
        for _ply in range(_LONGEST):
            # Pegs that are moved at random never come home: there the better turns are likelier.
            turns = rules.ranked(state) if star else rules.turns(state)
            if not turns:
                break
            at = min(int(rng.expovariate(1.2)), len(turns) - 1) if star else rng.randrange(len(turns))
            after = rules.play(state, turns[at])
            yield number, state, turns, turns[at], after
            state = after


def _moves(_rules: Rules, _state: State, turn: Turn, _after: State) -> bool:
    return turn.kind == "move" and not turn.captured


def _captures(_rules: Rules, _state: State, turn: Turn, _after: State) -> bool:
    return turn.kind == "move" and bool(turn.captured)


def _takes_several(_rules: Rules, _state: State, turn: Turn, _after: State) -> bool:
    return turn.kind == "move" and len(turn.captured) > 1


def _crowns(_rules: Rules, _state: State, turn: Turn, _after: State) -> bool:
    return turn.crowns


def _by_a_king(rules: Rules, state: State, turn: Turn, after: State) -> bool:
    return _moves(rules, state, turn, after) and rules.pieces(state)[turn.path[0]].kind == "king"


def _wins(rules: Rules, state: State, _turn: Turn, after: State) -> bool:
    """The game is won, or, where who has nothing left wins, whatever the other side answers."""
    if after.outcome is not None:
        return after.outcome.winner == state.seat
    if len(rules.pieces(after)) > _FEW:
        return False
    ends = [rules.play(after, answer).outcome for answer in rules.turns(after)]
    return bool(ends) and all(end is not None and end.winner == state.seat for end in ends)


_FEW: Final = 4


def _hops(rules: Rules, turn: Turn) -> int:
    """How many hops a turn of a star makes: to the next hole it is a step."""
    (x, y), (to_x, to_y) = (rules.board.places[place] for place in turn.path[:2])
    return 0 if (abs(to_x - x), abs(to_y - y)) in ((2, 0), (1, 1)) else len(turn.path) - 1


def _steps(rules: Rules, _state: State, turn: Turn, _after: State) -> bool:
    return _hops(rules, turn) == 0


def _hops_once(rules: Rules, _state: State, turn: Turn, _after: State) -> bool:
    return _hops(rules, turn) == 1


def _hops_twice(rules: Rules, _state: State, turn: Turn, _after: State) -> bool:
    return _hops(rules, turn) == 2


def _hops_on(rules: Rules, _state: State, turn: Turn, _after: State) -> bool:
    return _hops(rules, turn) > 2


def _comes_home(rules: Rules, state: State, _turn: Turn, after: State) -> bool:
    home, now = (int(rules.tally(each)[state.seat].partition("/")[0] or 0) for each in (state, after))
    return after.outcome is None and now > home


_Does = Callable[[Rules, State, Turn, State], bool]

# What does it, and on how crowded a board it is seen best.
_ON_A_BOARD: Final[Mapping[Goal, tuple[_Does, int]]] = {
    "move": (_moves, 0),
    "must": (_captures, 10),
    "take": (_captures, 10),
    "several": (_takes_several, 8),
    "crown": (_crowns, 6),
    "king": (_by_a_king, 5),
    "finish": (_wins, 4),
}
_ON_A_STAR: Final[Mapping[Goal, tuple[_Does, int]]] = {
    "step": (_steps, 0),
    "hop": (_hops_once, 0),
    "two": (_hops_twice, 0),
    "chain": (_hops_on, 0),
    "home": (_comes_home, 0),
    "finish": (_wins, 0),
}
_BEFORE_KINGS: Final[frozenset[Goal]] = frozenset({"must", "take", "several", "crown"})
# In these something else may be played too, lest they play themselves.
_AT_LEAST_ONE_OTHER: Final[frozenset[Goal]] = frozenset({"take", "crown", "king", "hop", "two", "chain", "home"})
