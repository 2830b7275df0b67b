"""The catalogues: whole, in step with the sources, and fit to be filled in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from bot.cli.catalogues import ARGUMENTS, LOCALES, ROOT, gathered, in_own_words
from bot.i18n import ENGLISH, LANGUAGES, STOPS, compiled

pytestmark = pytest.mark.xdist_group("catalogues")

OTHERS = [language for language in LANGUAGES if language != ENGLISH]
# What Discord draws: bold, code, italics of button names, spoilers, moments and commands.
MARKS = re.compile(r"\*\*|(?<!\*)\*(?!\*)|\|\||`[^`]*`|<t:|<@")


def catalogue(language: str) -> Catalog:
    with (LOCALES / f"{language}.po").open("rb") as source:
        return read_po(source, locale=language)


def messages(language: str) -> list[Message]:
    return [message for message in catalogue(language) if message.id]


def forms(text: object) -> tuple[str, ...]:
    assert isinstance(text, str | tuple | list)
    return (text,) if isinstance(text, str) else tuple(text)


def read(source: str) -> GNUTranslations:
    """A catalogue as the bot reads it."""
    return GNUTranslations(BytesIO(compiled(source)))


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def marks(text: str) -> list[str]:
    return sorted(mark for mark in MARKS.findall(text) if not mark.startswith("`") or " " not in mark)


def ending(text: str, language: str) -> str:
    """What a text ends with of full stop, question mark and colon, whatever the language writes for it. Armenian asks
    within the word."""
    stop, colon = STOPS.get(language, (".", ":"))
    asks = language == "hy" and "՞" in text.rstrip(stop).rpartition(stop)[2]
    signs = {stop: "?" if asks else ".", colon: ":", "?": "?", ".": ".", ":": ":"}
    return signs.get(text[-1:], "?" if asks else "")


def calls() -> Iterator[tuple[str, ast.Call, bool]]:
    """Every call of a function of bot.i18n that takes a message: where, what, and whether it is made when the
    module is imported."""
    for file in sorted((ROOT / "bot").rglob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        inside = {
            inner
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            for part in ([node.body] if isinstance(node, ast.Lambda) else node.body)
            for inner in ast.walk(part)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ARGUMENTS:
                yield f"{file.relative_to(ROOT)}:{node.lineno}", node, node not in inside


@pytest.mark.parametrize("language", OTHERS)
def test_the_bot_reads_catalogues_as_babel_does(language: str) -> None:
    """Each message has the translation, or the forms, that the file has for it in its context."""
    found = read((LOCALES / f"{language}.po").read_text("utf-8"))
    wrong = []
    for message in messages(language):
        one, *many = forms(message.id)
        for count, translated in zip((1, 5), forms(message.string), strict=False):
            if not many:
                said = found.pgettext(message.context, one) if message.context else found.gettext(one)
            elif message.context:
                said = found.npgettext(message.context, one, many[0], count)
            else:
                said = found.ngettext(one, many[0], count)
            wrong += [one] * (said != translated)
    assert [] == wrong


def test_what_is_not_translated_yet_stays_english() -> None:
    """A text without a translation, and one of which a form is missing, are as if they were not there; marks of
    gettext's own in a text are read."""
    header = 'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'
    half = 'msgid "{n} man"\nmsgid_plural "{n} men"\nmsgstr[0] "un peón"\nmsgstr[1] ""\n'
    quoted = 'msgid ""\n"say \\"a\\"\\n"\n"b\\\\c"\nmsgstr "di \\"a\\"\\nb\\\\c"\n'
    found = read("\n".join([header, 'msgid "king"\nmsgstr ""\n', half, quoted]))
    assert "king" == found.gettext("king")
    assert "{n} man" == found.ngettext("{n} man", "{n} men", 1)
    assert 'di "a"\nb\\c' == found.gettext('say "a"\nb\\c')


def test_every_text_is_translated() -> None:
    """What the sources say is in each catalogue, with all its forms, and nothing else is; no guess stands unchecked."""
    wanted = {(message.context, forms(message.id)) for message in gathered() if message.id}
    for language in OTHERS:
        kept = catalogue(language)
        texts = [message for message in kept if message.id]
        have = {(in_own_words(message.context)[1], forms(message.id)) for message in texts}
        assert wanted == have, f"{language}: run make texts, and translate what is new"
        assert not kept.obsolete, language
        lacking = [m.id for m in texts if m.fuzzy or not all(forms(m.string)) or not m.string]
        assert lacking == [], language
        plurals = {len(forms(m.string)) for m in texts if m.pluralizable}
        assert plurals == {kept.num_plurals}, language
        assert all(len(forms(m.string)) == 1 for m in texts if not m.pluralizable), language


