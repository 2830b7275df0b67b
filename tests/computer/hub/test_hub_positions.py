from __future__ import annotations

from random import Random

import pytest

from bot.computer.hub.hub_positions import HubBoard
from bot.engine import variants
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.errors import BadPosition, IllegalMove
from bot.engine.registry import rules_for

DRAUGHTS = [name for name in variants.names() if variants.load(name).family == "draughts"]


def board(variant: str) -> HubBoard:
    """A game as Hub writes it."""
    rules = rules_for(variant)
    assert isinstance(rules, DraughtsRules)
    return HubBoard(rules)


@pytest.mark.parametrize("variant", DRAUGHTS)
def test_positions_and_moves_go_there_and_back(variant: str) -> None:
    """Through a game of random moves, with kings and captures."""
    hub, lots = board(variant), Random(5)
    state = hub.rules.start()
    while (turns := hub.rules.turns(state)) and len(state.trail) < 150:
        # Hub does not say how often a king has moved in a row.
        assert hub.rules.position(state) == hub.rules.position(hub.state(hub.position(state)))
        turn = lots.choice(turns)
        assert turn.after == hub.turn(state, hub.move(turn)).after
        state = hub.rules.play(state, turn)


def test_the_second_player_sits_on_the_low_numbers() -> None:
    """Hub's 1 is at the upper left; who begins moves up from the high numbers."""
    hub = board("spanish")
    assert "W" + "b" * 12 + "e" * 8 + "w" * 12 == hub.position(hub.rules.start())
    assert all(
        turn.startswith(("21-", "22-", "23-", "24-")) for turn in map(hub.move, hub.rules.turns(hub.rules.start()))
    )


@pytest.mark.parametrize("text", ["", "W", "X" + "e" * 32, "W" + "e" * 31, "W" + "q" * 32, "W" + "w" + "e" * 30 + "b"])
def test_a_position_that_is_none(text: str) -> None:
    """Too short, letters that mean nothing, a man on its last row."""
    with pytest.raises(BadPosition):
        board("spanish").state(text)


@pytest.mark.parametrize("text", ["", "21", "21-99", "1-5", "21x17x3", "a1-b2"])
def test_a_move_that_is_none(text: str) -> None:
    """It is refused, whatever it is."""
    hub = board("spanish")
    with pytest.raises(IllegalMove):
        hub.turn(hub.rules.start(), text)
