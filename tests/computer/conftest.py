"""Searches that are bounded by what they look at, not by the clock of a machine with much to do."""

from __future__ import annotations

import pytest

from bot.computer import levels


@pytest.fixture
def enough_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each level looks as far as it may, however long that takes: the same each time."""
    for family, given in levels._LEVELS.items():
        monkeypatch.setitem(levels._LEVELS, family, tuple(level._replace(seconds=600.0) for level in given))
