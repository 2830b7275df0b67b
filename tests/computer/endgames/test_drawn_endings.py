"""Endings that tables know to be drawn: which of the turns that keep the draw is played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from bot.computer.endgames import lookup
from bot.computer.endgames.lookup import Endgames
from bot.computer.kernels.backends import PLAIN
from bot.computer.kernels.outcome_solver import DRAW, WIN
from bot.computer.search.draughts import Searcher
from bot.computer.search.limits import Limit
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.draughts.state import DraughtsState, DraughtsTurn
from tests.support.computer.tiny_boards import GAMES, on_a_tiny_board, random_states, sets_of

pytestmark = [pytest.mark.xdist_group("tiny tables"), pytest.mark.usefixtures("plainly")]


class Drawn:
    """Random positions of ``pieces`` of a small board that are drawn, whose mover cannot capture."""

    def __init__(self, endgames: Endgames, rules: DraughtsRules, pieces: int) -> None:
        self.endgames, self.rules, self.searcher = endgames, rules, Searcher(rules, PLAIN)
        self.states = [
            state
            for state in random_states(rules, pieces, 400 if pieces == 4 else 1600, Random("drawn"))
            if not any(turn.captured for turn in rules.turns(state)) and len(self.keeping(state)) > 1
        ]

    def keeping(self, state: DraughtsState) -> list[DraughtsTurn]:
        """The turns that keep the draw; nothing where it is none."""
        if self._worth(state) != DRAW:
            return []
        after = {turn: self.rules.play(state, turn) for turn in self.rules.turns(state)}
        return [turn for turn, there in after.items() if there.outcome is None and self._worth(there) == DRAW]

    def share(self, state: DraughtsState, turn: DraughtsTurn) -> float:
        """Of the answers to a turn, those that lose; a capture that is not made is none, for it may be asked for."""
        there = self.rules.play(state, turn)
        answers = [self.rules.play(there, answer) for answer in self.rules.turns(there) if not answer.neglects]
        lost = [
            answer
            for answer in answers
            if (self._worth(answer) == WIN if answer.outcome is None else answer.outcome.winner == state.seat)
        ]
        return len(lost) / len(answers)

    def _worth(self, state: DraughtsState) -> int:
        return self.endgames.worth(*sets_of(self.searcher, state.position))


@pytest.mark.parametrize("pieces", [4, 5])
@pytest.mark.parametrize("game", GAMES)
def test_the_turn_that_is_hardest_to_meet(
    game: str, pieces: int, tiny: Callable[[str], Endgames], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It keeps the draw, and of all that do no other has more answers that lose; what stood there before counts half,
    and a search with a margin, or without tables, plays what it likes."""
    endgames, rules = tiny(game), on_a_tiny_board(game)
    monkeypatch.setenv(lookup.FOLDER, str(endgames.file.path.parent))
    drawn = Drawn(endgames, rules, pieces)
    hard = otherwise = elsewhere = 0
    for state in drawn.states[:40]:
        shares = {turn.text: drawn.share(state, turn) for turn in drawn.keeping(state)}
        found = drawn.searcher.think(state, Limit(depth=3))
        assert found.score == 0
        assert shares[found.turn.text] == max(shares.values())
        assert found.turn == found.ranked[0][0]
        assert len(found.ranked) == len(rules.turns(state))
        hard += shares[found.turn.text] > 0
        otherwise += shares.get(drawn.searcher.think(state, Limit(depth=3, margin=1)).turn.text) != max(shares.values())
        stood = next(turn for turn in rules.turns(state) if turn.text == found.turn.text).after
        again = drawn.searcher.think(replace(state, trail=(stood, *state.trail)), Limit(depth=3))
        halved = {text: share / 2 if text == found.turn.text else share for text, share in shares.items()}
        assert halved[again.turn.text] == max(halved.values())
        elsewhere += again.turn != found.turn
    assert hard > 0
    assert otherwise > 0
    assert elsewhere > 0
