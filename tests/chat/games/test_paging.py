"""Lists of games."""

from __future__ import annotations

import pytest

from bot.chat.games import paging
from bot.engine.outcomes import reason_of
from bot.games.model.game import GameSummary, Place
from bot.i18n import phrase, speaking

REASON = "three kings against one after 12 moves of the lone king"


@pytest.mark.parametrize(
    ("variant", "told"),
    [
        ("pinoy", "tres reyes contra uno tras 12 jugadas del rey solo"),
        ("spanish", "tres damas contra una tras 12 jugadas de la dama sola"),
        ("house@1", "tres damas contra una tras 12 jugadas de la dama sola"),
    ],
)
def test_why_a_game_ended_is_told_in_its_own_words(variant: str, told: str) -> None:
    """As it was told when it ended; of games that are not shipped as of most."""
    game = GameSummary(
        id=1,
        variant_id=variant,
        name=phrase("X"),
        status="finished",
        place=Place(1, 2),
        channel_id=2,
        opener=5,
        players=(5, 6),
        invited=(None, None),
        to_move=None,
        ply=40,
        changed_at=1_800_000_000_000,
        reason=reason_of(REASON),
    )
    with speaking("es"):
        assert f"- X contra <@6>: **tablas** ({told})" in paging._finished_line(game, 5, "")
