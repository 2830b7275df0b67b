"""No language says more than Discord takes: what is too long would be refused, or cut off in the middle of a word."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

import pytest

from bot.cli.catalogues import ARGUMENTS, ROOT, gathered, of_commands
from bot.engine.registry import rules_for
from bot.i18n import LANGUAGES, _, ngettext, pgettext, speaking
from bot.presentation import alt_text
from bot.presentation.board_scene import ShownPosition
from tests.support.engine.shipped import EVERY

pytestmark = pytest.mark.xdist_group("catalogues")

NAME = "W" * 32
"""Nobody's name is longer."""

TITLE, LABEL, CHOICE, BUTTON = 45, 45, 100, 80
ABOUT = 100
TAKES: dict[str, dict[int | str, int]] = {
    "ActionButton.of": {1: BUTTON},
    "game_button": {2: BUTTON},
    "ActionMenu.of": {1: CHOICE},
    "ActionMenu.of_people": {1: CHOICE},
    "SelectOption": {"label": CHOICE, "description": CHOICE},
    "task": {1: CHOICE, 2: CHOICE},
    "Modal": {"title": TITLE},
    "form": {1: TITLE},
    "_form": {1: TITLE},
    "SettingForm": {0: TITLE},
    "form_of": {1: TITLE, 2: LABEL, 3: ABOUT},
    "Field": {1: LABEL, 2: ABOUT},
    "Label": {"text": LABEL, "description": ABOUT},
    "_box": {1: LABEL},
    "_list": {1: LABEL},
}
"""Of what becomes a part of a message or a form: which argument is a text that people see, and how long it may be."""

Text = tuple[str | None, str, str]
"""Its context, its form for one and its form for many."""


def called(node: ast.Call) -> str:
    name = ast.unparse(node.func)
    return name if name in TAKES else name.rpartition(".")[2]


def texts_in(node: ast.AST, values: dict[str, list[ast.expr]]) -> Iterator[Text]:
    """The messages within an expression, also those of variables that are named there."""
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            for value in values.get(each.id, ()):
                yield from texts_in(value, {})
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id in ARGUMENTS:
            context, forms = ARGUMENTS[each.func.id]
            given = [str(arg.value) for arg in each.args[: context + forms] if isinstance(arg, ast.Constant)]
            if len(given) == context + forms:
                yield given[0] if context else None, given[context], given[-1]


@lru_cache(maxsize=1)
def limits() -> dict[Text, int]:
    """How long each text of a message's or a form's parts may be."""
    found: dict[Text, int] = {}
    for file in sorted((ROOT / "bot" / "chat").rglob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        values = defaultdict(list)
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    names = target.elts if isinstance(target, ast.Tuple) else [target]
                    given = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
                    for name, value in zip(names, given, strict=False):
                        if isinstance(name, ast.Name):
                            values[name.id].append(value)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                named: dict[int | str, ast.expr] = dict(enumerate(node.args))
                named |= {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
                for which, limit in TAKES.get(called(node), {}).items():
                    for text in texts_in(named[which], values) if which in named else ():
                        found[text] = min(limit, found.get(text, limit))
        with file.open("rb") as source:
            for _line, _function, text, _comments in of_commands(source, None, None, None):
                found[None, text, text] = min(CHOICE, found.get((None, text, text), CHOICE))
    return found


def longest(text: str) -> str:
    """With ten letters for each field."""
    return re.sub(r"\{\w+\}", "x" * 10, text)


def spoken(text: Text) -> list[str]:
    context, one, many = text
    if one != many:
        return [ngettext(one, many, count) for count in (1, 2, 5)]
    return [pgettext(context, one) if context else _(one)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_buttons_menus_forms_and_descriptions_fit(language: str) -> None:
    """Each of their texts, in each language, where it stands in the code or what it names."""
    assert len(limits()) > 300
    with speaking(language):
        told = [(each, limit) for text, limit in limits().items() for each in spoken(text)]
    assert [] == [(text, limit, len(longest(text))) for text, limit in told if len(longest(text)) > limit]


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_buttons_fit(language: str) -> None:
    """Whatever is looked up as a button's name, wherever it is said."""
    with speaking(language):
        names = [pgettext("button", str(message.id)) for message in gathered() if message.context == "button"]
    assert [] == [name for name in names if len(longest(name)) > BUTTON]


@pytest.mark.parametrize("variant", EVERY)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_board_is_described_to_the_end(language: str, variant: str) -> None:
    """With all its pieces and the longest names nothing of a picture's description is cut off."""
    rules = rules_for(variant)
    state = rules.start()
    state = rules.play(state, max(rules.turns(state), key=lambda turn: len(turn.text)))
    with speaking(language):
        told = alt_text.alt_text(ShownPosition(rules, state), [NAME] * len(rules.seats))
    assert NAME in told
    assert not told.endswith("...")
