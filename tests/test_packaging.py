"""What people who host the bot are given: the image, the compose file, the README and the page about hosting."""

from __future__ import annotations

import re
import shlex
import sqlite3
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.chat import permissions
from bot.chat.permissions import PERMISSIONS, invite, own_invite
from bot.engine import variants
from bot.settings import Settings, read
from data.postgresql import OLDEST
from tests.support.engine.shipped import FIRST
from tests.support.metrics.alerts import needs_promtool, promtool


@pytest.fixture
def readme(root: Path) -> str:
    return (root / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def hosting(root: Path) -> str:
    return (root / "docs" / "hosting.md").read_text(encoding="utf-8")


@pytest.fixture
def compose(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((root / "compose.yaml").read_text(encoding="utf-8"))
    return found


def instructions(root: Path) -> list[tuple[str, str]]:
    """The Dockerfile's instructions, with their continuation lines."""
    text = re.sub(r"\\\n\s*", "", (root / "Dockerfile").read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in lines]


def last_stage(root: Path) -> list[tuple[str, str]]:
    found = instructions(root)
    start = max(number for number, (word, _) in enumerate(found) if word == "FROM")
    return found[start:]


def test_the_image_runs_without_privileges(root: Path) -> None:
    """The last stage ends as a numbered user that is not root, with one volume, a health check and the usual signal."""
    stage = last_stage(root)
    by_word = dict(stage)

    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", by_word["USER"])
    assert "/data" == by_word["VOLUME"]
    assert 1 == len([word for word, _ in stage if word == "VOLUME"])
    assert "SIGTERM" == by_word["STOPSIGNAL"]
    assert by_word["HEALTHCHECK"].endswith('CMD ["damero", "health"]')
    assert '["damero", "run"]' == by_word["CMD"]


def test_the_image_has_settings_that_there_are(root: Path) -> None:
    """Of the environment that the image sets, what is not Python's or the shell's is a setting, and is valid."""
    pairs = dict(pair.split("=", 1) for pair in shlex.split(dict(last_stage(root))["ENV"]))
    ours = {name: value for name, value in pairs.items() if name != "PATH" and not name.startswith("PYTHON")}

    settings = read({name.lower(): value for name, value in ours.items()})

    assert {name.lower() for name in ours} <= {each.name for each in fields(Settings)}
    assert "sqlite+aiosqlite:////data/damero.sqlite3" == settings.database_url


def test_what_the_image_copies_reaches_the_builder(root: Path) -> None:
    """.dockerignore lets through exactly what the Dockerfile copies from the folder."""
    ignored = (root / ".dockerignore").read_text(encoding="utf-8").splitlines()
    let_through = {line.removeprefix("!") for line in ignored if line.startswith("!")}
    copied = {
        source.removeprefix("./")
        for word, rest in instructions(root)
        if word == "COPY" and "--from" not in rest
        for source in rest.split()[:-1]
    }

    assert let_through == copied
    assert not [name for name in copied if not (root / name).exists()]


def test_the_base_is_one_image(root: Path) -> None:
    """Both stages begin from the same base, by its digest: a tag may mean another image tomorrow."""
    bases = [rest.split()[0] for word, rest in instructions(root) if word == "FROM"]

    assert len(bases) == 2
    assert len(set(bases)) == 1
    assert re.fullmatch(r"python:[\d.]+-slim@sha256:[0-9a-f]{64}", bases[0])


@pytest.mark.parametrize("name", ["requirements.lock", "build.lock"])
def test_what_is_locked_has_hashes(root: Path, name: str) -> None:
    """Each package of a lock file has one version and at least one hash, and pip is told to insist on them."""
    text = (root / "deploy" / name).read_text("utf-8").replace("\\\n", "")
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith("#")]

    assert lines
    for line in lines:
        assert re.match(r"[A-Za-z0-9_.\-]+(\[\w,]+)?==\S+ .*--hash=sha256:[0-9a-f]{64}", line), line
    installs = re.findall(r"pip install [^&]*", " ".join(rest for word, rest in instructions(root) if word == "RUN"))
    assert any("--require-hashes" in install and f"deploy/{name}" in install for install in installs)
    assert all("--require-hashes" in install or "--no-deps" in install for install in installs)


def test_the_lock_is_of_these_dependencies(root: Path) -> None:
    """What pyproject.toml asks for stands in the lock files with the same version: `make lock` has been run."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    extras = project["project"]["optional-dependencies"]
    asked = [*project["project"]["dependencies"], *extras["fast"], *extras["postgres"]]
    for wanted, name in ((asked, "requirements.lock"), (project["build-system"]["requires"], "build.lock")):
        text = (root / "deploy" / name).read_text("utf-8")
        locked = dict(re.findall(r"^([\w.\-]+)(?:\[[\w,]+\])?==([^\s;]+)", text, re.MULTILINE))
        for line in wanted:
            package, version = re.sub(r"\[.*\]", "", line).split("==")
            assert version == locked[package.lower().replace("_", "-").replace(".", "-")], line


def test_compose_runs_the_image_safely(root: Path, compose: dict[str, Any]) -> None:
    """Started again after a crash, settings from .env, one named volume, logs that end, no privileges."""
    assert {"services", "volumes"} == set(compose)
    service = compose["services"]["damero"]

    assert "unless-stopped" == service["restart"]
    assert ".env" == service["env_file"]
    assert ["data:/data"] == service["volumes"]
    assert ["damero"] == [name for name, each in compose["services"].items() if "profiles" not in each]
    assert service["read_only"] is True
    assert ["ALL"] == service["cap_drop"]
    assert {"max-size", "max-file"} == set(service["logging"]["options"])
    assert all(isinstance(value, str) for value in service["logging"]["options"].values())
    assert ["CMD", "damero", "health"] == service["healthcheck"]["test"]
    assert "ports" not in service
    assert {"init", "mem_limit", "pids_limit"} <= set(service)


def test_compose_has_a_postgresql_that_is_the_bots_alone(root: Path, compose: dict[str, Any]) -> None:
    """The profile `postgres` runs one service without privileges that nobody else reaches, of a version that is served,
    and the page about hosting names its database as it is; without the profile games are in the file in the volume."""
    ((name, service),) = [
        (name, service) for name, service in compose["services"].items() if service.get("profiles") == ["postgres"]
    ]
    assert OLDEST <= int(re.fullmatch(r"postgres:(\d+)\.\d+", service["image"])[1])  # type: ignore[index]
    assert "ports" not in service
    assert ["ALL"] == service["cap_drop"]
    assert [f"{name}:/var/lib/postgresql"] == service["volumes"]
    user, database = service["environment"]["POSTGRES_USER"], service["environment"]["POSTGRES_DB"]
    url = f"postgresql+asyncpg://{user}:PASSWORD@{name}/{database}"
    hosting = (root / "docs" / "hosting.md").read_text("utf-8")
    assert {"COMPOSE_PROFILES=postgres", "POSTGRES_PASSWORD=PASSWORD", f"DATABASE_URL={url}"} <= set(hosting.split())
    given = compose["services"]["damero"]["environment"]["DATABASE_URL"]
    assert "${DATABASE_URL:-sqlite+aiosqlite:////data/damero.sqlite3}" == given


def test_compose_shows_figures_on_this_machine_alone(root: Path, compose: dict[str, Any]) -> None:
    """The profile `metrics` runs single images by digest, without privileges, listens on the loopback address, and
    mounts files that there are; the bot is scraped where the page about hosting says it answers."""
    more = [service for service in compose["services"].values() if service.get("profiles") == ["metrics"]]

    assert 2 == len(more)
    for service in more:
        assert re.fullmatch(r"[a-z/]+:v?[\d.]+@sha256:[0-9a-f]{64}", service["image"])
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])
        assert ["ALL"] == service["cap_drop"]
        mounted = [volume.split(":")[0] for volume in service["volumes"]]
        assert not [name for name in mounted if not (root / name).exists() and name not in compose["volumes"]]
    scraped = yaml.safe_load((root / "deploy" / "prometheus.yml").read_text("utf-8"))["scrape_configs"][0]
    host, port = scraped["static_configs"][0]["targets"][0].split(":")
    assert host in compose["services"]
    assert f"METRICS_PORT={port}" in (root / "docs" / "hosting.md").read_text("utf-8")
    assert "0.0.0.0" == compose["services"][host]["environment"]["METRICS_HOST"]


@needs_promtool
def test_the_alerts_fire_when_they_should(root: Path) -> None:
    """promtool finds nothing wrong with the files for Prometheus, and the tests of the rules hold for each of them."""
    deploy = root / "deploy"
    promtool("check", "config", "--syntax-only", str(deploy / "prometheus.yml"))
    promtool("check", "rules", str(deploy / "alerts.yml"))
    promtool("test", "rules", str(deploy / "alerts_test.yml"))


def test_every_alert_is_tested_and_told_of(root: Path) -> None:
    """Each has a test that it fires and one that it does not, and a row on the page about hosting."""
    rules = yaml.safe_load((root / "deploy" / "alerts.yml").read_text("utf-8"))["groups"][0]["rules"]
    tests = yaml.safe_load((root / "deploy" / "alerts_test.yml").read_text("utf-8"))["tests"]
    shown = {
        (re.findall(r'alertname="(\w+)"', one["expr"])[0], bool(one["exp_samples"]))
        for test in tests
        for one in test["promql_expr_test"]
    }
    names = {rule["alert"] for rule in rules}

    assert {(name, fires) for name in names for fires in (True, False)} == shown
    assert names == set(re.findall(r"`(Damero\w+)`", (root / "docs" / "hosting.md").read_text("utf-8")))


def test_compose_knows_only_what_compose_has(compose: dict[str, Any]) -> None:
    """Each key is one of the Compose specification, so that a slip is not silently ignored."""
    known = {
        "build", "cap_drop", "command", "env_file", "environment", "healthcheck", "image", "init", "logging",
        "mem_limit", "pids_limit", "ports", "profiles", "read_only", "restart", "security_opt", "stop_grace_period",
        "tmpfs", "user", "volumes",
    }  # fmt: skip
    for each in compose["services"].values():
        assert set(each) <= known
    service = compose["services"]["damero"]
    assert set(service["healthcheck"]) <= {"test", "interval", "timeout", "retries", "start_period"}
    assert {name.lower() for name in service["environment"]} <= {each.name for each in fields(Settings)}


def test_the_link_asks_for_what_games_need() -> None:
    """The invitation asks for every permission that the bot looks for, and for no other."""
    assert not permissions.missing(PERMISSIONS, opens_thread=True)
    assert not permissions.missing(PERMISSIONS, thread=True)
    for name, asked in PERMISSIONS:
        if asked:
            without = type(PERMISSIONS)(PERMISSIONS.value)
            setattr(without, name, False)
            assert permissions.missing(without, opens_thread=True), name


def test_readme_begins_with_the_two_commands(readme: str) -> None:
    """Whoever has no time sees `make try` and `make test` first."""
    commands = re.findall(r"^make \w+", "\n".join(readme.splitlines()[:6]), re.MULTILINE)

    assert ["make try", "make test"] == commands


def test_hosting_shows_the_link_and_its_sum(hosting: str) -> None:
    """The link on the page about hosting is the bot's own, and its table adds up to the number in it."""
    shown = invite(1).replace("client_id=1&", "client_id=YOUR_APPLICATION_ID&")
    rows = re.findall(r"^ +\| ([A-Z][\w ]+) \| (\d+) \|", hosting, re.MULTILINE)

    assert shown in hosting
    assert own_invite(1).replace("client_id=1&", "client_id=YOUR_APPLICATION_ID&") in hosting
    assert PERMISSIONS.value == sum(int(value) for _, value in rows)
    assert {title for title, _ in rows} == set(permissions._TITLES.values())


def test_hosting_lists_every_setting_with_its_default(hosting: str) -> None:
    """The table of settings has all of them and no other."""
    rows = re.findall(r"^\| `([A-Z_]+)` \| (?:`([^`]*)`)? ?\|", hosting, re.MULTILINE)
    defaults = {
        each.name.upper(): "" if each.default is None else str(each.default).replace("False", "false")
        for each in fields(Settings)
    }

    assert defaults == dict(rows)


def test_readme_lists_the_first_games(readme: str) -> None:
    """The table of games has those that are offered first by name and id, and leads to the others."""
    rows = re.findall(r"^\| ([A-Z][^|]+) \| `([a-z-]+)` \|", readme, re.MULTILINE)

    assert {(variants.load(name).name, name) for name in FIRST} == set(rows)
    assert "(docs/family.md)" in readme


def test_the_rules_have_every_game_and_every_option(root: Path) -> None:
    """The page of rules lists each of the five with its name and seed, and each option with the games that have it."""
    page = (root / "docs" / "rules.md").read_text(encoding="utf-8")
    games = re.findall(r"^\| `([a-z-]+)` \| (\d{3}) \| ([^|]+) \|", page, re.MULTILINE)
    options = re.findall(r"^\| `(\w+)` \|.*\| ([^|]+) \|$", page.partition("## Options")[2], re.MULTILINE)
    shipped = {name: variants.load(name) for name in FIRST}
    draughts = [name for name, variant in shipped.items() if variant.family == "draughts"]

    assert {(name, variant.name) for name, variant in shipped.items()} == {(name, title) for name, _, title in games}
    for name, seed, _ in games:
        assert f"### Seed {seed}" in page
        assert f"seed {seed}" in (root / "data" / "variants" / f"{name}.toml").read_text(encoding="utf-8")
    assert {name: set(variant.option_specs) for name, variant in shipped.items()} == {
        name: {
            option
            for option, having in options
            if f"`{name}`" in having or (having == "the draughts games" and name in draughts)
        }
        for name in shipped
    }


def test_the_backup_of_the_page_works_while_the_bot_writes(hosting: str, tmp_path: Path) -> None:
    """The command for a backup gives a whole database with what was committed, while a writer holds the file open."""
    (line,) = re.findall(r"^damero (backup .*?) +#", hosting, re.MULTILINE)
    command = shlex.split(line)
    connection = sqlite3.connect(tmp_path / "damero.sqlite3")
    connection.execute("PRAGMA journal_mode=WAL")
    # By this it is known for a database of the bot.
    connection.execute("CREATE TABLE alembic_version (version_num)")
    connection.execute("INSERT INTO alembic_version VALUES ('0001')")
    connection.execute("CREATE TABLE kept (value)")
    connection.execute("INSERT INTO kept VALUES (7)")
    connection.commit()

    subprocess.run([sys.executable, "-m", "bot", *command], cwd=tmp_path, check=True)

    copy = sqlite3.connect(tmp_path / command[1])
    assert [(7,)] == copy.execute("SELECT value FROM kept").fetchall()
    assert [("ok",)] == copy.execute("PRAGMA integrity_check").fetchall()
    copy.close()
    connection.close()


def test_every_setting_is_used(root: Path) -> None:
    """A setting that nothing reads is none."""
    code = "".join(
        file.read_text(encoding="utf-8") for file in (root / "bot").rglob("*.py") if file.name != "settings.py"
    )
    through_methods = {"computer_cluster_insecure", "computer_hub", "endgames_folder"}
    through_methods |= {"discord_token", "discord_token_file"}

    assert not [
        name
        for name in (each.name for each in fields(Settings))
        if f"settings.{name}" not in code and name not in through_methods and f"load().{name}" not in code
    ]


def test_the_checks_can_be_started(root: Path) -> None:
    """`.ci/run` may be executed, and is bash that parses."""
    script = root / ".ci" / "run"

    assert script.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", script], check=True)
