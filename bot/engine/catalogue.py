"""The games by name: from a variant's id and options to its rules."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from bot.engine import variants
from bot.engine.draughts import DraughtsRules
from bot.engine.refusals import VariantError
from bot.engine.rules import Rules
from bot.engine.variants import OptionValue, Variant


def rules_for(variant_id: str, options: Mapping[str, OptionValue] | None = None) -> Rules:
    """The rules of a shipped variant with ``options`` applied, made once for each choice. Raises VariantError."""
    variant = variants.load(variant_id, options)
    return _made(variant_id, tuple(sorted(variant.chosen.items())))


@lru_cache(maxsize=256)
def _made(variant_id: str, chosen: tuple[tuple[str, OptionValue], ...]) -> Rules:
    return rules_of(variants.load(variant_id, dict(chosen)))


def rules_of(variant: Variant) -> Rules:
    """The rules of a variant, such as one read from a file of one's own. Raises VariantError."""
    if variant.family == "draughts":
        return DraughtsRules(variant)
    raise VariantError(f"{variant.id}: there are no rules for the family {variant.family!r}")
