"""A plain minimax over the rules themselves: the measure that the search is held against."""

from __future__ import annotations

from random import Random

from bot.computer.kernels.lookup_tables import squares_of
from bot.computer.kernels.search_room import WIN
from bot.computer.search import evaluation
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState, Position
from tests.support.computer.slow_nets import net_worth
from tests.support.computer.slow_patterns import pattern_worth


def worth(rules: DraughtsRules, position: Position) -> int:
    """What the position is worth to its mover, summed piece by piece and pattern by pattern."""
    squares = squares_of(rules.board)
    table, size = evaluation.worth(rules.variant, rules.board, squares), len(squares.place_of)
    total = 0
    for place in rules.board.played:
        for side in (0, 1):
            for king, bits in enumerate((position.men[side], position.kings[side])):
                if bits >> place & 1:
                    one = table[(2 * side + king) * size + squares.of_place[place]]
                    total += one if side == position.turn else -one
    return total + pattern_worth(rules, position) + net_worth(rules, position)


def minimax(rules: DraughtsRules, state: DraughtsState, depth: int, ply: int = 0, whole: int = 0) -> int:
    """The worth to the mover after ``depth`` plies and the captures that follow. A position that came before on the way
    from the first state on counts as a draw; where capturing may be neglected it is taken as compulsory. ``whole``: a
    lead counts in proportion to the pieces, with so many it counts whole; 0: it always does."""
    if ply:
        if state.outcome is not None:
            winner = state.outcome.winner
            return 0 if winner is None else WIN - ply if winner == state.position.turn else ply - WIN
        same_line = state.trail[len(state.trail) - 1 - ply : -1]
        if rules.tables.draws.repetition and state.position in same_line:
            return 0
    turns = [turn for turn in rules.moves(state) if not turn.neglects]
    if depth <= 0 and not any(turn.captured for turn in turns):
        lead = worth(rules, state.position)
        return lead * sum(state.position.material()) // whole if whole else lead
    return max(-minimax(rules, rules.play(state, turn), depth - 1, ply + 1, whole) for turn in turns)


def gone_on(rules: DraughtsRules, state: DraughtsState, turns: int, random: Random) -> DraughtsState:
    """The state after so many turns at random, quiet ones where there are any, unless the game ends before."""
    for _ in range(turns):
        every = rules.turns(state)
        following = rules.play(state, random.choice([turn for turn in every if not turn.captured] or every))
        if following.outcome:
            break
        state = following
    return state


def playable(rules: DraughtsRules, text: str) -> DraughtsState | None:
    """The state of a position string, None if the game is over there."""
    state = rules.start(text)
    return None if state.outcome else state
