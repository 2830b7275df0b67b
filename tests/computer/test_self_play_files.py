"""Files of games that weights are learned from (benchmarks/self_play.py): what is read, and what was broken off."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from bot.engine.draughts.rules import DraughtsRules
from bot.engine.registry import rules_for

pytestmark = pytest.mark.usefixtures("plainly")

SOURCE = Path(__file__).parents[2] / "benchmarks" / "self_play.py"


@pytest.fixture(scope="module")
def self_play() -> ModuleType:
    spec = importlib.util.spec_from_file_location("self_play_tried", SOURCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short games are played in less time than it takes to compile a search."""
    monkeypatch.setenv("DAMERO_PLAIN", "1")


def spanish() -> DraughtsRules:
    rules = rules_for("spanish")
    assert isinstance(rules, DraughtsRules)
    return rules


@pytest.mark.parametrize("cut", [1, 9, 60, 400])
def test_what_was_broken_off_is_played_again(self_play: ModuleType, tmp_path: Path, cut: int) -> None:
    """Where the program was stopped in the middle of a game, it goes on with that game, and the file is the same."""
    file = tmp_path / "games"
    self_play.play_games(spanish(), file, 3, 20, 5)
    whole = file.read_bytes()
    file.write_bytes(whole[:-cut])
    self_play.play_games(spanish(), file, 3, 20, 5)
    assert file.read_bytes() == whole
    assert len({seen.game for seen in self_play.read(file)}) == 3


@pytest.mark.parametrize(
    "bad",
    ["game a b 1", "game 1 2", "game 1 2 0.7", "game 1 2 nan", "one", "W:Wb1:Ba8 1 2", "W:Wb1:Ba8 1.5",
     "W:Wb1:Ba8 \u0663", "leaves x", "game 7", "words 7", ""],
)  # fmt: skip
def test_what_is_no_such_file(self_play: ModuleType, tmp_path: Path, bad: str) -> None:
    """It is named by file and line, and what stands there is left as it is."""
    file = tmp_path / "games"
    file.write_text(f"W:Wb1:Ba8 12\n{bad}\ngame 1 1 0.5\n", encoding="utf-8")
    before = file.read_bytes()
    with pytest.raises(ValueError, match=r"games, line 2, is none of a file of self_play\.py or leaves\.py"):
        self_play.play_games(spanish(), file, 3, 20, 5)
    assert file.read_bytes() == before


def test_positions_off_games_are_kept(self_play: ModuleType, tmp_path: Path) -> None:
    """Games that are written to a file of leaves.py stand behind what is there."""
    file = tmp_path / "leaves"
    file.write_text("W:Wb1:Ba8 12\nleaves 1000001\n", encoding="utf-8")
    before = file.read_bytes()
    self_play.play_games(spanish(), file, 1, 20, 5)
    assert file.read_bytes().startswith(before)
    assert len({seen.game for seen in self_play.read(file)}) == 2
