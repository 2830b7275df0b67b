"""Which rules a variant is played by: each family of games has a class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from bot.engine import variants
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.rules import Rules
from bot.engine.ruleset import Ruleset
from bot.engine.star.rules import StarRules
from bot.engine.variants import OptionValue, Variant

FAMILIES: Mapping[str, Callable[[Variant], Rules]] = {"draughts": DraughtsRules, "star": StarRules}


def rules_for(variant: str | Ruleset, options: Mapping[str, OptionValue] | None = None) -> Rules:
    """The rules of a ruleset, or of the shipped variant of an id, with ``options`` applied; made once for each choice.
    Raises VariantError."""
    found = variants.load(variant, options)
    return _made(found.ruleset, tuple(sorted(found.chosen.items())))


@lru_cache(maxsize=128)
def _made(ruleset: Ruleset, chosen: tuple[tuple[str, OptionValue], ...]) -> Rules:
    return rules_of(variants.load(ruleset, dict(chosen)))


def rules_of(variant: Variant) -> Rules:
    """The rules of a variant, such as one read from a file of one's own. Raises KeyError for an unknown family."""
    return FAMILIES[variant.family](variant)
