"""What has been done in a tournament, in words."""

from __future__ import annotations

import random
import re

from bot.chat.tournaments.history import audit
from bot.tournaments.model.events import Undone
from tests.support.tournaments.director import stored_of, swiss


def test_every_event_can_be_read() -> None:
    """Each message fits, says where to go on, and together they hold every event with its result, once."""
    club = swiss(24, 9)
    club.play(9, random.Random(7))
    club(Undone(len(club.events)))
    tournament = stored_of(club)
    seen: list[int] = []
    before: int | None = None
    while True:
        text = audit(tournament, before)
        assert len(text) <= 2000
        seen[:0] = map(int, re.findall(r"^([0-9]+)\. <t:", text, re.MULTILINE))
        more = re.search("`before: ([0-9]+)`", text)
        if more is None:
            break
        before = int(more[1])
    assert list(range(1, len(club.events) + 1)) == seen
    newest = audit(tournament)
    assert "undone by <@7> (event " in newest
    assert re.search(r"scored by <@7> \(round 9: <@1\d\d> (1 - 0|½ - ½|0 - 1) <@1\d\d>\)", newest)
