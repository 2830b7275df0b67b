"""The rules that games and events are played by, kept as text in the transaction that keeps these."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from bot.engine import variants
from bot.engine.errors import VariantError
from bot.engine.rules import Rules
from bot.engine.ruleset import Ruleset
from bot.engine.variants import OptionValue, Variant
from bot.i18n import _
from data.queries import rulesets
from data.queries.rulesets import RulesetRow
from data.store import Transaction

RulesFor = Callable[[str | Ruleset, Mapping[str, OptionValue]], Rules]
"""Finds the rules of a ruleset, or of the shipped variant of an id, with options applied. Raises VariantError."""


async def keep(tx: Transaction, variant: Variant) -> None:
    """Keep the text of a variant's rules; a row that is played by them has their hash."""
    ruleset, said = variant.ruleset, variant.tables
    await rulesets.keep(tx, RulesetRow(ruleset.hash, ruleset.text, said.name, said.family))


async def find(tx: Transaction, variant_id: str, rules_hash: str | None) -> Ruleset:
    """The rules that a row is played by. Raises VariantError where they are not there."""
    if rules_hash is None:
        # A row of before texts were kept, of a variant that was not shipped any more when they were filled in.
        return variants.shipped(variant_id)
    text = await rulesets.text(tx, rules_hash)
    if text is None:
        raise VariantError(_("the text of its rules is missing"))
    ruleset = Ruleset(variant_id, text)
    if ruleset.hash != rules_hash:
        raise VariantError(_("the text of its rules is not the one that it began with"))
    return ruleset


async def read(ruleset: Ruleset) -> Variant:
    """The variant of rules, read where nobody waits for it: what a server has written may take a moment. From then on
    reading it costs nothing. Raises VariantError."""
    return await asyncio.to_thread(variants.load, ruleset)


async def made(rules_for: RulesFor, variant: str | Ruleset, options: Mapping[str, OptionValue]) -> Rules:
    """``rules_for``. What a server has written may take a moment to be read: that is done in a thread."""
    if isinstance(variant, Ruleset) and variant.server is not None:
        return await asyncio.to_thread(rules_for, variant, options)
    return rules_for(variant, options)
