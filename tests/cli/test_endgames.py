"""``damero endgames`` makes tables, and ``damero best`` looks into them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from bot.cli import making
from bot.cli.command_line import main
from bot.computer.endgames.files import EndgameFile
from bot.engine.draughts.rules import DraughtsRules


@pytest.fixture(autouse=True)
def plainly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In plain Python, in a folder of the test's own."""
    monkeypatch.setenv("DAMERO_PLAIN", "1")
    monkeypatch.chdir(tmp_path)


def test_tables_are_made_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A line for the file, progress on standard error; a second run has nothing to do."""
    asked = ["endgames", "pinoy", "--pieces", "2", "--folder", "made", "--option", "removal=at_end"]
    assert main(asked) == 0
    told = capsys.readouterr()
    (file,) = (tmp_path / "made").iterdir()
    assert told.out == f"{file.relative_to(tmp_path)} 2 pieces 3600 positions {file.stat().st_size} bytes\n"
    assert "pinoy: 4 of 4 classes of material" in told.err
    assert main(asked) == 0
    again = capsys.readouterr()
    assert (again.out, again.err) == (told.out, "")


def test_best_looks_into_them(capsys: pytest.CaptureFixture[str]) -> None:
    """Tables beside the database are found: what takes many plies to search is known at once."""
    asked = ["best", "spanish", "--position", "W:Wc2:Bf7", "--nodes", "60"]
    assert main(asked) == 0
    _, before, *_rest = capsys.readouterr().out.split()
    assert main(["endgames", "spanish", "--pieces", "2"]) == 0
    capsys.readouterr()
    assert main(asked) == 0
    _, score, *_rest = capsys.readouterr().out.split()
    assert abs(int(before)) < 1000
    assert abs(int(score)) > 90_000 or int(score) == 0


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["endgames", "chinese-checkers"], 2, "no game of the draughts family"),
        (["endgames", "chess"], 2, "There is no variant 'chess'"),
        (["endgames", "spanish", "--folder", "/dev/null/x"], 1, "Not a directory"),
        (["endgames", "tama", "--pieces", "6", "--folder", "x"], 2, "take fewer"),
    ],
)
def test_refusals(arguments: list[str], status: int, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be made is refused in a sentence."""
    assert main(arguments) == status
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--pieces", "7"], ["--pieces", "x"], ["--option", "removal=at_end"]])
def test_misuse(arguments: list[str]) -> None:
    """Options without a game, and numbers of pieces that nobody can solve, are not understood."""
    with pytest.raises(SystemExit, match="2"):
        main(["endgames", *arguments])


def test_without_a_game_those_that_are_offered_first_are_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tables of all the games that are files would take a day."""
    made: list[str] = []

    def noted(rules: DraughtsRules, *_: object, **__: object) -> EndgameFile:
        made.append(rules.variant.id)
        return cast(EndgameFile, SimpleNamespace(path=Path(__file__), pieces=4, layout=SimpleNamespace(total=1)))

    monkeypatch.setattr(making, "make", noted)
    assert main(["endgames"]) == 0
    assert ["americanas", "pinoy", "spanish", "tama"] == made
    assert 4 == len(capsys.readouterr().out.splitlines())
