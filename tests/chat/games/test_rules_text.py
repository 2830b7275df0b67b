"""What `/rules` says of a game."""

from __future__ import annotations

import pytest

from bot.chat.games.commands.info import rules_text
from bot.chat.games.posts import chosen_rules
from bot.engine import variants
from bot.engine.variants import OptionValue, show
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


@pytest.mark.parametrize(
    ("name", "options", "told"),
    [
        ("americanas", {"neglect": "compulsory"}, "Capturing is compulsory."),
        ("tama", {"repetition": False}, "the same position may come any number of times"),
        ("pinoy", {"quiet_moves": 40}, "drawn after 40 moves by each side without a capture or a man's move"),
        ("tama", {"turn_back": True}, "A king may turn straight back between two captures."),
    ],
)
def test_a_chosen_rule_says_which_half_holds(name: str, options: dict[str, OptionValue], told: str) -> None:
    """A rule that was chosen is told as it is played, not with what it might be."""
    [(option, value)] = options.items()
    assert [f"- `{option}={show(value)}`: {told}"] == chosen_rules(variants.load(name, options))


@pytest.mark.parametrize("name", EVERY)
def test_yes_and_no_are_told_apart(name: str) -> None:
    """Of an option that is true or false each value is told in its own words."""
    for option, spec in variants.load(name).option_specs.items():
        if set(spec.values) == {True, False} and isinstance(spec.default, bool):
            told = {variants.load(name, {option: value}).meaning(option) for value in spec.values}
            assert len(told) == 2, (option, told)


@pytest.mark.parametrize("name", EVERY)
def test_words_are_told_apart(name: str) -> None:
    """Of an option that takes words each value is told in its own words, and not with the others'."""
    for option, spec in variants.load(name).option_specs.items():
        if all(isinstance(value, str) for value in spec.values):
            told = {variants.load(name, {option: value}).meaning(option) for value in spec.values}
            assert len(told) == len(spec.values), (option, told)
            assert spec.says not in told
