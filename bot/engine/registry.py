"""The games by name: from a variant's id and options to its rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from bot.engine import variants
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.rules import Rules
from bot.engine.star.rules import StarRules
from bot.engine.variants import OptionValue, Variant


def rules_for(variant_id: str, options: Mapping[str, OptionValue] | None = None) -> Rules:
    """The rules of a shipped variant with ``options`` applied, made once for each choice. Raises VariantError."""
    variant = variants.load(variant_id, options)
    return _made(variant_id, tuple(sorted(variant.chosen.items())))


@lru_cache(maxsize=256)
def _made(variant_id: str, chosen: tuple[tuple[str, OptionValue], ...]) -> Rules:
    return rules_of(variants.load(variant_id, dict(chosen)))


def rules_of(variant: Variant) -> Rules:
    """The rules of a variant, such as one read from a file of one's own."""
    if variant.family == "draughts":
        return DraughtsRules(variant)
    return StarRules(variant)
