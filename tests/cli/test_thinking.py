"""``damero best``: one line for people, objects line by line for programs."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from bot.cli import positions, thinking
from bot.cli.command_line import main
from bot.cli.replays import Replays
from bot.computer.kernels import backends
from bot.computer.search.limits import Limit, SearchResult
from bot.computer.search.think import think
from bot.engine.registry import rules_for
from bot.engine.rules import Rules, State
from tests.support.engine.shipped import EVERY


@pytest.mark.parametrize("variant", EVERY)
def test_one_line(variant: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The move, its score, the depth, the nodes and the seconds, in this order."""
    assert main(["best", variant, "--nodes", "300"]) == 0
    move, score, depth, nodes, seconds = capsys.readouterr().out.split()
    rules = rules_for(variant)
    assert rules.read(rules.start(), move).text == move
    assert int(score) == float(score)
    assert int(depth) >= 1
    assert 1 <= int(nodes) < 1000
    assert float(seconds) < 60


def test_a_short_search_does_not_wait_for_a_compiler(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The time of a short search is spent on searching, and it ends when that is over."""

    def compiler() -> backends.Backend:
        raise AssertionError("compiled")

    monkeypatch.delenv("DAMERO_PLAIN", raising=False)
    monkeypatch.setattr(backends, "can_compile", lambda size: True)
    monkeypatch.setattr(backends, "_fastest", compiler)
    monkeypatch.setattr(backends, "_of_one_game", compiler)
    # Seconds may go by with hardly any of them for this process.
    for name, value, depth in (("--seconds", "0.3", 1), ("--nodes", "20000", 3), ("--level", "4", 1)):
        assert main(["best", "spanish", name, value]) == 0
        assert int(capsys.readouterr().out.split()[2]) >= depth
    with pytest.raises(AssertionError, match="compiled"):
        main(["best", "spanish", "--seconds", "60"])


def test_position_option_and_level(capsys: pytest.CaptureFixture[str]) -> None:
    """A position string and options are taken as elsewhere; a level is a budget too."""
    asked = ["best", "pinoy", "--position", "W:Wc3:Bd4", "--option", "removal=at_end", "--level", "2"]
    assert main(asked) == 0
    assert capsys.readouterr().out.startswith("c3xe5 99999 ")


TWICE = "b8-a7 b2-a1 a7-b8 a1-b2 b8-a7 b2-a1 a7-b8"
LOST = "B:WKb2:BKb8,Kd8,h8,h6"


def test_a_repetition_is_seen_coming(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """With the moves so far, who stands worse finds the draw that the third time brings; so does a line of JSON."""
    asked = ["best", "pinoy", "--position", LOST, "--nodes", "3000"]
    assert main([*asked, "--moves", TWICE]) == 0
    assert capsys.readouterr().out.startswith("a1-b2 0 ")
    assert main(["best", "pinoy", "--position", "W:WKa1:BKb8,Kd8,h8,h6", "--nodes", "3000"]) == 0
    assert int(capsys.readouterr().out.split()[1]) < -100
    line = {"variant": "pinoy", "position": LOST, "moves": TWICE.split(), "nodes": 3000}
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(line) + "\n"))
    assert main(["best", "--jsonl"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert ("a1-b2", 0) == (answer["move"], answer["score"])


def test_moves_so_far_that_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    """The first that cannot be played is named; a huff's square belongs to it."""
    assert main(["best", "pinoy", "--nodes", "100", "--moves", "c3-d4 c3-d4"]) == 1
    assert "c3-d4: " in capsys.readouterr().err
    huffed = "c3-d4 b6-c5 g3-h4 soplar  d4"
    assert main(["best", "americanas", "--nodes", "100", "--moves", huffed]) == 0


@pytest.mark.parametrize(
    "arguments",
    [["best"], ["best", "pinoy"], ["best", "pinoy", "--nodes", "0"], ["best", "pinoy", "--seconds", "x"],
     ["best", "pinoy", "--level", "9"], ["best", "pinoy", "--seconds", "1", "--level", "2"],
     ["best", "pinoy", "--jsonl"]],
)  # fmt: skip
def test_misuse(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """What is not understood is told on standard error, with status 2."""
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert "damero" in capsys.readouterr().err


def test_nothing_to_find(capsys: pytest.CaptureFixture[str]) -> None:
    """A game that is over has no best move."""
    assert main(["best", "pinoy", "--position", "W:Wc3:B", "--nodes", "10"]) == 2
    assert "The game is over" in capsys.readouterr().err


def test_lines_of_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Each line is answered, an error too, and the one after it."""
    lines = [
        {"variant": "pinoy", "position": "W:Wc3:Bd4", "options": {}, "nodes": 100},
        {"variant": "pinoy"},
        {"variant": "pinoy", "seconds": True},
        {"variant": "pinoy", "seconds": "1"},
        {"variant": "pinoy", "level": 9},
        {"variant": "pinoy", "level": 1, "nodes": 5},
        {"variant": "pinoy", "nodes": 5, "strength": 1},
        {"variant": "nothing", "nodes": 5},
        {"variant": "pinoy", "nodes": 10**30, "position": "W:Wc3:B"},
        {"variant": "chinese-checkers", "options": {"players": 3}, "depth": 1},
        {"variant": "tama", "seconds": 0.05},
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines) + "[1]\nno\n\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert main(["best", "--jsonl"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert answers[0] | {"seconds": 0, "nodes": 0} == {
        "move": "c3xe5", "position": "B:We5:B", "score": 99999, "depth": 1, "nodes": 0, "seconds": 0
    }  # fmt: skip
    assert [set(answer) == {"error"} for answer in answers] == [False] + [True] * 8 + [False, False, True, True]


@pytest.mark.parametrize(("replayed", "left"), [(3, 2), (6, 0)])
def test_the_moves_so_far_are_played_within_the_budget(
    replayed: int, left: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it takes to play them is left out of the seconds of the search, and told with them."""
    now, limits = [100.0], list[Limit]()

    def slowly(*given: Any) -> list[State]:
        now[0] += replayed
        return positions.played_on(*given)

    def searched(rules: Rules, state: State, limit: Limit) -> SearchResult:
        limits.append(limit)
        return think(rules, state, replace(limit, seconds=None, depth=1))

    monkeypatch.setattr(thinking, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    monkeypatch.setattr(thinking, "played_on", slowly)
    monkeypatch.setattr(thinking, "_replays", Replays[State]())
    monkeypatch.setattr(thinking, "think", searched)
    monkeypatch.setattr(thinking, "make_ready", lambda rules, alone: None)
    monkeypatch.setattr("sys.stdin", io.StringIO('{"variant": "pinoy", "moves": ["c3-d4"], "seconds": 5}\n'))
    assert main(["best", "--jsonl"]) == 0
    assert [limit.seconds for limit in limits] == [left]
    assert json.loads(capsys.readouterr().out)["seconds"] == replayed


def test_moves_that_were_played_for_an_earlier_line_are_not_played_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also after a move is taken back, and with other games between; another house rule is another game."""
    game = ["c3-d4", "f6-e5", "d4xf6", "g7xe5"]
    expected: list[tuple[dict[str, Any], list[str]]] = [
        ({"moves": game[:2]}, game[:2]),
        ({"moves": game}, game[2:]),
        ({"moves": [game[0], "f6-g5"]}, ["f6-g5"]),
        ({"moves": game[:1], "options": {"removal": "at_end"}}, game[:1]),
        ({"moves": game[1:2], "position": "B:Wc3:Bf6"}, game[1:2]),
        ({"moves": [*game, "e3-d4"]}, ["e3-d4"]),
        ({"moves": [*game, "a1-h8"]}, ["a1-h8"]),
        ({"moves": game}, []),
    ]
    played = list[str]()

    def counted(rules: Rules, state: State, moves: list[str]) -> list[State]:
        played.extend(moves)
        return positions.played_on(rules, state, moves)

    monkeypatch.setattr(thinking, "played_on", counted)
    monkeypatch.setattr(thinking, "_replays", Replays[State]())
    asked = [json.dumps({"variant": "pinoy", "nodes": 50, **line}) for line, _ in expected]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(asked)))
    assert main(["best", "--jsonl"]) == 0
    assert played == [move for _, moves in expected for move in moves]
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [set(answer) == {"error"} for answer in answers] == [False] * 6 + [True, False]


def test_a_seed_varies_a_level(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Another seed is another game, the same one the same; it is a whole number, and for levels alone."""
    seeds = [*range(12), *range(12)]
    lines = [{"variant": "pinoy", "level": 5, "seed": seed} for seed in seeds]
    wrong: list[dict[str, Any]] = [{"seed": seed, "level": 5} for seed in (-1, 1.5, "1", True)]
    wrong.append({"seed": 1, "nodes": 50})
    text = "\n".join(json.dumps({"variant": "pinoy", **line}) for line in (*lines, *wrong))
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    assert main(["best", "--jsonl"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    moves = [answer["move"] for answer in answers[:24]]
    assert moves[:12] == moves[12:]
    assert len(set(moves)) > 1
    assert [set(answer) for answer in answers[24:]] == [{"error"}] * 5


def test_lines_that_cannot_be_read_are_told_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A key that stands twice is not passed over, and nothing of Python's own limits is said."""
    lines = [
        '{"variant":"pinoy","nodes":5,"nodes":9}',
        "[" * 100_000,
        '{"nodes":' + "9" * 5_000 + "}",
        "words",
        "{} {}",
    ]
    told = ["'nodes' stands twice", "nested too deep", "too many digits"]
    told += [
        f"write one object of JSON on a line ({why})"
        for why in ("Expecting value, character 1", "Extra data, character 4")
    ]
    for command in ("best", "moves"):
        monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
        assert main([command, "--jsonl"]) == 0
        answers = [json.loads(line)["error"] for line in capsys.readouterr().out.splitlines()]
        for says, answer in zip(told, answers, strict=True):
            assert answer.startswith("not a request: ")
            assert says in answer


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"nodes": 5, "moves": {}}, "moves must be a list of texts, a move in each"),
        ({"nodes": 5, "moves": ""}, "moves must be a list of texts, a move in each"),
        ({"nodes": 5, "moves": [" "]}, "moves must be a list of texts, a move in each"),
        ({"level": 3.0}, "level must be a whole number from 1 to 8"),
        ({"nodes": 5.0}, "nodes must be a whole number from 1"),
        ({"nodes": 5, "options": {"quiet_moves": 40.0}}, "an object of texts, whole numbers, true and false"),
    ],
)
def test_values_of_another_kind_are_refused(
    asked: dict[str, Any], why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is empty or looks like the right kind is told what is wanted; a mark of byte order is none of the line."""
    lines = [json.dumps({"variant": "pinoy", **asked}), "\ufeff" + json.dumps({"variant": "pinoy", "nodes": 5})]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
    assert main(["best", "--jsonl"]) == 0
    refused, answered = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert why in refused["error"]
    assert "move" in answered


def test_a_closed_standard_input_has_no_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program that is started without one has asked nothing."""
    monkeypatch.setattr("sys.stdin", None)
    assert main(["best", "--jsonl"]) == 0
    assert main(["moves", "--jsonl"]) == 0
    assert capsys.readouterr().out == ""
