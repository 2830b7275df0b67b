"""What a picture shows beside the board."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.engine.registry import rules_for
from bot.engine.star.state import StarState
from bot.presentation.alt_text import position_in_words
from bot.presentation.board_scene import ShownPosition, scene_of


@pytest.mark.parametrize("places", [True, False])
def test_who_is_out_and_who_is_home_is_marked_at_a_table(*, places: bool) -> None:
    """Who has left is out, in the picture as in words; who is home while the others play on has a place; at
    the end all have."""
    rules = rules_for("chinese-checkers", {"players": 3, "places": places})
    state = rules.leave(rules.start(), 1, "ran out of time")
    assert isinstance(state, StarState)
    if places:
        state = replace(state, home=(2,))
    players = scene_of(ShownPosition(rules, state), ()).players
    assert ["0/10", "out", "place 1" if places else "0/10"] == [player.note for player in players]
    assert [False, True, False] == [player.out for player in players]
    notes = [player.note for player in scene_of(ShownPosition(rules, state), (), places=(1, 3, 2)).players]
    assert ["place 1", "place 3", "place 2"] == notes
    heads = [line.partition(":")[0] for line in position_in_words(rules, state)]
    assert ["South", "Northwest (out)", "Northeast (place 1)" if places else "Northeast"] == heads
