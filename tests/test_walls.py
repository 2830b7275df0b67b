"""The walls of the project: who may import whom, where time may be read, how long a module may grow."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.modules import MODULES, PROJECT, ROOT, imports, parsed

pytestmark = pytest.mark.xdist_group("sources")

# The floors of tournaments that formats stand on: values and mathematics.
TOURNAMENT_MODEL = (
    "bot.tournaments.errors",
    "bot.tournaments.pairing",
    "bot.tournaments.standings",
    "bot.tournaments.model",
)
TOURNAMENT_FORMATS = (*TOURNAMENT_MODEL, "bot.tournaments.formats")

# Part of the project -> the other parts that it may import. The longest name that fits a module is its part; a part may
# always import itself. What is not listed may import nothing of the project.
WALLS: dict[str, tuple[str, ...]] = {
    "bot.engine": (),
    "bot.support": (),
    "bot.computer": ("bot.engine", "bot.support.signals"),
    "bot.games.model": ("bot.engine", "bot.calendar_words"),
    "bot.games.persistence": ("bot.games.model", "bot.engine", "bot.support", "data"),
    "bot.games.use_cases": ("bot.games.model", "bot.games.persistence", "bot.engine", "data"),
    "bot.games": ("bot.engine", "bot.calendar_words", "data"),
    "bot.tournaments.errors": (),
    "bot.tournaments.pairing": ("bot.tournaments.errors",),
    "bot.tournaments.standings": ("bot.tournaments.pairing", "bot.tournaments.errors"),
    "bot.tournaments.model": ("bot.tournaments.pairing", "bot.tournaments.standings", "bot.tournaments.errors"),
    "bot.tournaments.formats": (*TOURNAMENT_MODEL, "bot.games.model", "bot.engine"),
    "bot.tournaments.analysis": TOURNAMENT_FORMATS,
    "bot.tournaments.files": TOURNAMENT_FORMATS,
    "bot.tournaments.persistence": (
        *TOURNAMENT_FORMATS,
        "bot.games.model",
        "bot.games.persistence.kept_rules",
        "bot.ratings.pools",
        "bot.engine",
        "data",
    ),
    "bot.tournaments.use_cases": (
        *TOURNAMENT_FORMATS,
        "bot.tournaments.persistence",
        "bot.tournaments.analysis",
        "bot.tournaments.files",
        "bot.games",
        "bot.ratings",
        "bot.engine",
        "bot.support",
        "data",
    ),
    "bot.tournaments.leagues.model": (),
    "bot.tournaments.team_matches.model": TOURNAMENT_MODEL,
    "bot.tournaments": ("bot.games", "bot.ratings", "bot.support", "data"),
    "bot.ratings": ("bot.games", "bot.engine", "bot.support", "data"),
    "bot.background.computer_player": ("bot.games", "bot.computer", "bot.engine", "bot.support"),
    "bot.background.scheduler": ("bot.games.model", "bot.support", "data"),
    "bot.background.game_timers": ("bot.background.scheduler", "bot.games"),
    "bot.background.nightly": ("bot.background.scheduler", "bot.games", "data"),
    "bot.background.endgame_tables": ("bot.computer", "bot.engine"),
    "bot.background.tournament_runner": (
        "bot.background.scheduler",
        "bot.games.model",
        "bot.tournaments",
        "bot.support",
        "data",
    ),
    "bot.study": ("bot.support", "bot.games", "bot.ratings", "bot.computer", "bot.engine", "data"),
    "bot.presentation": ("bot.engine", "render"),
    "bot.cli": ("bot.engine", "bot.computer", "bot.tournaments", "bot.presentation", "render"),
    "bot.cli.making": ("bot.engine", "bot.computer", "bot.study"),
    "bot.cli.command_line": ("bot",),
    "bot.cli.commands": ("bot.cli", "bot.settings", "bot.support", "bot.engine", "bot.computer", "bot.tournaments"),
    "bot.cli.database": ("bot.games", "bot.tournaments", "bot.engine", "bot.settings", "bot.support", "data"),
    "bot.cli.move_store": ("bot.cli.database", "bot.games", "bot.settings", "data"),
    "bot.chat": (
        "bot.games",
        "bot.tournaments",
        "bot.computer",
        "bot.ratings",
        "bot.background",
        "bot.study",
        "bot.engine",
        "bot.presentation",
        "bot.settings",
        "bot.calendar_words",
        "bot.support",
        "render",
        "data",
    ),
    "bot.metrics": ("bot.background", "bot.chat", "bot.games", "bot.engine", "data"),
    "bot.settings": (),
    "bot.i18n": (),
    "bot.calendar_words": (),
    "bot.logs": ("bot.settings", "data.errors"),
    "bot.health": (),
    "bot.supervisor": (),
    # What starts the whole bot may see all of it.
    "bot.app": ("bot", "data"),
    "bot.playground": ("bot", "data"),
    "bot.__main__": ("bot.cli", "bot.support"),
    "render": (),
    "data": (),
}

# What speaks to people does so in their language; what draws and what stores are handed their texts. Time has one unit.
EVERYWHERE_IN_BOT = ("bot.i18n", "bot.support.time_units", "bot.support.frozen")

# The outer libraries that only some parts may know.
KEPT_TO: dict[str, tuple[str, ...]] = {
    "discord": ("bot.chat", "bot.app", "bot.playground"),
    "simcord": ("bot.playground",),
    # Queries are data's; one module is handed tables, one knows what a collision is.
    "sqlalchemy": ("data", "bot.games.persistence.preference_cache", "bot.games.persistence.transactions"),
    "alembic": ("data",),
    "aiosqlite": ("data",),
    "asyncpg": ("data",),
    "PIL": ("render",),
    "zlib_ng": ("render",),
    "dotenv": ("bot.settings",),
    "caissify_pairings": ("bot.tournaments.pairing.swiss",),
    "networkx": ("bot.tournaments.pairing.swiss",),
    "rustworkx": ("bot.tournaments.pairing.swiss",),
    "openskill": ("bot.ratings",),
    "babel": ("bot.i18n", "bot.calendar_words", "bot.cli.catalogues"),
    "prometheus_client": ("bot.metrics",),
}

# The rules do no I/O, know no time and draw no lots.
NOT_IN_THE_ENGINE = ("asyncio", "datetime", "random", "secrets", "socket", "sqlite3", "subprocess", "threading", "time")

# So do the parts that decide about tournaments and ratings; lots are drawn from published seeds.
DECIDING = ("bot.engine", "bot.tournaments", "bot.ratings")

# A library's function is exchanged for a moment: nobody else may be in there then.
LOCKS = {("bot.tournaments.pairing.swiss.fast_matching", "threading")}

# Where the wall clock may be read; everywhere else it is handed in.
CLOCKS = ("bot/cli/command_line.py", "bot/chat/client.py")
READS_TIME = {
    "time": {"time", "time_ns", "localtime", "gmtime"},
    "datetime": {"now", "utcnow", "today"},
    "date": {"today"},
    "discord.utils": {"utcnow"},
    "utils": {"utcnow"},
}

LINES = 400


def within(module: str, part: str) -> bool:
    return module == part or module.startswith(part + ".")


def part_of(module: str) -> str | None:
    fitting = [part for part in WALLS if within(module, part)]
    return max(fitting, key=len, default=None)


def test_every_module_has_its_part() -> None:
    """A new part is entered in the walls before it is built."""
    packages = {"bot", "bot.background"}
    assert not [module for module in MODULES if part_of(module) is None and module not in packages]


@pytest.mark.parametrize("module", sorted(MODULES))
def test_imports_keep_to_the_walls(module: str) -> None:
    """A part imports of the project only what its wall lets through."""
    part = part_of(module)
    allowed = () if part is None else (part, *WALLS[part])
    if within(module, "bot"):
        allowed = (*allowed, *EVERYWHERE_IN_BOT)
    broken = [
        f"{module}:{line} imports {name}"
        for line, name in imports(module, MODULES[module])
        if name.partition(".")[0] in PROJECT and name != "bot" and not any(within(name, free) for free in allowed)
    ]
    assert not broken


@pytest.mark.parametrize("module", sorted(MODULES))
def test_libraries_keep_to_their_part(module: str) -> None:
    """Only bot.chat speaks Discord, only data speaks SQL, only render draws."""
    broken = [
        f"{module}:{line} imports {name}"
        for line, name in imports(module, MODULES[module])
        if (kept := KEPT_TO.get(name.partition(".")[0])) is not None and not any(within(module, part) for part in kept)
    ]
    assert not broken


def test_what_decides_is_pure() -> None:
    """Rules, tournaments and ratings import nothing that does I/O, knows the time or draws lots."""
    broken = [
        f"{module}:{line} imports {name}"
        for module, file in MODULES.items()
        if any(within(module, part) for part in DECIDING)
        for line, name in imports(module, file)
        if name.partition(".")[0] in NOT_IN_THE_ENGINE and (module, name) not in LOCKS
    ]
    assert not broken


def readings(source: str) -> Iterator[int]:
    """Lines that read the wall clock, as far as names tell."""
    tree = parsed(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in READS_TIME.get(
            ast.unparse(node.value).removeprefix("datetime."), ()
        ):
            yield node.lineno
        elif isinstance(node, ast.ImportFrom) and node.module == "time":
            yield from (node.lineno for alias in node.names if alias.name in READS_TIME["time"])


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("datetime.now(UTC)", [1]),
        ("datetime.datetime.now()", [1]),
        ("import time\ntime.time()", [2]),
        ("from time import time_ns", [1]),
        ("clock=time.time", [1]),
        ("discord.utils.utcnow()", [1]),
        ("date.today()", [1]),
        ("import time\ntime.perf_counter()\ntime.monotonic()", []),
        ("self.clock.now()", []),
    ],
)
def test_readings_of_the_clock_are_found(source: str, found: list[int]) -> None:
    """The search finds each way to read the wall clock, and leaves intervals alone."""
    assert found == list(readings(source))


def test_the_wall_clock_is_read_in_two_places_only() -> None:
    """Time is handed in everywhere but where the service starts."""
    broken = [
        f"{file.relative_to(ROOT)}:{line}"
        for file in MODULES.values()
        if str(file.relative_to(ROOT)) not in CLOCKS
        for line in readings(file.read_text(encoding="utf-8"))
    ]
    assert not broken


# Where a kind of tournament is given its format and its texts; elsewhere the format is asked, not the kind.
KNOWS_KINDS = ("bot.tournaments.formats", "bot.chat.tournaments.format_texts")


def kinds_asked(source: str) -> Iterator[int]:
    """Lines that ask which kind a tournament is; to name the kind of one that is created is no question."""
    tree = parsed(source)
    named = {
        id(node)
        for call in ast.walk(tree)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "TournamentSettings"
        for node in ast.walk(call)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or id(node) in named:
            continue
        # A part of text or of a picture has a kind too.
        if (isinstance(node.value, ast.Name) and node.value.id == "Kind") or (
            node.attr == "kind" and ast.unparse(node.value).endswith(("settings", "plan"))
        ):
            yield node.lineno


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("state.settings.kind is Kind.ARENA", [1, 1]),
        ("if plan.kind.knocks_out: ...", [1]),
        ("{Kind.SWISS: 1}", [1]),
        ("TournamentSettings(Kind.SWISS, rounds=1)", []),
        ("tournament.format.has_bracket or post.kind", []),
    ],
)
def test_questions_for_the_kind_are_found(source: str, found: list[int]) -> None:
    """The search finds members, and questions put to settings."""
    assert found == list(kinds_asked(source))


# What formats share; every other module there is a format of its own.
SHARED_BY_FORMATS = {f"bot.tournaments.formats.{name}" for name in ("format", "registry", "rounds_of_two")}


def formats_imported(module: str, file: Path) -> Iterator[int]:
    """Lines that import a single format, or something from its module."""
    for line, name in imports(module, file):
        if within(name, "bot.tournaments.formats") and name not in SHARED_BY_FORMATS:
            yield line


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("from bot.tournaments.formats.arena import PATIENCE", [1]),
        ("import sys\nfrom bot.tournaments.formats import registry, swiss", [2]),
        ("def draw():\n    import bot.tournaments.formats.tables", [2]),
        ("from bot.tournaments.formats.format import Format", []),
        ("from bot.tournaments.pairing.arena import pair_waiting", []),
    ],
)
def test_imports_of_single_formats_are_found(source: str, found: list[int], tmp_path: Path) -> None:
    """The search finds a format's module however it is imported, and leaves alone what formats share."""
    file = tmp_path / "module.py"
    file.write_text(source)
    assert found == list(formats_imported("bot.chat.module", file))


