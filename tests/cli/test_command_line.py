"""What holds for every command of ``damero``: help, the version, and how it is said that something is wrong."""

from __future__ import annotations

import argparse
import contextlib
import re
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from bot.cli.command_line import _parser, main

(COMMANDS,) = (action.choices for action in _parser()._actions if isinstance(action, argparse._SubParsersAction))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which no database is."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_says_what_it_does(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`damero COMMAND --help` has a sentence of its own."""
    with pytest.raises(SystemExit):
        main([command, "--help"])

    assert re.search(r"\n\n[A-Z][^\n]{10,}(\n[^\n]+)*\.\n", capsys.readouterr().out)


def test_without_a_command_there_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    """`damero` alone lists the commands."""
    assert 0 == main([])

    assert all(f"\n    {command}" in told for told in [capsys.readouterr().out] for command in COMMANDS)


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    """`damero --version`."""
    with pytest.raises(SystemExit) as ended:
        main(["--version"])

    assert (0, "damero 0.1.0\n") == (ended.value.code, capsys.readouterr().out)


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["fly"], 2, "Argument COMMAND: invalid choice: 'fly'"),
        (["moves"], 2, "moves needs a variant"),
        (["moves", "go"], 2, "There is no variant 'go'"),
        (["moves", "pinoy", "--option", "fast"], 2, "Write an option as name=value"),
        (["moves", "--variant-file", "none.toml"], 2, "The file none.toml cannot be read: No such file or directory."),
        (["explain", "pinoy", "a1-a2"], 1, ""),
        (["picture", "pinoy", "board.gif"], 2, "pictures are PNG"),
        (["picture", "pinoy", "none/board.png"], 1, "none/board.png cannot be written: No such file or directory."),
        (["puzzles", "pinoy", "--games", "0"], 2, "N is a whole number from 1"),
        (["pair", "none.trf"], 1, "none.trf cannot be read: No such file or directory."),
        (["standings", "none.trf"], 1, "none.trf cannot be read: No such file or directory."),
        (["export"], 2, "There is no database damero.sqlite3. Check DATABASE_URL."),
        (["export", "tournament", "1"], 2, "There is no database damero.sqlite3. Check DATABASE_URL."),
        (["backup", "copy.sqlite3"], 2, "There is no database damero.sqlite3. Check DATABASE_URL."),
        (["check-store"], 2, "There is no database damero.sqlite3. Check DATABASE_URL."),
        (["import", "none.pdn"], 1, "none.pdn cannot be read: No such file or directory."),
        (["restore", "none.sqlite3"], 1, "There is no file none.sqlite3."),
        (["health"], 2, "HEALTH_PORT is not set"),
        (["run"], 2, "There is no token."),
        (["try", "--port", "here"], 2, "a port is a number from 0 to 65535"),
        (["try", "--port", "99999"], 2, "a port is a number from 0 to 65535"),
        (["move-store", "a", "b"], 2, "FROM is wrong: it begins with sqlite:// or postgresql://."),
        (["move-store", "sqlite:///a", "sqlite:///b"], 2, "There is no database a. Check FROM."),
    ],
)
def test_what_is_wrong_is_one_sentence(
    arguments: list[str], status: int, says: str, capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    """Behind the program's name, on standard error, without a traceback; and no command makes a database so."""
    try:
        ended: object = main(arguments)
    except SystemExit as left:
        ended = left.code
    told = capsys.readouterr()

    assert (status, "") == (ended, told.out)
    assert says in told.err
    assert re.fullmatch(r"damero: [^\n]+[.!?`]\n", told.err)
    assert [] == list(here.iterdir())


@pytest.mark.parametrize("content", ["nothing", "another's"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["export"],
        ["export", "tournament", "1"],
        ["export", "--game", "1"],
        ["backup", "copy.sqlite3"],
        ["check-store"],
        ["move-store", "sqlite:///damero.sqlite3", "sqlite:///b.sqlite3"],
    ],
)
def test_no_database_is_made_by_accident(
    arguments: list[str], content: str, capsys: pytest.CaptureFixture[str], here: Path
) -> None:
    """A file in the database's place in which none of Damero's is, stays as it is, byte for byte, and is named."""
    file = here / "damero.sqlite3"
    file.touch()
    if content == "another's":
        with contextlib.closing(sqlite3.connect(file)) as connection:
            connection.execute("CREATE TABLE notes (text)")
    before = file.read_bytes()

    assert 2 == main(arguments)
    assert before == file.read_bytes()
    assert [file] == list(here.iterdir())
    named = "FROM" if arguments[0] == "move-store" else "DATABASE_URL"
    assert ("", f"damero: damero.sqlite3 is no database of Damero. Check {named}.\n") == capsys.readouterr()


@pytest.mark.parametrize("content", [b"SQLite format 3\0\x10\0", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"])
def test_what_is_no_text_is_not_imported(content: bytes, capsys: pytest.CaptureFixture[str], here: Path) -> None:
    """A database or a picture is told from games by a sentence without a piece of it."""
    (here / "games").write_bytes(content)

    assert 1 == main(["import", "games"])
    says = "games is no text, and so neither PDN nor JSON. A copy of a database is for damero restore."
    assert ("", f"damero: {says}\n") == capsys.readouterr()
    assert [here / "games"] == list(here.iterdir())


def test_an_import_into_an_empty_file(capsys: pytest.CaptureFixture[str], here: Path) -> None:
    """It is said that there was no database, as where there is no file."""
    (here / "damero.sqlite3").touch()
    (here / "games.pdn").write_text('[GameType "21"]\n[Result "2-0"]\n\n1. 11-15 22-18 2-0\n')
    main(["import", "games.pdn"])
    assert "A new database was created: damero.sqlite3." in capsys.readouterr().out


def test_a_port_that_is_taken(here: Path) -> None:
    """`damero try` says which, with status 2: another argument helps."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        port = held.getsockname()[1]
        command = [sys.executable, "-m", "bot", "try", "--no-browser", "--data", str(here), "--port", str(port)]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=Path(__file__).parents[2])

    assert (2, "") == (ended.returncode, ended.stdout)
    assert ended.stderr == f"damero: Port {port} is taken, or closed to you. Choose another, or leave --port out.\n"
