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


class Endings:
    """Of a game on a small board."""

    def __init__(self, endgames: Endgames, rules: DraughtsRules) -> None:
        self.endgames, self.rules, self.searcher = endgames, rules, Searcher(rules, PLAIN)

    def worth(self, state: DraughtsState) -> int:
        """Who wins, as the mover sees it."""
        return self.endgames.worth(*sets_of(self.searcher, state.position))

    def keeping(self, state: DraughtsState) -> list[DraughtsTurn]:
        """The turns that keep a draw."""
        after = {turn: self.rules.play(state, turn) for turn in self.rules.turns(state)}
        return [turn for turn, there in after.items() if there.outcome is None and self.worth(there) == DRAW]

    def drawn(self, pieces: int, number: int) -> list[DraughtsState]:
        """Of random ones in which nobody can be captured at once those that several turns keep drawn."""
        found = random_states(self.rules, pieces, number, Random("drawn"))
        return [state for state in found if self.worth(state) == DRAW and len(self.keeping(state)) > 1]

    def share(self, state: DraughtsState, turn: DraughtsTurn) -> float:
        """Of the answers to a turn, those that lose; a capture that is not made is none, for it may be asked for."""
        there = self.rules.play(state, turn)
        answers = [self.rules.play(there, answer) for answer in self.rules.turns(there) if not answer.neglects]
        lost = [
            answer
            for answer in answers
            if (self.worth(answer) == WIN if answer.outcome is None else answer.outcome.winner == state.seat)
        ]
        return len(lost) / len(answers)


@pytest.mark.parametrize("pieces", [4, 5])
@pytest.mark.parametrize("game", GAMES)
def test_what_is_drawn(
    game: str, pieces: int, tiny: Callable[[str], Endgames], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The turn keeps the draw, and of all that do no other has more answers that lose; what stood there before counts
    half, and a search with a margin plays what it likes."""
    endings = Endings(tiny(game), on_a_tiny_board(game))
    monkeypatch.setenv(lookup.FOLDER, str(endings.endgames.file.path.parent))
    hard = otherwise = elsewhere = 0
    for state in endings.drawn(pieces, 400 if pieces == 4 else 1600)[:40]:
        shares = {turn.text: endings.share(state, turn) for turn in endings.keeping(state)}
        found = endings.searcher.think(state, Limit(depth=3))
        assert found.score == 0
        assert shares[found.turn.text] == max(shares.values())
        assert found.turn == found.ranked[0][0]
        assert len(found.ranked) == len(endings.rules.turns(state))
        hard += shares[found.turn.text] > 0
        with_margin = endings.searcher.think(state, Limit(depth=3, margin=1))
        otherwise += shares.get(with_margin.turn.text) != max(shares.values())
        stood = next(turn for turn in endings.rules.turns(state) if turn.text == found.turn.text).after
        again = endings.searcher.think(replace(state, trail=(stood, *state.trail)), Limit(depth=3))
        halved = {text: share / 2 if text == found.turn.text else share for text, share in shares.items()}
        assert halved[again.turn.text] == max(halved.values())
        elsewhere += again.turn != found.turn
    assert hard > 0
    assert otherwise > 0
    assert elsewhere > 0
