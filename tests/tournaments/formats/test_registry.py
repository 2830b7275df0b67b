"""The settings of tournaments as plain values."""

from __future__ import annotations

import json

import pytest

from bot.tournaments.errors import TournamentError
from bot.tournaments.formats.registry import settings_of
from bot.tournaments.model.events import Kind, TournamentSettings
from bot.tournaments.pairing.record import DRAUGHTS, Mark


def test_plans_are_kept_as_plain_values() -> None:
    """A plan survives JSON, its points and the version of its rules included; nonsense is refused."""
    plan = TournamentSettings(Kind.SWISS, 7, DRAUGHTS, late_until=3, late_bye=Mark.HALF_BYE)
    assert plan == settings_of(json.loads(json.dumps(plan.to_json())))
    for wrong in ({}, {**plan.to_json(), "kind": "knight's tour"}):
        with pytest.raises(TournamentError, match="no plan"):
            settings_of(wrong)
