"""Games that are told from their beginning at each question: what the last one played is not played again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from itertools import takewhile
from operator import eq
from typing import Generic, NamedTuple, TypeVar

from bot.engine.rules import Rules, State

Each = TypeVar("Each", bound=State)

_MOST = 16


class _Game(NamedTuple, Generic[Each]):
    """A game as it was told, and the state before and after each of its moves."""

    rules: Rules
    moves: Sequence[str]
    states: list[Each]


class Replays(Generic[Each]):
    """The last games that were told: who asks for one move after the other tells the same moves again, and two more."""

    def __init__(self) -> None:
        self._games: deque[_Game[Each]] = deque(maxlen=_MOST)

    def states(self, rules: Rules, first: Each, moves: Sequence[str], play: Callable[[Each, str], Each]) -> list[Each]:
        """The states from ``first`` on as ``moves`` are played, by ``play`` where they are new. Raises what it does."""
        states = [first]
        for game in self._games:
            if game.rules is rules and game.states[0] == first:
                same = sum(1 for _ in takewhile(bool, map(eq, game.moves, moves)))
                states = max(states, game.states[: same + 1], key=len)
        for move in moves[len(states) - 1 :]:
            states.append(play(states[-1], move))
        self._games.append(_Game(rules, moves, states))
        return states
