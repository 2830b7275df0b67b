"""Where the rules of a variant are found."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast, get_args

import pytest

from bot.engine.registry import FAMILIES, rules_of
from bot.engine.variant_tables import Tables


def test_every_family_has_rules() -> None:
    """Each family that a variant's file may name is in the table, and nothing else is."""
    families = {get_args(tables.model_fields["family"].annotation)[0] for tables in get_args(Tables)}
    assert families == set(FAMILIES)


def test_an_unknown_family_is_refused() -> None:
    """A game of a family that nobody has entered is not taken for one of another."""
    with pytest.raises(KeyError, match="cards"):
        rules_of(cast(Any, SimpleNamespace(family="cards")))
