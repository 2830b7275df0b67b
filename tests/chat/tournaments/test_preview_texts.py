"""What a director is shown before a round is paired by hand."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bot.chat.posting.find_posted import carried_by
from bot.chat.tournaments import preview_texts
from bot.chat.tournaments.manage.confirm_buttons import manual_view, round_carried_by
from bot.i18n import _, speaking
from bot.tournaments.analysis.impact import Impact
from bot.tournaments.formats.format import in_numbers
from bot.tournaments.model.events import Kind, PairedRound, TournamentSettings
from bot.tournaments.use_cases.manual import ManualChange, by_hand
from tests.support.tournaments.director import Directed, stored_of

NOTHING = Impact({}, {}, (), (), ())


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(("kind", "players", "size"), [(Kind.SWISS, 255, 2), (Kind.TABLES, 256, 3), (Kind.SWISS, 5, 2)])
async def test_a_round_by_hand_stands_in_its_message(kind: Kind, players: int, size: int, language: str) -> None:
    """However many play, the message fits, and the round that it shows is read from it again as a whole. It is read
    from its buttons; from its words where those are of an older version."""
    tournament = replace(stored_of(Directed(TournamentSettings(kind, 5), players)), id=123_456)
    numbers = list(range(1, players + 1))
    random.Random(5).shuffle(numbers)
    groups = [numbers[at : at + size] for at in range(0, players, size)]
    action = by_hand(tournament, ", ".join("-".join(map(str, group)) for group in groups), 1)
    assert isinstance(action, PairedRound)
    with speaking(language):
        for before in ("", "Something else has happened. " * 4):
            shown = ManualChange(action, NOTHING, called_off=3)
            text = preview_texts.manual_preview(tournament, shown, before)
            assert len(text) <= 2000
            ids = carried_by(manual_view(tournament, shown))
            assert all(len(each) <= 100 for each in ids)
            assert in_numbers(action) == round_carried_by(ids)
            assert in_numbers(action) == preview_texts.round_of_older_preview(text)
            assert _("Nothing is done yet: press a button.") in text
    assert action == by_hand(tournament, in_numbers(action), 1)
