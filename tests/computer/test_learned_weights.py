"""The tools that learn weights (benchmarks/learn.py, learn_net.py and leaves.py): what they write, and what they refuse
to learn from."""

from __future__ import annotations

import importlib
import random
from pathlib import Path
from types import ModuleType

import pytest

from bot.computer.search.draughts import Searcher
from bot.computer.search.net_weights import net_of
from bot.computer.search.pattern_weights import weights_of
from bot.engine.draughts.rules import DraughtsRules
from bot.engine.registry import rules_for

pytest.importorskip("numpy")

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
GAMES = 1000
"""As few are enough."""


@pytest.fixture(autouse=True)
def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few positions are looked at in less time than it takes to compile a search."""
    monkeypatch.setenv("DAMERO_PLAIN", "1")


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of weights of its own, which holds those of `spanish`."""
    monkeypatch.syspath_prepend(BENCHMARKS)
    folder = tmp_path / "weights"
    folder.mkdir()
    for kind in ("patterns", "net"):
        (folder / f"spanish.{kind}").write_bytes(b"as they were")
    for name in ("learn", "learn_net"):
        monkeypatch.setattr(importlib.import_module(name), "WEIGHTS", folder)
    return folder


def tool(name: str) -> ModuleType:
    return importlib.import_module(name)


@pytest.fixture(scope="module")
def positions() -> list[tuple[str, int]]:
    """Positions of `spanish` with what their pieces are worth to the mover, of games that are played by chance."""
    rules, chance = rules_for("spanish"), random.Random("positions")
    assert isinstance(rules, DraughtsRules)
    searcher, found = Searcher(rules), dict[str, int]()
    while len(found) < 2 * GAMES:
        state = rules.start()
        for _ in range(chance.randint(8, 30)):
            if state.outcome is None:
                state = rules.play(state, chance.choice(rules.turns(state)))
        worth = searcher.node(state.position).score
        if state.outcome is None and sum(state.position.material()) >= 5 and abs(worth) <= 400:
            found[rules.position(state)] = worth
    return list(found.items())


def games(file: Path, positions: list[tuple[str, int]], number: int, more: int) -> Path:
    """A file of so many games of two positions, whose scores are ``more`` than their pieces are worth to the mover; who
    moves in the first one wins where that is for the better."""
    with file.open("w", encoding="utf-8") as out:
        for game in range(number):
            for text, worth in positions[2 * game : 2 * game + 2]:
                out.write(f"{text} {worth + more}\n")
            text, worth = positions[2 * game % len(positions)]
            out.write(f"game 1 {game + 1} {float((worth + more > 0) == text.startswith('W'))}\n")
    return file


