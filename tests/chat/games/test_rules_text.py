"""What `/rules` says of a game."""

from __future__ import annotations

import pytest

from bot.chat.games.commands.info import rules_text
from bot.chat.games.posts import chosen_rules
from bot.engine import variants
from bot.engine.variant_tables import DraughtsTables
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
        ("tama", {"repetition": False}, "The same position may come any number of times."),
        ("pinoy", {"quiet_moves": 40}, "Drawn after 40 moves by each side without a capture or a man's move."),
        ("pinoy", {"mirror": True}, "Play on the points of the other colour, as on the Visayan board."),
        ("chinese-checkers", {"places": True}, "The others play on for the other places."),
        ("tama", {"turn_back": True}, "A king may turn straight back between two captures."),
    ],
)
def test_a_chosen_rule_says_which_half_holds(name: str, options: dict[str, OptionValue], told: str) -> None:
    """A rule that was chosen is told as it is played, not with what it might be, and in a sentence, as every other."""
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


@pytest.mark.parametrize("name", EVERY)
def test_the_rules_tell_of_repetition(name: str) -> None:
    """Whether the third repetition is a draw stands in the main lines of each game of draughts, as it is played."""
    variant, told = variants.load(name), "The same position for the third time is a draw."
    if isinstance(variant.tables, DraughtsTables):
        assert (told in variant.rules_text) == variant.tables.draws.repetition
    if "repetition" in variant.option_specs:
        assert told not in variants.load(name, {"repetition": False}).rules_text


@pytest.mark.parametrize("name", ["spanish", "pinoy", "americanas", "tama"])
def test_the_rules_tell_of_what_was_captured(name: str) -> None:
    """When captured pieces leave, and that a king may not turn straight back, stands in the main lines."""
    text = "\n".join(variants.load(name).rules_text)
    at_once = name in ("pinoy", "tama")
    assert ("Captured pieces leave at once." in text, "leave when the move is complete" in text) == (
        at_once,
        not at_once,
    )
    assert "A king may not turn straight back between two captures." in text
    if "removal" in variants.load(name).option_specs:
        other = "at_end" if at_once else "at_once"
        text = "\n".join(variants.load(name, {"removal": other}).rules_text)
        assert ("Captured pieces leave at once." in text) != at_once
