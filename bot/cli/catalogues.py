"""All that is said to people, gathered from the sources into the catalogues of translators: ``make texts``.

A new text is entered in each ``data/locales/LANGUAGE.po`` without a translation, one that is gone is taken out, and
what is translated stays as it is.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT: Final = Path(__file__).parents[2]
LOCALES: Final = ROOT / "data" / "locales"

ARGUMENTS: Final[dict[str, tuple[bool, int]]] = {
    "_": (False, 1),
    "N_": (False, 1),
    "phrase": (False, 1),
    "ngettext": (False, 2),
    "nphrase": (False, 2),
    "pgettext": (True, 1),
    "NP_": (True, 1),
    "pphrase": (True, 1),
}
"""The functions of bot.i18n whose first arguments are messages: whether a context goes before, how many forms."""

Extracted = tuple[int, str, Any, list[str]]
"""What babel wants of an extractor: a line's number, the function, its message or messages, comments."""


def of_code(fileobj: Any, keywords: Any, comment_tags: Any, options: Any) -> Iterator[Extracted]:
    """The texts in Python, also those in formatted strings, which babel's own extractor overlooks."""
    for node in ast.walk(ast.parse(fileobj.read())):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in ARGUMENTS:
            continue
        context, forms = ARGUMENTS[node.func.id]
        given = node.args[: context + forms]
        texts = [each.value for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        if len(texts) == context + forms:
            name = "pgettext" if context else "ngettext" if forms == 2 else "_"
            yield node.lineno, name, tuple(texts) if len(texts) > 1 else texts[0], []


def of_variants(fileobj: Any, keywords: Any, comment_tags: Any, options: Any) -> Iterator[Extracted]:
    """The texts of a game's file: its name, what it is about, its sides, its rules and its options."""
    table = tomllib.load(fileobj)
    sentences = [line if isinstance(line, str) else line["says"] for line in table["says"]]
    sentences += [option["says"] for option in table.get("options", {}).values()]
    for text in (table["name"], table["about"], *sentences):
        yield 1, "_", text, []
    for side in table.get("sides", ()):
        yield 1, "pgettext", ("side", side), []


def of_commands(fileobj: Any, keywords: Any, comment_tags: Any, options: Any) -> Iterator[Extracted]:
    """What Discord shows of the commands: the descriptions of commands, groups and parameters, the names of choices.
    They stand as plain texts in the decorators, as constants of this or another module, or as the literals that a
    parameter of a command takes."""
    tree = ast.parse(fileobj.read())
    constants = {**_constants(), **dict(_assigned(tree))}
    has_commands = "commands" in Path(fileobj.name).relative_to(ROOT).as_posix()
    for node in ast.walk(tree):
        if has_commands and isinstance(node, ast.Subscript) and ast.unparse(node.value) == "Literal":
            names = [each.value for each in ast.walk(node.slice) if isinstance(each, ast.Constant)]
            if all(isinstance(name, str) and re.fullmatch("[a-z ]+", name) and name not in FORMATS for name in names):
                yield from ((node.lineno, "_", name, []) for name in names)
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        for keyword in node.keywords:
            shown = called == "describe" or (called in SHOWN and SHOWN[called] == keyword.arg)
            text = _text(keyword.value, constants) if shown else None
            if text:
                yield node.lineno, "_", text, []


SHOWN: Final = {"command": "description", "Group": "description", "Choice": "name"}
"""Which argument of what is shown; of ``describe`` it is every one."""

FORMATS: Final = ("pdn", "json")
"""Choices that are called the same everywhere."""


@lru_cache(maxsize=1)
def _constants() -> dict[str, str]:
    """The texts that modules of the chat give names to."""
    constants: dict[str, str] = {}
    for file in (ROOT / "bot" / "chat").rglob("*.py"):
        constants |= dict(_assigned(ast.parse(file.read_text("utf-8"))))
    return constants


def _assigned(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        match node:
            case ast.Assign([ast.Name(name)], ast.Constant(str(text))) | ast.AnnAssign(
                ast.Name(name), _, ast.Constant(str(text))
            ):
                yield name, text


def _text(node: ast.expr, constants: dict[str, str]) -> str | None:
    """The text that an expression stands for: a literal, a constant's name, or such put together."""
    match node:
        case ast.Constant(str(text)):
            return text
        case ast.Name(name) | ast.Attribute(_, name):
            return constants.get(name)
        case ast.BinOp():
            left, right = _text(node.left, constants), _text(node.right, constants)
            return None if left is None or right is None else left + right
    return None


HEADER: Final = r"""msgid ""
msgstr ""
"Project-Id-Version: damero\n"
"Language: {language}\n"
"Plural-Forms: {plural}\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=utf-8\n"
"Content-Transfer-Encoding: 8bit\n"

"""

KEYWORDS: Final[dict[str, Any]] = {"_": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}
"""How babel is to read what the extractors find."""


def in_own_words(context: str | None) -> tuple[str | None, str | None]:
    """Of a context in which a game's own words stand: its vocabulary, and the context of the same text elsewhere."""
    vocabulary, _colon, elsewhere = (context or "").partition(":")
    return (vocabulary, elsewhere or None) if vocabulary in vocabularies() else (None, context)


@lru_cache(maxsize=1)
def vocabularies() -> frozenset[str]:
    """The vocabularies that games have."""
    games = (tomllib.loads(file.read_text("utf-8")) for file in (ROOT / "data" / "variants").glob("*.toml"))
    return frozenset(game["vocabulary"] for game in games if game.get("vocabulary"))


def gathered() -> Catalog:
    """All messages of the sources, without translations, in order."""
    messages: list[tuple[str, int, Any, str | None]] = []
    sources: Iterable[tuple[Path, list[tuple[str, Any]]]] = (
        (ROOT / "bot", [("**.py", of_code)]),
        (ROOT / "bot" / "chat", [("**.py", of_commands)]),
        (ROOT / "data" / "variants", [("**.toml", of_variants)]),
    )
    for folder, methods in sources:
        found = extract_from_dir(folder, method_map=methods, keywords=KEYWORDS, strip_comment_tags=True)
        for file, line, message, _comments, context in found:
            messages.append(((folder / file).relative_to(ROOT).as_posix(), line, message, context))
    catalog = Catalog(project="damero", charset="utf-8", fuzzy=False)
    for file, _line, message, context in sorted(messages, key=lambda each: (each[0], each[1])):
        # Without the line: it changes with every edit above it.
        catalog.add(message, locations=[(file, None)], context=context)  # type: ignore[list-item]
    return catalog


def update(language: str) -> tuple[int, int]:
    """Bring a catalogue up to date. How many messages it has, and how many of them lack a translation."""
    path = LOCALES / f"{language}.po"
    with path.open("rb") as source:
        catalog = read_po(source, locale=language)
    catalog.update(_with_own_words(gathered(), catalog), no_fuzzy_matching=True, update_creation_date=False)
    catalog.obsolete.clear()
    with path.open("wb") as target:
        # Babel's own header tells the time of every call.
        target.write(HEADER.format(language=language, plural=catalog.plural_forms).encode())
        write_po(target, catalog, width=120, omit_header=True, include_lineno=False, ignore_obsolete=True)
    messages = [message for message in catalog if message.id]
    return len(messages), sum(not all(_forms(message.string)) for message in messages)


def _with_own_words(wanted: Catalog, catalog: Catalog) -> Catalog:
    """``wanted``, and after each text what a catalogue calls it in games that have their own words."""
    whole = Catalog(project="damero", charset="utf-8", fuzzy=False)
    own: dict[tuple[Any, str | None], list[str]] = {}
    for message in catalog:
        vocabulary, elsewhere = in_own_words(message.context)
        if vocabulary is not None:
            own.setdefault((message.id, elsewhere), []).append(str(message.context))
    for message in wanted:
        for context in (message.context, *own.get((message.id, message.context), ())):
            whole.add(message.id, locations=message.locations, context=context)
    return whole


def _forms(string: Any) -> tuple[str, ...]:
    return tuple(string) if isinstance(string, list | tuple) else (string,)


def main() -> int:
    """Update every catalogue. The exit status is 1 where translations are missing."""
    missing = 0
    for path in sorted(LOCALES.glob("*.po")):
        count, without = update(path.stem)
        missing += without
        sys.stdout.write(f"{path.stem}: {count} texts, {without} without a translation\n")
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
