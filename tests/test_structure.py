"""The shape of the tree: no circles, folders that can be looked over, one name for one thing."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.support.modules import MODULES, ROOT, imports, parsed

pytestmark = pytest.mark.xdist_group("sources")

MOST_IN_A_FOLDER = 20

# File names that stand for the same part in several places: what each of them means is said once, here.
ROLES = {
    "announcements": "what games have to say: values, queries",
    "arena": "arenas: how they pair, and the format",
    "buttons": "the buttons of a feature's messages",
    "competitions": "leagues and team matches: use cases, and their queries",
    "conditional_moves": "moves decided in advance: use cases, queries",
    "elimination": "brackets: how they pair, and the format",
    "errors": "what a package raises",
    "explain": "why a move is not legal",
    "feature": "what a feature brings to the client",
    "games": "games: tables, queries",
    "lists": "`/me games` and its like: commands, use cases",
    "live_messages": "messages that are edited as things change",
    "model": "values and their events",
    "movegen": "legal moves",
    "moves": "commands and use cases of turns",
    "no_shows": "who did not come: use cases, queries",
    "notation": "text of moves and positions",
    "offers": "draws and takebacks: use cases, queries",
    "puzzles": "puzzles: search, use cases",
    "registry": "which class stands for what: families of games, formats of tournaments",
    "round_robin": "round robins: how they pair, and the format",
    "rules": "the rules of a family, and the protocol they follow",
    "service": "what a package offers to those above it",
    "state": "a position or a tournament as a value",
    "study": "analyses and puzzles: tables, queries",
    "tables": "tournaments of tables",
    "timers": "what falls due: values, queries",
    "tournaments": "tournaments: command line, tables, queries",
}

# Objects of other libraries, which ask for it by attribute: module -> the names that it sets something on.
OUTER = {
    "bot.app": {"Route", "discord.VoiceClient"},
    "bot.chat.client": {"intents"},
    "bot.chat.connection.rate_limits": {"HTTPClient"},
    "bot.chat.connection.gateway": {"DiscordWebSocket"},
    "bot.logs": {"root"},
    "bot.playground": {"page", "self._env"},
    "bot.support.frozen": {"cls", "init", "value"},
    "bot.support.imports": {"ssl.SSLContext"},
    "bot.tournaments.pairing.swiss.dutch_engine": {"engine", "player"},
    "bot.tournaments.pairing.swiss.fast_matching": {"networkx"},
    "data.asyncpg_driver": {"error", "each"},
    "data.aiosqlite_driver": {"connection._thread", "error"},
    "data.sqlite": {"connection"},
}


def graph() -> dict[str, set[str]]:
    """Module -> the project's modules that it imports, for types alone too."""
    return {
        module: {name for _, name in imports(module, file) if name in MODULES and name != module}
        for module, file in MODULES.items()
    }


