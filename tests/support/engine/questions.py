"""Short questions to the engine, for tests that read like the rules."""

from __future__ import annotations

import pytest

from bot.engine import variants
from bot.engine.errors import IllegalMove
from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from bot.engine.turns import Outcome
from tests.support.engine.game_files import rules_of_file


class Play:
    """A game that a test plays by typing turns."""

    def __init__(self, game: str | Rules, position: str | None = None, **options: str | bool | int) -> None:
        if isinstance(game, str):
            game = rules_for(game, options) if game in variants.names() else rules_of_file(game)
        self.rules: Rules = game
        self.state: State = self.rules.start(position)

    def __call__(self, *texts: str) -> Play:
        for text in texts:
            self.state = self.rules.play(self.state, self.rules.read(self.state, text))
        return self

    @property
    def moves(self) -> list[str]:
        return [turn.text for turn in self.rules.turns(self.state)]

    @property
    def remedies(self) -> list[str]:
        return [turn.text for turn in self.rules.remedies(self.state)]

    @property
    def position(self) -> str:
        return self.rules.position(self.state)

    @property
    def outcome(self) -> Outcome | None:
        return self.state.outcome

    @property
    def seat_to_move(self) -> str:
        return self.rules.seats[self.state.seat].name

    def means(self, text: str) -> str:
        """The canonical notation of what was typed."""
        return self.rules.read(self.state, text).text

    def refusal(self, text: str) -> str:
        """The reason why a typed move is not legal; nothing may change."""
        before = self.state
        with pytest.raises(IllegalMove) as caught:
            self.rules.read(self.state, text)
        assert self.state == before
        return caught.value.message


def moves(game: str, position: str | None = None, **options: str | bool | int) -> list[str]:
    """The legal moves of a position, in canonical notation."""
    return Play(game, position, **options).moves


def after(game: str, position: str, *texts: str, **options: str | bool | int) -> str:
    """The position string after some turns."""
    return Play(game, position, **options)(*texts).position


def refusal(game: str, position: str | None, text: str, **options: str | bool | int) -> str:
    """Why a move is refused."""
    return Play(game, position, **options).refusal(text)