@pytest.mark.parametrize("language", OTHERS)
def test_fields_and_marks_are_those_of_the_text(language: str) -> None:
    """A translation names the fields that are filled in, and what Discord is to draw in bold, as code, as a command."""
    wrong = []
    for message in messages(language):
        if not all(forms(message.string)):
            continue
        allowed = set().union(*map(fields, forms(message.id)))
        for one, told in zip((*forms(message.id), forms(message.id)[-1]), forms(message.string), strict=False):
            # One of a kind may be said without its number.
            if not fields(told) <= allowed or fields(one) - fields(told) - {"count"}:
                wrong.append((one, told, "fields"))
            if marks(one) != marks(told):
                wrong.append((one, told, "marks"))
            ends = one[-1:] if one.endswith((".", "?", ":")) else ""
            if one[:1].isspace() != told[:1].isspace() or bool(ends) != bool(ending(told, language)):
                wrong.append((one, told, "ends"))
    assert wrong == []


# Of sides, some are singular and some plural in Spanish; people's names take si, ni or kay in Filipino, and things do
# not; Armenian names take no ending.
PEOPLE = "player|other|others|one|by|white|black|winner|loser|asker|substitute|people"
NEVER = {
    "es": r"\{(side|first)\} (puede|podía|ha|tiene|está|mueve|juega|gana|deshace|sopla|obliga|llegó|empieza|pasa)\b",
    "fil": rf"\b(ang|ng) \{{({PEOPLE})\}}|\b(si|ni|kay) \{{(side|first|event|game|name|team)\}}",
    "hy": rf"\{{({PEOPLE}|side|first|event|game|name|team|square|hole|channel|variant)\}}-?[ա-ֆ]",
}


@pytest.mark.parametrize("language", OTHERS)
def test_names_stand_where_no_word_has_to_agree_with_them(language: str) -> None:
    """A sentence is right whatever side, person, event or square is filled in."""
    texts = [text for message in messages(language) for text in forms(message.string)]
    assert [] == [text for text in texts if re.search(NEVER[language], text)]


# Friends chat: "tú", never "vosotros"; no "po"; «դու»; "1" never takes the ending of "2".
FORMAL = {
    "es": r"\b(vosotros|vuestr[oa]s?|usted)\b",
    "fil": r"\bpo\b",
    "hy": r"\b(դուք|ձեր|ձեզ\w*|ձերը|ձերի|նշեք|ընտրեք|սեղմեք|հանեք|փոխեք)\b|\}-րդ",
}


@pytest.mark.parametrize("language", OTHERS)
def test_the_reader_is_spoken_to_as_a_friend(language: str) -> None:
    """Every text takes the form of address that the glossary names."""
    texts = [text for message in messages(language) for text in forms(message.string)]
    assert [] == [text for text in texts if re.search(FORMAL[language], text, re.IGNORECASE)]


@pytest.mark.parametrize("language", OTHERS)
def test_the_words_of_the_game_stand_in_a_glossary(language: str) -> None:
    """Each has a source, or is owned up to; and the catalogue uses them, but for what is bent beyond recognition."""
    lines = (LOCALES / f"glossary-{language}.md").read_text("utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")][2:]
    assert len(rows) > 50
    assert [] == [row for row in rows if len(row) != 3 or not all(row)]
    texts = " ".join(text for message in messages(language) for text in forms(message.string)).casefold()
    unused = [row for row in rows if not any(word.strip() in texts for word in re.split(r"[,;/()]", row[1].casefold()))]
    assert len(unused) < len(rows) / 6, unused


def test_no_text_is_looked_up_too_early_or_filled_in_too_late() -> None:
    """A message is a literal, not a formatted string, which no catalogue can hold; and it is not put into words when a
    module is imported, before anybody reads it."""
    early = {"_", "ngettext", "pgettext"}
    wrong = []
    for where, call, at_import in calls():
        assert isinstance(call.func, ast.Name)
        context, count = ARGUMENTS[call.func.id]
        if any(isinstance(each, ast.JoinedStr | ast.BinOp) for each in call.args[: context + count]):
            wrong.append(f"{where}: a formatted string")
        if at_import and call.func.id in early:
            wrong.append(f"{where}: looked up at import")
    assert wrong == []


def test_the_name_of_the_look_up_is_not_used_for_anything_else() -> None:
    """A function in which ``_`` is a variable cannot look anything up."""
    assert [] == [
        f"{file.relative_to(ROOT)}: {node.name}"
        for file in sorted((ROOT / "bot").rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _stores(node) and _calls(node)
    ]


def _stores(function: ast.AST) -> bool:
    """Whether ``_`` is a variable of the function; those of a comprehension are its own."""
    for node in ast.iter_child_nodes(function):
        if isinstance(node, ast.comprehension):
            continue
        if isinstance(node, ast.Name) and node.id == "_" and isinstance(node.ctx, ast.Store):
            return True
        if _stores(node):
            return True
    return False


def _calls(function: ast.AST) -> bool:
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "_"
        for node in ast.walk(function)
    )


def test_each_catalogue_is_a_language_that_is_spoken() -> None:
    """A file without an entry in LANGUAGES would never be read, an entry without a file would fail."""
    assert sorted(OTHERS) == sorted(Path(file).stem for file in LOCALES.glob("*.po"))
