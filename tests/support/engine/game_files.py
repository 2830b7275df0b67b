"""Games that are files, shipped or beside the tests, to be read with other values; and games of the tests alone."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from pathlib import Path

from bot.engine import variants
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.registry import rules_of
from tests.support.engine.slow_draughts import AHEAD, DIAGONALS, Law

FILES = Path(__file__).parents[2] / "engine" / "variants"

_DIAGONAL = Law(
    played="a1", men_rows=(1, 2, 3), man_steps=AHEAD, man_jumps=DIAGONALS, king_steps=DIAGONALS, king_jumps=DIAGONALS,
    choice="most", removal="at_end", last_row="passes",
)  # fmt: skip
LAWS: dict[str, Law] = {
    "give-away": replace(_DIAGONAL, wins="who cannot move"),
    "breakthrough": replace(_DIAGONAL, wins="the first king"),
    "last-piece": replace(
        _DIAGONAL, wins="who leaves one piece", men_rows=(),
        set_up=(("a1", "c1", "e1", "g1", "d2"), ("b8", "d8", "f8", "h8", "e7")),
    ),
}  # fmt: skip
"""The slow generator's reading of the games that are not shipped."""


def text_of(name: str) -> str:
    """The file of a game, shipped or of the tests."""
    folder = FILES if name in LAWS else files("data").joinpath("variants")
    return folder.joinpath(f"{name}.toml").read_text("utf-8")


def rules_of_file(name: str, **changed: str) -> DraughtsRules:
    """The rules of a game that is a file; ``changed``: keys that have these values instead."""
    text = text_of(name)
    for key, value in changed.items():
        (line,) = (line for line in text.splitlines() if line.startswith(f"{key} = "))
        text = text.replace(line, f"{key} = {value}")
    rules = rules_of(variants.read(text, f"{name}.toml"))
    assert isinstance(rules, DraughtsRules)
    return rules
