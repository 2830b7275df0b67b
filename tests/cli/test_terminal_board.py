"""Boards at a terminal: `damero picture` writes one to a file, `damero play` is a game of two at one keyboard."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from PIL import Image

from bot.cli import command_line


def play(monkeypatch: pytest.MonkeyPatch, typed: Sequence[str], *arguments: str) -> int:
    """`damero play` with ``arguments``, while people type ``typed``, and then end the input."""
    lines: Iterator[str] = iter(typed)

    def ask(prompt: str) -> str:
        try:
            line = next(lines)
        except StopIteration:
            raise EOFError from None
        sys.stdout.write(f"{prompt}{line}\n")
        return line

    monkeypatch.setattr("builtins.input", ask)
    return command_line.main(["play", *arguments])


def told(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The lines of the output without those of boards."""
    lines = capsys.readouterr().out.splitlines()
    return [line for line in lines if line and not (line[:2].strip().isdigit() and line[2:3] == " ")]


def test_a_game_to_its_end(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The players are asked in turn; what is played is told, and at the end who has won and why."""
    assert 0 == play(monkeypatch, ["c3xe5xg7", "h8xf6"], "pinoy", "--position", "W:Wc3:Bd4,f6,h8")
    lines = told(capsys)
    assert ["White> c3xe5xg7", "c3xe5xg7", "   a b c d e f g h", "Black> h8xf6", "h8xf6"] == lines[2:7]
    assert "Black has won: White has no piece left." == lines[-1]


def test_the_board_in_text(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Men and kings of both sides, the squares that are played on, ranks and files."""
    play(monkeypatch, [], "pinoy", "--position", "W:Wa1,Kb2:Bc7,Kd8")
    board = capsys.readouterr().out.splitlines()[2:]
    assert [" 8   .   X   .   .", " 7 .   x   .   ."] == board[:2]
    assert [" 2   O   .   .   .", " 1 o   .   .   .", "   a b c d e f g h"] == board[6:9]


def test_slips_change_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Each refusal is a sentence in which squares keep their small letters, and the same player is asked again."""
    assert 0 == play(monkeypatch, ["a1", "hello", "d6-e5", "", "quit"], "pinoy")
    lines = told(capsys)
    assert "a1 is not empty." in lines
    assert any(line.startswith("I cannot read that as a move.") for line in lines)
    assert "The piece on d6 is not yours: you play White." in lines
    assert not [line for line in lines if line.startswith("Black>")]


def test_the_board_is_not_shown_again_after_a_slip(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It stands there already; after a move it is shown anew."""
    play(monkeypatch, ["a1", "hello", "moves", "c3-d4", "quit"], "pinoy")
    assert 2 == capsys.readouterr().out.count("   a b c d e f g h")


def test_a_game_against_the_computer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """With a level it answers each move; `back` takes back both."""
    play(monkeypatch, ["c3-d4", "back", "moves", "quit"], "pinoy", "--level", "1")
    lines = told(capsys)
    assert 1 == len([line for line in lines if line.startswith("Black plays ")])
    assert not [line for line in lines if line.startswith("Black>")]
    assert any("c3-b4, c3-d4" in line for line in lines)


def test_a_pick_by_number(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Where more than one move fits they are numbered, and the number plays one."""
    play(monkeypatch, ["d4", "3", "2"], "pinoy")
    lines = told(capsys)
    assert ["  1. c3-d4", "  2. e3-d4"] == [line for line in lines if line.startswith("  ") and ". " in line]
    assert "e3-d4" in lines
    assert any(line.startswith("I cannot read that") for line in lines)


def test_looking_and_going_back(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`moves` lists the legal ones, `back` takes the last one back."""
    play(monkeypatch, ["back", "c3-d4", "back", "moves"], "pinoy")
    lines = told(capsys)
    assert "There is no move to take back." in lines
    assert "a3-b4, c3-b4, c3-d4, e3-d4, e3-f4, g3-f4, g3-h4" in lines


def test_a_neglected_capture(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """In a game with soplar the remedies are told, and may be typed; with the option that forbids it they are not."""
    position = ("--position", "W:Wc3,a1:Bd4,h8")
    play(monkeypatch, ["c3-b4", "soplar b4", "d4-c3"], "americanas", *position)
    lines = told(capsys)
    assert "A capture was neglected. You may type soplar b4, oblige, or move." in lines
    assert ["White> soplar b4", "soplar b4"] == [line for line in lines if "soplar b4" in line][1:]
    play(monkeypatch, ["c3-b4"], "americanas", *position, "--option", "neglect=compulsory")
    assert "You must capture: c3xe5 takes 1 piece, your move takes none." in told(capsys)


def test_chinese_checkers_at_a_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The star in text, its rows lettered; three take turns clockwise."""
    assert 0 == play(monkeypatch, ["d1-e5", "j1-i1"], "chinese-checkers", "--option", "players=3")
    out = capsys.readouterr().out
    assert "m 3 3 3 3 . . . . . 5 5 5 5\n" in out
    assert "a             1\n" in out
    assert ["South> ", "Northwest> "] == [line.split(">")[0] + "> " for line in out.splitlines() if "> " in line]


@pytest.mark.parametrize("arguments", [["chess"], ["pinoy", "--position", "x"], ["pinoy", "--option", "sets=2"]])
def test_a_game_that_cannot_begin(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    """What there is not is said on standard error, with exit status 2."""
    assert 2 == play(monkeypatch, [], *arguments)
    assert capsys.readouterr().err.strip()


# Pictures


@pytest.mark.parametrize(
    ("variant", "moves", "more"),
    [
        ("spanish", "d3-c4 c6-d5", []),
        ("pinoy", "c3-d4 f6-e5 d4xf6", []),
        ("pinoy", "", ["--option", "board=chequered"]),
        ("americanas", "", ["--position", "B:WKa1,c3:Bh8"]),
        ("tama", "a3-a4", []),
        ("chinese-checkers", "c1-e5 g1-i1", ["--option", "players=6", "--option", "places=true"]),
    ],
)
def test_a_picture(tmp_path: Path, variant: str, moves: str, more: list[str]) -> None:
    """A PNG of the position, after the moves; each is another picture."""
    names = ("start.png", "played.png")
    for name, played in zip(names, ([], ["--moves", moves]), strict=True):
        assert 0 == command_line.main(["picture", variant, str(tmp_path / name), *more, *played])
        with Image.open(tmp_path / name) as picture:
            assert "PNG" == picture.format
    first, second = ((tmp_path / name).read_bytes() for name in names)
    assert (first == second) == (not moves)


@pytest.mark.parametrize(
    ("variant", "moves", "says"),
    [
        ("pinoy", "c3-d4 c3-e5", "c3-e5: c3 is empty"),
        ("pinoy", "d4", "d4: more than one move fits: c3-d4, e3-d4"),
        ("chinese-checkers", "a1-b1", "a1-b1: b1 is not empty"),
    ],
)
def test_no_picture_of_what_cannot_be_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], variant: str, moves: str, says: str
) -> None:
    """The first move that is refused is named, with exit status 1, and no file is written."""
    out = tmp_path / "board.png"
    assert 1 == command_line.main(["picture", variant, str(out), "--moves", moves])
    assert f"damero: {says}." == capsys.readouterr().err.strip()
    assert not out.exists()


def test_a_picture_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder that is not there is a refusal, not a traceback."""
    assert 1 == command_line.main(["picture", "pinoy", str(tmp_path / "gone" / "board.png")])
    assert "No such file" in capsys.readouterr().err
