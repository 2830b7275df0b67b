"""``damero moves``, ``perft`` and ``explain``: the exact lines that other programs rely on."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.cli.command_line import main
from bot.engine.ruleset import shipped
from tests.support.engine import slow_draughts, slow_games
from tests.support.engine.random_positions import GAMES, Options, by_placement, name_of


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of one command."""
    try:
        status = main(list(arguments))
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else 1
    told = capsys.readouterr()
    return status, told.out, told.err


def answers(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *lines: str) -> list[dict[str, Any]]:
    """What ``damero moves --jsonl`` answers, a line for each line."""
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(line + "\n" for line in lines)))
    status, out, err = run(capsys, "moves", "--jsonl")
    assert (status, err) == (0, "")
    return [json.loads(line) for line in out.splitlines()]


# moves


def test_moves(capsys: pytest.CaptureFixture[str]) -> None:
    """One legal move a line: canonical notation, a tab, the position after it."""
    status, out, err = run(capsys, "moves", "pinoy", "--position", "W:Wc3,g1:Bd4,f6,h8")
    assert (status, out, err) == (0, "c3xe5xg7\tB:Wg1,g7:Bh8\n", "")


def test_moves_from_the_start(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a position, from the start, in the order of the notation."""
    _, out, _ = run(capsys, "moves", "spanish")
    moves = [line.split("\t")[0] for line in out.splitlines()]
    assert moves == ["b3-a4", "b3-c4", "d3-c4", "d3-e4", "f3-e4", "f3-g4", "h3-g4"]


def test_a_handicap_is_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    """At a terminal and for programs, as wherever else a position is asked for."""
    assert ("1 7", "") == ((told := run(capsys, "perft", "pinoy", "1", "--position=-c1 -e1"))[1][:3], told[2])
    status, out, err = run(capsys, "moves", "pinoy", "--position", "white 2")
    assert (0, "") == (status, err)
    assert "e1,e3,f2,g1,g3,h2:B" in out
    assert "c1" not in out


@pytest.mark.parametrize(
    "option", [["--option", "removal=at_end"], ["--option=removal=at_end"], ["-o", "removal=at_end"]]
)
def test_moves_with_an_option(capsys: pytest.CaptureFixture[str], option: list[str]) -> None:
    """``--option name=value``."""
    position = ["--position", "W:WKd8:Bb2,Kd6,Ke3,e7"]
    _, out, _ = run(capsys, "moves", "pinoy", *position, *option)
    assert out == "d8xg5xc1xa3\tB:WKa3:BKd6\n"


@pytest.mark.parametrize(
    "options",
    [
        ["--option", "removal=at_once", "--option", "neglect=compulsory", "--option", "mirror=false"],
        ["--option", "removal=at_once", "neglect=compulsory", "mirror=false"],
    ],
)
def test_moves_with_several_options(capsys: pytest.CaptureFixture[str], options: list[str]) -> None:
    """Several options, each with its own ``--option`` or after one."""
    _, out, _ = run(capsys, "moves", "americanas", *options, "--position", "B:WKd2,Kg5:BKf4")
    assert [line.split("\t")[0] for line in out.splitlines()] == ["f4xc1", "f4xh6"]


def test_moves_of_a_lost_position(capsys: pytest.CaptureFixture[str]) -> None:
    """No legal move: no line."""
    assert run(capsys, "moves", "pinoy", "--position", "W:W:Bc3") == (0, "", "")


def test_moves_by_the_position_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """A position string has no history: moves are listed where a game would be drawn, or the other side has nothing."""
    _, out, _ = run(capsys, "moves", "americanas", "--position", "W:WKa1:BKb8")
    assert [line.split("\t")[0] for line in out.splitlines()][:2] == ["a1-b2", "a1-c3"]
    _, out, _ = run(capsys, "moves", "pinoy", "--position", "W:Wa3:B")
    assert out == "a3-b4\tB:Wb4:B\n"


def test_a_position_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """A position may be said in words, as in the chat."""
    _, out, _ = run(capsys, "moves", "pinoy", "--position", "white a3; black king h8; white to move")
    assert out == "a3-b4\tB:Wb4:BKh8\n"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["moves", "chess"], "There is no variant 'chess'; there are americanas, "),
        (["moves", "pinoy", "--position", "W:Wz9:B"], "'z9' is not a square of this board"),
        (["moves", "pinoy", "--option", "removal=never"], "removal does not take 'never'; it takes at_once or at_end"),
        (["moves", "spanish", "--option", "removal=at_end"], "Dama (Spanish draughts) has no option 'removal'"),
        (["moves", "pinoy", "--option=removal"], "Write an option as name=value"),
        (["moves"], "needs a variant"),
        (["perft", "pinoy", "x"], "DEPTH"),
        (["explain", "pinoy", "c3-d4", "--position", "nothing"], "I do not understand 'nothing'"),
        (["explain", "pinoy", "c3-d4", "--position", "W:nothing"], "I do not understand 'w'"),
    ],
)
def test_misused(capsys: pytest.CaptureFixture[str], arguments: list[str], says: str) -> None:
    """What cannot be understood is told on standard error alone, with a status that is not 0."""
    status, out, err = run(capsys, *arguments)
    assert status != 0
    assert out == ""
    assert says in err
    assert err


# moves --jsonl


def test_jsonl(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A JSON object a line, in and out; options as text, true and false, numbers."""
    asked = {"variant": "pinoy", "position": "W:WKd8:Bb2,Kd6,Ke3,e7", "options": {"removal": "at_end"}}
    found = answers(
        capsys,
        monkeypatch,
        json.dumps(asked),
        json.dumps({"variant": "spanish", "position": "W:Wc4:Bd5", "options": {"mirror": False, "quiet_moves": 40}}),
        json.dumps({"variant": "tama", "position": "W:Wc3:Bc4,h8"}),
        json.dumps({"variant": "pinoy", "position": "W:W:Bc3", "options": {}}),
    )
    assert found == [
        {"moves": [{"move": "d8xg5xc1xa3", "position": "B:WKa3:BKd6"}]},
        {"moves": [{"move": "c4xe6", "position": "B:We6:B"}]},
        {"moves": [{"move": "c3xc5", "position": "B:Wc5:Bh8"}]},
        {"moves": []},
    ]


def test_jsonl_marks_what_neglects(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """ "In soplar games the list holds the ordinary moves too", marked "where a capture was there"."""
    position = "W:Wc3:Bd4,h8"
    [soplar, compulsory, quiet] = answers(
        capsys,
        monkeypatch,
        json.dumps({"variant": "americanas", "position": position}),
        json.dumps({"variant": "americanas", "position": position, "options": {"neglect": "compulsory"}}),
        json.dumps({"variant": "americanas", "position": "W:Wa3:Bh8"}),
    )
    assert soplar == {
        "moves": [
            {"move": "c3-b4", "position": "B:Wb4:Bd4,h8", "neglects": True},
            {"move": "c3xe5", "position": "B:We5:Bh8"},
        ]
    }
    assert compulsory == {"moves": [{"move": "c3xe5", "position": "B:We5:Bh8"}]}
    assert quiet == {"moves": [{"move": "a3-b4", "position": "B:Wb4:Bh8"}]}


def test_jsonl_goes_on_after_an_error(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """ "It goes on after an error": each bad line has its own answer, and the next good one too."""
    good = json.dumps({"variant": "tama", "position": "W:Wc3:Bc4,h8"})
    bad = [
        "not json",
        "[]",
        "null",
        "3",
        '"pinoy"',
        "{}",
        '{"variant": 3}',
        '{"variant": "chess"}',
        '{"variant": "pinoy", "position": "nowhere"}',
        '{"variant": "pinoy", "position": 7}',
        '{"variant": "pinoy", "options": []}',
        '{"variant": "pinoy", "options": {"removal": "never"}}',
        '{"variant": "pinoy", "options": {"removal": ["at_end"]}}',
        '{"variant": "pinoy", "options": {"mirror": null}}',
        '{"variant": "pinoy", "options": {"quiet_moves": 1e3}}',
        '{"variant": "spanish", "options": {"removal": "at_end"}}',
        '{"variant": "\\ud800", "position": "\\udfff"}',
        '{"variant": "pinoy", "position": "W:W\\ud800:B"}',
        '{"variant": "pinoy", "option": {}}',
        "[" * 100_000,
        '{"variant": ' + "9" * 5000 + "}",
    ]
    found = answers(capsys, monkeypatch, *(line for text in bad for line in (text, good)))
    assert len(found) == 2 * len(bad)
    for text, answer in zip(bad, found[::2], strict=True):
        assert list(answer) == ["error"], text
        assert isinstance(answer["error"], str)
        assert answer["error"]
    assert all(answer == {"moves": [{"move": "c3xc5", "position": "B:Wc5:Bh8"}]} for answer in found[1::2])


def test_jsonl_agrees_with_the_slow_generator(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On random positions of every game and option, with true and false and as text."""
    random = Random("jsonl")
    asked: list[tuple[str, Options, slow_draughts.Position]] = []
    for game, options in GAMES * 15:
        written: Options = {
            name: str(value).lower() if random.random() < 0.3 else value for name, value in options.items()
        }
        asked.append((game, written, by_placement(slow_draughts.law_for(game, options), random)))
    lines = [
        json.dumps({"variant": game, "position": slow_draughts.write(position), "options": options})
        for game, options, position in asked
    ]
    for (game, given, position), answer in zip(asked, answers(capsys, monkeypatch, *lines), strict=True):
        plain = {name: {"true": True, "false": False}.get(str(value), value) for name, value in given.items()}
        expected = slow_draughts.moves(slow_draughts.law_for(game, plain), position)
        found = {slow_draughts.parse(move["position"]): move.get("neglects", False) for move in answer["moves"]}
        told = f"{game} {given} {slow_draughts.write(position)}"
        assert found == {after: move.neglects for after, move in expected.items()}, told
        assert len(answer["moves"]) == len(found), told


def test_jsonl_through_a_pipe(root: Path) -> None:
    """As a program runs it: an answer for each line as it comes, in UTF-8, bytes that are no text included."""
    good = b'{"variant":"tama","position":"W:Wc3:Bc4,h8"}\n'
    with subprocess.Popen(
        [sys.executable, "-m", "bot", "moves", "--jsonl"],
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line, key in (
            (good, "moves"),
            (b"\xff\xfe{}\n", "error"),
            ('{"variant":"ñ"}\n'.encode(), "error"),
            (good, "moves"),
        ):
            process.stdin.write(line)
            process.stdin.flush()
            assert key in json.loads(process.stdout.readline())
        process.stdin.close()
        assert process.wait(timeout=30) == 0


# perft, explain


@pytest.mark.parametrize(
    ("arguments", "counts"),
    [
        (["spanish", "4"], [7, 49, 302, 1469]),
        (["pinoy", "5", "--option", "removal=at_end"], [7, 49, 302, 1469, 7473]),
        (["americanas", "5", "--option", "neglect=compulsory"], [7, 49, 302, 1469, 7361]),
        (["tama", "2"], [22, 484]),
        (["pinoy", "1", "--position", "W:WKh2,c7,f6:Bf4,c5,g7"], [2]),
    ],
)
def test_perft(capsys: pytest.CaptureFixture[str], arguments: list[str], counts: list[int]) -> None:
    """A line per depth: ``depth count seconds``."""
    status, out, err = run(capsys, "perft", *arguments)
    assert (status, err) == (0, "")
    lines = [re.fullmatch(r"(\d+) (\d+) (\d+\.\d+)", line) for line in out.splitlines()]
    assert [(int(line[1]), int(line[2])) for line in lines if line] == list(enumerate(counts, start=1))
    assert all(lines)


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    """The position after the move, whatever form it is typed in."""
    position = ["--position", "W:Wc3,g1:Bd4,f6,h8"]
    assert run(capsys, "explain", "pinoy", "c3xe5xg7", *position) == (0, "B:Wg1,g7:Bh8\n", "")
    assert run(capsys, "explain", "pinoy", "g7", *position) == (0, "B:Wg1,g7:Bh8\n", "")
    status, out, _ = run(capsys, "explain", "spanish", "d3-e4", "--option", "quiet_moves=40")
    assert (status, out) == (0, "B:Wa2,b1,b3,c2,d1,e2,e4,f1,f3,g2,h1,h3:Ba6,a8,b7,c6,c8,d7,e6,e8,f7,g6,g8,h7\n")


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("c3xe5", "You must capture: c3xe5xg7 takes 2 pieces, your move takes 1"),
        ("g1-h2", "You must capture: c3xe5xg7 takes 2 pieces, your move takes none"),
        ("hello", "cannot read that as a move"),
    ],
)
def test_explain_refuses(capsys: pytest.CaptureFixture[str], typed: str, says: str) -> None:
    """The refusal on standard error, with exit status 1."""
    status, out, err = run(capsys, "explain", "pinoy", typed, "--position", "W:Wc3,g1:Bd4,f6,h8")
    assert (status, out) == (1, "")
    assert says in err


def test_explain_lists_what_fits(capsys: pytest.CaptureFixture[str]) -> None:
    """So is a text that fits more than one move, with the moves."""
    status, out, err = run(capsys, "explain", "pinoy", "d4", "--position", "W:WKc3,Kg1:Bh8")
    assert (status, out) == (1, "")
    assert "c3-d4, g1-d4" in err


@pytest.mark.parametrize(("game", "options"), GAMES, ids=name_of)
def test_moves_can_be_explained(capsys: pytest.CaptureFixture[str], game: str, options: Options) -> None:
    """``explain`` takes each line of ``moves`` back to the position that the line names."""
    written = [f"--option={name}={str(value).lower()}" for name, value in options.items()]
    random = Random(f"explain {game} {options}")
    for _ in range(4):
        law = slow_draughts.law_for(game, options)
        placed = by_placement(law, random)
        over = len({piece.side for _, piece in placed.pieces}) < 2 or slow_games.Game(law, (placed,)).drawn()
        position = slow_draughts.write(slow_draughts.start(law) if over else placed)
        _, out, _ = run(capsys, "moves", game, "--position", position, *written)
        for line in random.sample(out.splitlines(), min(4, len(out.splitlines()))):
            move, after = line.split("\t")
            assert run(capsys, "explain", game, move, "--position", position, *written) == (0, after + "\n", "")


@pytest.mark.parametrize("option", ["--game", "--player"])
def test_ids_beyond_what_is_stored(capsys: pytest.CaptureFixture[str], option: str) -> None:
    """A number that no id can be is refused in a sentence."""
    with pytest.raises(SystemExit):
        main(["export", option, "1" + "0" * 30])
    assert "not an id" in capsys.readouterr().err


def test_a_variant_file_of_ones_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What asks about a game takes the rules of a file as well as those that are shipped, but not both; what is wrong
    with the file is said in a line."""
    file = tmp_path / "mine.toml"
    file.write_text(shipped("pinoy").text.replace("rows = [1, 2, 3]", "rows = [1]"))
    own = ["--variant-file", str(file)]
    assert 0 == main(["moves", *own])
    assert 0 == main(["perft", *own, "1"])
    assert 0 == main(["explain", *own, "a1-b2"])
    assert 0 == main(["best", *own, "--nodes", "10"])
    assert 0 == main(["picture", *own, str(tmp_path / "board.png")])
    assert "1 7 " in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO("hub\nquit\n"))
    assert 0 == main(["hub", *own])
    assert "type=enum values=mine" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    assert 0 == main(["play", *own])
    assert " 1 o   o   o   o\n" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["moves", "pinoy", *own])
    assert "a variant or --variant-file, not both" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["explain", "c3-d4"])
    assert "explain needs a variant" in capsys.readouterr().err
    for content, why in ((b"\xff", "not UTF-8"), (b"x =", "not TOML"), (b"#" * 20_000, "longer than 16384 bytes")):
        file.write_bytes(content)
        assert 2 == main(["moves", *own])
        assert why in capsys.readouterr().err
    assert 2 == main(["moves", "--variant-file", str(tmp_path)])
    assert "cannot be read" in capsys.readouterr().err
