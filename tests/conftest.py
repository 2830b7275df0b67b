"""What every test has: no settings from outside, and hypothesis without a clock."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from bot.computer import endgames
from bot.settings import Settings

# A busy machine must not fail a property: examples are counted, not timed.
settings.register_profile("damero", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("damero")


@pytest.fixture(autouse=True)
def no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The developer's own token, database, .env or endgame tables never reach a test."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.delenv(endgames.FOLDER, raising=False)
    monkeypatch.setattr(endgames, "SHIPPED", Path("/nowhere"))
    monkeypatch.setitem(Settings.model_config, "env_file", None)


@pytest.fixture
def root() -> Path:
    """The repository's folder."""
    return Path(__file__).resolve().parent.parent
