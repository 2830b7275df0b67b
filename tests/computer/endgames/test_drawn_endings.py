"""Endings that tables know to be drawn or lost: which of the turns that are worth the same is played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from bot.computer.endgames import lookup
from bot.computer.endgames.lookup import Endgames
from bot.computer.kernels.backends import PLAIN
from bot.computer.kernels.outcome_blocks import SURE, SURE_MOST
from bot.computer.kernels.outcome_solver import DRAW, LOSS, WIN
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
        """The turns after which it is worth what it is."""
        after = {turn: self.rules.play(state, turn) for turn in self.rules.turns(state)}
        kept = {DRAW: DRAW, LOSS: WIN, WIN: LOSS}[self.worth(state)]
        return [turn for turn, there in after.items() if there.outcome is None and self.worth(there) == kept]

    def states(self, pieces: int, number: int, worth: int) -> list[DraughtsState]:
        """Random ones in which nobody can be captured at once, with several turns that keep what they are worth."""
        found = random_states(self.rules, pieces, number, Random("drawn"))
        return [state for state in found if self.worth(state) == worth and len(self.keeping(state)) > 1]

    def share(self, state: DraughtsState, turn: DraughtsTurn) -> float:
        """Of the answers to a turn, those that make it worth more; a capture that is not made is none, for it may be
        asked for."""
        there = self.rules.play(state, turn)
        answers = [self.rules.play(there, answer) for answer in self.rules.turns(there) if not answer.neglects]
        before = self.worth(state)
        return sum(self._better(answer, state.seat, before) for answer in answers) / len(answers)

    def _better(self, state: DraughtsState, seat: int, before: int) -> bool:
        if state.outcome is not None:
            return state.outcome.winner == seat or (before == LOSS and state.outcome.winner is None)
        return self.worth(state) == WIN or (before == LOSS and self.worth(state) == DRAW)


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
    for state in endings.states(pieces, 400 if pieces == 4 else 1600, DRAW)[:40]:
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


@pytest.mark.parametrize("game", GAMES)
def test_what_is_lost(game: str, tiny: Callable[[str], Endgames], monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the search does not see how it is lost, no turn has more answers that do not win than the one played."""
    endings = Endings(tiny(game), on_a_tiny_board(game))
    monkeypatch.setenv(lookup.FOLDER, str(endings.endgames.file.path.parent))
    hard = seen = 0
    for state in endings.states(5, 300, LOSS)[:60]:
        found = endings.searcher.think(state, Limit(depth=1))
        if not -SURE_MOST <= found.score <= -SURE:
            continue
        unseen = {turn.text for turn, score in found.ranked if score >= -SURE_MOST}
        shares = {turn.text: endings.share(state, turn) for turn in endings.keeping(state) if turn.text in unseen}
        assert shares[found.turn.text] == max(shares.values())
        hard += shares[found.turn.text] > 0
        seen += 1
    assert seen > 5
    assert hard > 0
