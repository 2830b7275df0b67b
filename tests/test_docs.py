"""The README, the change log, the pages of ``docs`` and the comments in the code name only what there is."""

from __future__ import annotations

import argparse
import ast
import functools
import importlib
import re
import shlex
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from bot.cli.command_line import _parser

pytestmark = pytest.mark.xdist_group("sources")

ROOT = Path(__file__).resolve().parent.parent
PAGES = (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md")))
CODE = ("bot", "data", "render", "tests", "benchmarks")
# The pages that speak of the code: their classes and functions are looked up too.
OF_THE_CODE = ("architecture.md", "contributing.md", "adding.md")
README_LINES = 90

_FENCE = re.compile(r"^ *```.*?^ *```", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(rf"(?<![\w./-])(?:{'|'.join((*CODE, 'docs'))}|\.ci)/[\w./*-]*[\w*]")
_ANY_NAME = r"[A-Z]{2,}(?:_[A-Z]+)*"
_FILE = re.compile(r"[\w.-]+\.(?:py|md|toml|po|yaml|jsonl|png)")
_MODULE = re.compile(rf"(?<![\w./-])(?:{'|'.join(CODE)})(?:\.\w+)+")
# A module beside one that is named before it, unless it is a hidden file or an ending.
_BESIDE = re.compile(r"(?<=[\s(`\"])(?!\.(?:ci|dockerignore|env|toml)\b)\.[a-z_]\w*(?:\.\w+)*")
_NAME = re.compile(r"[A-Z][a-z]\w*(?:\.\w+)?(?:\(.*\))?|[a-z_]\w*(?:\.\w+)*\(.*\)")
_TARGET = re.compile(r"\bmake ([a-z][\w-]*)")
_COMMAND = re.compile(r"(?:^|[\s/])damero ((?!damero\b)[a-z][^|\n]*)", re.MULTILINE)
_SLASH = re.compile(r"(?<![\w/.<>)\]}])/([a-z-]+(?: [a-z-]+\b(?!:))*)")
_LINK = re.compile(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"")


def code_of(text: str) -> Iterator[str]:
    """What a page sets as code: its blocks, without comments, and its spans."""
    for block in _FENCE.findall(text):
        yield "\n".join(re.split(r" +# ", line)[0] for line in block.splitlines()[1:-1])
    yield from _SPAN.findall(_FENCE.sub("", text))


def named(text: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    for code in code_of(text):
        yield from pattern.finditer(code)


def wrong_paths(text: str) -> list[str]:
    """Files and folders that are not there. A part in capitals stands for any name: ``data/locales/LANGUAGE.po``."""
    patterns = {match[0]: re.sub(_ANY_NAME, "*", match[0]) for match in named(text, _PATH)}
    wrong = [name for name, pattern in patterns.items() if not any(ROOT.glob(pattern))]
    bare = {code for code in code_of(text) if _FILE.fullmatch(code) and not re.search(_ANY_NAME, code)}
    return wrong + [name for name in sorted(bare) if name not in files()]


def wrong_modules(text: str) -> list[str]:
    """Modules, or what is in them, that cannot be imported."""
    return [match[0] for match in named(text, _MODULE) if not importable(match[0])]


def wrong_names(text: str) -> list[str]:
    """Classes and functions that are defined nowhere; of ``Class.method`` and ``module.function`` both parts."""
    names = {code.partition("(")[0] for code in code_of(text) if _NAME.fullmatch(code)}
    return sorted(name for name in names if not set(name.split(".")) <= definitions())


def wrong_targets(text: str) -> list[str]:
    """Targets that the Makefile has not."""
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    return [match[0] for match in named(text, _TARGET) if match[1] not in targets]


def wrong_commands(text: str) -> list[str]:
    """Commands of the command line, or options of theirs, that there are not."""
    wrong = []
    for match in named(text, _COMMAND):
        name, *words = shlex.split(match[1])
        command = commands().get(name)
        options = {word.partition("=")[0] for word in words if word.startswith("--")}
        if command is None or not options <= command._option_string_actions.keys():
            wrong.append(match[0].strip())
    return wrong


def wrong_slash_commands(text: str) -> list[str]:
    """Commands of the chat that there are not. ``/data`` is the container's volume."""
    wrong = []
    for code in code_of(text):
        match = _SLASH.match(code)
        if match is not None and not code.startswith("/data") and not is_slash_command(match[1]):
            wrong.append(code)
    return wrong


def is_slash_command(words: str) -> bool:
    """Whether ``words`` begin with a command of the chat; behind a group's name one of its own must follow, if any
    does."""
    name, *more = words.split()
    while more and f"{name} {more[0]}" in slash_commands():
        name = f"{name} {more.pop(0)}"
    return name in slash_commands() and not (more and any(each.startswith(f"{name} ") for each in slash_commands()))


def wrong_links(text: str, folder: Path) -> list[str]:
    """Relative links to files, or headings in them, that are not there."""
    wrong = []
    for found in _LINK.findall(text):
        link = found[0] or found[1]
        if "://" in link:
            continue
        path, _, heading = link.partition("#")
        target = folder / path if path else None
        there = target is None or target.exists()
        if not there or (heading and heading not in headings(target.read_text("utf-8") if target else text)):
            wrong.append(link)
    return wrong


def headings(text: str) -> set[str]:
    """A page's headings as links name them."""
    titles = re.findall(r"^#+ (.+)$", _FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-") for title in titles}


def comments_of(file: Path) -> Iterator[tuple[int, str]]:
    """The comments and docstrings of a module or a game's file, with their lines."""
    if file.suffix != ".py":
        yield from enumerate(re.findall(r"^.*?(?:#(.*))?$", file.read_text("utf-8"), re.MULTILINE), start=1)
        return
    with tokenize.open(file) as source:
        for token in tokenize.generate_tokens(source.readline):
            if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and token.string.startswith('"""')):
                yield token.start[0], token.string


def wrong_in_comment(text: str) -> list[str]:
    """Modules, what is in them, pages and files that are not there; and parts of the rules that are cited by no name of
    theirs (``docs/rules.md, Soplar``)."""
    modules = [match[0] for match in _MODULE.finditer(text) if not _FILE.fullmatch(match[0])]
    wrong = [name for name in modules if not importable(name)]
    folders = {name.rpartition(".")[0] for name in modules}
    wrong += [name for name in _BESIDE.findall(text) if not any(importable(f"{folder}{name}") for folder in folders)]
    paths = {match[0]: re.sub(_ANY_NAME, "*", match[0]) for match in _PATH.finditer(text)}
    wrong += [name for name, pattern in paths.items() if not any(ROOT.glob(pattern))]
    cited = (cited.strip('"') for cited in re.findall(r"\(docs/rules\.md,\s+([^)]+)\)", text))
    return wrong + [part for part in cited if not any(part.casefold() in title for title in parts_of_the_rules())]


@functools.cache
def parts_of_the_rules() -> tuple[str, ...]:
    """The headings of docs/rules.md and the axes of its tables."""
    lines = (ROOT / "docs" / "rules.md").read_text("utf-8").casefold().splitlines()
    return tuple(line for line in lines if line.startswith("#")) + tuple(
        line.split("|")[1] for line in lines if line.startswith("| ")
    )


def importable(name: str) -> bool:
    """Whether a dotted name is a module, or something in one."""
    module, _, rest = name.partition(".")
    found: object = importlib.import_module(module)
    for part in rest.split("."):
        module = f"{module}.{part}"
        if hasattr(found, part):
            found = getattr(found, part)
            continue
        try:
            found = importlib.import_module(module)
        except ImportError:
            return False
    return True


@functools.cache
def files() -> frozenset[str]:
    """The names of the files of the project."""
    kept = (path for folder in (*CODE, "docs") for path in (ROOT / folder).rglob("*"))
    return frozenset(path.name for path in (*kept, *ROOT.iterdir()) if path.is_file())


@functools.cache
def definitions() -> frozenset[str]:
    """Every module's, class's, function's and attribute's name in the project's code, and what it imports."""
    found: set[str] = set()
    for folder in CODE:
        for file in (ROOT / folder).rglob("*.py"):
            found.update(file.relative_to(ROOT).with_suffix("").parts)
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                match node:
                    case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                        found.add(name)
                    case ast.alias(name=name):
                        found.add(name)
                    case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                        found.add(name)
    return frozenset(found)


@functools.cache
def slash_commands() -> frozenset[str]:
    """The commands of the chat by their whole names, as the file of the tree of commands has them."""
    lines = (ROOT / "tests" / "acceptance" / "commands.txt").read_text("utf-8").splitlines()
    return frozenset(line.partition(" ")[2].partition(":")[0] for line in lines)


@functools.cache
def commands() -> dict[str, argparse.ArgumentParser]:
    """The commands of the command line by name."""
    (actions,) = (action for action in _parser()._actions if isinstance(action, argparse._SubParsersAction))
    return dict(actions.choices)


CHECKS: tuple[Callable[[str], list[str]], ...] = (
    wrong_paths,
    wrong_modules,
    wrong_targets,
    wrong_commands,
    wrong_slash_commands,
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_what_a_page_names_is_there(page: Path, check: Callable[[str], list[str]]) -> None:
    """Every path, module, make target and command that stands as code on a page exists."""
    assert [] == check(page.read_text("utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link leads to a file and, where it names one, to a heading in it."""
    assert [] == wrong_links(page.read_text("utf-8"), page.parent)


@pytest.mark.parametrize("page", OF_THE_CODE)
def test_classes_and_functions_are_there(page: str) -> None:
    """Every class and function that a page about the code names is defined in it."""
    assert [] == wrong_names((ROOT / "docs" / page).read_text("utf-8"))


@pytest.mark.parametrize("folder", CODE)
def test_comments_name_what_is_there(folder: str) -> None:
    """Comments and docstrings name no module, file or part of the rules that there is not."""
    assert [] == [
        f"{file.relative_to(ROOT)}:{line} {wrong}"
        for file in sorted((ROOT / folder).rglob("*"))
        if file.suffix in (".py", ".toml") and file.name != Path(__file__).name
        for line, comment in comments_of(file)
        for wrong in wrong_in_comment(comment)
    ]


@pytest.mark.parametrize("language", [path.stem for path in (ROOT / "data" / "locales").glob("*.po")])
def test_commands_that_texts_name_are_there(language: str) -> None:
    """Every command that a text for people names exists, in English and in each translation."""
    with (ROOT / "data" / "locales" / f"{language}.po").open("rb") as source:
        catalogue = read_po(source)
    texts = [text for each in catalogue for many in (each.id, each.string) for text in forms(many)]
    assert [] == [text for text in texts for words in _SLASH.findall(text) if not is_slash_command(words)]


@pytest.mark.parametrize("folder", CODE)
def test_commands_that_the_code_names_are_there(folder: str) -> None:
    """Comments, docstrings and texts name no command that there is not."""
    assert [] == [
        f"{file.relative_to(ROOT)}: {code}"
        for file in sorted((ROOT / folder).rglob("*.py"))
        if file.name != Path(__file__).name
        for code in _SPAN.findall(file.read_text("utf-8"))
        if (match := _SLASH.match(code)) and not is_slash_command(match[1])
    ]


def forms(text: object) -> tuple[str, ...]:
    """A text of a catalogue with its plurals."""
    return tuple(map(str, text)) if isinstance(text, tuple | list) else (str(text),)


def test_every_page_is_linked_from_the_readme() -> None:
    """Nobody has to guess a page's name."""
    readme = (ROOT / "README.md").read_text("utf-8")
    assert [] == [page.name for page in PAGES[1:] if page.name not in re.findall(r"\]\((?:docs/)?([^)]+)\)", readme)]


def test_every_folder_of_the_bot_is_on_the_map() -> None:
    """docs/architecture.md has a row for each part of the bot, which names the folders in it."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8").partition("## The folders")[2].partition("\n## ")[0]
    parts = [folder for folder in (ROOT / "bot").iterdir() if (folder / "__init__.py").exists()]
    rows = {
        part: "".join(line for line in text.splitlines() if line.startswith(f"| `bot/{part.name}`")) for part in parts
    }
    inner = [(part, folder) for part in parts for folder in part.iterdir() if (folder / "__init__.py").exists()]

    assert [] == [part.name for part, row in rows.items() if not row]
    assert [] == [folder for part, folder in inner if not re.search(rf"[`/]{folder.name}`", rows[part])]


def test_the_readme_is_short() -> None:
    """What is longer has a page of its own."""
    assert README_LINES >= len((ROOT / "README.md").read_text("utf-8").splitlines())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_keep_to_the_width(page: Path) -> None:
    """Lines are as long as those of the code, but for tables, links and pictures."""
    free = ("|", "<img", "https://", "   https://")
    assert [] == [
        line for line in page.read_text("utf-8").splitlines() if len(line) > 120 and not line.lstrip().startswith(free)
    ]


@pytest.mark.parametrize(
    ("check", "text", "wrong"),
    [
        (wrong_paths, "`bot/engine`, `bot/nowhere.py` and `data/variants/*.toml`", ["bot/nowhere.py"]),
        (wrong_paths, "`data/locales/LANGUAGE.po` and `data/nowhere/LANGUAGE.po`", ["data/nowhere/LANGUAGE.po"]),
        (wrong_paths, "`tune.py` and `nothing.py`", ["nothing.py"]),
        (wrong_paths, "```\ntests/nowhere/\n```", ["tests/nowhere"]),
        (wrong_modules, "`bot.engine.rules.Rules`, `bot.engine.rules.Laws`", ["bot.engine.rules.Laws"]),
        (wrong_modules, "```sh\npython -m bot.nowhere\n```", ["bot.nowhere"]),
        (wrong_names, "`Rules`, `NoSuchClass`, `no_such_function(a, b)`", ["NoSuchClass", "no_such_function"]),
        (wrong_names, "`Rules.turns`, `Rules.nothing_such()`", ["Rules.nothing_such"]),
        (wrong_targets, "`make try`; `make nothing`", ["make nothing"]),
        (wrong_targets, "```sh\nmake test   # to make sure\n```", []),
        (wrong_commands, "`damero perft tama 4` `damero conquer`", ["damero conquer"]),
        (wrong_commands, "`damero export --format pdn a.pdn`, `damero run --fast`", ["damero run --fast"]),
        (wrong_commands, "`docker compose exec damero damero nothing`", ["damero nothing"]),
        (wrong_slash_commands, "`/play level:3`, `/tournament pair`, `/nothing`", ["/nothing"]),
        (wrong_in_comment, "see bot.engine.rules.Rules and bot.engine.laws", ["bot.engine.laws"]),
        (wrong_in_comment, "bot.engine.rules and .turns, .laws; a .toml", [".laws"]),
        (wrong_in_comment, "(docs/rules.md, Soplar), docs/laws.md", ["docs/laws.md"]),
        (wrong_in_comment, '(docs/rules.md, "axis by axis") (docs/rules.md, Castling)', ["Castling"]),
        (wrong_slash_commands, "`/tournament fly`, `/move c3-d4`", ["/tournament fly"]),
        (wrong_slash_commands, "`/game plan set lines: a`, `/game plan fly`, `/hint`", ["/game plan fly", "/hint"]),
    ],
)  # fmt: skip
def test_what_is_not_there_is_found(check: Callable[[str], list[str]], text: str, wrong: list[str]) -> None:
    """Each of the checks sees what is wrong, and leaves alone what is right."""
    assert wrong == check(text)


def test_links_that_lead_nowhere_are_found() -> None:
    """A file that is not there, a heading that is not there, here or on another page; the web is left alone."""
    text = "# One thing\n[a](README.md) [b](nowhere.md) [c](#one-thing) [d](#another) [e](docs/rules.md#no) [f](https://x.y)"
    assert ["nowhere.md", "#another", "docs/rules.md#no"] == wrong_links(text, ROOT)