def refused(name: str, *arguments: object, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """The sentence with which a tool ends."""
    monkeypatch.setattr("sys.argv", [name, *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        tool(name).main()
    assert ended.value.code == 2
    return capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize("name", ["learn", "learn_net"])
def test_what_is_learned_is_written(
    name: str, weights: Path, positions: list[tuple[str, int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that the search reads, with what it foretells better, in the place of the one before; no other file."""
    file = games(tmp_path / "games", positions, GAMES, more=150)
    before = {path.name: path.read_bytes() for path in weights.iterdir()}
    arguments = ["fit", "spanish", file, "--epochs", 3] if name == "learn" else ["spanish", file, "--epochs", 100]
    monkeypatch.setattr("sys.argv", [name, *map(str, arguments)])
    assert tool(name).main() == 0
    kind = {"learn": "patterns", "learn_net": "net"}[name]
    content = (weights / f"spanish.{kind}").read_bytes()
    board = rules_for("spanish").board
    pieces = weights_of("spanish", board, content)[0] if name == "learn" else net_of("spanish", board, content).pieces
    assert pieces == 24
    changed = {path.name for path in weights.iterdir() if path.read_bytes() != before.get(path.name)}
    assert changed == {f"spanish.{kind}"}


@pytest.mark.parametrize("name", ["learn", "learn_net"])
@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("few", "every tenth game tells how good the weights are: give 1000 games and more"),
        ("leaves", "there are no games in these files: give those of self_play.py as well"),
        ("nothing", "there are no games in these files: give those of self_play.py as well"),
        ("words", "line 1, is none of a file of self_play.py or leaves.py"),
        ("elsewhere", "'a9' is not a square of this board"),
        ("even", "the scores in these files foretell nothing of the results"),
        ("no file", "No such file"),
    ],
)
def test_what_nothing_is_learned_from(
    name: str,
    lines: str,
    why: str,
    weights: Path,
    positions: list[tuple[str, int]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It is told in a sentence, and the weights stay as they were."""
    file = tmp_path / "games"
    if lines == "few":
        games(file, positions, GAMES - 1, more=150)
    elif lines == "even":
        games(file, [(text, 0) for text, _ in positions], GAMES, more=0)
    elif lines != "no file":
        text = "".join(f"{text} {worth}\n" for text, worth in positions[:100])
        contents = {"leaves": text + "leaves 7\n", "nothing": "", "words": "some words\n"}
        file.write_text(contents.get(lines, "W:Wb1:Ba9 12\ngame 1 1 0.5\n"), encoding="utf-8")
    asked = ["fit", "spanish", file] if name == "learn" else ["spanish", file]
    told = refused(name, *asked, "--epochs", "1", capsys=capsys, monkeypatch=monkeypatch)
    assert "nothing is written: " in told
    assert why in told
    assert {path.read_bytes() for path in weights.iterdir()} == {b"as they were"}


@pytest.mark.parametrize("name", ["learn", "learn_net"])
def test_what_foretells_nothing(
    name: str,
    weights: Path,
    positions: list[tuple[str, int]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Where what was learned is no better than piece values, which say it all, it is not written."""
    file = games(tmp_path / "games", positions, GAMES, more=0)
    asked = ["fit", "spanish", file] if name == "learn" else ["spanish", file]
    told = refused(name, *asked, "--epochs", "1", "--mix", "0", capsys=capsys, monkeypatch=monkeypatch)
    assert "what was learned foretells no better" in told
    assert {path.read_bytes() for path in weights.iterdir()} == {b"as they were"}


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (["learn", "fit", "spanisch", "FILE"], "spanisch"),
        (["learn", "fit", "chinese-checkers", "FILE"], "give a draughts variant"),
        (["learn", "fit", "spanish"], "give a file of games to fit"),
        (["learn", "fit", "italian", "FILE", "--set", "mirror=1"], "mirror"),
        (["learn", "fit", "spanish", "FILE", "--epochs", "0"], "give 1 or more"),
        (["learn", "fit", "spanish", "FILE", "--mix", "1.5"], "give a number from 0 to 1"),
        (["learn", "fit", "spanish", "FILE", "--pull", "nan"], "give a number from 0 on"),
        (["learn_net", "spanisch", "FILE"], "spanisch"),
        (["learn_net", "international", "FILE"], "nothing is written"),
        (["learn_net", "spanish", "FILE", "--shrink", "-1"], "give a number from 0 on"),
        (["leaves", "spanisch", "OUT", "FILE"], "spanisch"),
        (["leaves", "spanish", "OUT", "FILE"], "nothing is written"),
        (["leaves", "spanish", "OUT", "FULL"], "there is no position with 5 pieces in these files: give more games"),
    ],
)
def test_what_is_asked_wrongly(
    asked: list[str],
    why: str,
    weights: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It is told in a sentence, and nothing is written."""
    (tmp_path / "FULL").write_text(f"{rules_for('spanish').position(rules_for('spanish').start())} 0\ngame 1 1 1\n")
    name, *arguments = (str(tmp_path / word) if word.isupper() else word for word in asked)
    assert why in refused(name, *arguments, capsys=capsys, monkeypatch=monkeypatch)
    assert not (tmp_path / "OUT").exists()
    assert {path.read_bytes() for path in weights.iterdir()} == {b"as they were"}
