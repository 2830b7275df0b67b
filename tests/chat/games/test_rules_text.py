"""What `/rules` says of a game."""

from __future__ import annotations

import pytest

from bot.chat.games.commands.info import rules_text
from bot.engine import variants
from bot.i18n import LANGUAGES, speaking
from tests.support.engine.shipped import EVERY


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("language", LANGUAGES)
def test_rules_fit_one_message(name: str, language: str) -> None:
    """Each game with all its options, none cut off, in every language."""
    variant = variants.load(name)
    with speaking(language):
        text = rules_text(variant)
        first = variant.rules_text[0]
        title = f"**{variant.name}**"
    assert text.startswith(title)
    assert first in text
    for option in variant.option_specs:
        assert f"`{option}`" in text
    assert len(text) <= 2000
    assert "…" not in text
