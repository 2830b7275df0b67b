"""What holds for every command of ``damero``: help, the version, and how it is said that something is wrong."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from bot.__main__ import _parser, main

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
        (["export"], 1, "There is no database damero.sqlite3. Check DATABASE_URL."),
        (["export", "tournament", "1"], 1, "There is no database damero.sqlite3. Check DATABASE_URL."),
        (["backup", "copy.sqlite3"], 1, "There is no database damero.sqlite3."),
        (["check-store"], 1, "There is no database damero.sqlite3. Check DATABASE_URL."),
        (["import", "none.pdn"], 1, "none.pdn cannot be read: No such file or directory."),
        (["restore", "none.sqlite3"], 1, "There is no file none.sqlite3."),
        (["health"], 2, "HEALTH_PORT is not set"),
        (["run"], 2, "There is no token."),
        (["try", "--port", "here"], 2, "a port is a number"),
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