def circles(edges: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The groups of nodes that reach each other."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            for target in edges.get(waiting.pop(), ()):
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
        return seen

    reach = {node: reached(node) for node in edges}
    groups = {tuple(sorted(other for other in reach[node] if node in reach.get(other, ()))) for node in edges}
    return sorted(list(group) for group in groups if group)


def levels(modules: Mapping[str, Iterable[str]]) -> dict[str, dict[str, set[str]]]:
    """For each folder: its children, files and folders alike, and which of them need which."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for module, targets in modules.items():
        for target in targets:
            here, there = module.split("."), target.split(".")
            common = 0
            while common < min(len(here), len(there)) and here[common] == there[common]:
                common += 1
            if common < min(len(here), len(there)):
                found[".".join(here[:common])][here[common]].add(there[common])
    return found


def set_on_others(source: str, outer: Iterable[str] = ()) -> Iterator[tuple[int, str]]:
    """Line and target of each attribute that is set, however that is done, on anything but the object itself. A module
    may set what a class declares that it keeps to itself, and what stands on ``outer``."""
    tree = parsed(source)
    own = {
        field.target.id
        for node in tree.body
        if isinstance(node, ast.ClassDef)
        for field in node.body
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if node.name.startswith("_") or field.target.id.startswith("_")
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            on = ast.unparse(node.value)
            if on != "self" and node.attr not in own and on not in outer:
                yield node.lineno, ast.unparse(node)


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}, [["a", "b", "c"]]),
    ],
)
def test_circles_are_found(edges: dict[str, set[str]], expected: list[list[str]]) -> None:
    """The search finds a circle over several steps, and nothing where there is none."""
    assert expected == circles(edges)


def test_folders_are_compared_as_wholes() -> None:
    """Two folders that need each other are a circle, though no file of theirs is in one."""
    modules = {"bot.games.a": {"bot.chat.b"}, "bot.chat.c": {"bot.games.d"}, "bot.chat.b": set[str]()}

    assert not circles(modules)
    assert [["chat", "games"]] == circles(levels(modules)["bot"])


def test_no_circle_of_files() -> None:
    """Whatever a module imports, for types alone too, does not come back to it."""
    assert not circles(graph())


def test_no_circle_of_folders() -> None:
    """At every level of the tree, files and folders can be put in an order in which each needs only those before it."""
    broken = {folder: rounds for folder, edges in levels(graph()).items() if (rounds := circles(edges))}

    assert not broken


def test_folders_can_be_looked_over() -> None:
    """No folder holds more files of its own than a reader can look over."""
    counts: dict[Path, int] = defaultdict(int)
    for package in ("bot", "data", "render", "tests"):
        for file in (ROOT / package).rglob("*.py"):
            counts[file.parent.relative_to(ROOT)] += file.name != "__init__.py"

    assert not {str(folder): count for folder, count in counts.items() if count > MOST_IN_A_FOLDER}


def test_a_file_name_means_one_thing() -> None:
    """A file name that occurs twice stands for the same part in both places, and is listed with what it means."""
    places: dict[str, list[str]] = defaultdict(list)
    for module, file in MODULES.items():
        if file.name != "__init__.py":
            places[file.stem].append(module)
    twice = {name: modules for name, modules in places.items() if len(modules) > 1}

    assert not {name: modules for name, modules in twice.items() if name not in ROLES}
    assert not set(ROLES) - set(twice)


def test_a_class_name_means_one_thing() -> None:
    """No class name is defined twice; `render`, which may not know the bot, has its own."""
    places: dict[str, list[str]] = defaultdict(list)
    for module, file in MODULES.items():
        if not module.startswith("render"):
            for node in parsed(file.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef):
                    places[node.name].append(module)

    assert not {name: modules for name, modules in places.items() if len(modules) > 1}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("self.x = 1", []),
        ("unit.x = 1\nunit.y += 1\nunit.z: int = 1", ["unit.x", "unit.y", "unit.z"]),
        ("self.part.x = 1", ["self.part.x"]),
        ("a, unit.x = 1, 2\nfor unit.y in z: ...\nwith z as unit.w: ...", ["unit.x", "unit.y", "unit.w"]),
        ("class Open:\n    x: int\n    _y: int\nmade.x = made._y = 1", ["made.x"]),
        ("class _Private:\n    x: int\nmade.x = 1", []),
        ("library.x = 1", []),
    ],
)
def test_what_is_set_on_others_is_found(source: str, found: list[str]) -> None:
    """The search goes by whose attribute it is, whatever the object is called."""
    assert sorted(found) == sorted(target for _, target in set_on_others(source, {"library"}))


def test_objects_are_complete_when_they_are_made() -> None:
    """Nobody sets a hook or a part on somebody else's object: what an object needs stands in its constructor."""
    broken = [
        f"{module}:{line} sets {target}"
        for module, file in MODULES.items()
        for line, target in set_on_others(file.read_text(encoding="utf-8"), OUTER.get(module, ()))
    ]
    assert not broken
    unused = {
        f"{module}: {name}"
        for module, names in OUTER.items()
        for name in names
        if not any(t.rpartition(".")[0] == name for _, t in set_on_others(MODULES[module].read_text(encoding="utf-8")))
    }
    assert not unused


def test_classes_are_composed() -> None:
    """No class of ours is put together of two of ours: parts are made and handed over."""
    ours = {
        node.name
        for file in MODULES.values()
        for node in parsed(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    }
    broken = [
        f"{module}.{node.name}"
        for module, file in MODULES.items()
        for node in parsed(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
        and sum(ast.unparse(base).partition("[")[0] in ours for base in node.bases) > 1
    ]
    assert not broken


def imports_of_tests(source: str) -> Iterator[int]:
    """Lines that import a module of tests, or something from it."""
    for node in ast.walk(parsed(source)):
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        base = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        if any(part.startswith("test_") for alias in node.names for part in (base + alias.name).split(".")):
            yield node.lineno


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from tests.games.test_moves import club", [1]),
        ("import pytest\nfrom tests.games import conftest, test_moves", [2]),
        ("def draw():\n    import tests.test_moves", [2]),
        ("from tests.support.games.club import Club", []),
    ],
)
def test_imports_of_tests_are_found(source: str, found: list[int]) -> None:
    """The search finds a module of tests however it is imported, and leaves alone what tests share."""
    assert found == list(imports_of_tests(source))


def test_what_tests_share_stands_apart() -> None:
    """A module of tests is imported by no other: what several need is in tests/support, or in a conftest."""
    broken = [
        f"{file.relative_to(ROOT)}:{line}"
        for folder in ("tests", "benchmarks")
        for file in sorted((ROOT / folder).rglob("*.py"))
        for line in imports_of_tests(file.read_text(encoding="utf-8"))
    ]
    assert not broken
