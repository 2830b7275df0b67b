"""Each value that a rule can take is known wherever docs/adding.md ("A rule value") says that one must be."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin

import pytest
from pydantic import BaseModel

from bot.computer.endgames.material import fingerprint
from bot.engine import variants
from bot.engine.boards import WAYS
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.registry import rules_for
from bot.engine.variant_tables import DraughtsTables

ROOT = Path(__file__).parents[2]
PLAYED = (
    *("bot/engine/boards.py", "bot/engine/draughts/counted_endings.py"),
    *("bot/engine/draughts/movegen.py", "bot/engine/draughts/rules.py"),
)
EXPLAINED = "bot/engine/draughts/explain.py"
SEARCHED = ("bot/computer/kernels/lookup_tables.py", "bot/computer/kernels/movegen.py")
FINGERPRINT = "bot/computer/endgames/material.py"
ORACLE = "tests/support/engine/slow_draughts.py"
# What no move depends on.
NO_RULES = (
    *("about", "family", "first", "featured", "colours", "begins", "pdn.capture", "pdn.results"),
    *("board.look", "board.palette", "board.numbered_from", "board.numbered_side", "board.notation"),
)
# What the search is not told: it has the board's squares, and takes capturing as compulsory (docs/rules.md, Soplar).
NOT_SEARCHED = (
    *("board.squares", "board.corner", "capture.neglect"),
    *("outcome.wins", "draws.endings.since", "draws.endings.result"),
)


class Key(NamedTuple):
    """A key of the tables of draughts and the values that it takes."""

    path: str
    values: tuple[object, ...]


def keys(model: type[BaseModel] = DraughtsTables, above: str = "") -> Iterator[Key]:
    for name, field in model.model_fields.items():
        path = f"{above}{name}"
        if path not in NO_RULES:
            yield from of_annotation(path, field.annotation)


def of_annotation(path: str, annotation: Any) -> Iterator[Key]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield from keys(annotation, f"{path}.")
    elif get_origin(annotation) is Literal:
        yield Key(path, get_args(annotation))
    elif annotation is bool:
        yield Key(path, (False, True))
    elif get_origin(annotation) is list:
        yield from of_annotation(path, get_args(annotation)[0])


KEYS = tuple(keys())
WORDS = tuple(key for key in KEYS if isinstance(key.values[0], str))


def words_in(*paths: str) -> set[str]:
    """The texts in the code of modules; the engine's table of directions counts where it is used."""
    nodes = [node for path in paths for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8")))]
    words = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    used = any(isinstance(node, ast.Name) and node.id == "WAYS" for node in nodes)
    return words | set(WAYS) if used else words


def attributes_in(*paths: str) -> set[str]:
    """What is asked of values in modules."""
    nodes = (node for path in paths for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))))
    return {node.attr for node in nodes if isinstance(node, ast.Attribute)}


@functools.cache
def files() -> tuple[dict[str, Any], ...]:
    """Every draughts game that is a file, shipped or for the tests, once for each value of its options."""
    found = []
    for folder in ("data/variants", "tests/engine/variants"):
        for file in sorted((ROOT / folder).glob("*.toml")):
            text = file.read_text("utf-8")
            variant = variants.read(text, file.name)
            chosen = [{name: value} for name, spec in variant.option_specs.items() for value in spec.values]
            if variant.family == "draughts":
                found += [variants.read(text, file.name, options).tables.model_dump() for options in [{}, *chosen]]
    return tuple(found)


def used(tables: Any, path: str) -> Iterator[object]:
    """What ``tables`` have under a key, each entry where it is a list."""
    if isinstance(tables, list | tuple):
        for each in tables:
            yield from used(each, path)
    elif path:
        head, _, rest = path.partition(".")
        yield from used(tables[head], rest)
    else:
        yield tables


def test_the_keys_are_found() -> None:
    """Among them one of each shape: a word, a list of words, yes or no, one in a list of tables."""
    assert {"capture.crowning", "man.moves", "capture.turn_back", "draws.endings.counted"} <= {key.path for key in KEYS}


@pytest.mark.parametrize("key", WORDS, ids=lambda key: key.path)
def test_every_value_is_told_apart(key: Key) -> None:
    """The engine and, where it must know, the search name all values of a key but one at most: the one left over."""
    places = [PLAYED] if key.path in NOT_SEARCHED else [PLAYED, SEARCHED]
    for place in places:
        assert len(key.values) - 1 <= len(words_in(*place).intersection(map(str, key.values))), place


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.path)
def test_every_value_is_played(key: Key) -> None:
    """Some file, shipped or for the tests, has each value: so the engine is held against the oracle with it.
    A direction is one for men or for kings."""
    alike = [other.path for other in KEYS if key in WORDS and other.values == key.values] or [key.path]
    assert set(key.values) == {value for tables in files() for path in alike for value in used(tables, path)}


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.path)
def test_refusals_know_every_key_of_moving(key: Key) -> None:
    """A move that is refused because of a key gets that key's reason."""
    part, _, name = key.path.rpartition(".")
    # A king that lands elsewhere is told what is in its way; of huffs the rules speak before a move is read.
    told = attributes_in(EXPLAINED) | {"lands", "neglect"}
    assert part not in ("man", "king", "capture") or name in told


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.path)
def test_endgame_tables_are_of_their_rules(key: Key) -> None:
    """Another value of a key is another fingerprint, but where tables are shared: boards of either corner, a neglected
    capture, and what is left to the search."""
    shared = ("board.corner", "board.mirror", "capture.neglect", "draws.repetition")
    rules = rules_for("americanas")
    assert isinstance(rules, DraughtsRules)
    raw = rules.tables.model_dump()
    changed = [DraughtsTables.model_validate(given(raw, key.path.split("."), value)) for value in key.values]
    assert (1 if key.path in shared else len(key.values)) == len({fingerprint(tables) for tables in changed})


def given(raw: Any, path: list[str], value: object) -> Any:
    """``raw`` with ``value`` under a key; a list gets it alone, a list of tables in each."""
    if isinstance(raw, list):
        return [given(each, path, value) for each in raw] if path else [value]
    if not path:
        return value
    return {**raw, path[0]: given(raw[path[0]], path[1:], value)}


def test_the_recipe_names_these_places() -> None:
    """docs/adding.md has the same list of places."""
    text = (ROOT / "docs" / "adding.md").read_text("utf-8")
    section = text.partition("\n## A rule value\n")[2].partition("\n## ")[0]
    named = set(re.findall(r"`((?:bot|tests)/[\w/]+\.py)`", section))
    assert {"bot/engine/variant_tables.py", *PLAYED, EXPLAINED, *SEARCHED, FINGERPRINT, ORACLE} <= named
