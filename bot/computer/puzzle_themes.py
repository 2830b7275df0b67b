"""What a puzzle is about, in players' own words: found in its position and its solution alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState, DraughtsTurn
from bot.i18n import N_

THEMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "sacrifice": N_("sacrifice"),
        "sacrifices": N_("several sacrifices"),
        "long-capture": N_("long capture"),
        "crowning": N_("crowning"),
        "king-caught": N_("king caught"),
        "choice-rule": N_("rule of choice"),
        "quiet-move": N_("quiet move"),
        "shut-in": N_("shut in"),
        "endgame": N_("endgame"),
    }
)
"""The themes and what they are called, in the order in which they are told."""
LONG: Final = 3
"""So many pieces are a long capture."""
FEW: Final = 6
"""With so many pieces at most a position is an endgame."""


def themes_of(rules: DraughtsRules, position: str, solution: Sequence[str]) -> tuple[str, ...]:
    """The themes of a puzzle. Raises EngineError for a solution that is not legal.

    Sacrifice: an answer captures; several: two answers do. Long capture: of three pieces or more by one turn of the
    solver. Crowning: the solver gets a king. King caught: the solver captures one. Rule of choice: an answer has to
    capture as it does because the game's rule of choice leaves other captures out. Quiet move: the solver plays one
    that captures nothing, crowns nothing and is not captured upon. Shut in: who answers has pieces left in the end and
    no move. Endgame: six pieces or fewer.
    """
    state = rules.start(position)
    solver, few = state.seat, sum(state.position.material()) <= FEW
    given, found = 0, set[str]()
    for number, text in enumerate(solution):
        turn = rules.read(state, text)
        if number % 2:
            given += bool(turn.captured)
            if turn.captured and _ruled(rules, state):
                found.add("choice-rule")
        else:
            found |= _of_turn(turn, state)
        state = rules.play(state, turn)
        if number % 2 == 0 and _is_quiet(rules, turn, state):
            found.add("quiet-move")
    if state.outcome is not None and state.outcome.winner == solver and state.position.of(1 - solver):
        found.add("shut-in")
    found |= {name for name, holds in (("sacrifice", given == 1), ("sacrifices", given > 1), ("endgame", few)) if holds}
    return tuple(theme for theme in THEMES if theme in found)


def _of_turn(turn: DraughtsTurn, state: DraughtsState) -> set[str]:
    """What a turn of the solver shows by itself."""
    kings = state.position.kings[1 - state.seat]
    return {
        theme
        for theme, holds in (
            ("long-capture", len(turn.captured) >= LONG),
            ("crowning", turn.crowns),
            ("king-caught", any(kings >> place & 1 for place in turn.captured)),
        )
        if holds
    }


def _is_quiet(rules: DraughtsRules, turn: DraughtsTurn, after: DraughtsState) -> bool:
    """Whether a turn captures and crowns nothing, and does not have the other side capture."""
    return not turn.captured and not turn.crowns and not any(reply.captured for reply in rules.turns(after))


def _ruled(rules: DraughtsRules, state: DraughtsState) -> bool:
    """Whether the rule of choice leaves captures out."""
    side, forces = state.position.turn, state.position.forces()
    return len(rules.kernel.best(side, forces)) < len(rules.kernel.chains(side, forces))