def test_a_format_alone_knows_its_kind() -> None:
    """A format of tournaments is one module, and its texts: nothing else asks for the kind, or imports the format."""
    broken = [
        f"{module}:{line}"
        for module, file in MODULES.items()
        if within(module, "bot") and not any(within(module, part) for part in KNOWS_KINDS)
        for line in (*kinds_asked(file.read_text(encoding="utf-8")), *formats_imported(module, file))
    ]
    assert not broken


FIRST_ANSWERS = {"autocomplete", "defer", "edit_message", "send_message", "send_modal"}
# They wait for an acknowledgement that is under way, as Discord takes one first answer alone.
GIVES_FIRST_ANSWERS = {"bot.chat.responses", "bot.chat.games.answering"}


def first_answers(source: str) -> Iterator[int]:
    """Lines that give an interaction its first answer, or hand on what does."""
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Attribute) and (
            node.attr in FIRST_ANSWERS and ast.unparse(node.value).endswith(".response")
        ):
            yield node.lineno


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("await press.response.send_modal(form)", [1]),
        ("send = self.interaction.response.send_message", [1]),
        ("await channel.send_message()", []),
        ("press.response.is_done()", []),
    ],
)
def test_first_answers_are_found(source: str, found: list[int]) -> None:
    """The search finds each first answer, called or handed on."""
    assert found == list(first_answers(source))


