"""Searches that are bounded by what they look at, not by the clock of a machine with much to do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.computer import levels


@pytest.fixture
def enough_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each level looks as far as it may, however long that takes: the same each time."""
    for name in ("_LEVELS", "_ON_A_STAR"):
        given: tuple[levels.Level, ...] = getattr(levels, name)
        monkeypatch.setattr(levels, name, tuple(replace(level, seconds=600.0) for level in given))
