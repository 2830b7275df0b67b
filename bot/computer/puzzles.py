"""Puzzles: positions with one winning combination, found by the search and held against it.

A combination is a turn whose gain a short look does not see, while a long one sees it and nothing else that comes near.
Its solution goes on while there is one good turn only, until what was gained stands on the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bot.computer.kernels.search_room import WIN, WON
from bot.computer.puzzle_themes import themes_of
from bot.computer.search.draughts import searcher_for
from bot.computer.search.limits import Limit, SearchResult
from bot.computer.search.think import think
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState
from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from bot.engine.ruleset import Ruleset, shipped
from bot.engine.turns import Turn
from bot.engine.variants import OptionValue

GAIN = 150
"""What a combination must win at least, in hundredths of a man."""
GAP = 120
"""How much less any other turn must bring."""
UNSEEN = 100
"""How much more a long look must see in the turn than a short one does."""
SHORT, LONG = 2, 9
SEARCHED = 25_000
"""Positions that the search may look at where it looks for a puzzle; three times as many where it verifies one."""
SEARCHED_BESIDE = 100_000
"""Positions that the search may look at where it looks for another winning turn."""
CHOICES = 3
"""Among fewer turns nobody is puzzled."""
LONGEST = 7
"""Turns of the solver that a solution has at most; it has two at least."""


class Puzzle(NamedTuple):
    """A position string and the turns from it, the solver's first and last, between them the best defence; ``rating``
    is an estimate from how long and how hidden the solution is; ``themes`` are those of puzzle_themes."""

    variant: str | Ruleset
    options: Mapping[str, OptionValue]
    position: str
    solution: tuple[str, ...]
    rating: int
    themes: tuple[str, ...] = ()

    @property
    def ruleset(self) -> Ruleset:
        """The rules that it is solved by, as they are written."""
        return self.variant if isinstance(self.variant, Ruleset) else shipped(self.variant)

    @property
    def moves(self) -> int:
        """How many turns the solver has to find."""
        return len(self.solution) // 2 + 1


class MiningJob(NamedTuple):
    """Positions of one game in which to look for puzzles: those from turn ``since`` on and before turn ``until``."""

    variant: str | Ruleset
    options: Mapping[str, OptionValue]
    start: str | None
    turns: tuple[str, ...]
    since: int
    until: int


def options_for(variant: str | Ruleset, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """The options under which a game's positions are puzzles: where captures may be neglected nothing is forced, so
    puzzles are solved as if they might not (docs/rules.md, Soplar)."""
    rules = rules_for(variant, options)
    tables = rules.tables if isinstance(rules, DraughtsRules) else None
    soplar = tables is not None and tables.capture.neglect == "soplar"
    return {**options, "neglect": "compulsory"} if soplar else dict(options)


def mine(job: MiningJob) -> tuple[Puzzle, ...]:
    """The puzzles among positions of a game: the work of a worker. Games that are not of the draughts family have none.
    Raises EngineError for a record that does not hold."""
    rules = rules_for(job.variant, job.options)
    if rules.variant.family != "draughts":
        return ()
    state = rules.start(job.start)
    puzzles: list[Puzzle] = []
    for number, text in enumerate(job.turns[: job.until]):
        puzzle = puzzle_at(job.variant, job.options, rules.position(state)) if number >= job.since else None
        if puzzle is not None and not is_rest(puzzle, puzzles[-1] if puzzles else None):
            puzzles.append(puzzle)
        state = rules.play(state, rules.read(state, text))
    return tuple(puzzles)


def puzzle_at(variant: str | Ruleset, options: Mapping[str, OptionValue], position: str) -> Puzzle | None:
    """The puzzle of a position, with nothing before it; None where there is none."""
    options = options_for(variant, options)
    rules = rules_for(variant, options)
    assert isinstance(rules, DraughtsRules)
    state = rules.start(position)
    if state.outcome is not None or not rules.quick(state) or len(rules.turns(state)) < CHOICES:
        return None
    result = _single(rules, state, SEARCHED)
    stands = standing(rules, state)
    if result is None or least(result.score) - stands < GAIN:
        return None
    if not is_hidden(rules, state, result):
        return None
    again = _single(rules, state, 3 * SEARCHED, deeper=2)
    if again is None or again.turn.text != result.turn.text or least(again.score) - stands < GAIN:
        return None
    solution = _solution(rules, state, result.turn, stands)
    if solution is None or not _is_the_only_one(rules, state, solution, stands):
        return None
    themes = themes_of(rules, position, solution)
    return Puzzle(variant, options, position, solution, _estimate(rules, state, solution), themes)


def found_again(puzzle: Puzzle) -> bool:
    """Whether the search finds a puzzle as it stands: its solution is still the only one."""
    again = puzzle_at(puzzle.variant, puzzle.options, puzzle.position)
    return again is not None and again.solution == puzzle.solution


def is_hidden(rules: DraughtsRules, state: DraughtsState, result: SearchResult) -> bool:
    """Whether a short look sees much less in the best turn of a longer one: a plain one, for a selective search follows
    what is forced to its end, and people do not."""
    limit = Limit(nodes=SEARCHED, depth=SHORT, margin=GAP + 1, endgames=False, selective=False)
    short = think(rules, state, limit).ranked
    at_first = next((score for turn, score in short if turn.text == result.turn.text), 0)
    return least(result.score) - at_first >= UNSEEN


def is_rest(puzzle: Puzzle, before: Puzzle | None) -> bool:
    """Whether a puzzle is but the end of the one before it, a few turns on in the same game."""
    return before is not None and before.solution[-len(puzzle.solution) :] == puzzle.solution


def _solution(rules: DraughtsRules, state: DraughtsState, turn: Turn, stood: int) -> tuple[str, ...] | None:
    """The solver's turns and the best defence, until the gain stands on the board or several turns bring it there; None
    where it never does, or after the first turn already."""
    solver, texts, before = state.seat, [turn.text], _material(rules, state, state.seat)
    state = end = rules.play(state, turn)
    while state.outcome is None:
        reply = _searched(rules, state, LONG, SEARCHED).turn
        state = rules.play(state, reply)
        if state.outcome is not None:
            break
        if not any(turn.captured for turn in rules.turns(state)) and standing(rules, state) - stood >= GAIN:
            break
        result = _searched(rules, state, LONG, SEARCHED)
        if least(result.score) - stood < GAIN:
            return None
        if not _stands_alone(result):
            # Whichever way it goes on, it is won: there is nothing more to find.
            break
        if len(texts) // 2 + 1 >= LONGEST:
            return None
        texts += [reply.text, result.turn.text]
        state = end = rules.play(state, result.turn)
    if len(texts) < 3 or (state.outcome is not None and state.outcome.winner != solver):
        return None
    # It is counted where the solution ends: the reply to that is not told with it.
    state = end
    while state.outcome is None and (captures := [turn for turn in rules.turns(state) if turn.captured]):
        # What is still hanging is taken before it is counted.
        state = rules.play(state, captures[0])
    if state.outcome is not None:
        return tuple(texts) if state.outcome.winner == solver else None
    # A gain that the search alone sees is none that people see.
    return tuple(texts) if _material(rules, state, solver) > before else None


def _is_the_only_one(rules: DraughtsRules, state: DraughtsState, solution: tuple[str, ...], stood: int) -> bool:
    """Whether no other turn of the solver wins anywhere on the way, and its turns are found without waiting. The others
    are searched by themselves: a search of all turns ends when it has found one win."""
    for number, text in enumerate(solution):
        if not rules.quick(state):
            return False
        if number % 2 == 0 and len(rules.turns(state)) > 1:
            # Most of what wins beside is found soon.
            for nodes in (SEARCHED_BESIDE // 10, SEARCHED_BESIDE):
                limit = Limit(nodes=nodes, endgames=False, without=(text,))
                if least(think(rules, state, limit).score) - stood >= GAIN:
                    return False
        state = rules.play(state, rules.read(state, text))
    return True


def _material(rules: DraughtsRules, state: DraughtsState, seat: int) -> int:
    """What a side has more than the other, in men, a king counting for three; less, where losing all wins."""
    pieces, worth = rules.pieces(state).values(), -1 if rules.tables.outcome.wins == "lose-all" else 1
    return worth * sum((3 if piece.kind == "king" else 1) * (1 if piece.owner == seat else -1) for piece in pieces)


def _single(rules: DraughtsRules, state: DraughtsState, nodes: int, deeper: int = 0) -> SearchResult | None:
    """The best turn of a state, if no other comes near it."""
    result = _searched(rules, state, LONG + deeper, nodes)
    if result.depth < SHORT + 2 and abs(result.score) < WON and len(result.ranked) > 1:
        return None
    return result if _stands_alone(result) else None


def _stands_alone(result: SearchResult) -> bool:
    others = [score for turn, score in result.ranked if turn.text != result.turn.text]
    return not others or least(result.score) - least(max(others)) >= GAP


def _searched(rules: Rules, state: State, depth: int, nodes: int) -> SearchResult:
    return think(rules, state, Limit(nodes=nodes, depth=depth, margin=GAP + 1, endgames=False))


def least(score: int) -> int:
    """A score, where a won game counts for three men and a king: puzzles are about pieces, and about winning."""
    if abs(score) > WON:
        plies = WIN - abs(score)
        return (600 - plies) * (1 if score > 0 else -1)
    return score


def standing(rules: DraughtsRules, state: DraughtsState) -> int:
    """What stands on the board, for the player to move."""
    return searcher_for(rules).node(state.position).score


def _estimate(rules: DraughtsRules, state: DraughtsState, solution: tuple[str, ...]) -> int:
    """A first rating: longer is harder, so is a choice among many, and to give pieces away at first."""
    rating = 700 + 170 * (len(solution) // 2)
    free = 0
    for number, text in enumerate(solution):
        turns = rules.turns(state)
        turn = rules.read(state, text)
        if number % 2 == 0:
            free += min(len(turns), 12)
        elif number == 1 and turn.captured:
            rating += 60 + 40 * len(turn.captured)
        state = rules.play(state, turn)
    return min(rating + 12 * free, 2400)