def test_first_answers_are_given_in_two_places_only() -> None:
    """What answers somebody does it by what waits for an acknowledgement that is under way."""
    broken = [
        f"{file.relative_to(ROOT)}:{line}"
        for module, file in MODULES.items()
        if module not in GIVES_FIRST_ANSWERS
        for line in first_answers(file.read_text(encoding="utf-8"))
    ]
    assert not broken


def test_modules_stay_short() -> None:
    """A module that grows past the limit is split."""
    lengths = {
        str(file.relative_to(ROOT)): len(file.read_text(encoding="utf-8").splitlines()) for file in MODULES.values()
    }
    assert not {name: length for name, length in lengths.items() if length > LINES}


def test_every_import_from_outside_is_a_declared_dependency() -> None:
    """What the code imports is pinned in pyproject.toml, not found there by chance; and each pin is exact."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    required = [*project["dependencies"], *extras["try"], *extras["postgres"]]
    assert not [pin for pin in required if not re.fullmatch(r"[\w.-]+(\[[\w,]+\])?==[\w.]+", pin)]

    imported_as = {"discord.py": "discord", "pillow": "PIL", "python-dotenv": "dotenv"}
    declared = {re.split(r"[\[=]", pin)[0].lower() for pin in required}
    names = {imported_as.get(name, name.replace("-", "_")) for name in declared}
    missing = {
        top
        for module, file in MODULES.items()
        for _, name in imports(module, file)
        if (top := name.partition(".")[0]) not in {*PROJECT, *names, *sys.stdlib_module_names}
    }
    assert not missing
